// Checks of readiness: whether PostgreSQL accepts connections and writes.
import { settlesWithin } from '../clock/deadlines.ts'
import { asStoreError } from '../store-error.ts'
import { cancelIfQueued } from './client.ts'
import type { Sql, WritePool } from './database.ts'

/** A pool that takes longer to run a statement has connections, all of them busy. */
const BUSY_MS = 250

/** Throws when a pool cannot open a connection. A pool whose connections are all busy is fine. */
export async function acceptsConnections(sql: Sql): Promise<void> {
  const query = sql`select 1`
  if (!(await settlesOrThrows(query))) cancelIfQueued(query)
}

/** The same for the pool of transactions, which must not carry single statements. */
export async function acceptsTransactions(begin: WritePool['begin']): Promise<void> {
  await settlesOrThrows(begin('ping', () => Promise.resolve()))
}

/** Writes one page and removes it again. Throws when the database is read-only or its disk is full. */
export async function tryWrite(sql: Sql): Promise<void> {
  try {
    await sql`do 'begin create temporary table hearth_try_write on commit drop as select 1; end'`
  } catch (error) {
    throw asStoreError(error)
  }
}

async function settlesOrThrows(work: PromiseLike<unknown>): Promise<boolean> {
  let failure: unknown
  const hasSettled = await settlesWithin(work, BUSY_MS, (error) => (failure = error))
  if (failure !== undefined) throw asStoreError(failure)
  return hasSettled
}
