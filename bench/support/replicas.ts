// A primary with streaming replicas of its own, beside the PostgreSQL of the other scenarios: a replica copies a whole cluster.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { type LocalPostgres, openPostgres } from '../../src/local/postgres.ts'
import { openStandby } from '../../src/local/standby.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { connect } from '../../src/platform/postgres/open-database.ts'
import { migrate } from '../../src/platform/postgres/migrate.ts'
import { seed } from '../../src/local/seed/seed.ts'
import { cpuMsWithChildren, parentOf } from './cpu.ts'
import type { Dataset } from './datasets.ts'
import { BENCH_FOLDER } from './stores.ts'

const CATCH_UP_MS = 60_000

export interface Replicated {
  /** The data set, on the primary. */
  readonly data: Dataset
  readonly replicaUrls: readonly string[]
  /** CPU time so far, in ms. */
  primaryMs(): number
  replicasMs(): number
  stop(): Promise<void>
}

/** Fills a primary with this number of pros and opens its replicas. */
export async function openReplicated(replicas: number, pros: number, log: (line: string) => void): Promise<Replicated> {
  const folder = join(BENCH_FOLDER, 'replicated')
  rmSync(folder, { recursive: true, force: true })
  const opened: LocalPostgres[] = []
  const folderOf = (name: string) => {
    const dir = join(folder, name)
    mkdirSync(dir, { recursive: true, mode: 0o755 })
    return dir
  }
  const primary = await openPostgres({ dir: folderOf('primary'), profile: 'bench', note: log })
  opened.push(primary)
  const url = overTcp(primary.url)
  const sql = connect(url, 2, { applicationName: 'hearth-bench' })
  await migrate(sql)
  await seed(sql, { pros, seed: 1, now: new Date(), note: log, withHistory: true })
  for (let n = 1; n <= replicas; n++) opened.push(await openStandby(folderOf(`replica-${n}`), url, 'bench'))
  const [primaryPid = 0, ...replicaPids] = await Promise.all(opened.map((one) => postmasterOf(one.url)))
  const replicaUrls = opened.slice(1).map((one) => overTcp(one.url))
  for (const each of replicaUrls) await caughtUp(each)
  return {
    data: { name: 'replicated', url, pros, madeAt: new Date().toISOString(), sql },
    replicaUrls,
    primaryMs: () => cpuMsWithChildren(primaryPid),
    replicasMs: () => replicaPids.reduce((sum, pid) => sum + cpuMsWithChildren(pid), 0),
    stop: async () => {
      await sql.end({ timeout: 1 })
      for (const one of opened.toReversed()) await one.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** All nodes are reached like machines, so that none of them has the socket's advantage. */
function overTcp(text: string): string {
  const url = new URL(text)
  url.search = ''
  return url.href
}

async function postmasterOf(url: string): Promise<number> {
  const sql = connect(url, 1, { applicationName: 'hearth-bench' })
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  const pid = parentOf(row?.pid ?? 0)
  await sql.end({ timeout: 1 })
  return pid
}

async function caughtUp(url: string): Promise<void> {
  const sql = connect(url, 1, { applicationName: 'hearth-bench' })
  const isIdle = async () => {
    const [row] = await sql<{ replayed: boolean }[]>`
      select pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() as replayed`
    return row?.replayed ?? false
  }
  const isReady = await waitUntil(isIdle, CATCH_UP_MS)
  await sql.end({ timeout: 1 })
  if (!isReady) throw new Error('A replica did not catch up.')
}
