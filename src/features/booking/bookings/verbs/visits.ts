// The visits of a job: bookings that agree with it. sql/functions/visits_of_job.sql holds the same rules.
import type { TxCtx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import type { JobAction } from '../../jobs/states.ts'
import { findOpenVisit } from '../queries/changes.ts'
import { endBooking, getBookingForUpdate, transitionBooking } from './transitions.ts'

interface ProgressOfJob {
  jobId: string
  professionalId: string
  action: JobAction
  /** The pro's, for the customer. */
  reason: string | null
}

/**
 * Takes the open visit of a locked job along: completing or cancelling the job does so to its visit. Throws invalid_transition for
 * starting and completing work whose visit has not begun.
 */
export async function progressVisit(
  ctx: TxCtx,
  { jobId, professionalId, action, reason }: ProgressOfJob,
): Promise<void> {
  const id = await findOpenVisit(ctx, { professionalId, jobId })
  if (id === undefined) return
  const now = ctx.clock.now()
  const booking = await getBookingForUpdate(ctx, { access: { professionalId }, id, now })
  if (action === 'cancel') {
    await endBooking(ctx, { reason, refund: 'cancelled', by: 'pro', booking, action })
    return
  }
  if (Date.parse(booking.startsAt) > now.getTime())
    throw new AppError(
      'invalid_transition',
      `The visit of this job has not begun. The action ${action} is possible from its start; to come sooner, propose another time for the visit.`,
      { extensions: { action } },
    )
  if (action === 'complete') await transitionBooking(ctx, { booking, action })
}
