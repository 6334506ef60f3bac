// The context of every scenario: stores, data, load clients, and servers that are started once and shared.
import { cpus } from 'node:os'

import { readConfig } from '../../src/config.ts'
import { openDeps } from '../../src/deps.ts'
import type { Scope } from '../../src/auth/scopes.ts'
import { type NewKey, createKey } from '../../src/auth/keys/verbs/keys.ts'
import { defaultConnections } from '../../src/platform/postgres/client.ts'
import { OWNER_EMAIL } from './account.ts'
import { TICK_MS, cpuMs, cpuMsWithChildren } from './cpu.ts'
import type { Dataset } from './datasets.ts'
import { LoadClients, type Requests } from './http-load.ts'
import type { OldBuild } from './old-build.ts'
import { PROS, type SizeOptions } from './options.ts'
import { type Parameter, type PgbenchCalls, writeCalls, runPgbench } from './pgbench.ts'
import { profilerOptions, writePlans } from './profile.ts'
import type { Row } from './result.ts'
import type { Contender, Rounds, Sample } from './rounds.ts'
import { type TestedServer, startServer } from './servers.ts'
import type { Stores } from './stores.ts'
import { ctxOf } from '../../src/ctx.ts'

/** One measurement. */
export interface Scenario {
  /** The name on the command line. */
  readonly name: string
  /** Whether a quick run skips it unless it is named. */
  readonly isLong?: boolean
  run(bench: Bench): Promise<Row[]>
}

export interface BenchOptions {
  stores: Stores
  data: Dataset
  quick: boolean
  smoke: boolean
  noisy: boolean
  profile: boolean
  rounds: Rounds
  size: SizeOptions
  /** The older build of `--against`. */
  against?: OldBuild | undefined
  log: (line: string) => void
}

/** Environment of a server under test: defaults, with client addresses from X-Forwarded-For. */
const SERVER_ENV = { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'warn' }

interface HearthSettings {
  /** Starts a separate server under this name instead of sharing one. */
  name?: string
  /** Server processes on one port. */
  processes?: number
  data?: Dataset
  /** Runs without the profiler, which needs memory. */
  isUnprofiled?: boolean
  /** A module that is loaded first and replaces others. */
  preload?: string
  /** Additional environment; such a server also needs a `name`. */
  env?: Record<string, string>
}

export interface HttpOptions {
  connections?: number
  /** Client processes. */
  clients?: number
  /** The highest rate expected, where no request may be sent twice. */
  maxPerSecond?: number
}

/** Connections of a load by default. */
export const CONNECTIONS = 32
/** pgbench takes whole seconds, and each run starts with new connections. */
const MIN_PGBENCH_SECONDS = 1
/** Scripts per connection in a smoke run. */
const SMOKE_TRANSACTIONS = 5
const SMOKE_CONNECTIONS = 4
const MAX_SECONDS = 30
/** Servers and stores are idle when they use at most one CPU clock tick in this time. */
const IDLE_SAMPLE_MS = 40
const MAX_IDLE_WAIT_MS = 5000
const CLIENTS = cpus().length >= 4 ? 2 : 1

export class Bench {
  readonly clients = new LoadClients()
  readonly #servers = new Map<string, Promise<TestedServer>>()

  constructor(readonly options: BenchOptions) {}

  get data(): Dataset {
    return this.options.data
  }

  /** Whether pgbench and GEOSEARCH are measured too: with fewer pros GEOSEARCH returns a part, and pgbench hardly works. */
  get hasLimits(): boolean {
    return this.options.smoke || this.data.pros >= PROS
  }

  /** Whether the peers are measured too, which need packages of their own. */
  get hasPeers(): boolean {
    return !this.options.smoke
  }

  /** Connections of a load; few in a smoke run, which shall not overload a busy machine. */
  connections(usual: number): number {
    return this.options.smoke ? Math.min(usual, SMOKE_CONNECTIONS) : usual
  }

  /** The amount of work in a complete, a quick or a smoke run. */
  amount({ full, quick, smoke }: { full: number; quick: number; smoke: number }): number {
    return this.options.smoke ? smoke : this.options.quick ? quick : full
  }

  log(line: string): void {
    this.options.log(line)
  }

  /** Starts Hearth on a dataset, or returns the server with the same settings. */
  hearth(settings: HearthSettings = {}): Promise<TestedServer> {
    const { name = '', processes = 1, data = this.data, preload, isUnprofiled = false, env } = settings
    return this.#shared(`hearth ${name} ${data.name} ${processes} ${preload}`, () =>
      startServer({
        command: [
          process.execPath,
          '--no-orphans',
          ...(preload ? ['--preload', preload] : []),
          ...(this.options.profile && !isUnprofiled
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

  /** Starts the older build on its own database. Undefined without `--against`. */
  async oldBuild(): Promise<TestedServer | undefined> {
    const { against, stores } = this.options
    if (!against) return undefined
    // A database of its own in Redis: the keys of another build may have another form.
    const redisUrl = new URL(stores.redisUrl)
    redisUrl.pathname = '/1'
    return this.#shared('older build', () =>
      startServer({
        command: [process.execPath, '--no-orphans', 'src/server.ts'],
        env: { ...SERVER_ENV, DATABASE_URL: against.data.url, REDIS_URL: redisUrl.href },
        readyPath: '/readyz',
        folder: against.folder,
      }),
    )
  }

  /** Starts another server, such as a peer, once per name. */
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

  /** Creates an API key with these scopes and practically no rate limit. Returns its secret. */
  async createKey(scopes: readonly Scope[]): Promise<string> {
    const [key = ''] = await this.createKeys(scopes, 1)
    return key
  }

  /** Creates several such keys. */
  async createKeys(scopes: readonly Scope[], count: number, more: Partial<NewKey> = {}): Promise<string[]> {
    const config = readConfig({
      DATABASE_URL: this.data.url,
      REDIS_URL: this.options.stores.redisUrl,
      LOG_LEVEL: 'error',
    })
    const deps = openDeps(config, { databaseLimitMs: 60_000 })
    try {
      const request = { ownerEmail: OWNER_EMAIL, name: 'bench', rateMultiplier: 1_000_000, scopes, ...more }
      const keys: string[] = []
      while (keys.length < count) keys.push((await createKey(ctxOf(deps), request)).secret)
      return keys
    } finally {
      await deps.close()
    }
  }

  /** A contender that sends HTTP requests. Its measurement throws when a response is not 2xx. */
  overHttp(
    name: string,
    server: TestedServer,
    requests: Requests,
    { connections = CONNECTIONS, clients = CLIENTS, maxPerSecond = 0 }: HttpOptions = {},
  ): Contender {
    let skip = 0
    const contender: Contender = {
      name,
      measure: async (seconds) => {
        const maxRequests = Math.ceil(maxPerSecond * (seconds + this.options.rounds.startSeconds))
        const load = {
          url: server.url,
          connections: this.connections(connections),
          clients,
          seconds,
          startSeconds: this.options.rounds.startSeconds,
          skip,
          ...(maxRequests > 0 ? { maxRequests } : {}),
        }
        const measured = await this.#withCpu(server, () => this.clients.run(requests, load))
        const { failed, responses, statuses, perSecond } = measured.load
        skip += maxRequests || responses
        if (maxRequests > 0 && responses > maxRequests * 0.8)
          throw new Error(`${name}: ${maxRequests} requests were not enough. Raise maxPerSecond.`)
        // A very busy machine may send no response in that time: retry for longer.
        if (failed === 0 && perSecond === 0 && seconds < MAX_SECONDS) return contender.measure(seconds * 2)
        if (failed > 0 || perSecond === 0)
          throw new Error(`${name}: ${failed} requests failed: ${JSON.stringify(statuses)}`)
        return { ...measured.load, cpuUs: measured.cpuUs(responses) }
      },
    }
    return contender
  }

  /** Writes calls of a statement for pgbench; with `--profile` their plans too. */
  async preparePgbench(
    name: string,
    statement: string,
    calls: readonly (readonly Parameter[])[],
  ): Promise<PgbenchCalls> {
    if (this.options.profile) await writePlans(this.data.sql, name, statement, calls)
    return writeCalls(name, statement, calls)
  }

  /** pgbench with the statement of a read, where it says something. */
  async pgbenchLimits(name: string, statement: string, calls: readonly (readonly Parameter[])[]): Promise<Contender[]> {
    return this.hasLimits ? [this.overPgbench('pgbench', await this.preparePgbench(name, statement, calls))] : []
  }

  /** A contender that runs pgbench on as many connections as Hearth's pool has. */
  overPgbench(name: string, calls: PgbenchCalls, { data = this.data }: { data?: Dataset } = {}): Contender {
    const connections = defaultConnections(data.url)
    return {
      name,
      measure: async (seconds): Promise<Sample> => {
        const load = () =>
          runPgbench(data.url, calls, {
            connections,
            ...(this.options.smoke
              ? { transactions: SMOKE_TRANSACTIONS }
              : { seconds: Math.max(MIN_PGBENCH_SECONDS, Math.round(seconds)) }),
          })
        const measured = await this.#withCpu(undefined, load)
        return { perSecond: measured.load.perSecond, cpuUs: measured.cpuUs(measured.load.calls) }
      },
    }
  }

  async #withCpu<T>(server: TestedServer | undefined, run: () => Promise<T>) {
    const { pids } = this.options.stores
    await this.#quiet()
    const usage = () => [server?.cpuMs() ?? 0, cpuMsWithChildren(pids.postgres), cpuMs(pids.redis)] as const
    const before = usage()
    const load = await run()
    const after = usage()
    // Each response took some time, also where all together took less than a tick.
    const least = TICK_MS / 2
    const cpuUs = (responses: number): Sample['cpuUs'] => ({
      server: server ? (Math.max(after[0] - before[0], least) * 1000) / responses : 0,
      postgres: (Math.max(after[1] - before[1], server ? 0 : least) * 1000) / responses,
      redis: ((after[2] - before[2]) * 1000) / responses,
    })
    return { load, cpuUs }
  }

  /**
   * Waits until all servers and stores are idle: a server finishes requests whose clients have left, which would slow down the
   * next contender.
   */
  async #quiet(): Promise<void> {
    if (this.options.smoke) return
    const { pids } = this.options.stores
    const servers = await Promise.all(this.#servers.values())
    const used = () =>
      servers.reduce((sum, server) => sum + server.cpuMs(), cpuMsWithChildren(pids.postgres) + cpuMs(pids.redis))
    const endMs = performance.now() + MAX_IDLE_WAIT_MS
    for (let before = used(); performance.now() < endMs;) {
      await Bun.sleep(IDLE_SAMPLE_MS)
      const now = used()
      if (now - before <= TICK_MS) return
      before = now
    }
  }

  #shared(name: string, start: () => Promise<TestedServer>): Promise<TestedServer> {
    const started = this.#servers.get(name) ?? start()
    this.#servers.set(name, started)
    return started
  }

  /** Ends every server and client. */
  async stop(): Promise<void> {
    await this.clients.stop()
    const servers = await Promise.allSettled(this.#servers.values())
    await Promise.all(servers.flatMap((started) => (started.status === 'fulfilled' ? [started.value.stop()] : [])))
  }
}
