// Stored counters and statistics equal a full recomputation after thousands of concurrent random operations.
import { expect, test } from 'bun:test'

import { refreshPrices } from '../../../../src/features/catalog/pricing/verbs.ts'
import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import { openTestApp } from '../../../support/app.ts'
import { runRandomOperations } from '../../../support/random-operations.ts'
import { findWrongPrices } from '../../../support/price-statistics.ts'
import { findMiscounted } from '../../../support/reviews.ts'
import { longForm } from '../../../support/long-form.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const OPERATIONS = longForm(4000, 10_000)

const app = await opened(openTestApp('seeded', { env: { DATABASE_CONNECTIONS: '6' } }))
expect(await findWrongPrices(app)).toEqual([])
const { done, refused } = await runRandomOperations(app, { seed: 20_260_601, count: OPERATIONS, lanes: 6 })
// A run in which most operations were rejected proves nothing.
expect(done).toBeGreaterThan(OPERATIONS * 0.8)
expect(Object.keys(refused)).toContain('duplicate_review')

const rows = <Row extends object>(name: string, statement: Parameters<typeof app.deps.write.run<Row>>[1]) =>
  app.deps.write.run<Row>(name, statement)

test('ratings, review counts and distributions equal those of the approved reviews', async () => {
  expect(await findMiscounted(app)).toEqual([])
})

test('search shows and ranks by the same ratings', async () => {
  const mismatches = await rows(
    'wrongInSearch',
    (sql) => sql`
      select p.id from professionals p left join pro_search s on s.professional_id = p.id
      where p.active <> (s.professional_id is not null) or (p.active and (
        (s.doc || '}')::jsonb -> 'reviewCount' <> to_jsonb(p.review_count)
        or (s.doc || '}')::jsonb -> 'rating' is distinct from
          coalesce(to_jsonb(round(p.rating_sum::numeric / nullif(p.review_count, 0), 2)), 'null')
        or s.standing <> search_standing(p.rating_sum, p.review_count)
        or s.city_id <> p.city_id or s.flags & 3 <> p.verified::integer + 2 * has_bookable_service(p)::integer))`,
  )
  expect(mismatches.slice()).toEqual([])
})

test('helpful counts equal the cast votes', async () => {
  const mismatches = await rows(
    'wrongVotes',
    (sql) => sql`
      select r.id from reviews r
      left join (
        select review_id, count(*) filter (where helpful) as yes, count(*) filter (where not helpful) as no
        from review_votes group by review_id
      ) v on v.review_id = r.id
      where (r.helpful_yes, r.helpful_no) <> (coalesce(v.yes, 0), coalesce(v.no, 0))`,
  )
  expect(mismatches.slice()).toEqual([])
})

test('each review emitted one event on submission and one on approval', async () => {
  const mismatches = await rows(
    'wrongEvents',
    (sql) => sql`
      select r.id from reviews r
      left join lateral (
        select array_agg(e.type order by e.sequence) as types, max(e.sequence) as last
        from outbox_events e where e.aggregate_id = r.id
      ) emitted on true
      where r.account_id is not null and (emitted.last <> r.event_sequence or emitted.types <> case
        when r.status = 'approved' then array['review.submitted', 'review.approved'] else array['review.submitted'] end)`,
  )
  expect(mismatches.slice()).toEqual([])
})

interface Counts {
  professionalCount: number
  verifiedProfessionalCount?: number
}

/** The counts in the response of a path, by `key` of each item. */
const listed = async (path: string, list: 'services' | 'cities', key: (item: never) => string) => {
  const body = (await (await app.send(path)).json()) as Record<string, Counts[]>
  return Object.fromEntries(
    (body[list] ?? []).map((item) => [
      key(item as never),
      [item.professionalCount, ...(list === 'services' ? [item.verifiedProfessionalCount ?? -1] : [])],
    ]),
  )
}

/** Counters change in the transaction, cached responses within a second of it. */
const expectSoon = async (read: () => Promise<object>, expected: object) => {
  await waitUntil(async () => Bun.deepEquals(await read(), expected), 2000)
  expect(await read()).toEqual(expected)
}

test('GET /services counts the active pros of each service: everywhere, in a state, in a city', async () => {
  const places = [
    ['', null, null],
    ['?state=CA', 'CA', null],
    ['?city=Los%20Angeles&state=CA', 'CA', 'Los Angeles'],
    ['?city=Chicago&state=IL', 'IL', 'Chicago'],
  ] as const
  for (const [query, state, city] of places) {
    const counted = await rows<{ id: string; pros: number; verified: number }>(
      'countServices',
      (sql) => sql`
        select s.id, count(p.id)::integer as pros, (count(p.id) filter (where p.verified))::integer as verified
        from services s
        left join professional_services o on o.service_id = s.id
        left join (professionals p join cities c on c.id = p.city_id and (${state}::text is null or c.state = ${state})
          and (${city}::text is null or c.name = ${city})) on p.id = o.professional_id and p.active
        where s.active group by s.id`,
    )
    const expected = Object.fromEntries(counted.map(({ id, pros, verified }) => [id, [pros, verified]]))
    await expectSoon(() => listed(`/api/v1/services${query}`, 'services', ({ id }: { id: string }) => id), expected)
  }
})

test('GET /cities counts the active pros of each city', async () => {
  const counted = await rows<{ city: string; pros: number }>(
    'countCities',
    (sql) => sql`
      select c.name || ', ' || c.state as city, count(*)::integer as pros
      from professionals p join cities c on c.id = p.city_id where p.active
      group by c.id order by pros desc, c.id limit 500`,
  )
  const expected = Object.fromEntries(counted.map(({ city, pros }) => [city, [pros]]))
  await expectSoon(
    () => listed('/api/v1/cities?limit=500', 'cities', ({ displayName }: { displayName: string }) => displayName),
    expected,
  )
})

test('price statistics equal those of the prices that count', async () => {
  await refreshPrices(ctxOf(app.deps))
  expect(await findWrongPrices(app)).toEqual([])
})
