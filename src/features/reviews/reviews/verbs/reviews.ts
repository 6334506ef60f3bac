// Reviews: submitted, moderated, answered, voted on and listed.
import { type CustomerCaller, type Viewer, testAccountOf } from '../../../../auth/caller.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { AppError, invalidField } from '../../../../errors/app-error.ts'
import { runIdempotently } from '../../../../idempotency/verbs.ts'
import { customerBlocked } from '../../../customers/operator-customers/rules/blocked.ts'
import { countCharacters } from '../../../../platform/text/plain.ts'
import { type PageQuery, pageMeta, pageOf } from '../../../../platform/schema/paging.ts'
import { shownPhoto, storedPhoto, usePhotos } from '../../../files/files/verbs/photos.ts'
import { type OperatorId, recordAction } from '../../../upkeep/audit/verbs.ts'
import type { HelpfulAnswer, NewReview, ProReview, ProReviewsQuery, ReviewSubmitted, ReviewsQuery } from '../schemas.ts'
import {
  findReviewStatus,
  findReviewedBooking,
  findReviewedJob,
  findReviewedPro,
  insertReview,
  saveRejected,
  saveResponse,
  saveVote,
  selectReviews,
  selectReviewsPage,
} from '../queries/reviews.ts'
import { selectReviewLines } from '../queries/reviews.sql.ts'
import { type CustomerReview, selectReviewsOfCustomer } from '../queries/of-customer.ts'
import { releaseAddress, saveProven, saveWithdrawn } from '../queries/proof.ts'
import { emitReview, lockForAction, publish, publishVerified, required } from './publish.ts'
import { askForProof, tellTakenDown } from './proof.ts'
import { checkOpenReport, closeReport } from './reports.ts'
import { checkAuthor, checkBooking, checkJob, checkSubject } from '../rules/eligibility.ts'
import type { ReviewState } from '../states.ts'

export type { CustomerReview }

/** A line of a review, and its rating. */
export interface ReviewLine {
  rating: number
  content: string
}

/** What the most helpful published review of each pro says, its first 200 characters; pros without reviews are missing. */
export async function listReviewLines(
  ctx: Ctx,
  { ids }: { ids: readonly string[] },
): Promise<ReadonlyMap<string, ReviewLine>> {
  if (ids.length === 0) return new Map()
  const found = await selectReviewLines(ctx, { ids: `{${ids.join()}}` })
  return new Map(found.map(({ professionalId, ...line }) => [professionalId, line]))
}

/** Who sends a review, and whether they have shown that the e-mail address in it is theirs: signed in, or by a mailed link. */
export interface Author {
  readonly accountId: string
  readonly isProven: boolean
}

/**
 * Submits a review for moderation; test mode, which has no moderators, publishes it at once, and so may the policy of the marketplace if
 * it is verified. It is verified when its author is proven and it names a completed booking or job of theirs with this pro, or as soon
 * as the pro completes it. Otherwise the address gets a mail with a link that proves it. Throws professional_not_found, own_business, customer_blocked,
 * validation_failed for a booking or job that is not this customer's with this pro, review_too_early, no_visit_to_review, and
 * duplicate_review.
 */
export const submitReview = (ctx: Ctx<Author>, input: NewReview): Promise<ReviewSubmitted> =>
  runIdempotently(ctx, { accountId: ctx.actor.accountId, operation: 'submitReview', request: input }, async (ctx) => {
    const { pro: professional, isTest } = await getReviewedPro(ctx, input, ctx.actor)
    await checkWork(ctx, input)
    const now = ctx.clock.now()
    if (ctx.actor.isProven) await releaseAddress(ctx, input)
    const { accountId } = ctx.actor
    const photos = (input.photos ?? []).map((url) => storedPhoto(ctx, { url }))
    const inserted = await insertReview(ctx, { ...input, photos, id: ctx.ids.uuid(), accountId, now })
    if (!inserted)
      throw new AppError('duplicate_review', 'This customer has already reviewed this pro, booking or job.')
    const use = { purpose: 'review', by: { reviewId: inserted.id }, path: 'body.photos' } as const
    await usePhotos(ctx, { ...use, urls: photos, accountId })
    const submitted = ctx.actor.isProven ? required(await saveProven(ctx, { id: inserted.id, now })) : inserted
    if (!ctx.actor.isProven) await askForProof(ctx, { id: inserted.id, professional, input })
    await emitReview(ctx, { type: 'review.submitted', review: submitted })
    const published = isTest ? await publish(ctx, submitted) : (await publishVerified(ctx, submitted))[0]
    const { id, record } = published ?? submitted
    const { status, rating, title } = record
    const shownAt = `GET /api/v1/reviews?professionalId=${professional.id} shows it.`
    return {
      success: true,
      message: isTest
        ? 'Thank you. In test mode the review is published at once.'
        : published
          ? 'Thank you. The review is published.'
          : 'Thank you. A moderator reads the review before it is published.',
      review: { id, status, rating, title, professional },
      nextSteps: [
        ...(ctx.actor.isProven
          ? []
          : ['The customer confirms the review by a link in an e-mail. Until then it is not verified.']),
        ...(published ? [shownAt] : ['A moderator approves or rejects the review.', `Once approved, ${shownAt}`]),
      ],
    }
  })

/** The state of a review now. Throws review_not_found. */
export async function getReviewStatus(ctx: Ctx, { id }: { id: string }): Promise<ReviewState> {
  const status = await findReviewStatus(ctx, { id })
  if (!status) throw new AppError('review_not_found', 'The review does not exist any more.')
  return status
}

/** The pro, and whether it is a test pro, unless the review is by the business itself. */
async function getReviewedPro(
  ctx: TxCtx,
  { professionalId, customer }: NewReview,
  { accountId }: { accountId: string },
) {
  const found = await findReviewedPro(ctx, { accountId, email: customer.email, id: professionalId })
  if (!found) throw new AppError('professional_not_found', 'No pro has this id.')
  checkAuthor(found)
  if (found.isBlocked) throw customerBlocked()
  return found
}

/** Throws unless the customer may review the named work now. */
async function checkWork(ctx: TxCtx, review: NewReview): Promise<void> {
  const { bookingId, projectId } = review
  checkSubject(review)
  if (bookingId) checkBooking(await findReviewedBooking(ctx, { ...review, id: bookingId }), ctx.clock.now())
  if (projectId) checkJob(await findReviewedJob(ctx, { ...review, id: projectId }))
}

/**
 * Publishes a review, for a moderator. The same transaction updates the pro's rating, statistics and search result. Throws
 * review_not_found, and invalid_transition unless it is pending.
 */
export const approveReview = (ctx: Ctx, { id, by = null }: { id: string; by?: OperatorId }): Promise<ProReview> =>
  ctx.transaction('approveReview', async (ctx) => {
    const approved = await publish(ctx, { id })
    await recordAction(ctx, {
      action: 'review.approved',
      subjectId: id,
      professionalId: approved.professionalId,
      by,
    })
    return approved.record
  })

/**
 * Rejects a review, for a moderator, with a reason that the pro can read. Emits no event. Throws like
 * {@link approveReview}, and validation_failed for a reason that is empty or over 5,000 characters.
 */
export async function rejectReview(
  ctx: Ctx,
  { id, reason, by = null }: { id: string; reason: string; by?: OperatorId },
): Promise<ProReview> {
  checkReason(reason)
  return await ctx.transaction('rejectReview', async (ctx) => {
    const review = await lockForAction(ctx, { id, action: 'reject' })
    const rejected = required(await saveRejected(ctx, { ...review, reason, now: ctx.clock.now() }))
    const professionalId = rejected.professional.id
    await recordAction(ctx, { action: 'review.rejected', subjectId: id, professionalId, by, reason })
    return rejected
  })
}

function checkReason(reason: string): void {
  if (reason.trim() === '' || countCharacters(reason) > 5000)
    throw invalidField('reason', 'must be text of up to 5,000 characters')
}

/**
 * Takes down a published review, for a moderator, with a reason that the pro and the author can read. The same transaction
 * updates the pro's rating, statistics and search result, and answers the pro's report with the reason. The audit log has it as a
 * rejection of what was published. Emits no event. Throws like {@link rejectReview}, and invalid_transition unless the review is
 * published, or if the report that the moderator saw is answered.
 */
export async function takeDownReview(
  ctx: Ctx,
  { id, reason, reportId, by = null }: { id: string; reason: string; reportId?: string | undefined; by?: OperatorId },
): Promise<ProReview> {
  checkReason(reason)
  return await ctx.transaction('takeDownReview', async (ctx) => {
    if (reportId !== undefined) await checkOpenReport(ctx, { id: reportId, reviewId: id })
    const review = await lockForAction(ctx, { id, action: 'take_down' })
    const { record, provenEmail } = required(await saveWithdrawn(ctx, { ...review, reason, now: ctx.clock.now() }))
    const professionalId = record.professional.id
    const details = { wasPublished: true }
    await recordAction(ctx, { action: 'review.rejected', subjectId: id, professionalId, by, reason, details })
    await closeReport(ctx, { reviewId: id, outcome: 'taken_down', answer: reason, by })
    if (provenEmail !== null) await tellTakenDown(ctx, { record, email: provenEmail, reason })
    return record
  })
}

/** Stores the pro's response to a published review, replacing an earlier one. Throws like {@link approveReview}. */
export const respondToReview = (
  ctx: Ctx<{ accountId: string; professionalId: string }>,
  { id, content }: { id: string; content: string },
): Promise<ProReview> =>
  runIdempotently(
    ctx,
    { accountId: ctx.actor.accountId, operation: 'respondToReview', request: { id, content } },
    async (ctx) => {
      const review = await lockForAction(ctx, { id, action: 'respond', professionalId: ctx.actor.professionalId })
      return required(await saveResponse(ctx, { id: review.id, content, now: ctx.clock.now() }))
    },
  )

/** Stores the account's vote on a published review, replacing an earlier one. Throws review_not_found. */
export const voteOnReview = (
  ctx: Ctx<{ accountId: string }>,
  { reviewId, helpful }: { reviewId: string; helpful: boolean },
): Promise<HelpfulAnswer> =>
  runIdempotently(
    ctx,
    { accountId: ctx.actor.accountId, operation: 'voteOnReview', request: { reviewId, helpful } },
    async (ctx) => {
      const counts = await saveVote(ctx, { reviewId, accountId: ctx.actor.accountId, helpful, now: ctx.clock.now() })
      if (!counts) throw new AppError('review_not_found', 'No published review has this id.')
      return { helpful: counts }
    },
  )

const NO_SCORES = { punctuality: 0, communication: 0, quality: 0, value: 0 }

const NO_REVIEWS = {
  total: 0,
  reviews: '[]',
  stats: JSON.stringify({
    average: 0,
    total: 0,
    breakdown: NO_SCORES,
    scored: NO_SCORES,
    distribution: { '1': 0, '2': 0, '3': 0, '4': 0, '5': 0 },
  }),
}

/** A page of a pro's published reviews as JSON text (ReviewsPage); empty for an unknown pro. */
export async function listReviews(
  ctx: Ctx<Viewer>,
  query: ReviewsQuery & { rating?: number | undefined },
): Promise<string> {
  const { total, stats, reviews } =
    (await selectReviewsPage(ctx, { ...query, testAccountId: testAccountOf(ctx.actor) })) ?? NO_REVIEWS
  return `{"reviews":${reviews},"stats":${stats},"meta":${JSON.stringify(pageMeta(total, query))}}`
}

/** A pro's reviews in any state, newest first. */
export async function listProReviews(ctx: Ctx<{ professionalId: string }>, query: ProReviewsQuery) {
  const { total, reviews } = await selectReviews(ctx, { ...query, professionalId: ctx.actor.professionalId })
  return { reviews: reviews.map((review) => withShownPhotos(ctx, review)), meta: pageMeta(total, query) }
}

/** A review for its pro or a moderator, who see its photos before it is published. */
export const withShownPhotos = <Review extends Pick<ProReview, 'photos'>>(ctx: Ctx, review: Review): Review => ({
  ...review,
  photos: review.photos.map((photo) => ({ ...photo, url: shownPhoto(ctx, photo) })),
})

/** What bears the address of a signed-in customer, also when others sent it; without what the customer has disowned. */
export async function listReviewsOfCustomer(ctx: Ctx<CustomerCaller>, query: PageQuery) {
  const { total, reviews } = await selectReviewsOfCustomer(ctx, {
    ...pageOf(query),
    customerEmail: ctx.actor.customerEmail,
  })
  return { reviews, meta: pageMeta(total, query) }
}

/** The reviews of all pros, newest first, for moderators. */
export async function listReviewsToModerate(ctx: Ctx, query: ProReviewsQuery) {
  const { total, reviews } = await selectReviews(ctx, { ...query, professionalId: null })
  return { total, reviews: reviews.map((review) => withShownPhotos(ctx, review)) }
}
