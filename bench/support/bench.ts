// What every scenario is given: stores, data, load clients, servers that are started once and shared.
import { cpus } from 'node:os'

import { readConfig } from '../../src/config.ts'
import { openDeps } from '../../src/deps.ts'
import type { Scope } from '../../src/auth/scopes.ts'
import { createKey } from '../../src/auth/keys/verbs/keys.ts'
import { defaultConnections } from '../../src/platform/postgres/address.ts'
import { TICK_MS, cpuMs, familyCpuMs } from './cpu.ts'
import type { Dataset } from './datasets.ts'
import { LoadClients, type Requests } from './http-load.ts'
import { type Parameter, type PgbenchCalls, keepCalls, runPgbench } from './pgbench.ts'
import { profilerOptions, writePlans } from './profile.ts'
import type { Row } from './result.ts'
import type { Contender, Rounds, Sample } from './rounds.ts'
import { type TestedServer, startServer } from './servers.ts'
import type { Stores } from './stores.ts'

/** One thing that is measured. */
export interface Scenario {
  /** On the command line. */
  readonly name: string
  /** Left out of the quick form, unless it is named. */
  readonly isLong?: boolean
  run(bench: Bench): Promise<Row[]>
}

export interface BenchOptions {
  stores: Stores
  data: Dataset
  quick: boolean
  profile: boolean
  rounds: Rounds
  note: (line: string) => void
}

/** What is on in a server under test: everything, as it is by default. Clients' addresses come by a proxy's header. */
const SERVER_ENV = { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'warn' }

interface HearthSettings {
  /** One of its own, instead of the one that others asked before. */
  name?: string
  /** Server processes on one port. */
  processes?: number
  data?: Dataset
  /** Never with a profiler, which needs memory. */
  unprofiled?: boolean
  /** A module that is loaded first, to take something out. */
  preload?: string
  /** Settings of its own; such a server needs a name of its own too. */
  env?: Record<string, string>
}

interface HttpOptions {
  connections?: number
  /** Client processes: two where there are cores for them. */
  clients?: number
  /** Requests that a second may use up, where none may be sent twice. */
  consuming?: number
}

/** Connections of a load. */
export const CONNECTIONS = 32
/** pgbench counts in whole seconds, and begins each round with new connections: it should not be one of them alone. */
const LEAST_PGBENCH_SECONDS = 1
const MOST_SECONDS = 30
/** What serves rests when it uses no more in so long than the clock of its CPU time can tell. */
const REST_MS = 40
const MOST_REST_MS = 5000
const CLIENTS = cpus().length >= 4 ? 2 : 1

export class Bench {
  readonly clients = new LoadClients()
  readonly #servers = new Map<string, Promise<TestedServer>>()

  constructor(readonly options: BenchOptions) {}

  get data(): Dataset {
    return this.options.data
  }

  note(line: string): void {
    this.options.note(line)
  }

  /** Hearth on a dataset; the same one for the same settings. */
  hearth(settings: HearthSettings = {}): Promise<TestedServer> {
    const { name = '', processes = 1, data = this.data, preload, unprofiled = false, env } = settings
    return this.#shared(`hearth ${name} ${data.name} ${processes} ${preload}`, () =>
      startServer({
        command: [
          process.execPath,
          '--no-orphans',
          ...(preload ? ['--preload', preload] : []),
          ...(this.options.profile && !unprofiled
            ? profilerOptions(`hearth ${name} ${data.name} ${processes} ${preload ?? ''}`)
            : []),
          'src/server.ts',
        ],
        env: {
          ...SERVER_ENV,
          DATABASE_URL: data.url,
          REDIS_URL: this.options.stores.redisUrl,
          HTTP_PROCESSES: String(processes),
          ...env,
        },
        readyPath: '/readyz',
        processes,
      }),
    )
  }

  /** Another server, such as a peer; started once. */
  server(
    name: string,
    command: readonly string[],
    readyPath: string,
    more: Record<string, string> = {},
  ): Promise<TestedServer> {
    const env = {
      DATABASE_URL: this.data.url,
      REDIS_URL: this.options.stores.redisUrl,
      NODE_ENV: 'production',
      ...more,
    }
    return this.#shared(name, () => startServer({ command, env, readyPath }))
  }

  /** A key that may whatever `scopes` say, as often as it likes. */
  async key(scopes: readonly Scope[]): Promise<string> {
    const [key = ''] = await this.keys(scopes, 1)
    return key
  }

  /** Several such keys. */
  async keys(scopes: readonly Scope[], count: number): Promise<string[]> {
    const config = readConfig({
      DATABASE_URL: this.data.url,
      REDIS_URL: this.options.stores.redisUrl,
      LOG_LEVEL: 'error',
    })
    const deps = openDeps(config, { databaseLimitMs: 60_000 })
    try {
      const request = { ownerEmail: 'bench@example.com', name: 'bench', rateMultiplier: 1_000_000, scopes }
      const keys: string[] = []
      while (keys.length < count) keys.push((await createKey(deps, request)).secret)
      return keys
    } finally {
      await deps.close()
    }
  }

  /** A load over HTTP as a contender. Throws when an answer is not what was asked for: that would measure something else. */
  overHttp(
    name: string,
    server: TestedServer,
    requests: Requests,
    { connections = CONNECTIONS, clients = CLIENTS, consuming = 0 }: HttpOptions = {},
  ): Contender {
    let skip = 0
    const contender: Contender = {
      name,
      measure: async (seconds) => {
        const most = Math.ceil(consuming * seconds)
        const load = { url: server.url, connections, clients, seconds, skip, ...(most > 0 ? { most } : {}) }
        const measured = await this.#withCpu(server, () => this.clients.run(requests, load))
        const { failed, answered, statuses } = measured.load
        skip += most || answered
        if (most > 0 && answered > most * 0.8) throw new Error(`${name}: ${most} requests were not enough`)
        // On a machine so busy that nothing is answered in that time, it takes longer.
        if (failed + answered === 0 && seconds < MOST_SECONDS) return contender.measure(seconds * 2)
        if (failed > 0 || answered === 0) throw new Error(`${name}: ${failed} failed: ${JSON.stringify(statuses)}`)
        return { ...measured.load, cpuUs: measured.cpuUs(answered) }
      },
    }
    return contender
  }

  /** Calls of a statement for pgbench; with `--profile` their plans are kept too. */
  async calls(name: string, statement: string, calls: readonly (readonly Parameter[])[]): Promise<PgbenchCalls> {
    if (this.options.profile) await writePlans(this.data.sql, name, statement, calls)
    return keepCalls(name, statement, calls)
  }

  /** pgbench as a contender, on as many connections as its pool has. */
  overPgbench(name: string, calls: PgbenchCalls, { data = this.data }: { data?: Dataset } = {}): Contender {
    const connections = defaultConnections(data.url)
    return {
      name,
      measure: async (seconds): Promise<Sample> => {
        const load = () =>
          runPgbench(data.url, calls, { connections, seconds: Math.max(LEAST_PGBENCH_SECONDS, Math.round(seconds)) })
        const measured = await this.#withCpu(undefined, load)
        return { perSecond: measured.load.perSecond, cpuUs: measured.cpuUs(measured.load.calls) }
      },
    }
  }

  async #withCpu<T>(server: TestedServer | undefined, run: () => Promise<T>) {
    const { pids } = this.options.stores
    await this.#quiet()
    const usage = () => [server?.cpuMs() ?? 0, familyCpuMs(pids.postgres), cpuMs(pids.redis)] as const
    const before = usage()
    const load = await run()
    const after = usage()
    const cpuUs = (answers: number): Sample['cpuUs'] => ({
      server: ((after[0] - before[0]) * 1000) / answers,
      postgres: ((after[1] - before[1]) * 1000) / answers,
      redis: ((after[2] - before[2]) * 1000) / answers,
    })
    return { load, cpuUs }
  }

  /**
   * Waits until whatever serves rests: a server works on at what its clients no longer wait for, and would take it from the
   * next contender.
   */
  async #quiet(): Promise<void> {
    const { pids } = this.options.stores
    const servers = await Promise.all(this.#servers.values())
    const used = () =>
      servers.reduce((sum, server) => sum + server.cpuMs(), familyCpuMs(pids.postgres) + cpuMs(pids.redis))
    const endMs = performance.now() + MOST_REST_MS
    for (let before = used(); performance.now() < endMs;) {
      await Bun.sleep(REST_MS)
      const now = used()
      if (now - before <= TICK_MS) return
      before = now
    }
  }

  #shared(name: string, start: () => Promise<TestedServer>): Promise<TestedServer> {
    const known = this.#servers.get(name) ?? start()
    this.#servers.set(name, known)
    return known
  }

  /** Ends every server and client. */
  async stop(): Promise<void> {
    await this.clients.stop()
    const servers = await Promise.allSettled(this.#servers.values())
    await Promise.all(servers.flatMap((started) => (started.status === 'fulfilled' ? [started.value.stop()] : [])))
  }
}
