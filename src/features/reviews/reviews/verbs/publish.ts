// How a review is published, by a moderator or by the policy of the marketplace.
import type { TxCtx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { emit } from '../../../../platform/queue/outbox.ts'
import { transition } from '../../../../transition.ts'
import { selectVerifiedToPublish } from '../queries/proof.sql.ts'
import { findReviewForUpdate } from '../queries/reviews.sql.ts'
import { type LockedReview, type StoredReview, saveApproved } from '../queries/reviews.ts'
import { REVIEW, type ReviewAction } from '../states.ts'

/** Publishes a review, with its event. Throws review_not_found, and invalid_transition unless it is pending. */
export async function publish(ctx: TxCtx, { id }: { id: string }): Promise<StoredReview> {
  const review = await lockForAction(ctx, { id, action: 'approve' })
  const approved = required(await saveApproved(ctx, { ...review, now: ctx.clock.now() }))
  await emitReview(ctx, { type: 'review.approved', review: approved })
  return approved
}

/**
 * Publishes what waits and is verified, if the policy of the marketplace says so: a review, or those of a booking or job that is
 * completed now, by their id. Those by the address of a team member wait for a moderator.
 */
export async function publishVerified(ctx: TxCtx, { id }: { id: string }): Promise<StoredReview[]> {
  const published: StoredReview[] = []
  for (const review of await selectVerifiedToPublish(ctx, { id })) published.push(await publish(ctx, review))
  return published
}

/** The locked review, with the state that the action leads to. Throws review_not_found and invalid_transition. */
export async function lockForAction(
  ctx: TxCtx,
  { id, action, professionalId = null }: { id: string; action: ReviewAction; professionalId?: string | null },
) {
  const review = await findReviewForUpdate(ctx, { id, professionalId })
  if (!review) throw new AppError('review_not_found', 'No review has this id.')
  return { ...review, status: transition(REVIEW, 'review', review.status, action) } satisfies LockedReview
}

/** The row that an update of a locked review returned. */
export function required<T>(row: T | undefined): T {
  if (row === undefined) throw new Error('A locked review is missing.')
  return row
}

/** Emits an event of a review, with the sequence that it has now. */
export const emitReview = (ctx: TxCtx, { type, review }: { type: string; review: StoredReview }) =>
  emit(ctx.tx, {
    id: ctx.ids.uuid(),
    type,
    professionalId: review.professionalId,
    aggregateType: 'review',
    aggregateId: review.id,
    sequence: review.eventSequence,
    object: review.record,
    createdAt: ctx.clock.now(),
  })
