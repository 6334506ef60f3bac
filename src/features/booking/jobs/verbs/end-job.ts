// The end of a job before it is done: its visit is cancelled or missed, or its customer cancels it.
import { AppError } from '../../../../errors/app-error.ts'
import { closePayment } from '../../../../payments/verbs/refunds.ts'
import { type EndedJob, lockJobOf } from '../queries.ts'
import { lockJob, planJobCancelledMessage, saveEndedJob } from '../queries.sql.ts'
import type { TxCtx } from '../../../../ctx.ts'

/** Locks the job of a booking that is its visit, if any. Call it before locking the booking, as ending a job does. */
export const lockJobOfVisit = async (ctx: TxCtx, { bookingId }: { bookingId: string }): Promise<void> =>
  void (await lockJobOf(ctx, { bookingId }))

/** Cancels a job that is not over. */
export const endJob = (ctx: TxCtx, job: EndedJob): Promise<void> => saveEndedJob(ctx, job)

/**
 * Cancels an open job of a pro who closed the account, and makes the refund of its deposit due. Returns whether it was open; a job
 * with an open visit ends with that first.
 */
export async function cancelJobForClosing(
  ctx: TxCtx,
  { id, professionalId, reason }: { id: string; professionalId: string; reason: string },
): Promise<{ isEnded: boolean; refundId?: string | undefined }> {
  const job = await lockJob(ctx, { professionalId, onlyMemberId: null, id })
  if (job?.status !== 'scheduled' && job?.status !== 'in_progress') return { isEnded: false }
  const { quoteId } = job
  const refundId = quoteId === null ? undefined : await closePayment(ctx, { reason: 'cancelled', purpose: { quoteId } })
  await endJob(ctx, { id, by: 'pro', reason, now: ctx.clock.now() })
  return { isEnded: true, refundId }
}

/**
 * Cancels the job of a locked quote for its customer and plans the message to the pro. Throws invalid_transition once the work
 * has begun, or has a time: the visit is cancelled then.
 */
export async function cancelJobOf(
  ctx: TxCtx,
  { quoteId, reason, now }: { quoteId: string; reason: string | null; now: Date },
): Promise<void> {
  const job = await lockJobOf(ctx, { quoteId })
  if (job?.hasVisit && job.status === 'scheduled')
    throw new AppError('invalid_transition', 'The work has a time. Cancel the visit on the page of its booking.')
  if (job?.status !== 'scheduled')
    throw new AppError('invalid_transition', 'Work can be cancelled once the quote is accepted, and until it begins.')
  await endJob(ctx, { id: job.id, by: 'customer', reason, now })
  await planJobCancelledMessage(ctx, { id: job.id, now })
}
