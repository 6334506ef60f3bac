// Reviews: submitted, moderated, answered, voted on, listed.
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors/app-error.ts'
import type { Runner } from '../../platform/postgres/database.ts'
import type { IdempotencyContext, IdempotentResult } from '../../idempotency/context.ts'
import { emit } from '../../platform/queue/outbox.ts'
import { runIdempotently } from '../../idempotency/verbs.ts'
import { pageMeta } from '../../platform/schema/paging.ts'
import { transition } from '../../errors/transition.ts'
import type { HelpfulAnswer, NewReview, ProReview, ProReviewsQuery, ReviewSubmitted, ReviewsQuery } from './schemas.ts'
import {
  type LockedReview,
  type StoredReview,
  findReviewForUpdate,
  findReviewedBooking,
  findReviewedJob,
  findReviewedPro,
  insertReview,
  saveApproved,
  saveRejected,
  saveResponse,
  saveVote,
  selectReviews,
  selectReviewsPage,
} from './queries.ts'
import { REVIEW, type ReviewAction } from './states.ts'

/**
 * Keeps a review for a moderator. It is verified when it names a completed booking or job of this customer with this pro.
 * Throws professional_not_found, validation_failed for a booking or job that is not this customer's with this pro, and
 * duplicate_review for a second one of the same.
 */
export const submitReview = (
  deps: Deps,
  author: { accountId: string },
  wish: NewReview,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<ReviewSubmitted>> =>
  runIdempotently(
    deps,
    idempotency,
    { accountId: author.accountId, operation: 'submitReview', request: wish },
    async (tx) => {
      const professional = await findReviewedPro(tx, wish.professionalId)
      if (!professional) throw new AppError('professional_not_found', 'No pro has this id.')
      const verified = await isOfCompletedWork(tx, wish)
      const now = deps.clock.now()
      const made = await insertReview(tx, { ...wish, id: deps.ids.uuid(), accountId: author.accountId, verified, now })
      if (!made)
        throw new AppError('duplicate_review', 'This customer has reviewed this pro, or this booking or job, before.')
      await emitReview(deps, tx, 'review.submitted', made)
      return {
        success: true,
        message: 'Thank you. The review is published once a moderator has read it.',
        review: {
          id: made.id,
          status: made.record.status,
          rating: made.record.rating,
          title: made.record.title,
          professional,
        },
        nextSteps: [
          'A moderator reads the review.',
          `Once approved, GET /api/v1/reviews?professionalId=${professional.id} shows it.`,
        ],
      }
    },
  )

async function isOfCompletedWork(tx: Runner, wish: NewReview): Promise<boolean> {
  const { bookingId, projectId } = wish
  if (bookingId && projectId)
    throw invalidField('body.projectId', 'goes without `bookingId`: a review is of one of them')
  if (bookingId) {
    const booking = await findReviewedBooking(tx, bookingId, wish)
    if (!booking) throw invalidField('body.bookingId', 'must be a booking of this customer with this pro')
    return booking.completed
  }
  if (!projectId) return false
  const job = await findReviewedJob(tx, projectId, wish)
  if (!job) throw invalidField('body.projectId', 'must be a job of this customer with this pro')
  return job.completed
}

/**
 * Publishes a review: it counts in its pro's rating, statistics and search result from this transaction on. For
 * moderators. Throws review_not_found, and invalid_transition unless it is pending.
 */
export const approveReview = (deps: Deps, id: string): Promise<ProReview> =>
  deps.write.begin('approveReview', async (tx) => {
    const review = await lockAndMove(tx, id, 'approve')
    const approved = present(await saveApproved(tx, review, deps.clock.now()))
    await emitReview(deps, tx, 'review.approved', approved)
    return approved.record
  })

/**
 * Refuses to publish a review, for a reason that its pro can read. For moderators; no event tells of it. Throws like
 * {@link approveReview}, and validation_failed for a reason that is empty or over 5,000 characters.
 */
export async function rejectReview(deps: Deps, id: string, reason: string): Promise<ProReview> {
  if (reason.trim() === '' || reason.length > 5000)
    throw invalidField('reason', 'must be text of up to 5,000 characters')
  return await deps.write.begin('rejectReview', async (tx) => {
    const review = await lockAndMove(tx, id, 'reject')
    return present(await saveRejected(tx, review, reason, deps.clock.now()))
  })
}

/** Keeps the pro's answer to a published review; a later one takes its place. Throws like {@link approveReview}. */
export const respondToReview = (
  deps: Deps,
  pro: { professionalId: string },
  id: string,
  content: string,
): Promise<ProReview> =>
  deps.write.begin('respondToReview', async (tx) => {
    const review = await lockAndMove(tx, id, 'respond', pro.professionalId)
    return present(await saveResponse(tx, review.id, content, deps.clock.now()))
  })

/** Keeps the account's vote on a published review; a later one takes its place. Throws review_not_found. */
export const voteOnReview = (
  deps: Deps,
  voter: { accountId: string },
  reviewId: string,
  helpful: boolean,
): Promise<HelpfulAnswer> =>
  deps.write.begin('voteOnReview', async (tx) => {
    const vote = { reviewId, accountId: voter.accountId, helpful, now: deps.clock.now() }
    const counts = await saveVote(tx, vote)
    if (!counts) throw new AppError('review_not_found', 'No published review has this id.')
    return { helpful: counts }
  })

const NO_REVIEWS = {
  total: 0,
  reviews: '[]',
  stats: JSON.stringify({
    average: 0,
    total: 0,
    breakdown: { punctuality: 0, communication: 0, quality: 0, value: 0 },
    distribution: { '1': 0, '2': 0, '3': 0, '4': 0, '5': 0 },
  }),
}

/** One page of a pro's published reviews as JSON text (ReviewsPage); an unknown pro has none. */
export async function listReviews({ read }: Deps, query: ReviewsQuery): Promise<string> {
  const { total, stats, reviews } = (await selectReviewsPage(read, query)) ?? NO_REVIEWS
  return `{"reviews":${reviews},"stats":${stats},"meta":${JSON.stringify(pageMeta(total, query))}}`
}

/** A pro's reviews in any state, newest first. */
export async function listProReviews({ read }: Deps, pro: { professionalId: string }, query: ProReviewsQuery) {
  const { total, reviews } = await selectReviews(read, pro.professionalId, query)
  return { reviews, meta: pageMeta(total, query) }
}

/** Everyone's reviews in one state, newest first. For moderators. */
export const listReviewsToModerate = ({ write }: Deps, query: ProReviewsQuery) => selectReviews(write, null, query)

/** The review, locked, in the state that the action leads to. */
async function lockAndMove(tx: Runner, id: string, action: ReviewAction, professionalId: string | null = null) {
  const review = await findReviewForUpdate(tx, id, professionalId)
  if (!review) throw new AppError('review_not_found', 'No review has this id.')
  return { ...review, status: transition(REVIEW, 'review', review.status, action) } satisfies LockedReview
}

/** What a locked row was changed to: it is there. */
function present<T>(changed: T | undefined): T {
  if (changed === undefined) throw new Error('A locked review vanished.')
  return changed
}

const emitReview = ({ clock, ids }: Deps, tx: Runner, type: string, review: StoredReview) =>
  emit(tx, {
    id: ids.uuid(),
    type,
    professionalId: review.professionalId,
    aggregateType: 'review',
    aggregateId: review.id,
    sequence: review.eventSequence,
    object: review.record,
    createdAt: clock.now(),
  })
