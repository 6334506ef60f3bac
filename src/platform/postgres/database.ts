// Connection pools of PostgreSQL. Every statement has a name, a time limit and a span.
import { SpanKind, trace } from '@opentelemetry/api'
import postgres from 'postgres'

import { acceptsConnections, acceptsTransactions, cancelIfQueued, tryWrite } from './checks.ts'
import { postgresClient } from './client.ts'
import type { Pooler } from './configured-urls.ts'
import { GENERIC_PLANS, PREFER_INDEXES, sessionSettings } from './settings.ts'
import { POSTGRES_TYPES } from './types.ts'
import { DISK_FULL, READ_ONLY, StoreUnavailable, asStoreError, isConflict } from '../store-error.ts'
import { withDeadline } from '../clock/deadlines.ts'
import { inSpan } from '../telemetry/trace-context.ts'

/** Before work that lost a conflict runs again. */
const CONFLICT_PAUSE_MS = 20

export type Sql = postgres.Sql<Record<string, never>>
type Statement<Row extends object> = (sql: Sql) => postgres.PendingQuery<Row[]>

/** Runs single statements. `name` is the name of the function or file, and of the span. */
export interface Runner {
  /** Returns the rows. Throws {@link StoreUnavailable} if the database does not answer in time. */
  run<Row extends object>(name: string, statement: Statement<Row>): Promise<Row[]>
  /** Runs a statement file, prepared on first use. Throws like `run`. */
  prepared<Row extends object>(
    name: string,
    text: string,
    parameters: readonly postgres.SerializableParameter[],
  ): Promise<Row[]>
}

interface Pingable {
  /**
   * Checks that the database answers, on a separate connection that a busy pool does not block, that it accepts connections
   * of the pools, and for the write pool that it accepts writes. Throws {@link StoreUnavailable}.
   */
  ping(): Promise<void>
}

/** Single statements, on a pool that never carries a transaction. */
export interface ReadPool extends Runner, Pingable {
  readonly pool: Sql
}

/** Transactions and single calls of SQL functions that write. */
export interface WritePool extends Runner, Pingable {
  readonly pool: Sql
  /** Runs `work` in one transaction: committed when it returns, rolled back when it throws. */
  begin<T>(name: string, work: (tx: Transaction) => Promise<T>): Promise<T>
}

export interface Transaction extends Runner {
  /** Runs `work` and undoes only its changes when it throws. */
  savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}

export interface Database {
  readonly read: ReadPool
  readonly write: WritePool
  /** Opens all connections, so that the first statements do not wait for them. Throws like `run`. */
  warmUp(): Promise<void>
  close(): Promise<void>
}

export interface DatabaseOptions {
  url: string
  /** A replica for single reads; the primary if absent. */
  readUrl?: string | undefined
  /** What stands before both URLs; undefined if they lead to PostgreSQL itself. */
  pooler?: Pooler | undefined
  /** Connections per pool and process. */
  readConnections: number
  writeConnections: number
  /** PostgreSQL cancels a statement that runs longer. */
  statementTimeoutMs: number
  /** The longest wait of a caller, including the wait for a connection. */
  waitLimitMs: number
  applicationName: string
  /** Called before a statement or transaction that PostgreSQL rolled back because of a concurrent one runs again. */
  onRetry?: (name: string, reason: unknown) => void
}

/** What the calls of all pools share. */
interface Calls {
  readonly waitLimitMs: number
  onRetry: (name: string, reason: unknown) => void
  /** Called for each {@link StoreUnavailable}. */
  onUnavailable: (error: StoreUnavailable) => void
}

const tracer = trace.getTracer('hearth.postgres')

/**
 * Opens four pools: for single reads, statement files, single calls of functions that write, and transactions; and a
 * connection for `ping`.
 *
 * Statement files are planned once: by default PostgreSQL planned the 14 days of open times for each call, which took a
 * third of their time.
 *
 * Transactions have their own pool because postgres.js does not reserve the connection for a BEGIN that fills its pipeline
 * (porsager/postgres #1189): 7 % of transactions that shared a pool with single statements failed with UNSAFE_TRANSACTION
 * under load, and none without.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const { waitLimitMs, onRetry = () => undefined } = options
  let isDiskFull = false
  const calls: Calls = {
    waitLimitMs,
    onRetry,
    onUnavailable: ({ code }) => {
      if (code === DISK_FULL) isDiskFull = true
    },
  }
  const readUrl = options.readUrl ?? options.url
  const read = connect(readUrl, options.readConnections, options)
  const files = connect(readUrl, options.readConnections, { ...options, settings: GENERIC_PLANS })
  const planned = runner(files, calls)
  const write = connect(options.url, options.writeConnections, { ...options, settings: PREFER_INDEXES })
  const transacting = connect(options.url, options.writeConnections, { ...options, settings: PREFER_INDEXES })
  const probe = connect(options.url, 1, options)
  const readProbe = readUrl === options.url ? probe : connect(readUrl, 1, options)
  const all = new Set([read, files, write, transacting, probe, readProbe])
  const begin = transactions(transacting, calls)
  return {
    read: {
      pool: read,
      ping: async () => {
        await Promise.all([ping(readProbe, calls), acceptsConnections(read), acceptsConnections(files)])
      },
      ...runner(read, calls),
      prepared: (name, text, parameters) => planned.prepared(name, text, parameters),
    },
    write: {
      pool: write,
      ping: async () => {
        await Promise.all([
          checkWrites(probe, calls, isDiskFull),
          acceptsConnections(write),
          acceptsTransactions(begin),
        ])
        isDiskFull = false
      },
      ...runner(write, calls),
      begin,
    },
    warmUp: async () => {
      // The pool gives each of as many statements as it has connections one of its own.
      const statements = [read, files, write, transacting].flatMap((pool) =>
        Array.from({ length: pool.options.max }, () => ping(pool, calls)),
      )
      await Promise.all(statements)
    },
    close: async () => {
      await Promise.all(Array.from(all, (pool) => pool.end({ timeout: 5 })))
    },
  }
}

interface ConnectionOptions {
  applicationName: string
  statementTimeoutMs?: number
  settings?: Record<string, string>
  pooler?: Pooler | undefined
}

/**
 * A postgres.js pool with our types: instants as ISO strings, dates as `YYYY-MM-DD`, big integers as numbers. Settings are
 * start-up parameters; poolers track only some, and the role of their connections has the others (settings.ts).
 */
export function connect(url: string, max: number, options: ConnectionOptions): Sql {
  const { pooler } = options
  return postgresClient(url, {
    max,
    // A quick query must not wait behind a slow one on the same connection.
    max_pipeline: 2,
    // Shorter than the wait of a request, so that its error says why there was no connection.
    connect_timeout: options.statementTimeoutMs ? 1 : 10,
    backoff: () => 0.25,
    transform: { undefined: null, column: { from: postgres.toCamel } },
    types: POSTGRES_TYPES,
    prepare: !pooler || pooler.prepares,
    connection: {
      application_name: options.applicationName,
      TimeZone: 'UTC',
      ...(pooler ? {} : sessionSettings(options.statementTimeoutMs, options.settings)),
    },
  })
}

/** Runs single statements: each is a transaction of its own, and runs once more after a conflict. */
function runner(sql: Sql, calls: Calls): Runner {
  return statements(sql, calls, (name, attempt, deadlineMs) => repeatConflict(name, attempt, { calls, deadlineMs }))
}

type Repeat = <T>(name: string, attempt: () => PromiseLike<T>, deadlineMs: number) => PromiseLike<T>

function statements(sql: Sql, calls: Calls, repeat: Repeat): Runner {
  const run: Runner['run'] = (name, statement) =>
    inSpan(tracer, name, { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } }, () => {
      let query: ReturnType<typeof statement> | undefined
      const attempt = () => (query = statement(sql))
      const result = repeat(name, attempt, performance.now() + calls.waitLimitMs)
      return within(calls, result, () => query && cancelIfQueued(query))
    })
  return {
    run,
    prepared: (name, text, parameters) => run(name, (on) => on.unsafe(text, parameters as never[], { prepare: true })),
  }
}

async function ping(sql: Sql, calls: Calls): Promise<void> {
  await runner(sql, calls).run('ping', (on) => on`select 1`)
}

/** Throws when the database accepts no writes. `isDiskFull`: a write failed for that reason, so one is tried again. */
async function checkWrites(sql: Sql, calls: Calls, isDiskFull: boolean): Promise<void> {
  const [row] = await runner(sql, calls).run<{ readOnly: boolean }>(
    'ping',
    (on) => on`select current_setting('transaction_read_only') = 'on' as read_only`,
  )
  if (row?.readOnly) throw new StoreUnavailable('postgres', { code: READ_ONLY })
  if (isDiskFull) await tryWrite(sql)
}

/** A transaction runs once more after a conflict: `work` has no effects outside it. */
function transactions(sql: Sql, calls: Calls): WritePool['begin'] {
  return (name, work) =>
    inSpan(tracer, name, { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } }, () => {
      const attempt = () => sql.begin((tx) => work(transaction(tx, calls))) as Promise<Awaited<ReturnType<typeof work>>>
      return within(calls, repeatConflict(name, attempt, { calls, deadlineMs: performance.now() + calls.waitLimitMs }))
    })
}

function transaction(tx: postgres.TransactionSql<Record<string, never>>, calls: Calls): Transaction {
  return {
    // A conflict ends the whole transaction.
    ...statements(tx as unknown as Sql, calls, (_, attempt) => attempt()),
    savepoint: (work) =>
      tx.savepoint((inner) => work(transaction(inner, calls))) as Promise<Awaited<ReturnType<typeof work>>>,
  }
}

/** Runs `attempt` once more when PostgreSQL rolled it back because of a concurrent transaction, unless it is too late. */
async function repeatConflict<T>(
  name: string,
  attempt: () => PromiseLike<T>,
  { calls, deadlineMs }: { calls: Calls; deadlineMs: number },
): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    const reason = asStoreError(error)
    if (!isConflict(reason) || performance.now() >= deadlineMs) throw reason
    calls.onRetry(name, reason)
    // The other transaction goes on meanwhile: at once, this one could take the same lock again and lose a second time.
    await Bun.sleep(CONFLICT_PAUSE_MS)
    return await attempt()
  }
}

/**
 * The result of a query, or StoreUnavailable after the wait limit. `onTimeout` cancels a query that is still queued; a
 * running one ends by the server's statement_timeout.
 */
async function within<T>(
  { waitLimitMs, onUnavailable }: Calls,
  query: PromiseLike<T>,
  onTimeout?: () => void,
): Promise<T> {
  try {
    return await withDeadline(query, waitLimitMs, () => {
      onTimeout?.()
      return new StoreUnavailable('postgres')
    })
  } catch (error) {
    const reason = asStoreError(error)
    if (reason instanceof StoreUnavailable) onUnavailable(reason)
    throw reason
  }
}
