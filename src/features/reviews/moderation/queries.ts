// SQL of moderation: the search over the reviews of all pros.
import type { ReviewState } from '../reviews/states.ts'
import type { ReviewToModerate } from './schemas.ts'
import type { Ctx } from '../../../ctx.ts'
import { composed, json, number } from '../../../platform/postgres/composed.ts'

/** The filters of a moderator's search; null for any. */
export interface ModerationFilter {
  q: string
  status: ReviewState | null
  /** Those with an open report; `waiting`: these first, then the pending ones. */
  queue: 'reported' | 'waiting' | null
  rating: number | null
  verified: boolean | null
  pro: string | null
  since: Date | null
  until: Date | null
  sort: 'newest' | 'oldest' | 'rating_low' | 'rating_high'
  limit: number
  offset: number
}

/** Reviews of all pros, and the number of all that match. */
export async function selectReviewsToModerate(
  ctx: Ctx,
  filter: ModerationFilter,
): Promise<{ total: number; reviews: ReviewToModerate[] }> {
  const { q, status, queue, rating, verified, pro, sort, limit, offset } = filter
  const [since, until] = [filter.since?.toISOString() ?? null, filter.until?.toISOString() ?? null]
  const [page] = await composed(
    ctx.write,
    'selectReviewsToModerate',
    { total: number, reviews: json<ReviewToModerate[]>() },
    (sql) => {
      const order = {
        newest: sql`created_at desc, id desc`,
        oldest: sql`created_at, id`,
        rating_low: sql`rating, created_at desc, id desc`,
        rating_high: sql`rating desc, created_at desc, id desc`,
      }[sort]
      const reported = sql`select review_id from review_reports where decided_at is null`
      const queued = {
        reported: sql`and r.id in (${reported})`,
        waiting: sql`and r.id in (select id from reviews where status = 'pending' union all ${reported})`,
      }
      const first = queue === 'waiting' ? sql`(status = 'approved') desc, ` : sql``
      return sql`
      with matching as (
        select r.id, r.created_at, r.rating, r.status from reviews r
        where r.professional_id not in (select id from professionals where test_account_id is not null)
          and (${status}::text is null or r.status = ${status}) ${queue === null ? sql`` : queued[queue]}
          and (${rating}::integer is null or r.rating = ${rating})
          and (${verified}::boolean is null or r.verified = ${verified})
          and (${pro}::text is null or r.professional_id in (
            select id from professionals where slug = lower(${pro}) or id::text = lower(${pro})))
          and (${since}::timestamptz is null or r.created_at >= ${since})
          and (${until}::timestamptz is null or r.created_at < ${until})
          and (${q} = ''
            or strpos(lower(concat_ws(E'\\n', r.title, r.content, r.customer_name, r.customer_email)), lower(${q})) > 0
            or r.professional_id in (select id from professionals where strpos(lower(business_name), lower(${q})) > 0))
      ), page as (
        select id, row_number() over (order by ${first}${order}) as place from matching
        order by ${first}${order} limit ${limit} offset ${offset}
      )
      select (select count(*)::integer from matching) as total,
        coalesce(jsonb_agg(review_record(r) || jsonb_build_object('isOfTeam', exists (
          select from members m
          where m.professional_id = r.professional_id and m.email = r.customer_email and m.active),
          'report', open_report(r)) order by page.place), '[]')
          as reviews
      from page join reviews r on r.id = page.id`
    },
  )
  return page ?? { total: 0, reviews: [] }
}
