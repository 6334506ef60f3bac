// A stack for failure injection: its own stores, servers and workers, and ways to kill each.
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createKey } from '../../src/auth/keys/verbs/keys.ts'
import { openPostgres } from '../../src/local/postgres.ts'
import { openRedis } from '../../src/local/redis.ts'
import { migrate } from '../../src/platform/postgres/migrate.ts'
import { ACTOR_NAMES, processCounts } from '../../workers/runtime/actor-names.ts'
import { startSupervisor } from '../../workers/runtime/supervisor.ts'
import { testSql, withWriter } from './database.ts'
import type { TestServer } from './server.ts'
import { openServerPool } from './server-pool.ts'
import { ctxOf } from '../../src/ctx.ts'

const SERVERS = 2
/** All processes share one secret, so that a restarted one can decrypt the values of the others. */
const SECRET = 'a secret that all processes of this test share'

export const FAILURES = ['server', 'worker', 'redis', 'postgres'] as const
export type Failure = (typeof FAILURES)[number]

export interface ChaosStack {
  readonly databaseUrl: string
  /** One of the running servers, or undefined when none runs. */
  server(): TestServer | undefined
  /** Kills one process of the kind. Servers and workers restart by themselves; a store runs again when this resolves. */
  inflict(failure: Failure): Promise<void>
  /** Kills the processes of one actor. Returns how many. */
  killActor(name: string): number
  close(): Promise<void>
}

/** Opens the stack; `env` has further variables of its processes. The stores are as durable as in production. */
export async function openChaosStack(
  random: (below: number) => number,
  env: Record<string, string> = {},
): Promise<ChaosStack> {
  const dir = mkdtempSync(join(tmpdir(), 'hearth-chaos-'))
  chmodSync(dir, 0o755)
  const note = () => undefined
  const [database, redis] = await Promise.all([openPostgres({ dir, profile: 'dev', note }), openRedis({ dir, note })])
  const sql = testSql(database.url, 1)
  await migrate(sql)
  await sql.end()
  const stores = { DATABASE_URL: database.url, REDIS_URL: redis.url }
  const common = { HEARTH_SECRET: SECRET, WEBHOOK_ALLOW_PRIVATE: '1', ...env }

  const workerLog = join(dir, 'workers.log')
  const output = openSync(workerLog, 'a')
  const supervisor = startSupervisor({
    actors: processCounts(ACTOR_NAMES, new Map([['relay-outbox', 2]])),
    env: { PATH: process.env['PATH'], ...stores, ...common },
    output,
    onEvent: note,
    limits: { firstDelayMs: 200, longestDelayMs: 1000 },
  })

  const servers = openServerPool({ databaseUrl: database.url, redisUrl: redis.url, env: common }, SERVERS, random)
  const pickOne = <T>(all: readonly T[]): T | undefined => all[random(Math.max(all.length, 1))]

  const failures: Record<Failure, () => Promise<void>> = {
    server: async () => servers.server()?.signal('SIGKILL'),
    worker: async () => {
      const worker = pickOne(supervisor.running())
      if (worker) process.kill(worker.pid, 'SIGKILL')
    },
    redis: () => redis.restart(),
    postgres: async () => {
      await database.stopImmediately()
      await database.restart()
    },
  }
  return {
    databaseUrl: database.url,
    server: () => servers.server(),
    inflict: (failure) => failures[failure](),
    killActor: (actor) => {
      const running = supervisor.running().filter((one) => one.actor === actor)
      for (const { pid } of running) process.kill(pid, 'SIGKILL')
      return running.length
    },
    close: async () => {
      await Promise.all([servers.close(), supervisor.stop()])
      closeSync(output)
      await Promise.all([database.stop(), redis.stop()])
      if (process.env['HEARTH_CHAOS_LOG']) process.stdout.write(readFileSync(workerLog, 'utf8'))
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** Creates a key of the booking developer to manage webhooks. */
export async function createWebhookKey(databaseUrl: string, ownerEmail: string): Promise<string> {
  const input = { ownerEmail, scopes: ['webhooks:manage' as const], name: 'chaos', rateMultiplier: 1000 }
  return (await withWriter(databaseUrl, (deps) => createKey(ctxOf(deps), input))).secret
}
