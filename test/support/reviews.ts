// Reviews for tests: pros, authors and submissions, and a recount of the statistics from scratch.
import { randomUUID } from 'node:crypto'

import { ensureAccount } from '../../src/auth/accounts/verbs.ts'
import type { NewReview } from '../../src/features/reviews/reviews/schemas.ts'
import type { TestApp } from './app.ts'
import { Visitor } from './visitor.ts'
import { ctxOf } from '../../src/ctx.ts'

export interface SeededPro {
  id: string
  slug: string
  /** The address of the pro's account: `app.key(scopes, email)` creates its keys. */
  email: string
}

/** Seeded pros after the first `skip`. */
export const findPros = ({ deps }: TestApp, count: number, skip = 0): Promise<SeededPro[]> =>
  deps.read.run<SeededPro>(
    'findTestPros',
    (sql) => sql`
      select p.id, p.slug, a.email from professionals p join accounts a on a.id = p.account_id
      where p.active order by p.id limit ${count} offset ${skip}`,
  )

/** A review of the pro by a new customer, with `changes`. */
export const newReview = (professionalId: string, changes: Partial<NewReview> = {}): NewReview => ({
  professionalId,
  rating: 5,
  content: 'On time, and the leak is gone.',
  customer: { name: 'Homeowner in Austin', email: `${randomUUID()}@customers.test.example` },
  ...changes,
})

/** Creates an account that submits and votes. */
export const createAuthor = async ({ deps }: TestApp, email = `${randomUUID()}@authors.test.example`) => ({
  accountId: (await ensureAccount(ctxOf(deps), { email })).id,
})

/** All stored data of a review and its pro's rating, for tests that nothing changed. */
export async function reviewRowsOf({ deps }: TestApp, id: string): Promise<unknown> {
  const [row] = await deps.write.run<{ state: unknown }>(
    'everythingOf',
    (sql) => sql`
      select json_build_object('review', r, 'count', p.review_count, 'sum', p.rating_sum, 'stats', s, 'events', (
        select json_agg(e order by e.sequence) from outbox_events e where e.aggregate_id = r.id)) as state
      from reviews r join professionals p on p.id = r.professional_id
      left join review_stats s on s.professional_id = p.id
      where r.id = ${id}`,
  )
  return row?.state
}

/** The event types of an aggregate so far, in order. */
export async function eventsOf({ deps }: TestApp, aggregateId: string): Promise<string[]> {
  const rows = await deps.write.run<{ type: string }>(
    'eventsOf',
    (sql) => sql`select type from outbox_events where aggregate_id = ${aggregateId} order by sequence`,
  )
  return rows.map(({ type }) => type)
}

/** Pros whose stored rating or statistics differ from a recount of their approved reviews. */
export async function findMiscounted({ deps }: Pick<TestApp, 'deps'>): Promise<{ id: string }[]> {
  return await deps.write.run<{ id: string }>(
    'findMiscounted',
    (sql) => sql`
      with counted as (
        select professional_id, count(*)::integer as n, sum(rating)::integer as sum, array[
            (count(*) filter (where rating = 1))::integer, (count(*) filter (where rating = 2))::integer,
            (count(*) filter (where rating = 3))::integer, (count(*) filter (where rating = 4))::integer,
            (count(*) filter (where rating = 5))::integer, coalesce(sum(punctuality), 0)::integer,
            coalesce(sum(communication), 0)::integer, coalesce(sum(quality), 0)::integer,
            coalesce(sum(value), 0)::integer, count(punctuality)::integer, count(communication)::integer,
            count(quality)::integer, count(value)::integer] as totals
        from reviews where status = 'approved' group by professional_id
      )
      select p.id from professionals p
      left join counted c on c.professional_id = p.id
      left join review_stats s on s.professional_id = p.id
      where (p.review_count, p.rating_sum) is distinct from (coalesce(c.n, 0), coalesce(c.sum, 0))
        or c.totals is distinct from case when s.professional_id is not null then array[
          s.rated_1, s.rated_2, s.rated_3, s.rated_4, s.rated_5, s.punctuality_sum, s.communication_sum, s.quality_sum,
          s.value_sum, s.punctuality_count, s.communication_count, s.quality_count, s.value_count] end`,
  )
}

export interface ReviewsPage {
  reviews: { id: string; rating: number; author: string; createdAt: string; helpful: { yes: number; no: number } }[]
  stats: {
    average: number
    total: number
    breakdown: Record<string, number>
    scored: Record<string, number>
    distribution: Record<string, number>
  }
  meta: { total: number; limit: number; offset: number; hasMore: boolean }
}

/** Sends GET /reviews of a pro. `more` is the rest of the query, such as `&sort=helpful`. */
export const reviewsOf = async ({ send }: TestApp, professionalId: string, more = ''): Promise<ReviewsPage> =>
  (await (await send(`/api/v1/reviews?professionalId=${professionalId}${more}`)).json()) as ReviewsPage

/** Confirms a review by the link in the mail to its author. */
export async function confirmByMail({ app, deps }: TestApp, reviewId: string): Promise<void> {
  const token = deps.encryption.linkToken('review', reviewId, { isMailed: true })
  const answer = await new Visitor({ app, deps }).postRaw(`/reviews/${token}`, {})
  if (answer.status !== 303) throw new Error(`Confirming answered ${answer.status}: ${answer.text}`)
}
