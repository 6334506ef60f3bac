// Stored counters and statistics equal a full recomputation after thousands of concurrent random operations.
import { beforeAll, expect, test } from 'bun:test'

import { refreshPrices } from '../../../src/features/pricing/verbs.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { openTestApp } from '../../support/app.ts'
import { runRandomOperations } from '../../support/random-operations.ts'
import { findMiscounted } from '../../support/reviews.ts'
import { longForm } from '../../support/long-form.ts'
import { useFixture } from '../../support/fixture.ts'

const OPERATIONS = longForm(4000, 10_000)

const app = useFixture(() => openTestApp('seeded', { env: { DATABASE_CONNECTIONS: '6' } }), 120_000)

beforeAll(async () => {
  const { done, refused } = await runRandomOperations(app, { seed: 20_260_601, count: OPERATIONS, lanes: 6 })
  // A run in which most operations were rejected proves nothing.
  expect(done).toBeGreaterThan(OPERATIONS * 0.8)
  expect(Object.keys(refused)).toContain('duplicate_review')
}, 120_000)

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
        or s.city_id <> p.city_id or s.flags <> p.verified::integer + 2 * p.instant_booking_enabled::integer))`,
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

test('price statistics equal those of the listings, accepted quotes and completed jobs', async () => {
  await refreshPrices(app.deps)
  const points = await rows<Point>(
    'pricePoints',
    (sql) => sql`
      select o.service_id, p.city_id, c.state, 'listing' as source,
        coalesce(o.base_price_cents, (o.min_price_cents + o.max_price_cents) / 2.0)::float8 as cents
      from professional_services o join professionals p on p.id = o.professional_id join cities c on c.id = p.city_id
      join services s on s.id = o.service_id
      where p.active and o.price_type = s.price_type and coalesce(o.unit, '') = coalesce(s.unit, '')
        and coalesce(o.base_price_cents, o.min_price_cents + o.max_price_cents) is not null
      union all
      select r.service_id, p.city_id, c.state, 'quote', (q.amount_cents / coalesce(q.units, 1))::float8
      from quotes q join rfqs r on r.id = q.rfq_id join professionals p on p.id = q.professional_id
      join cities c on c.id = p.city_id join services s on s.id = r.service_id
      where q.status = 'accepted' and (q.units is not null or s.unit is null)
      union all
      select j.service_id, p.city_id, c.state, 'job', (j.amount_cents / coalesce(j.units, 1))::float8
      from jobs j join professionals p on p.id = j.professional_id join cities c on c.id = p.city_id
      join services s on s.id = j.service_id
      where j.status = 'completed' and (j.units is not null or s.unit is null)`,
  )
  const stored = await rows<StoredStatistics>(
    'keptPrices',
    (sql) => sql`select service_id || ':' || state || ':' || city_id as scope, * from pricing_aggregates`,
  )
  const counted = Map.groupBy(
    points.flatMap((point) => scopesOf(point).map((scope) => ({ ...point, scope }))),
    ({ scope }) => scope,
  )
  expect(stored.map(({ scope }) => scope).sort()).toEqual([...counted.keys()].sort())
  for (const row of stored) expect(differences(row, counted.get(row.scope) ?? [])).toEqual([])
})

interface Point {
  serviceId: string
  cityId: number
  state: string
  source: 'listing' | 'quote' | 'job'
  cents: number
}

/** The areas of a city: everywhere, its state, the city. */
const scopesOf = ({ serviceId, state, cityId }: Point) => [
  `${serviceId}::0`,
  `${serviceId}:${state}:0`,
  `${serviceId}:${state}:${cityId}`,
]

interface StoredStatistics {
  scope: string
  averageCents: number
  medianCents: number
  minCents: number
  maxCents: number
  professionalListings: number
  acceptedQuotes: number
  completedProjects: number
}

/** The differences between the stored and the computed statistics; half a cent may round either way. */
function differences(row: StoredStatistics, points: readonly Point[]): string[] {
  const cents = points.map((point) => point.cents).sort((a, b) => a - b)
  const at = (index: number) => cents[index] ?? Number.NaN
  const of = (source: Point['source']) => points.filter((point) => point.source === source).length
  const middle = (cents.length - 1) / 2
  const expected = {
    averageCents: cents.reduce((sum, each) => sum + each, 0) / cents.length,
    medianCents: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    minCents: at(0),
    maxCents: at(cents.length - 1),
    professionalListings: of('listing'),
    acceptedQuotes: of('quote'),
    completedProjects: of('job'),
  }
  return Object.entries(expected)
    .filter(([name, value]) => !(Math.abs(row[name as keyof typeof expected] - value) <= 0.5001))
    .map(([name, value]) => `${row.scope} ${name}: ${row[name as keyof typeof expected]}, counted ${value}`)
}
