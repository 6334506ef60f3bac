// Opens the connection pools of PostgreSQL.
import postgres from 'postgres'

import { acceptsConnections, acceptsTransactions, tryWrite } from './checks.ts'
import { postgresClient } from './client.ts'
import { boolean, composed } from './composed.ts'
import type { Pooler } from './configured-urls.ts'
import type { Database, ReplicaState, Runner, Sql } from './database.ts'
import { GENERIC_PLANS, PREFER_INDEXES, sessionSettings } from './settings.ts'
import { type WatchNode, watchNode } from './node-watch.ts'
import { askOnce } from './primary.ts'
import { type HostPools, type PoolName, type PrimaryPools, openPrimaryPools } from './primary-pools.ts'
import { openReplicas } from './replicas.ts'
import { type Calls, type PoolSource, runner, transactions, writer } from './runner.ts'
import { POSTGRES_TYPES } from './types.ts'
import { openWakeUps, wakeAfterCommit } from './wake-ups.ts'
import { DISK_FULL, READ_ONLY, StoreUnavailable } from '../store-error.ts'

export interface DatabaseOptions {
  /** May name several hosts: the one that accepts writes is used. */
  url: string
  /** Replicas; none if absent. */
  replicaUrls?: readonly string[]
  /** A replica that is further behind is not used. */
  replicaMaxLagMs?: number
  /** What stands before the URLs; undefined if they lead to PostgreSQL itself. */
  pooler?: Pooler | undefined
  /** Connections per pool and process. */
  readConnections: number
  writeConnections: number
  /** PostgreSQL cancels a statement that runs longer. */
  statementTimeoutMs: number
  /** The longest wait of a caller, including the wait for a connection. */
  waitLimitMs: number
  applicationName: string
  /** A connection that is not used for so long is closed; without it, connections stay. */
  idleSeconds?: number | undefined
  /** Called before a statement or transaction that PostgreSQL rolled back because of a concurrent one runs again. */
  onRetry?: (name: string, reason: unknown) => void
  /** Called when the pools open new connections: to a new primary, or because the previous ones were lost. */
  onReconnect?: (host: string) => void
  onReplicaChange?: (state: ReplicaState) => void
  /** Called when wake-ups could not be sent after a commit. */
  onWakeUpLost?: (error: unknown) => void
}

/**
 * Opens four pools on the primary: for single reads, statement files, single calls of functions that write, and transactions;
 * and a connection for `ping`. Each replica has the first two.
 *
 * Statement files are planned once: by default PostgreSQL planned the 14 days of open times for each call, which took a
 * third of their time.
 *
 * Transactions have their own pool because postgres.js does not reserve the connection for a BEGIN that fills its pipeline
 * (porsager/postgres #1189): 7% of transactions that shared a pool with single statements failed with UNSAFE_TRANSACTION
 * under load, and none without.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const { replicaUrls = [], onReconnect = () => undefined, onReplicaChange = () => undefined } = options
  let isDiskFull = false
  const watch: WatchNode = (url, onAsked) => watchNode(url, onAsked, options.pooler)
  const calls = openCalls(options, (error, answers) => {
    if (error.code === DISK_FULL) isDiskFull = true
    primary.onUnavailable(error, answers)
  })
  const changeListeners: (() => void)[] = []
  const primary = openPrimaryPools({
    url: options.url,
    openPools: (url) => openPools(url, options, (notice) => wakeUps.onNotice(notice)),
    watch,
    ask: askOnce,
    onStatus: replicaUrls.length > 0 ? (status) => replicas.onPrimary(status) : undefined,
    onChange: (host) => {
      for (const listener of changeListeners) listener()
      onReconnect(host)
    },
  })
  const read = readRunner((name) => primary.pool(name), calls)
  const replicas = openReplicas({
    urls: replicaUrls,
    primary: read,
    openPools: (url) => openReadPools(url, options),
    openRunner: (pools, own) => readRunner((name) => pools[name], own),
    watch,
    calls: openCalls(options, () => undefined),
    maxLagMs: options.replicaMaxLagMs ?? DEFAULT_MAX_LAG_MS,
    onChange: onReplicaChange,
  })
  const begin = transactions(() => primary.pool('transactions'), calls)
  const probe = runner(() => primary.pool('probe'), calls)
  // On the connection of probes, so that wake-ups do not wait for commits.
  const wakeUps = openWakeUps(probe, options.onWakeUpLost)
  const checkPool = async (name: PoolName) => acceptsConnections(await primary.pool(name))
  return {
    replicas: replicas.pool,
    read: {
      ...read,
      ping: async () => {
        await ping(probe)
        await Promise.all([checkPool('read'), checkPool('files')])
      },
    },
    write: {
      ...wakeAfterCommit(wakeUps, { ...writer(() => primary.pool('write'), calls), begin }),
      ping: async () => {
        await checkWrites(probe, isDiskFull, () => primary.pool('probe'))
        await Promise.all([checkPool('write'), acceptsTransactions(begin)])
        isDiskFull = false
      },
      onPrimaryChange: (listener) => void changeListeners.push(listener),
    },
    warmUp: () => warmUp(primary, calls),
    close: async () => {
      await wakeUps.close()
      await Promise.all([primary.close(), replicas.close()])
    },
  }
}

const DEFAULT_MAX_LAG_MS = 1000

const openCalls = (
  { waitLimitMs, onRetry = () => undefined }: DatabaseOptions,
  onUnavailable: Calls['onUnavailable'],
): Calls => ({ waitLimitMs, onRetry, onUnavailable, answered: 0 })

async function warmUp(primary: PrimaryPools, calls: Calls): Promise<void> {
  const warmPool = async (name: PoolName) => {
    const pool = await primary.pool(name)
    // The pool gives each of as many statements as it has connections one of its own.
    await Promise.all(Array.from({ length: pool.options.max }, () => ping(runner(() => pool, calls))))
  }
  await Promise.all([warmPool('read'), warmPool('files'), warmPool('write'), warmPool('transactions')])
}

/** Statement files run on their own pool. */
function readRunner(pool: (name: 'read' | 'files') => ReturnType<PoolSource>, calls: Calls): Runner {
  const files = runner(() => pool('files'), calls)
  return {
    ...runner(() => pool('read'), calls),
    prepared: (name, text, parameters) => files.prepared(name, text, parameters),
  }
}

/** The most connections to the primary that a database has whose pools are of this size: four pools, and that of `ping`. */
export const connectionsOfPools = (size: number): number => 4 * size + 1

function openPools(url: string, options: DatabaseOptions, onNotice: (notice: postgres.Notice) => void): HostPools {
  const writing = { ...options, settings: PREFER_INDEXES, onNotice }
  return {
    ...openReadPools(url, options),
    write: connect(url, options.writeConnections, writing),
    transactions: connect(url, options.writeConnections, writing),
    probe: connect(url, 1, options),
  }
}

const openReadPools = (url: string, options: DatabaseOptions): Pick<HostPools, 'read' | 'files'> => ({
  read: connect(url, options.readConnections, options),
  files: connect(url, options.readConnections, { ...options, settings: GENERIC_PLANS }),
})

interface ConnectionOptions {
  applicationName: string
  idleSeconds?: number | undefined
  statementTimeoutMs?: number
  settings?: Record<string, string>
  pooler?: Pooler | undefined
  onNotice?: (notice: postgres.Notice) => void
}

/**
 * A postgres.js pool with our types: instants as ISO strings, dates as `YYYY-MM-DD`, big integers as numbers. Settings are
 * start-up parameters; poolers track only some, and the role of their connections has the others (settings.ts).
 */
export function connect(url: string, max: number, options: ConnectionOptions): Sql {
  const { pooler, onNotice } = options
  return postgresClient(url, {
    max,
    ...(onNotice ? { onnotice: onNotice } : {}),
    // A quick query must not wait behind a slow one on the same connection.
    max_pipeline: 2,
    connect_timeout: connectSeconds(options.statementTimeoutMs),
    ...(options.idleSeconds === undefined ? {} : { idle_timeout: options.idleSeconds }),
    backoff: () => 0.25,
    transform: { undefined: null, column: { from: postgres.toCamel } },
    types: POSTGRES_TYPES,
    prepare: !pooler || pooler.prepares,
    limitsByRole: pooler !== undefined,
    connection: {
      application_name: options.applicationName,
      TimeZone: 'UTC',
      ...(pooler ? {} : sessionSettings(options.statementTimeoutMs, options.settings)),
    },
  })
}

/**
 * How long a connection may take to open: shorter than a request waits, so that its error says why there was none. Those who wait
 * longer give a busy node more time: it has made the effort of each login that is given up.
 */
const connectSeconds = (statementTimeoutMs: number | undefined): number =>
  statementTimeoutMs === undefined ? 10 : Math.min(10, Math.max(1, statementTimeoutMs / 3000))

async function ping(on: Runner): Promise<void> {
  await on.run('ping', (sql) => sql`select 1`)
}

/** Throws when the database accepts no writes. `isDiskFull`: a write failed for that reason, so one is tried again. */
async function checkWrites(on: Runner, isDiskFull: boolean, pool: PoolSource): Promise<void> {
  const [row] = await composed(
    on,
    'ping',
    { readOnly: boolean },
    (sql) => sql`select current_setting('transaction_read_only') = 'on' as read_only`,
  )
  if (row?.readOnly) throw new StoreUnavailable('postgres', { code: READ_ONLY })
  if (isDiskFull) await tryWrite(await pool())
}
