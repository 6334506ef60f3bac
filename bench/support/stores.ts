// The stores of the benchmarks: one private PostgreSQL and one Redis under .hearth/bench, kept from run to run.
import { join, resolve } from 'node:path'

import { Redis } from 'ioredis'

import { type Sql, connect } from '../../src/platform/postgres/database.ts'
import { openPostgres } from '../../src/local/postgres.ts'
import { openRedis } from '../../src/local/redis.ts'
import { parentOf } from './cpu.ts'

export const ROOT = join(import.meta.dir, '../..')
/** Everything the benchmarks keep; on another disk by HEARTH_BENCH_DIR. */
export const BENCH_FOLDER = resolve(ROOT, process.env['HEARTH_BENCH_DIR'] ?? '.hearth/bench')

export interface Stores {
  /** The URL of a database of the cluster. */
  databaseUrl(name: string): string
  /** A connection to the database `postgres`, to make others from. */
  readonly admin: Sql
  readonly redisUrl: string
  readonly redis: Redis
  /** The postmaster's and Redis's process: their CPU is measured. */
  readonly pids: { postgres: number; redis: number }
  stop(): Promise<void>
}

/** Starts both. Whatever ran here before and was killed is found and used again. */
export async function openStores(note: (line: string) => void): Promise<Stores> {
  const database = await openPostgres({ dir: BENCH_FOLDER, profile: 'bench', note })
  const store = await openRedis({ dir: BENCH_FOLDER, note })
  const databaseUrl = (name: string) => {
    const url = new URL(database.url)
    url.pathname = `/${name}`
    return url.href
  }
  const admin = connect(databaseUrl('postgres'), 1, { applicationName: 'hearth-bench' })
  const redis = new Redis(store.url)
  const [backend] = await admin<{ pid: number }[]>`select pg_backend_pid() as pid`
  const [, redisPid] = /process_id:(\d+)/.exec(await redis.info('server')) ?? []
  return {
    databaseUrl,
    admin,
    redisUrl: store.url,
    redis,
    pids: { postgres: parentOf(backend?.pid ?? 0), redis: Number(redisPid) },
    stop: async () => {
      redis.disconnect()
      await admin.end({ timeout: 1 })
      await Promise.all([store.stop(), database.stop()])
    },
  }
}
