// Reviews: submitted, moderated, answered, voted on and listed.
import { type CustomerCaller, type Viewer, testAccountOf } from '../../../auth/caller.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import type { Runner } from '../../../platform/postgres/database.ts'
import type { IdempotencyContext, IdempotentResult } from '../../../idempotency/context.ts'
import { emit } from '../../../platform/queue/outbox.ts'
import { runIdempotently } from '../../../idempotency/verbs.ts'
import { countCharacters } from '../../../platform/text/plain.ts'
import { type PageQuery, pageMeta, pageOf } from '../../../platform/schema/paging.ts'
import { transition } from '../../../errors/transition.ts'
import { type OperatorId, recordAction } from '../../audit/verbs.ts'
import type { HelpfulAnswer, NewReview, ProReview, ProReviewsQuery, ReviewSubmitted, ReviewsQuery } from '../schemas.ts'
import {
  type LockedReview,
  type ReviewedWork,
  type StoredReview,
  findReviewForUpdate,
  findReviewStatus,
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
} from '../queries/reviews.ts'
import { type CustomerReview, selectReviewsOfCustomer } from '../queries/of-customer.ts'
import { releaseAddress, saveProven } from '../queries/proof.ts'
import { askForProof } from './proof.ts'
import { REVIEW, type ReviewAction, type ReviewState } from '../states.ts'

export type { CustomerReview }

/** Who sends a review, and whether they have shown that the e-mail address in it is theirs: signed in, or by a mailed link. */
export interface Author {
  readonly accountId: string
  readonly isProven: boolean
}

/**
 * Submits a review for moderation; test mode has no moderators, and publishes it at once. It is verified when its author is proven
 * and it names a completed booking or job of theirs with this pro, or as soon as the pro completes it. Otherwise the address gets a
 * mail with a link that proves it. Throws professional_not_found, own_business, validation_failed for a booking or job
 * that is not this customer's with this pro, review_too_early, no_visit_to_review, and duplicate_review.
 */
export const submitReview = (
  deps: Deps,
  author: Author,
  input: NewReview,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<ReviewSubmitted>> =>
  runIdempotently(
    deps,
    idempotency,
    { accountId: author.accountId, operation: 'submitReview', request: input },
    async (tx) => {
      const { pro: professional, isTest } = await getReviewedPro(tx, input, author)
      await checkWork(deps, tx, input)
      const now = deps.clock.now()
      if (author.isProven) await releaseAddress(tx, input)
      const inserted = await insertReview(tx, { ...input, id: deps.ids.uuid(), accountId: author.accountId, now })
      if (!inserted)
        throw new AppError('duplicate_review', 'This customer has already reviewed this pro, booking or job.')
      const submitted = author.isProven ? required(await saveProven(tx, inserted.id, now)) : inserted
      if (!author.isProven) await askForProof(deps, tx, { id: inserted.id, professional, input })
      await emitReview(deps, tx, 'review.submitted', submitted)
      const { id, record } = isTest ? await publish(deps, tx, submitted.id) : submitted
      const { status, rating, title } = record
      const shownAt = `GET /api/v1/reviews?professionalId=${professional.id} shows it.`
      return {
        success: true,
        message: isTest
          ? 'Thank you. In test mode the review is published at once.'
          : 'Thank you. A moderator reads the review before it is published.',
        review: { id, status, rating, title, professional },
        nextSteps: [
          ...(author.isProven
            ? []
            : ['The customer confirms the review by a link in an e-mail. Until then it is not verified.']),
          ...(isTest ? [shownAt] : ['A moderator approves or rejects the review.', `Once approved, ${shownAt}`]),
        ],
      }
    },
  )

/** The state of a review now. Throws review_not_found. */
export async function getReviewStatus({ write }: Deps, id: string): Promise<ReviewState> {
  const status = await findReviewStatus(write, id)
  if (!status) throw new AppError('review_not_found', 'The review does not exist any more.')
  return status
}

/** The pro, and whether it is a test pro, unless the review is by the business itself. */
async function getReviewedPro(
  tx: Runner,
  { professionalId, customer }: NewReview,
  { accountId }: { accountId: string },
) {
  const found = await findReviewedPro(tx, professionalId, { accountId, email: customer.email })
  if (!found) throw new AppError('professional_not_found', 'No pro has this id.')
  if (found.isOwn)
    throw new AppError(
      'own_business',
      'A business cannot review itself: not by its owner, its console users or a key of its own.',
    )
  return found
}

/** Throws unless the customer may review the named work now. */
async function checkWork({ clock }: Deps, tx: Runner, review: NewReview): Promise<void> {
  const { bookingId, projectId } = review
  if (bookingId && projectId)
    throw invalidField('body.projectId', 'must not be sent with `bookingId`: a review is of one of them')
  if (bookingId) {
    const booking = await findReviewedBooking(tx, bookingId, review)
    if (!booking) throw invalidField('body.bookingId', 'must be a booking of this customer with this pro')
    checkBookingOver(booking, clock.now())
  }
  if (!projectId) return
  const job = await findReviewedJob(tx, projectId, review)
  if (!job) throw invalidField('body.projectId', 'must be a job of this customer with this pro')
  checkJobDone(job)
}

/** Throws for a visit that is not over, or that does not take place. */
function checkBookingOver({ status, endsAt }: ReviewedWork, now: Date): void {
  const isOver = endsAt === null || Date.parse(endsAt) <= now.getTime()
  if (status === 'completed' || (status === 'confirmed' && isOver)) return
  if ((status === 'confirmed' || status === 'pending') && !isOver)
    throw new AppError('review_too_early', `The visit ends at ${endsAt}. Send the review after that.`, {
      extensions: { reviewableAt: endsAt },
    })
  throw new AppError('no_visit_to_review', `${REASONS[status] ?? 'The booking was cancelled.'} ${REVIEW_THE_PRO}`)
}

const REASONS: Partial<Record<ReviewedWork['status'], string>> = {
  pending: 'The booking was never confirmed.',
  no_show: 'The customer was not there.',
}

function checkJobDone({ status }: ReviewedWork): void {
  if (status === 'completed') return
  if (status === 'cancelled') throw new AppError('no_visit_to_review', `The job was cancelled. ${REVIEW_THE_PRO}`)
  throw new AppError('review_too_early', 'The job is not completed. Send the review after the pro has completed it.', {
    extensions: { reviewableAt: null },
  })
}

const REVIEW_THE_PRO = 'To review the pro in general, leave out `bookingId` and `projectId`.'

/**
 * Publishes a review, for a moderator. The same transaction updates the pro's rating, statistics and search result. Throws
 * review_not_found, and invalid_transition unless it is pending.
 */
export const approveReview = (deps: Deps, id: string, by: OperatorId = null): Promise<ProReview> =>
  deps.write.begin('approveReview', async (tx) => {
    const approved = await publish(deps, tx, id)
    await recordAction(deps, tx, {
      action: 'review.approved',
      subjectId: id,
      professionalId: approved.professionalId,
      by,
    })
    return approved.record
  })

async function publish(deps: Deps, tx: Runner, id: string): Promise<StoredReview> {
  const review = await lockForAction(tx, id, 'approve')
  const approved = required(await saveApproved(tx, review, deps.clock.now()))
  await emitReview(deps, tx, 'review.approved', approved)
  return approved
}

/**
 * Rejects a review, for a moderator, with a reason that the pro can read. Emits no event. Throws like
 * {@link approveReview}, and validation_failed for a reason that is empty or over 5,000 characters.
 */
export async function rejectReview(deps: Deps, id: string, reason: string, by: OperatorId = null): Promise<ProReview> {
  if (reason.trim() === '' || countCharacters(reason) > 5000)
    throw invalidField('reason', 'must be text of up to 5,000 characters')
  return await deps.write.begin('rejectReview', async (tx) => {
    const review = await lockForAction(tx, id, 'reject')
    const rejected = required(await saveRejected(tx, review, reason, deps.clock.now()))
    const professionalId = rejected.professional.id
    await recordAction(deps, tx, { action: 'review.rejected', subjectId: id, professionalId, by, reason })
    return rejected
  })
}

/** Stores the pro's response to a published review, replacing an earlier one. Throws like {@link approveReview}. */
export const respondToReview = (
  deps: Deps,
  { accountId, professionalId }: { accountId: string; professionalId: string },
  id: string,
  content: string,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<ProReview>> =>
  runIdempotently(
    deps,
    idempotency,
    { accountId, operation: 'respondToReview', request: { id, content } },
    async (tx) => {
      const review = await lockForAction(tx, id, 'respond', professionalId)
      return required(await saveResponse(tx, review.id, content, deps.clock.now()))
    },
  )

/** Stores the account's vote on a published review, replacing an earlier one. Throws review_not_found. */
export const voteOnReview = (
  deps: Deps,
  { accountId }: { accountId: string },
  reviewId: string,
  helpful: boolean,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<HelpfulAnswer>> =>
  runIdempotently(
    deps,
    idempotency,
    { accountId, operation: 'voteOnReview', request: { reviewId, helpful } },
    async (tx) => {
      const counts = await saveVote(tx, { reviewId, accountId, helpful, now: deps.clock.now() })
      if (!counts) throw new AppError('review_not_found', 'No published review has this id.')
      return { helpful: counts }
    },
  )

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

/** A page of a pro's published reviews as JSON text (ReviewsPage); empty for an unknown pro. */
export async function listReviews({ replicas }: Deps, viewer: Viewer, query: ReviewsQuery): Promise<string> {
  const { total, stats, reviews } = (await selectReviewsPage(replicas, query, testAccountOf(viewer))) ?? NO_REVIEWS
  return `{"reviews":${reviews},"stats":${stats},"meta":${JSON.stringify(pageMeta(total, query))}}`
}

/** A pro's reviews in any state, newest first. */
export async function listProReviews({ read }: Deps, pro: { professionalId: string }, query: ProReviewsQuery) {
  const { total, reviews } = await selectReviews(read, pro.professionalId, query)
  return { reviews, meta: pageMeta(total, query) }
}

/** What bears the address of a signed-in customer, also when others sent it; without what the customer has disowned. */
export async function listReviewsOfCustomer({ write }: Deps, { customerEmail }: CustomerCaller, query: PageQuery) {
  const { total, reviews } = await selectReviewsOfCustomer(write, customerEmail, pageOf(query))
  return { reviews, meta: pageMeta(total, query) }
}

/** The reviews of all pros, newest first, for moderators. */
export const listReviewsToModerate = ({ write }: Deps, query: ProReviewsQuery) => selectReviews(write, null, query)

/** The locked review, with the state that the action leads to. */
async function lockForAction(tx: Runner, id: string, action: ReviewAction, professionalId: string | null = null) {
  const review = await findReviewForUpdate(tx, id, professionalId)
  if (!review) throw new AppError('review_not_found', 'No review has this id.')
  return { ...review, status: transition(REVIEW, 'review', review.status, action) } satisfies LockedReview
}

/** The row that an update of a locked review returned. */
function required<T>(row: T | undefined): T {
  if (row === undefined) throw new Error('A locked review is missing.')
  return row
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
