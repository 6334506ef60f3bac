// What creating requests were answered before.
import type { Runner } from '../platform/postgres/database.ts'

/** Which operation of whom, under which key, and what identifies the request. */
export interface OnceKey {
  accountId: string
  operation: string
  key: string
  requestHash: Buffer
  now: Date
}

export type Found = { outcome: 'fresh' | 'mismatch' } | { outcome: 'replay'; result: unknown }

/** Waits for others with the same key, then says whether the request was answered before. First in its transaction. */
export async function findIdempotent(tx: Runner, once: OnceKey): Promise<Found> {
  const [row] = await tx.run<Found>(
    'find_idempotent',
    (sql) => sql<Found[]>`
      select outcome, result from find_idempotent(
        ${once.accountId}, ${once.operation}, ${once.key}, ${once.requestHash}, ${once.now.toISOString()})`,
  )
  return row ?? { outcome: 'fresh' }
}

/** Keeps the outcome for 24 hours. */
export async function keepIdempotent(tx: Runner, once: OnceKey, outcome: unknown): Promise<void> {
  await tx.run(
    'keep_idempotent',
    (sql) => sql`
      select keep_idempotent(${once.accountId}, ${once.operation}, ${once.key}, ${once.requestHash},
        ${JSON.stringify(outcome)}::text::json, ${once.now.toISOString()})`,
  )
}

/** Forgets outcomes that are past their time, `limit` at most, and leaves those that a request has in hand. How many. */
export async function deleteExpired(db: Runner, { now, limit }: { now: Date; limit: number }): Promise<number> {
  const rows = await db.run(
    'deleteExpiredIdempotent',
    (sql) => sql`
      with due as materialized (
        select account_id, operation, key from idempotency_records where expires_at <= ${now.toISOString()}
        order by expires_at limit ${limit} for update skip locked)
      delete from idempotency_records where (account_id, operation, key) in (select * from due)
      returning 1`,
  )
  return rows.length
}
