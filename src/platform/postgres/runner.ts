// Runs statements and transactions on a pool: name, span, time limit, and a second attempt after a conflict.
import { SpanKind, trace } from '@opentelemetry/api'
import type postgres from 'postgres'

import { withDeadline } from '../clock/deadlines.ts'
import { StoreUnavailable, asStoreError, asUnconfirmed, isConflict } from '../store-error.ts'
import { inSpan } from '../telemetry/trace-context.ts'
import { cancelIfQueued, textOf, wasSent } from './client.ts'
import type { Runner, Sql, Transaction, WritePool } from './database.ts'
import { mayWrite, noteCommit } from './effects.ts'

/** What the calls of all pools share. */
export interface Calls {
  readonly waitLimitMs: number
  onRetry: (name: string, reason: unknown) => void
  /** Called for each {@link StoreUnavailable}; `answers`: how many calls ended since this one began. */
  onUnavailable: (error: StoreUnavailable, answers: number) => void
  /** Counts the calls that PostgreSQL has answered. */
  answered: number
}

/** The pool to use; a promise as long as it is not known which host accepts writes. */
export type PoolSource = () => Sql | Promise<Sql>

/** The pause before a transaction that lost a conflict runs again. */
const CONFLICT_PAUSE_MS = 20

const tracer = trace.getTracer('hearth.postgres')

/** Runs single statements: each is a transaction of its own, and runs once more after a conflict. */
export function runner(source: PoolSource, calls: Calls): Runner {
  return statements(source, calls, (name, attempt, deadlineMs) => repeatConflict(name, attempt, { calls, deadlineMs }))
}

/**
 * The same for statements that write. One that was sent and not answered may have been committed: its error says so. One that
 * still waits for a connection is cancelled.
 */
export function writer(source: PoolSource, calls: Calls): Runner {
  const run: Runner['run'] = async (name, statement) => {
    let query: ReturnType<typeof statement> | undefined
    try {
      const rows = await runner(source, calls).run(name, (sql) => (query = statement(sql)))
      if (query && mayWrite(textOf(query))) noteCommit()
      return rows
    } catch (error) {
      throw query && wasSent(query) && mayWrite(textOf(query)) ? asUnconfirmed(error) : error
    }
  }
  return {
    freshness: 'fresh',
    run,
    prepared: (name, text, parameters) => run(name, preparedStatement(text, parameters)),
  }
}

type Repeat = <T>(name: string, attempt: () => PromiseLike<T>, deadlineMs: number) => PromiseLike<T>

function statements(source: PoolSource, calls: Calls, repeat: Repeat): Runner {
  const run: Runner['run'] = (name, statement) =>
    inSpan(tracer, name, { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } }, () => {
      let query: ReturnType<typeof statement> | undefined
      const attempt = () => {
        const sql = source()
        return sql instanceof Promise ? sql.then((found) => (query = statement(found))) : (query = statement(sql))
      }
      const result = repeat(name, attempt, performance.now() + calls.waitLimitMs)
      return within(calls, result, () => query && cancelIfQueued(query))
    })
  return {
    freshness: 'fresh',
    run,
    prepared: (name, text, parameters) => run(name, preparedStatement(text, parameters)),
  }
}

const preparedStatement =
  <Row extends object>(text: string, parameters: readonly postgres.SerializableParameter[]) =>
  (on: Sql) =>
    on.unsafe<Row[]>(text, parameters as never[], { prepare: true })

/** The progress of a transaction. Once its caller was told that it failed, it is not committed. */
interface Progress {
  isCommitting: boolean
  isGivenUp: boolean
}

/**
 * A transaction runs once more after a conflict: `work` has no effects outside it. After the wait limit it is given up: the
 * statement that is running ends by the server's statement_timeout, no other one begins, and all is rolled back. When the limit
 * passes or the connection is lost while the commit is under way, it may have happened: the error says so.
 */
export function transactions(source: PoolSource, calls: Calls): WritePool['begin'] {
  return (name, work) =>
    inSpan(tracer, name, { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } }, async () => {
      const progress: Progress = { isCommitting: false, isGivenUp: false }
      const attempt = async () => {
        progress.isCommitting = false
        return (await (
          await source()
        ).begin(async (tx) => {
          stopIfGivenUp(progress)
          const result = await work(transaction(tx, calls, progress))
          stopIfGivenUp(progress)
          progress.isCommitting = true
          return result
        })) as Awaited<ReturnType<typeof work>>
      }
      const committed = repeatConflict(name, attempt, { calls, deadlineMs: performance.now() + calls.waitLimitMs })
      try {
        const result = await within(calls, committed, () => (progress.isGivenUp = true))
        noteCommit()
        return result
      } catch (error) {
        throw progress.isCommitting ? asUnconfirmed(error) : error
      }
    })
}

/** Throws when the caller of a transaction has been told that it failed. */
function stopIfGivenUp({ isGivenUp }: Progress): void {
  if (isGivenUp) throw new StoreUnavailable('postgres')
}

function transaction(
  tx: postgres.TransactionSql<Record<string, never>>,
  calls: Calls,
  progress: Progress,
): Transaction {
  const source = () => {
    stopIfGivenUp(progress)
    return tx as unknown as Sql
  }
  return {
    // A conflict ends the whole transaction.
    ...statements(source, calls, (_, attempt) => attempt()),
    savepoint: (work) =>
      tx.savepoint((inner) => work(transaction(inner, calls, progress))) as Promise<Awaited<ReturnType<typeof work>>>,
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
    // The other transaction is still running. Without a pause, this one could take the same lock again and lose a second
    // time.
    await Bun.sleep(CONFLICT_PAUSE_MS)
    return await attempt()
  }
}

/**
 * The result of a query, or StoreUnavailable after the wait limit. `onTimeout` cancels a query that is still queued; a
 * running one ends by the server's statement_timeout.
 */
async function within<T>(calls: Calls, query: PromiseLike<T>, onTimeout?: () => void): Promise<T> {
  const answeredBefore = calls.answered
  try {
    const result = await withDeadline(query, calls.waitLimitMs, () => {
      onTimeout?.()
      return new StoreUnavailable('postgres')
    })
    calls.answered++
    return result
  } catch (error) {
    const reason = asStoreError(error)
    if (!(reason instanceof StoreUnavailable)) calls.answered++
    else calls.onUnavailable(reason, calls.answered - answeredBefore)
    throw reason
  }
}
