// The visit of a job: a booking that ends with the job.
import type { TxCtx } from '../../../../ctx.ts'
import { findOpenVisit } from '../queries/changes.ts'
import { endBooking, getBookingForUpdate, transitionBooking } from './transitions.ts'

interface EndOfJob {
  jobId: string
  professionalId: string
  action: 'complete' | 'cancel'
  /** The pro's, for the customer. */
  reason: string | null
}

/**
 * Completes or cancels the open visit of a job, if it has one. If the work ends before the visit begins, the pro still has to
 * complete or cancel the visit.
 */
export async function closeVisit(ctx: TxCtx, { jobId, professionalId, action, reason }: EndOfJob): Promise<void> {
  const id = await findOpenVisit(ctx, { professionalId, jobId })
  if (id === undefined) return
  const now = ctx.clock.now()
  const visit = await getBookingForUpdate(ctx, { access: { professionalId }, id, now })
  if (action === 'cancel')
    await endBooking(ctx, { reason, refund: 'cancelled', by: 'pro', booking: visit, action: 'cancel' })
  else if (Date.parse(visit.startsAt) <= now.getTime())
    await transitionBooking(ctx, { booking: visit, action: 'complete' })
}
