// The visit of a job: a booking that ends with the job.
import type { Deps } from '../../../deps.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { findOpenVisit } from '../queries/changes.ts'
import { endBooking, getBookingForUpdate, moveBooking } from './transitions.ts'

interface EndOfJob {
  jobId: string
  professionalId: string
  action: 'complete' | 'cancel'
  /** The pro's, for the customer. */
  reason: string | null
}

/** Completes or cancels the open visit of a job, if any. Work that ends before its visit begins leaves the visit to the pro. */
export async function closeVisit(
  tx: Transaction,
  deps: Pick<Deps, 'clock' | 'ids'>,
  { jobId, professionalId, action, reason }: EndOfJob,
): Promise<void> {
  const id = await findOpenVisit(tx, professionalId, jobId)
  if (id === undefined) return
  const now = deps.clock.now()
  const visit = await getBookingForUpdate(tx, { professionalId }, id, now)
  if (action === 'cancel') await endBooking(tx, deps, visit, 'cancel', { reason, refund: 'cancelled', by: 'pro' })
  else if (Date.parse(visit.startsAt) <= now.getTime()) await moveBooking(tx, deps, visit, 'complete')
}
