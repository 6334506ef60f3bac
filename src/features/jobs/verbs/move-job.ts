// The pro starts, completes and cancels a job.
import type { Deps } from '../../../deps.ts'
import { invalidField } from '../../../errors/app-error.ts'
import { transition } from '../../../errors/transition.ts'
import type { IdempotencyContext, IdempotentResult } from '../../../idempotency/context.ts'
import { runIdempotently } from '../../../idempotency/verbs.ts'
import { closePayment, tryRefund } from '../../../payments/verbs/refunds.ts'
import { isWholeCents, toCents } from '../../../platform/schema/money.ts'
import { closeVisit } from '../../bookings/verbs/visits.ts'
import { findJob, lockJob, saveJobState } from '../queries.ts'
import type { Job, JobMove } from '../schemas.ts'
import { JOB } from '../states.ts'
import { jobNotFound } from './jobs.ts'

/**
 * Starts, completes or cancels a job, and with it its visit. A completed job counts in the price statistics; cancelling
 * refunds the quote's deposit. Jobs have no events (spec §6). Throws job_not_found, invalid_transition, and validation_failed
 * for a `finalAmount` without `complete` or a `reason` without `cancel`.
 */
export async function moveJob(
  deps: Deps,
  { accountId, professionalId }: { accountId: string; professionalId: string },
  id: string,
  move: JobMove,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<Job>> {
  const { action, finalAmount, reason } = move
  if (finalAmount !== undefined && action !== 'complete')
    throw invalidField('body.finalAmount', 'is allowed only with complete')
  if (finalAmount !== undefined && !isWholeCents(finalAmount))
    throw invalidField('body.finalAmount', 'must be in whole cents')
  if (reason !== undefined && action !== 'cancel') throw invalidField('body.reason', 'is allowed only with cancel')
  const request = { accountId, operation: 'moveJob', request: { id, ...move } }
  const { value, replayed } = await runIdempotently(deps, idempotency, request, async (tx) => {
    const job = await lockJob(tx, professionalId, id)
    if (!job) throw jobNotFound()
    const status = transition(JOB, 'job', job.status, action)
    const amountCents = finalAmount === undefined ? null : toCents(finalAmount)
    const refundId =
      action === 'cancel' && job.quoteId !== null
        ? await closePayment(tx, deps, { quoteId: job.quoteId }, { reason: 'cancelled' })
        : undefined
    await saveJobState(tx, { id, status, now: deps.clock.now(), amountCents, reason: reason ?? null })
    if (action !== 'start') await closeVisit(tx, deps, { jobId: id, professionalId, action, reason: reason ?? null })
    const moved = await findJob(tx, professionalId, id)
    if (!moved) throw jobNotFound()
    return { moved, refundId }
  })
  await tryRefund(deps, value.refundId)
  return { value: value.moved, replayed }
}
