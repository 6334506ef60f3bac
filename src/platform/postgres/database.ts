// The pools of PostgreSQL connections, and the one way a statement is run: named, bounded in time, traced.
import { SpanKind, trace } from '@opentelemetry/api'
import postgres from 'postgres'

import { postgresClient } from './client.ts'
import { TYPES } from './types.ts'
import { StoreUnavailable, asStoreError } from './store-error.ts'
import { inSpan } from '../telemetry/trace-context.ts'

export type Sql = postgres.Sql<Record<string, never>>
type Statement<Row extends object> = (sql: Sql) => postgres.PendingQuery<Row[]>

/** Runs single statements. `name` (the function's or the file's) becomes the span's name. */
export interface Runner {
  /** The rows of one statement. Throws {@link StoreUnavailable} when the database does not answer in time. */
  run<Row extends object>(name: string, statement: Statement<Row>): Promise<Row[]>
  /** The rows of a statement file, prepared on first use. Throws like `run`. */
  prepared<Row extends object>(
    name: string,
    text: string,
    parameters: readonly postgres.SerializableParameter[],
  ): Promise<Row[]>
}

interface Pingable {
  /** Resolves when the database answers: on a connection of its own, whatever the pool is busy with. Throws like `run`. */
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

/** One transaction under way. */
export interface Transaction extends Runner {
  /** Runs `work` so that what it did is undone, and only that, when it throws. */
  savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}

export interface Database {
  readonly read: ReadPool
  readonly write: WritePool
  close(): Promise<void>
}

export interface DatabaseOptions {
  url: string
  /** A replica for single reads; the primary when absent. */
  readUrl?: string | undefined
  /** Connections per pool and process. */
  readConnections: number
  writeConnections: number
  /** The longest a statement may run in the server. */
  statementTimeoutMs: number
  /** The longest a caller waits for an answer, queueing for a connection included. */
  waitLimitMs: number
  applicationName: string
}

const tracer = trace.getTracer('hearth.postgres')

/**
 * A connection keeps the plan of a statement in a function. One made while its table was empty reads all of the table, and
 * goes on doing so while the table fills, until PostgreSQL looks at it again: a minute in which each booking read the
 * answers kept for all before it, at eight times the cost. What these pools run looks rows up.
 */
const BY_INDEX = { enable_seqscan: 'off' }

/** Statement files need one plan, whatever they are asked. */
const PLANNED_ONCE = { ...BY_INDEX, plan_cache_mode: 'force_generic_plan' }

/**
 * Opens the pools: one for single reads, one for the statement files, one for single calls of functions that write, one for
 * transactions alone; and a connection that is asked whether the database is there.
 *
 * Statement files are planned once: left to itself PostgreSQL planned the 14 days of open times anew for each call, which
 * took a third of their time.
 *
 * postgres.js does not reserve the connection for a BEGIN that fills its pipeline (porsager/postgres #1189) and fails it
 * with UNSAFE_TRANSACTION: 7 % of transactions under load that share a pool with single statements, none without.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const readUrl = options.readUrl ?? options.url
  const read = connect(readUrl, options.readConnections, options)
  const files = connect(readUrl, options.readConnections, { ...options, settings: PLANNED_ONCE })
  const planned = runner(files, options.waitLimitMs)
  const write = connect(options.url, options.writeConnections, { ...options, settings: BY_INDEX })
  const transacting = connect(options.url, options.writeConnections, { ...options, settings: BY_INDEX })
  const probe = connect(options.url, 1, options)
  const readProbe = readUrl === options.url ? probe : connect(readUrl, 1, options)
  const all = new Set([read, files, write, transacting, probe, readProbe])
  return {
    read: {
      pool: read,
      ping: () => ping(readProbe, options.waitLimitMs),
      ...runner(read, options.waitLimitMs),
      prepared: (name, text, parameters) => planned.prepared(name, text, parameters),
    },
    write: {
      pool: write,
      ping: () => ping(probe, options.waitLimitMs),
      ...runner(write, options.waitLimitMs),
      begin: transactions(transacting, options.waitLimitMs),
    },
    close: async () => {
      await Promise.all(Array.from(all, (pool) => pool.end({ timeout: 5 })))
    },
  }
}

/** One postgres.js pool with our types: instants as ISO strings, dates as `YYYY-MM-DD`, big integers as numbers. */
export function connect(
  url: string,
  max: number,
  options: { statementTimeoutMs?: number; applicationName: string; settings?: Record<string, string> },
): Sql {
  return postgresClient(url, {
    max,
    // A quick query must not wait behind a slow one on the same connection.
    max_pipeline: 2,
    // Shorter than any request waits: whoever waits learns why there was no connection.
    connect_timeout: options.statementTimeoutMs ? 1 : 10,
    backoff: () => 0.25,
    transform: { undefined: null, column: { from: postgres.toCamel } },
    types: TYPES,
    connection: {
      application_name: options.applicationName,
      TimeZone: 'UTC',
      // Short statements: compiling one costs a hundred times what it takes.
      jit: 'off',
      ...(options.statementTimeoutMs ? { statement_timeout: options.statementTimeoutMs } : {}),
      ...options.settings,
    },
  })
}

function runner(sql: Sql, waitLimitMs: number): Runner {
  const run: Runner['run'] = (name, statement) =>
    inSpan(tracer, name, { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } }, () => {
      const query = statement(sql)
      return within(waitLimitMs, query, () => takeBack(query))
    })
  return {
    run,
    prepared: (name, text, parameters) => run(name, (on) => on.unsafe(text, parameters as never[], { prepare: true })),
  }
}

async function ping(sql: Sql, waitLimitMs: number): Promise<void> {
  await runner(sql, waitLimitMs).run('ping', (on) => on`select 1`)
}

/**
 * Takes a statement back that still waits for a connection. One that was sent is left to the server's statement_timeout:
 * postgres.js 3.4.9 forgets a sent statement that is cancelled while another runs before it, but the server answers it,
 * and that answer goes to the next caller on the connection (test/platform/postgres/database.test.ts).
 */
function takeBack(query: { cancel(): void }): void {
  const wasSent = 'state' in query && query.state !== null
  if (!wasSent) query.cancel()
}

function transactions(sql: Sql, waitLimitMs: number): WritePool['begin'] {
  return (name, work) =>
    inSpan(tracer, name, { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } }, () =>
      within(
        waitLimitMs,
        sql.begin((tx) => work(transaction(tx, waitLimitMs))) as Promise<Awaited<ReturnType<typeof work>>>,
      ),
    )
}

function transaction(tx: postgres.TransactionSql<Record<string, never>>, waitLimitMs: number): Transaction {
  return {
    ...runner(tx as unknown as Sql, waitLimitMs),
    savepoint: (work) =>
      tx.savepoint((inner) => work(transaction(inner, waitLimitMs))) as Promise<Awaited<ReturnType<typeof work>>>,
  }
}

/**
 * The answer of the database, or StoreUnavailable after `limitMs`. A query that is still queued is taken back; one that
 * runs ends by the server's statement_timeout.
 */
async function within<T>(limitMs: number, answer: PromiseLike<T>, giveUp?: () => void): Promise<T> {
  let timer: Timer | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new StoreUnavailable('postgres'))
      giveUp?.()
    }, limitMs)
  })
  try {
    return await Promise.race([answer, limit])
  } catch (error) {
    throw asStoreError(error)
  } finally {
    clearTimeout(timer)
  }
}
