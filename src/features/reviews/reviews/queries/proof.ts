// SQL of the proof that a review is by the owner of its e-mail address.
import type { NewReview, ProReview } from '../schemas.ts'
import type { ReviewState } from '../states.ts'
import type { StoredReview } from './reviews.ts'
import type { TxCtx } from '../../../../ctx.ts'
import * as statements from './proof.sql.ts'

/** Takes the address out of a review of the same whose author is not proven. */
export async function releaseAddress(
  ctx: TxCtx,
  { professionalId, customer, bookingId, projectId }: NewReview,
): Promise<void> {
  await statements.releaseUnprovenAddress(ctx, { professionalId, email: customer.email, bookingId, projectId })
}

/** Records that the owner of the e-mail address wrote the review, which verifies it if it is of completed work. */
export async function saveProven(
  ctx: TxCtx,
  { id, now }: { id: string; now: Date },
): Promise<StoredReview | undefined> {
  return await statements.saveProven<Pick<StoredReview, 'record'>>(ctx, { now, id })
}

/** Unpublishes a locked review. `provenEmail` is null unless the owner of the address has shown that they wrote it. */
export async function saveWithdrawn(
  ctx: TxCtx,
  change: { id: string; status: ReviewState; reason: string; now: Date },
): Promise<{ record: ProReview; provenEmail: string | null } | undefined> {
  return await statements.saveWithdrawn<{ record: ProReview }>(ctx, change)
}

/** Locks the work that a review names: it is completed before or after, and verifies the review in either case. */
export async function lockReviewedWork(ctx: TxCtx, { id }: { id: string }): Promise<void> {
  await statements.lockReviewedBooking(ctx, { id })
  await statements.lockReviewedJob(ctx, { id })
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
