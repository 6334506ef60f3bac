// SQL of reviews.
import { statementFile } from '../../../../platform/postgres/statement-files.ts'
import type { ReviewedWork } from '../rules/eligibility.ts'
import type { NewReview, ProReview, ProReviewsQuery, ReviewsQuery } from '../schemas.ts'
import type { ReviewState } from '../states.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'

export interface ReviewedPro {
  id: string
  slug: string
  businessName: string
}

interface FoundReviewedPro {
  pro: ReviewedPro
  isOwn: boolean
  isTest: boolean
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
  const rows = await ctx.tx.run<FoundReviewedPro>(
    'findReviewedPro',
    (sql) => sql`
      select json_build_object('id', p.id, 'slug', p.slug, 'businessName', p.business_name) as pro,
        p.account_id = ${accountId} or exists (
          select from (
            select email from accounts where id = p.account_id
            union all select email from users where account_id = p.account_id
          ) own
          where own.email = ${email}
            or own.email = (select email from accounts where id = ${accountId})) as is_own,
        p.test_account_id is not null as is_test
      from professionals p where p.id = ${id} and is_visible(p.active, p.test_account_id, test_account(${accountId}))`,
  )
  return rows[0]
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
  const rows = await ctx.tx.run<ReviewedWork>(
    'findReviewedBooking',
    (sql) => sql`
      select status, ends_at from bookings
      where id = ${id} and professional_id = ${professionalId} and customer_email = ${customer.email}
      for share`,
  )
  return rows[0]
}

/** The same for a job. Its customer is the one who requested its quote. */
export async function findReviewedJob(
  ctx: TxCtx,
  { id, professionalId, customer }: { id: string } & WorkOf,
): Promise<ReviewedWork | undefined> {
  const rows = await ctx.tx.run<ReviewedWork>(
    'findReviewedJob',
    (sql) => sql`
      select j.status, null::timestamptz as ends_at
      from jobs j join quotes q on q.id = j.quote_id join rfqs r on r.id = q.rfq_id
      where j.id = ${id} and j.professional_id = ${professionalId}
        and r.customer_email = ${customer.email}
      for share of j`,
  )
  return rows[0]
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
  const rows = await ctx.tx.run<StoredReview>(
    'insertReview',
    (sql) => sql`
      insert into reviews as r (id, professional_id, account_id, booking_id, job_id, status, rating, title, content,
        punctuality, communication, quality, value, customer_name, customer_email, photos, source,
        event_sequence, created_at)
      values (${review.id}, ${review.professionalId}, ${review.accountId}, ${review.bookingId ?? null},
        ${review.projectId ?? null}, 'pending', ${review.rating}, ${review.title ?? null}, ${review.content},
        ${scores?.punctuality ?? null}, ${scores?.communication ?? null}, ${scores?.quality ?? null},
        ${scores?.value ?? null}, ${customer.name}, ${customer.email}, ${sql.json(photos)},
        ${review.source ?? 'api'}, 1, ${now.toISOString()})
      on conflict (professional_id, customer_email, booking_id, job_id) where status <> 'rejected' do nothing
      returning r.id, r.professional_id, r.event_sequence, review_record(r) as record`,
  )
  return rows[0]
}

export async function findReviewStatus(ctx: Ctx, { id }: { id: string }): Promise<ReviewState | undefined> {
  const rows = await ctx.write.run<{ status: ReviewState }>(
    'findReviewStatus',
    (sql) => sql`select status from reviews where id = ${id}`,
  )
  return rows[0]?.status
}

export interface LockedReview {
  id: string
  status: ReviewState
}

/** A review, locked until the transaction ends; with a pro, only one of theirs. */
export async function findReviewForUpdate(
  ctx: TxCtx,
  { id, professionalId }: { id: string; professionalId: string | null },
): Promise<LockedReview | undefined> {
  const rows = await ctx.tx.run<LockedReview>(
    'findReviewForUpdate',
    (sql) => sql`
      select id, status from reviews
      where id = ${id} and (${professionalId}::uuid is null or professional_id = ${professionalId}) for update`,
  )
  return rows[0]
}

/** Approves the review and increments its event sequence. A trigger updates the pro's rating and statistics. */
export async function saveApproved(
  ctx: TxCtx,
  { id, status, now }: { now: Date } & LockedReview,
): Promise<StoredReview | undefined> {
  const rows = await ctx.tx.run<StoredReview>(
    'saveApproved',
    (sql) => sql`
      update reviews r set status = ${status}, approved_at = ${now.toISOString()}, event_sequence = event_sequence + 1
      where id = ${id}
      returning r.id, r.professional_id, r.event_sequence, review_record(r) as record`,
  )
  return rows[0]
}

export async function saveRejected(
  ctx: TxCtx,
  { id, status, reason, now }: { reason: string; now: Date } & LockedReview,
): Promise<ProReview | undefined> {
  const rows = await ctx.tx.run<{ record: ProReview }>(
    'saveRejected',
    (sql) => sql`
      update reviews r set status = ${status}, rejected_at = ${now.toISOString()}, rejection_reason = ${reason}
      where id = ${id} returning review_record(r) as record`,
  )
  return rows[0]?.record
}

export async function saveResponse(
  ctx: TxCtx,
  { id, content, now }: { id: string; content: string; now: Date },
): Promise<ProReview | undefined> {
  const rows = await ctx.tx.run<{ record: ProReview }>(
    'saveResponse',
    (sql) => sql`
      update reviews r set response = ${content}, responded_at = ${now.toISOString()}
      where id = ${id} returning review_record(r) as record`,
  )
  return rows[0]?.record
}

/** Stores the account's latest vote. Returns the votes of all accounts; undefined unless the review is published. */
export async function saveVote(
  ctx: TxCtx,
  vote: { reviewId: string; accountId: string; helpful: boolean; now: Date },
): Promise<{ yes: number; no: number } | undefined> {
  const locked = await ctx.tx.run(
    'lockReview',
    (sql) => sql`
      select from reviews r
      where r.id = ${vote.reviewId} and r.status = 'approved' and is_test_pro(r.professional_id) = (
        select a.test_of is not null from accounts a where a.id = ${vote.accountId})
      for no key update`,
  )
  if (locked.length === 0) return undefined
  const rows = await ctx.tx.run<{ yes: number; no: number }>(
    'saveVote',
    (sql) => sql`
      with before as (
        select helpful from review_votes where review_id = ${vote.reviewId} and account_id = ${vote.accountId}
      ), stored as (
        insert into review_votes (review_id, account_id, helpful, voted_at)
        values (${vote.reviewId}, ${vote.accountId}, ${vote.helpful}, ${vote.now.toISOString()})
        on conflict (review_id, account_id) do update set helpful = excluded.helpful, voted_at = excluded.voted_at
      )
      update reviews set
        helpful_yes = helpful_yes + ${vote.helpful}::boolean::integer - (select count(*) from before where helpful),
        helpful_no = helpful_no + (not ${vote.helpful}::boolean)::integer - (select count(*) from before where not helpful)
      where id = ${vote.reviewId} returning helpful_yes as yes, helpful_no as no`,
  )
  return rows[0]
}

export interface ReviewsPageRow {
  total: number
  /** JSON texts. */
  stats: string
  reviews: string
}

const reviewsPage = statementFile<ReviewsPageRow>('reviews-page', 'mayLag')

/** A page of a pro's approved reviews and the statistics of all; undefined without an active pro. */
export async function selectReviewsPage(
  ctx: Ctx,
  {
    professionalId,
    sort = 'recent',
    limit = 20,
    offset = 0,
    testAccountId,
  }: { testAccountId: string | null } & ReviewsQuery,
): Promise<ReviewsPageRow | undefined> {
  const rows = await reviewsPage.run(ctx.replicas, [professionalId, sort, limit, offset, testAccountId])
  return rows[0]
}

/** Reviews in any state, newest first, and their total; of one pro or of all. */
export async function selectReviews(
  ctx: Ctx,
  { professionalId, status, limit = 20, offset = 0 }: { professionalId: string | null } & ProReviewsQuery,
): Promise<{ total: number; reviews: ProReview[] }> {
  const [page] = await ctx.read.run<{ total: number; reviews: ProReview[] }>(
    'selectReviews',
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
