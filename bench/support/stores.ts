// The stores of the benchmarks: a private PostgreSQL and Redis under .hearth/bench, reused by later runs.
import { join, resolve } from 'node:path'

import { Redis } from 'ioredis'

import type { Sql } from '../../src/platform/postgres/database.ts'
import { connect } from '../../src/platform/postgres/open-database.ts'
import { openPostgres } from '../../src/local/postgres.ts'
import { openRedis } from '../../src/local/redis.ts'
import { parentOf } from './cpu.ts'

export const ROOT = join(import.meta.dir, '../..')
/** The folder of all benchmark data. HEARTH_BENCH_DIR moves it, for example to another disk. */
export const BENCH_FOLDER = resolve(ROOT, process.env['HEARTH_BENCH_DIR'] ?? '.hearth/bench')

export interface Stores {
  /** The URL of a database in the cluster. */
  databaseUrl(name: string): string
  /** A connection to the database `postgres`, for creating others. */
  readonly admin: Sql
  readonly redisUrl: string
  readonly redis: Redis
  /** The processes of the postmaster and Redis, whose CPU time is measured. */
  readonly pids: { postgres: number; redis: number }
  stop(): Promise<void>
}

/** Starts both stores, or uses those that a killed run left behind. */
export async function openStores(log: (line: string) => void): Promise<Stores> {
  const database = await openPostgres({ dir: BENCH_FOLDER, profile: 'bench', note: log })
  const redisServer = await openRedis({ dir: BENCH_FOLDER, note: log })
  const databaseUrl = (name: string) => {
    const url = new URL(database.url)
    url.pathname = `/${name}`
    return url.href
  }
  const admin = connect(databaseUrl('postgres'), 1, { applicationName: 'hearth-bench' })
  const redis = new Redis(redisServer.url)
  const [backend] = await admin<{ pid: number }[]>`select pg_backend_pid() as pid`
  const [, redisPid] = /process_id:(\d+)/.exec(await redis.info('server')) ?? []
  return {
    databaseUrl,
    admin,
    redisUrl: redisServer.url,
    redis,
    pids: { postgres: parentOf(backend?.pid ?? 0), redis: Number(redisPid) },
    stop: async () => {
      redis.disconnect()
      await admin.end({ timeout: 1 })
      await Promise.all([redisServer.stop(), database.stop()])
    },
  }
}
