// SQL of reviews.
import { statementFile } from '../../../../platform/postgres/statement-files.ts'
import type { ReviewedWork } from '../rules/eligibility.ts'
import type { NewReview, ProReview, ProReviewsQuery, ReviewsQuery } from '../schemas.ts'
import type { ReviewState } from '../states.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { composed, json, number } from '../../../../platform/postgres/composed.ts'
import * as statements from './reviews.sql.ts'

export interface ReviewedPro {
  id: string
  slug: string
  businessName: string
}

interface FoundReviewedPro {
  pro: ReviewedPro
  isOwn: boolean
  isTest: boolean
  /** By operators. */
  isBlocked: boolean
}

/**
 * An active pro. `isOwn` says whether the review is by the business itself: sent by the pro's account, or in the name or by
 * an account of an e-mail address of the account or its users, whom operators invite. Addresses of the team do not count: the
 * pro types them, and could keep any customer from reviewing.
 */
export async function findReviewedPro(
  ctx: TxCtx,
  { id, accountId, email }: { id: string; accountId: string; email: string },
): Promise<FoundReviewedPro | undefined> {
  return await statements.findReviewedPro<Pick<FoundReviewedPro, 'pro'>>(ctx, { accountId, email, id })
}

type WorkOf = Pick<NewReview, 'professionalId' | 'customer'>

/**
 * A booking; undefined unless it is this customer's with this pro. Locked until the transaction ends: a booking that is
 * completed at the same time verifies the review, or the review sees it completed.
 */
export async function findReviewedBooking(
  ctx: TxCtx,
  { id, professionalId, customer }: { id: string } & WorkOf,
): Promise<ReviewedWork | undefined> {
  return await statements.findReviewedBooking(ctx, { id, professionalId, email: customer.email })
}

/** The same for a job. Its customer is the one who requested its quote. */
export async function findReviewedJob(
  ctx: TxCtx,
  { id, professionalId, customer }: { id: string } & WorkOf,
): Promise<ReviewedWork | undefined> {
  return await statements.findReviewedJob(ctx, { id, professionalId, email: customer.email })
}

export interface ReviewToInsert extends NewReview {
  id: string
  accountId: string
  now: Date
}

/** A review and the sequence of its latest event. */
export interface StoredReview {
  id: string
  professionalId: string
  eventSequence: number
  record: ProReview
}

/** Inserts a pending review with event sequence 1; undefined if the customer has a review of the same that is not rejected. */
export async function insertReview(ctx: TxCtx, review: ReviewToInsert): Promise<StoredReview | undefined> {
  const { scores, customer, now } = review
  const photos = (review.photos ?? []).map((url) => ({ url, caption: null }))
  return await statements.insertReview<Pick<StoredReview, 'record'>>(ctx, {
    id: review.id,
    professionalId: review.professionalId,
    accountId: review.accountId,
    bookingId: review.bookingId,
    projectId: review.projectId,
    rating: review.rating,
    title: review.title,
    content: review.content,
    punctuality: scores?.punctuality ?? null,
    communication: scores?.communication ?? null,
    quality: scores?.quality ?? null,
    value: scores?.value ?? null,
    name: customer.name,
    email: customer.email,
    photos,
    source: review.source ?? 'api',
    now,
  })
}

export async function findReviewStatus(ctx: Ctx, { id }: { id: string }): Promise<ReviewState | undefined> {
  const row = await statements.findReviewStatus(ctx, { id })
  return row?.status
}

export interface LockedReview {
  id: string
  status: ReviewState
}

/** Approves the review and increments its event sequence. A trigger updates the pro's rating and statistics. */
export async function saveApproved(
  ctx: TxCtx,
  { id, status, now }: { now: Date } & LockedReview,
): Promise<StoredReview | undefined> {
  return await statements.saveApproved<Pick<StoredReview, 'record'>>(ctx, { status, now, id })
}

export async function saveRejected(
  ctx: TxCtx,
  { id, status, reason, now }: { reason: string; now: Date } & LockedReview,
): Promise<ProReview | undefined> {
  const row = await statements.saveRejected<{ record: ProReview }>(ctx, { status, now, reason, id })
  return row?.record
}

export async function saveResponse(
  ctx: TxCtx,
  { id, content, now }: { id: string; content: string; now: Date },
): Promise<ProReview | undefined> {
  const row = await statements.saveResponse<{ record: ProReview }>(ctx, { content, now, id })
  return row?.record
}

/** Stores the account's latest vote. Returns the votes of all accounts; undefined unless the review is published. */
export async function saveVote(
  ctx: TxCtx,
  vote: { reviewId: string; accountId: string; helpful: boolean; now: Date },
): Promise<{ yes: number; no: number } | undefined> {
  const locked = await statements.lockReview(ctx, { reviewId: vote.reviewId, accountId: vote.accountId })
  if (locked.length === 0) return undefined
  return await statements.saveVote(ctx, {
    reviewId: vote.reviewId,
    accountId: vote.accountId,
    helpful: vote.helpful,
    now: vote.now,
  })
}

export interface ReviewsPageRow {
  total: number
  /** JSON texts. */
  stats: string
  reviews: string
}

const reviewsPage = statementFile<ReviewsPageRow>('reviews-page', 'mayLag')

/** A page of a pro's approved reviews, or of those with so many stars, the newest first; and the statistics of all. Undefined without an active pro. */
export async function selectReviewsPage(
  ctx: Ctx,
  {
    professionalId,
    sort = 'recent',
    limit = 20,
    offset = 0,
    testAccountId,
    rating,
  }: { testAccountId: string | null; rating?: number | undefined } & ReviewsQuery,
): Promise<ReviewsPageRow | undefined> {
  const order = rating === undefined ? sort : 'rating_high'
  const rows = await reviewsPage.run(ctx.replicas, [
    professionalId,
    order,
    limit,
    offset,
    testAccountId,
    rating ?? null,
  ])
  return rows[0]
}

/** Reviews in any state, newest first, and their total; of one pro or of all. */
export async function selectReviews(
  ctx: Ctx,
  { professionalId, status, limit = 20, offset = 0 }: { professionalId: string | null } & ProReviewsQuery,
): Promise<{ total: number; reviews: ProReview[] }> {
  const [page] = await composed(
    ctx.read,
    'selectReviews',
    { total: number, reviews: json<ProReview[]>() },
    (sql) => sql`
      with matching as (
        select id, created_at from reviews
        where ${professionalId === null ? sql`true` : sql`professional_id = ${professionalId}`}
          and ${status ? sql`status = ${status}` : sql`true`}
      ), page as (
        select id from matching order by created_at desc, id desc limit ${limit} offset ${offset}
      )
      select ${
        professionalId === null
          ? sql`(select count(*)::integer from matching)`
          : sql`count_of_pro(${professionalId}, 'review', ${status ?? null})::integer`
      } as total,
        coalesce(jsonb_agg(review_record(r) order by r.created_at desc, r.id desc), '[]') as reviews
      from reviews r where r.id in (select id from page)`,
  )
  return page ?? { total: 0, reviews: [] }
}
