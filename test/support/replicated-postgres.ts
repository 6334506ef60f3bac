// A PostgreSQL with streaming replicas, each a private cluster of its own made by pg_basebackup.
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { type LocalPostgres, openPostgres } from '../../src/local/postgres.ts'
import { processesIn, signalIfAlive } from '../../src/local/processes.ts'
import { openStandby } from '../../src/local/standby.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { migrate } from '../../src/platform/postgres/migrate.ts'
import { testSql, withoutSocket } from './database.ts'

export interface PostgresNode {
  /** Over TCP, like a node on another machine. */
  readonly url: string
  /** `host:port`. */
  readonly host: string
  /** The superuser's connections to this node. */
  readonly sql: Sql
  /** Stops every process of the node where it is, as a frozen machine does. */
  freeze(): void
  thaw(): void
  /** Ends every process of the node at once. */
  kill(): Promise<void>
  restart(): Promise<void>
  /** Makes a replica accept writes. */
  promote(): Promise<void>
  close(): Promise<void>
}

export interface ReplicatedPostgres {
  readonly primary: PostgresNode
  readonly replicas: readonly PostgresNode[]
  close(): Promise<void>
}

/**
 * A migrated primary and as many replicas, which are copied after `fill`. As durable as in production: the test profile writes no
 * WAL for replicas.
 */
export async function openReplicatedPostgres(
  replicaCount: number,
  fill: (sql: Sql) => Promise<void> = async () => undefined,
): Promise<ReplicatedPostgres> {
  const nodes: PostgresNode[] = []
  const close = async () => {
    for (const node of nodes.toReversed()) await node.close()
  }
  try {
    const primary = await openPrimary()
    nodes.push(primary)
    await migrate(primary.sql)
    await fill(primary.sql)
    for (let n = 0; n < replicaCount; n++) nodes.push(await openReplica(primary))
    const replicas = nodes.slice(1)
    for (const replica of replicas) await hasCaughtUp(primary, replica)
    return { primary, replicas, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Waits until the replica has replayed what the primary has written so far. */
export async function hasCaughtUp(primary: PostgresNode, replica: PostgresNode): Promise<void> {
  const [written] = await primary.sql<{ position: string }[]>`select pg_current_wal_lsn()::text as position`
  const isReplayed = async () => {
    const [row] = await replica.sql<{ replayed: boolean }[]>`
      select coalesce(pg_last_wal_replay_lsn() >= ${written?.position ?? ''}::pg_lsn, false) as replayed`
    return row?.replayed ?? false
  }
  if (!(await waitUntil(isReplayed, 10_000))) throw new Error('The replica did not catch up.')
}

async function openPrimary(): Promise<PostgresNode> {
  const dir = mkdtempSync(join(tmpdir(), 'hearth-node-'))
  chmodSync(dir, 0o755)
  return nodeOf(dir, await openPostgres({ dir, profile: 'dev', note: () => undefined }))
}

async function openReplica(primary: PostgresNode): Promise<PostgresNode> {
  const dir = mkdtempSync(join(tmpdir(), 'hearth-node-'))
  return nodeOf(dir, await openStandby(dir, primary.url, 'dev'))
}

function nodeOf(dir: string, local: LocalPostgres): PostgresNode {
  const data = join(realpathSync(dirname(local.logFile)), 'data')
  const url = withoutSocket(local.url)
  const sql = testSql(url, 2)
  const signal = (name: NodeJS.Signals) => {
    for (const pid of processesIn(data)) signalIfAlive(pid, name)
  }
  return {
    url,
    host: new URL(url).host,
    sql,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    kill: async () => {
      signal('SIGKILL')
      await waitUntil(() => processesIn(data).length === 0, 10_000)
    },
    restart: () => local.restart(),
    promote: async () => void (await sql`select pg_promote()`),
    close: async () => {
      signal('SIGCONT')
      await sql.end({ timeout: 1 })
      await local.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
