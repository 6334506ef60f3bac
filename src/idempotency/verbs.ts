// A write that happens once per key. Bookings do the same inside reserve_slot, in one round trip.
import type { Deps } from '../deps.ts'
import { AppError, type ErrorCode } from '../errors/app-error.ts'
import type { Transaction } from '../platform/postgres/database.ts'
import { type IdempotencyContext, fingerprint } from './context.ts'
import { deleteExpired, findIdempotent, keepIdempotent } from './queries.ts'

/** What is kept: the answer, or the refusal. */
type Outcome<T> = { value: T } | { refusal: { code: ErrorCode; detail: string; extensions?: Record<string, unknown> } }

/**
 * Runs `work` in a transaction named `operation`. With `once`, the same request of the same account under the same key
 * gets the same answer for 24 hours, refusals (404, 409) included; another request under it is idempotency_mismatch. What
 * was wrong with the request itself (400), what `once.first` refused and what broke (5xx) is not kept. The answer must
 * survive JSON.
 */
export async function runIdempotently<T>(
  { write, clock }: Pick<Deps, 'write' | 'clock'>,
  once: IdempotencyContext | undefined,
  { accountId, operation, request }: { accountId: string; operation: string; request: unknown },
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  if (!once) return await write.begin(operation, work)
  const kept = await write.begin(operation, async (tx): Promise<Outcome<T>> => {
    const key = { accountId, operation, key: once.key, requestHash: fingerprint(request), now: clock.now() }
    const found = await findIdempotent(tx, key)
    if (found.outcome === 'mismatch')
      throw new AppError(
        'idempotency_mismatch',
        'This Idempotency-Key came with another request before. Use a new one.',
      )
    once.replayed = found.outcome === 'replay'
    if (found.outcome === 'replay') return found.result as Outcome<T>
    await once.first?.()
    const outcome = await attempt(tx, work)
    await keepIdempotent(tx, key, outcome)
    return outcome
  })
  if ('value' in kept) return kept.value
  const { code, detail, extensions } = kept.refusal
  throw new AppError(code, detail, extensions ? { extensions } : {})
}

/** Forgets up to `limit` outcomes that are past their time; gives how many. Nobody is answered by them any more. */
export const forgetExpired = ({ write, clock }: Pick<Deps, 'write' | 'clock'>, limit: number): Promise<number> =>
  deleteExpired(write, { now: clock.now(), limit })

/** A refusal undoes what `work` did, but not the record that it was refused. */
async function attempt<T>(tx: Transaction, work: (tx: Transaction) => Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await tx.savepoint(work) }
  } catch (error) {
    if (!(error instanceof AppError) || (error.status !== 404 && error.status !== 409)) throw error
    const { code, detail, extensions } = error
    return { refusal: { code, detail, ...(extensions ? { extensions } : {}) } }
  }
}
