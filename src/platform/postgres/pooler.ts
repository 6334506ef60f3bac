// What stands between a URL and PostgreSQL: nothing, or a connection pooler such as PgBouncer, and what it keeps.
import type postgres from 'postgres'

import { withDeadline } from '../clock/deadlines.ts'
import { ConfigError } from '../environment.ts'
import { StoreUnavailable, asStoreError } from '../store-error.ts'
import { postgresClient } from './client.ts'
import type { Routes } from './configured-urls.ts'
import { primaryUrl } from './primary.ts'

/**
 * `none`: the client's connection is one of PostgreSQL's. `session`: the pooler lends one for the whole connection.
 * `transaction` and `statement`: for one of these.
 */
export type PoolMode = 'none' | 'session' | 'transaction' | 'statement'

export interface Route {
  mode: PoolMode
  /** Whether a statement that was prepared on a connection is known to its later transactions. */
  prepares: boolean
  /** Identifies the database: its cluster and its number there. Replicas have the same. */
  database: string
}

const LIMIT_MS = 4000
/**
 * Several attempts, because one may miss that servers are shared: with many clients, the transaction of the second connection
 * rarely gets the server that the first one had.
 */
const ATTEMPTS = 5

/** Throws {@link StoreUnavailable} when PostgreSQL does not answer, and the driver's other errors. */
export async function inspectRoute(url: string): Promise<Route> {
  // Poolers refuse start-up parameters that they do not track.
  const [first, second] = [true, false].map((prepare) =>
    postgresClient(url, {
      max: 1,
      prepare,
      limitsByRole: true,
      connect_timeout: 2,
      connection: { application_name: 'hearth-route' },
    }),
  ) as [postgres.Sql, postgres.Sql]
  const ending = () => Promise.all([first, second].map((sql) => sql.end({ timeout: 0 })))
  try {
    return await withDeadline(inspect(first, second), LIMIT_MS, () => new StoreUnavailable('postgres'))
  } catch (error) {
    throw asStoreError(error)
  } finally {
    await ending()
  }
}

async function inspect(first: postgres.Sql, second: postgres.Sql): Promise<Route> {
  const [row] = await second<{ database: string }[]>`
    select system_identifier || '/' || oid as database
    from pg_control_system(), pg_database where datname = current_database()`
  const database = row?.database ?? ''
  if (await isDirect(second)) return { mode: 'none', prepares: true, database }
  let mode: PoolMode = 'session'
  for (let attempt = 1; attempt <= ATTEMPTS && mode === 'session'; attempt++) {
    const tried = await observeLoan(first, second)
    if (tried.mode !== 'session') return { ...tried, database }
    mode = tried.mode
  }
  return { mode, prepares: true, database }
}

/**
 * Whether the connection leads to PostgreSQL itself: its process id is that of the server process. A pooler reports one of
 * its own.
 */
async function isDirect(sql: postgres.Sql): Promise<boolean> {
  const result = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  return (result.state as unknown as { pid: number }).pid === result[0]?.pid
}

/**
 * Runs a statement on the first connection before and while the second has a transaction, and compares the servers. The
 * driver prepares a statement under another name when its server does not know it.
 */
async function observeLoan(first: postgres.Sql, second: postgres.Sql): Promise<Omit<Route, 'database'>> {
  const askServer = async (sql: postgres.Sql) => {
    const result = await sql<{ pid: number }[]>`select pg_backend_pid() as pid where ${1} = 1`
    return { pid: result[0]?.pid, statement: result.statement.name }
  }
  const before = await askServer(first)
  try {
    await second`begin`
  } catch (error) {
    if (/statement pooling/.test(String(error))) return { mode: 'statement', prepares: false }
    throw error
  }
  try {
    const other = await askServer(second)
    const after = await askServer(first)
    const isLent = other.pid === before.pid || after.pid !== before.pid
    return { mode: isLent ? 'transaction' : 'session', prepares: after.statement === before.statement }
  } finally {
    await second`rollback`
  }
}

const DIRECT_NEEDED =
  'set DATABASE_DIRECT_URL to PostgreSQL itself and run `hearth migrate` (docs/operators/poolers.md).'

/**
 * Throws {@link ConfigError} when the URLs lead through a pooler that would lose settings, notifications or statements;
 * StoreUnavailable when PostgreSQL does not answer. All are asked at once: a start waits for the slowest of them only.
 */
export async function checkRoutes(routes: Routes): Promise<void> {
  const { databaseUrl, databaseReadUrls, databaseDirectUrl } = routes
  const [main, direct, ...replicas] = await Promise.allSettled([
    primaryUrl(databaseUrl).then(inspectRoute),
    databaseDirectUrl === undefined ? undefined : primaryUrl(databaseDirectUrl).then(inspectRoute),
    ...databaseReadUrls.map(inspectRoute),
  ])
  // A misconfigured URL is reported even if another URL does not answer.
  if (main.status === 'fulfilled') refuseRoute('DATABASE_URL', main.value, routes)
  if (direct.status === 'fulfilled' && direct.value && main.status === 'fulfilled')
    refuseDirect(direct.value, main.value)
  for (const one of replicas) if (one.status === 'fulfilled') refuseRoute('DATABASE_READ_URL', one.value, routes)
  for (const one of [main, direct, ...replicas]) if (one.status === 'rejected') throw one.reason
}

function refuseDirect(direct: Route, route: Route): void {
  if (direct.mode !== 'none')
    throw new ConfigError('DATABASE_DIRECT_URL leads to a connection pooler: set it to PostgreSQL itself.')
  if (direct.database !== route.database)
    throw new ConfigError('DATABASE_URL and DATABASE_DIRECT_URL lead to different databases: correct one of them.')
}

function refuseRoute(name: string, { mode, prepares }: Route, { databaseDirectUrl, poolerPrepares }: Routes): void {
  if (mode === 'statement')
    throw new ConfigError(`${name} leads to a pooler in statement mode: set its pool_mode to transaction or session.`)
  if (mode !== 'none' && databaseDirectUrl === undefined)
    throw new ConfigError(`${name} leads to a connection pooler in ${mode} mode: ${DIRECT_NEEDED}`)
  if (poolerPrepares && !prepares)
    throw new ConfigError(
      `DATABASE_POOLER_PREPARES is on, but the pooler of ${name} forgets prepared statements: unset it, or set max_prepared_statements (PgBouncer 1.21 or later).`,
    )
}
