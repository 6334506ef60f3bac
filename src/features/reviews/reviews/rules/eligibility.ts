// Who may review which work, and from when: a customer after the visit, and never the business itself. Reads that answer the same
// are `findReviewedPro` (whose business it is) and `selectFinishedWork` of customers (what is left to review). Whether a review
// counts as verified is `is_of_completed_work` in sql/functions/review_stats.sql.
import { AppError, invalidField } from '../../../../errors/app-error.ts'
import { localDateTime } from '../../../../platform/text/format.ts'
import type { BookingState } from '../../../booking/bookings/states.ts'
import type { JobState } from '../../../booking/jobs/states.ts'
import type { NewReview } from '../schemas.ts'

/** The state of reviewed work. */
export interface ReviewedWork {
  status: BookingState | JobState
  /** When the visit of a booking ends. */
  endsAt: string | null
  /** The pro's zone, in which people read that. */
  timeZone?: string | null
}

/** Throws validation_failed for a review of two things. */
export function checkSubject({ bookingId, projectId }: NewReview): void {
  if (bookingId && projectId)
    throw invalidField('body.projectId', 'must not be sent with `bookingId`: a review is of one of them')
}

/** Throws own_business for a review by the business itself. */
export function checkAuthor({ isOwn }: { isOwn: boolean }): void {
  if (isOwn)
    throw new AppError(
      'own_business',
      'A business cannot review itself: not by its owner, its console users or a key of its own.',
    )
}

/** Throws validation_failed for a booking that is not this customer's with this pro, review_too_early and no_visit_to_review. */
export function checkBooking(booking: ReviewedWork | undefined, now: Date): void {
  if (!booking) throw invalidField('body.bookingId', 'must be a booking of this customer with this pro')
  const { status, endsAt, timeZone } = booking
  const isOver = endsAt === null || Date.parse(endsAt) <= now.getTime()
  if (status === 'completed' || (status === 'confirmed' && isOver)) return
  if ((status === 'confirmed' || status === 'pending') && !isOver)
    throw new AppError(
      'review_too_early',
      `The visit ends on ${localDateTime(endsAt, timeZone ?? 'UTC')} (${endsAt}). Send the review after that.`,
      { extensions: { reviewableAt: endsAt } },
    )
  throw new AppError('no_visit_to_review', `${REASONS[status] ?? 'The booking was cancelled.'} ${REVIEW_THE_PRO}`)
}

const REASONS: Partial<Record<ReviewedWork['status'], string>> = {
  pending: 'The booking was never confirmed.',
  no_show: 'The customer was not there.',
}

/** The same for a job, which can be reviewed once it is completed. */
export function checkJob(job: ReviewedWork | undefined): void {
  if (!job) throw invalidField('body.projectId', 'must be a job of this customer with this pro')
  if (job.status === 'completed') return
  if (job.status === 'cancelled') throw new AppError('no_visit_to_review', `The job was cancelled. ${REVIEW_THE_PRO}`)
  throw new AppError('review_too_early', 'The job is not completed. Send the review after the pro has completed it.', {
    extensions: { reviewableAt: null },
  })
}

const REVIEW_THE_PRO = 'To review the pro in general, leave out `bookingId` and `projectId`.'
