// Writes that happen once per idempotency key. The SQL function reserve_slot does the same for bookings, in one round trip.
import type { Ctx, TxCtx } from '../ctx.ts'
import { AppError, type ErrorCode } from '../errors/app-error.ts'
import { fingerprint, markReplay } from './context.ts'
import { findIdempotent, keepIdempotent } from './queries.ts'

/** The stored outcome: a value or a refusal. */
type Outcome<T> = { value: T } | { refusal: { code: ErrorCode; detail: string; extensions?: Record<string, unknown> } }

/**
 * Runs `work` in a transaction named `operation`. With an idempotency context, the same request of the same account under
 * the same key gets the same outcome for 24 hours, refusals (404, 409) included; the context and the refusal say that it is a
 * replay. Another request under that key throws idempotency_mismatch. Invalid requests (400), refusals of `beforeFirst` and
 * failures (5xx) are not stored. The value must survive JSON.
 */
export async function runIdempotently<T, Actor>(
  ctx: Ctx<Actor>,
  { accountId, operation, request }: { accountId: string; operation: string; request: unknown },
  work: (ctx: TxCtx<Actor>) => Promise<T>,
): Promise<T> {
  const { idempotency } = ctx
  if (!idempotency) return await ctx.transaction(operation, work)
  let isAdmitted = false
  const { outcome, replayed } = await ctx.transaction(operation, async (ctx) => {
    const record = {
      accountId,
      operation,
      key: idempotency.key,
      requestHash: fingerprint(request),
      now: ctx.clock.now(),
    }
    const stored = await findIdempotent(ctx, record)
    if (stored.outcome === 'mismatch')
      throw new AppError(
        'idempotency_mismatch',
        'This Idempotency-Key was used before with a different request. Send a new key.',
      )
    if (stored.outcome === 'replay') return { outcome: stored.result as Outcome<T>, replayed: true }
    // A transaction that lost a deadlock runs a second time.
    if (!isAdmitted) await idempotency.beforeFirst?.()
    isAdmitted = true
    const outcome = await attempt(ctx, work)
    await keepIdempotent(ctx, { request: record, outcome })
    return { outcome, replayed: false }
  })
  markReplay(idempotency, replayed)
  if ('value' in outcome) return outcome.value
  const { code, detail, extensions } = outcome.refusal
  throw new AppError(code, detail, { replayed, ...(extensions ? { extensions } : {}) })
}

/** {@link runIdempotently} with the keys of the account that calls. */
export const runOnce = <T, Actor extends { readonly accountId: string }>(
  ctx: Ctx<Actor>,
  asked: { operation: string; request: unknown },
  work: (ctx: TxCtx<Actor>) => Promise<T>,
): Promise<T> => runIdempotently(ctx, { accountId: ctx.actor.accountId, ...asked }, work)

/** Rolls back a refused `work` to a savepoint, so that the transaction can still store the refusal. */
async function attempt<T, Actor>(ctx: TxCtx<Actor>, work: (ctx: TxCtx<Actor>) => Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await ctx.savepoint(work) }
  } catch (error) {
    if (!(error instanceof AppError) || (error.status !== 404 && error.status !== 409)) throw error
    const { code, detail, extensions } = error
    return { refusal: { code, detail, ...(extensions ? { extensions } : {}) } }
  }
}
