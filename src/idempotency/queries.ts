// Stored outcomes of idempotent requests.
import type { TxCtx } from '../ctx.ts'

/** Identifies a request: account, operation, key, and the hash of what was sent. */
export interface IdempotentRequest {
  accountId: string
  operation: string
  key: string
  requestHash: Buffer
  now: Date
}

export type StoredOutcome = { outcome: 'fresh' | 'mismatch' } | { outcome: 'replay'; result: unknown }

/** Waits for concurrent requests with the same key, then looks up the stored outcome. Call it first in a transaction. */
export async function findIdempotent(ctx: TxCtx, request: IdempotentRequest): Promise<StoredOutcome> {
  const [row] = await ctx.tx.run<StoredOutcome>(
    'find_idempotent',
    (sql) => sql<StoredOutcome[]>`
      select outcome, result from find_idempotent(
        ${request.accountId}, ${request.operation}, ${request.key}, ${request.requestHash}, ${request.now.toISOString()})`,
  )
  return row ?? { outcome: 'fresh' }
}

/** Stores an outcome for 24 hours. */
export async function keepIdempotent(
  ctx: TxCtx,
  { request, outcome }: { request: IdempotentRequest; outcome: unknown },
): Promise<void> {
  await ctx.tx.run(
    'keep_idempotent',
    (sql) => sql`
      select keep_idempotent(${request.accountId}, ${request.operation}, ${request.key}, ${request.requestHash},
        ${JSON.stringify(outcome)}::text::json, ${request.now.toISOString()})`,
  )
}
