// The pro starts, completes and cancels a job.
import type { Ctx } from '../../../../ctx.ts'
import { invalidField } from '../../../../errors/app-error.ts'
import { transition } from '../../../../transition.ts'
import { runIdempotently } from '../../../../idempotency/verbs.ts'
import { closePayment, tryRefund } from '../../../../payments/verbs/refunds.ts'
import { isWholeCents, toCents } from '../../../../platform/schema/money.ts'
import { publishVerified } from '../../../reviews/reviews/verbs/publish.ts'
import { progressVisit } from '../../bookings/verbs/visits.ts'
import { findJob, saveJobState } from '../queries.ts'
import { lockJob } from '../queries.sql.ts'
import type { Job, JobProgress } from '../schemas.ts'
import { JOB } from '../states.ts'
import { jobNotFound } from './jobs.ts'

/**
 * Starts, completes or cancels a job, and with it its open visit. A completed job counts in the price statistics; cancelling
 * refunds the quote's deposit. Jobs have no events (spec §6). Throws job_not_found, invalid_transition, and validation_failed
 * for a `finalAmount` without `complete` or a `reason` without `cancel`.
 */
export async function progressJob(
  ctx: Ctx<{ accountId: string; professionalId: string }>,
  { id, progress }: { id: string; progress: JobProgress },
): Promise<Job> {
  const { action, finalAmount, reason } = progress
  if (finalAmount !== undefined && action !== 'complete')
    throw invalidField('body.finalAmount', 'is allowed only with complete')
  if (finalAmount !== undefined && !isWholeCents(finalAmount))
    throw invalidField('body.finalAmount', 'must be in whole cents')
  if (reason !== undefined && action !== 'cancel') throw invalidField('body.reason', 'is allowed only with cancel')
  // The names `moveJob` and `moved` are stored with idempotency keys, which the next release replays.
  const request = { accountId: ctx.actor.accountId, operation: 'moveJob', request: { id, ...progress } }
  const value = await runIdempotently(ctx, request, async (ctx) => {
    const job = await lockJob(ctx, { professionalId: ctx.actor.professionalId, onlyMemberId: null, id })
    if (!job) throw jobNotFound()
    const status = transition(JOB, 'job', job.status, action)
    const amountCents = finalAmount === undefined ? null : toCents(finalAmount)
    const refundId =
      action === 'cancel' && job.quoteId !== null
        ? await closePayment(ctx, { reason: 'cancelled', purpose: { quoteId: job.quoteId } })
        : undefined
    await saveJobState(ctx, { id, status, now: ctx.clock.now(), amountCents, reason: reason ?? null })
    await progressVisit(ctx, { jobId: id, professionalId: ctx.actor.professionalId, action, reason: reason ?? null })
    if (action === 'complete') await publishVerified(ctx, { id })
    const moved = await findJob(ctx, { professionalId: ctx.actor.professionalId, onlyMemberId: null, id })
    if (!moved) throw jobNotFound()
    return { moved, refundId }
  })
  await tryRefund(ctx, { refundId: value.refundId })
  return value.moved
}
