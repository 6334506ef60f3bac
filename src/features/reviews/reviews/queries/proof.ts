// SQL of the proof that a review is by the owner of its e-mail address.
import type { NewReview } from '../schemas.ts'
import type { ReviewState } from '../states.ts'
import type { StoredReview } from './reviews.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'

/** Takes the address out of a review of the same whose author is not proven. */
export async function releaseAddress(
  ctx: TxCtx,
  { professionalId, customer, bookingId, projectId }: NewReview,
): Promise<void> {
  await ctx.tx.run(
    'release_unproven_address',
    (sql) => sql`
      select release_unproven_address(${professionalId}, ${customer.email}, ${bookingId ?? null}, ${projectId ?? null})`,
  )
}

/** Records that the owner of the e-mail address wrote the review, which verifies it if it is of completed work. */
export async function saveProven(
  ctx: TxCtx,
  { id, now }: { id: string; now: Date },
): Promise<StoredReview | undefined> {
  const rows = await ctx.tx.run<StoredReview>(
    'saveProven',
    (sql) => sql`
      update reviews r set proven_at = coalesce(r.proven_at, ${now.toISOString()}), verified = r.verified or is_of_completed_work(r)
      where id = ${id} and status <> 'rejected'
      returning r.id, r.professional_id, r.event_sequence, review_record(r) as record`,
  )
  return rows[0]
}

/** Locks the work that a review names: it is completed before or after, and verifies the review in either case. */
export async function lockReviewedWork(ctx: TxCtx, { id }: { id: string }): Promise<void> {
  await ctx.tx.run(
    'lockReviewedBooking',
    (sql) => sql`select from bookings b where b.id = (select booking_id from reviews where id = ${id}) for share of b`,
  )
  await ctx.tx.run(
    'lockReviewedJob',
    (sql) => sql`select from jobs j where j.id = (select job_id from reviews where id = ${id}) for share of j`,
  )
}

/** Unpublishes a locked review without a trace of its publication. A trigger updates the pro's rating and statistics. */
export async function saveWithdrawn(
  ctx: TxCtx,
  { id, status, reason, now }: { id: string; status: ReviewState; reason: string; now: Date },
): Promise<void> {
  await ctx.tx.run(
    'saveWithdrawn',
    (sql) => sql`
      update reviews set status = ${status}, approved_at = null, response = null, responded_at = null,
        rejected_at = ${now.toISOString()}, rejection_reason = ${reason}
      where id = ${id}`,
  )
}

/** A review for the page on which its author confirms it. */
export interface ReviewToConfirm {
  id: string
  professionalId: string
  businessName: string
  status: ReviewState
  rating: number
  title: string | null
  content: string
  isProven: boolean
}

export async function findReviewToConfirm(ctx: Ctx, { id }: { id: string }): Promise<ReviewToConfirm | undefined> {
  const rows = await ctx.write.run<ReviewToConfirm>(
    'findReviewToConfirm',
    (sql) => sql`
      select r.id, r.professional_id, p.business_name, r.status, r.rating, r.title, r.content,
        r.proven_at is not null as is_proven
      from reviews r join professionals p on p.id = r.professional_id where r.id = ${id}`,
  )
  return rows[0]
}
