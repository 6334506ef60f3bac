// Stored outcomes of idempotent requests.
import type { TxCtx } from '../ctx.ts'
import * as statements from './queries.sql.ts'

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
  const row = await statements.findIdempotent<StoredOutcome>(ctx, {
    accountId: request.accountId,
    operation: request.operation,
    key: request.key,
    requestHash: request.requestHash,
    now: request.now,
  })
  return row ?? { outcome: 'fresh' }
}

/** Stores an outcome for 24 hours. */
export async function keepIdempotent(
  ctx: TxCtx,
  { request, outcome }: { request: IdempotentRequest; outcome: unknown },
): Promise<void> {
  await statements.keepIdempotent(ctx, {
    accountId: request.accountId,
    operation: request.operation,
    key: request.key,
    requestHash: request.requestHash,
    outcome: JSON.stringify(outcome),
    now: request.now,
  })
}
