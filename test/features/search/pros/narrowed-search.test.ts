// A search with limits and orders returns exactly what a plain query of the base tables returns, among its candidates.
import { expect, test } from 'bun:test'

import {
  type NarrowedSearch,
  TIMED_DAYS,
  narrowedParameters,
} from '../../../../src/features/search/pros/queries/narrowed-search.ts'
import { statementFile } from '../../../../src/platform/postgres/statement-files.ts'
import { cloneDatabase, testSql } from '../../../support/database.ts'
import { insertMarketplace, pick, randomQuery, searchByReference, seededRandom } from '../../../support/search.ts'
import { opened } from '../../../support/fixture.ts'

const PROS = 1500
const NOW = new Date('2026-06-03T15:00:00Z')
const WEEK_MS = 7 * 86_400_000
const { text } = statementFile('search-narrowed', 'mayLag')

/** What the plain search does not return of a pro. */
interface Traits {
  id: string
  rating: number | null
  standing: number
  reviews: number
  /** By service id: cents in the service's own unit. */
  prices: Record<string, number | null>
  /** By service id, and `any` for the pro's default slot: the first open time of two weeks, without bookings and blocks. */
  opens: Record<string, string | null>
}
const clone = await opened(cloneDatabase('migrated'), 'drop')
const sql = await opened(testSql(clone.url, 1), 'end')
await insertMarketplace(sql, PROS)
const rows = await sql<Traits[]>`
    select p.id, (p.rating_sum::numeric / nullif(p.review_count, 0))::float8 as rating,
      (p.rating_sum + 40) / (p.review_count + 10)::float8 as standing, p.review_count as reviews,
      coalesce(jsonb_object_agg(s.id, case when o.unit is not distinct from s.unit then
        coalesce(o.min_price_cents, o.base_price_cents, o.max_price_cents) end) filter (where s.id is not null), '{}') as prices,
      jsonb_object_agg(coalesce(s.id::text, 'any'), (
        select min(t.starts_at) filter (where t.available)
        from open_slots(p.business_hours, p.time_zone, '2026-06-03', ${TIMED_DAYS + 1}, p.default_slot_minutes,
          coalesce(o.duration_minutes, s.duration_minutes, p.default_slot_minutes),
          ${NOW.toISOString()}::timestamptz + p.lead_time_hours * interval '1 hour', '{}') t)) as opens
    from professionals p
    cross join lateral (
      select o.professional_id, o.service_id, o.unit, o.min_price_cents, o.base_price_cents, o.max_price_cents, o.duration_minutes
      from professional_services o where o.professional_id = p.id
      union all select null, null, null, null, null, null, null) o
    left join services s on s.id = o.service_id
    group by p.id`
const traits = new Map(rows.map((row) => [row.id, row]))

function randomNarrowing(random: () => number): NarrowedSearch {
  const chance = (share: number) => random() < share
  const query = randomQuery(random)
  return {
    ...query,
    maxPriceCents: query.facet >= 100 && chance(0.5) ? Math.floor(random() * 9000) : undefined,
    minRating: chance(0.4) ? pick(random, [2, 3, 3.5, 4.5]) : undefined,
    opensBefore: chance(0.4) ? new Date(NOW.getTime() + WEEK_MS * pick(random, [0.5, 1])) : undefined,
    order: pick(random, ['usual', 'best', 'rating', 'price', 'time']),
    now: NOW,
  }
}

/** The ids of all matches in order, by plain loops. */
async function matchesByReference(query: NarrowedSearch): Promise<string[]> {
  const { maxPriceCents, minRating, opensBefore, order, facet } = query
  const service = facet >= 100 ? await serviceId(facet) : undefined
  const hits = (await searchByReference(sql, query)).map(({ id, isBookable, distance }, rank) => {
    const { rating, standing, reviews, prices, opens } = traits.get(id) ?? never(id)
    const opensAt = isBookable ? opens[service ?? 'any'] : null
    return {
      id,
      rank,
      distance,
      rating,
      standing,
      reviews,
      cents: (service === undefined ? null : prices[service]) ?? Infinity,
      opensAt: opensAt ? Date.parse(opensAt) : Infinity,
    }
  })
  const keys = {
    usual: () => [],
    best: (hit: (typeof hits)[number]) => [(hit.distance ?? 0) / 50 - Math.floor(hit.standing * 1e9) / 1e9],
    rating: (hit: (typeof hits)[number]) => [-Math.round(hit.standing * 1e9), -hit.reviews],
    price: (hit: (typeof hits)[number]) => [hit.cents],
    time: (hit: (typeof hits)[number]) => [hit.opensAt],
  }[order]
  return hits
    .filter(
      (hit) =>
        hit.cents <= (maxPriceCents ?? Infinity) &&
        (minRating === undefined || (hit.rating !== null && Math.round(hit.rating * 100) / 100 >= minRating)) &&
        (!opensBefore || hit.opensAt < opensBefore.getTime()),
    )
    .map((hit) => ({ id: hit.id, key: [...keys(hit), hit.rank] }))
    .toSorted((one, other) => {
      const at = one.key.findIndex((part, index) => part !== other.key[index])
      return (one.key[at] ?? 0) < (other.key[at] ?? 0) ? -1 : 1
    })
    .map(({ id }) => id)
}

const never = (id: string): never => {
  throw new Error(`no pro ${id}`)
}

async function serviceId(ordinal: number): Promise<string> {
  const [row] = await sql<{ id: string }[]>`select id from services where ordinal = ${ordinal}`
  return row?.id ?? never(`of service ${ordinal}`)
}

async function narrowed(query: NarrowedSearch, bounds?: { candidates: number; timed: number }) {
  const [page] = await sql.unsafe<{ total: number; isPartial: boolean; professionals: string }[]>(
    text,
    narrowedParameters(query, bounds),
    { prepare: true },
  )
  const ids = (JSON.parse(page?.professionals ?? '[]') as { id: string }[]).map(({ id }) => id)
  return { total: page?.total, isPartial: page?.isPartial, ids }
}

test('limits and orders give the pros of a plain query, page by page, with the exact total', async () => {
  const random = seededRandom(21)
  let found = 0
  for (let round = 0; round < 120; round++) {
    const query = randomNarrowing(random)
    const expected = await matchesByReference(query)
    found += expected.length
    const page = await narrowed(query, { candidates: PROS, timed: PROS })
    expect({ round, query, ...page }).toEqual({
      round,
      query,
      total: expected.length,
      isPartial: false,
      ids: expected.slice(query.offset, query.offset + query.limit),
    })
  }
  expect(found).toBeGreaterThan(1000)
}, 60_000)

test('a search with more candidates than it reads says so, and its matches are among the first', async () => {
  const query: NarrowedSearch = {
    facet: 0,
    radiusMiles: 25,
    limit: 50,
    offset: 0,
    baseUrl: 'https://hearth.example',
    minRating: 3,
    order: 'usual',
    now: NOW,
  }
  const all = await matchesByReference(query)
  const { isPartial, total = 0, ids } = await narrowed(query, { candidates: 100, timed: 20 })
  expect(isPartial).toBe(true)
  expect(total).toBeLessThan(all.length)
  expect(ids).toEqual(all.slice(0, Math.min(total, 50)))
  const inTime = { ...query, opensBefore: new Date(NOW.getTime() + WEEK_MS) }
  const timed = await narrowed(inTime, { candidates: PROS, timed: 20 })
  expect(timed.isPartial).toBe(true)
  expect(timed.ids).toEqual((await matchesByReference(inTime)).slice(0, timed.total))
})

test('a price and a rating at their limit match, an open time at it comes too late', async () => {
  const [{ facet, service } = never('of any service')] = await sql<{ facet: number; service: string }[]>`
    select s.ordinal::int as facet, s.id as service from services s
    join professional_services o on o.service_id = s.id group by s.id order by count(*) desc limit 1`
  const query: NarrowedSearch = {
    facet,
    radiusMiles: 25,
    limit: 50,
    offset: 0,
    baseUrl: 'https://hearth.example',
    order: 'usual',
    now: NOW,
  }
  const found = await searchByReference(sql, query)
  const of = (hits: typeof found) => hits.map(({ id }) => traits.get(id) ?? never(id))
  const lowest = Math.min(...of(found).map(({ prices }) => prices[service] ?? Infinity))
  const best = Math.max(...of(found).map(({ rating }) => Math.round((rating ?? 0) * 100) / 100))
  const bookable = of(found.filter(({ isBookable }) => isBookable))
  const soonest = Math.min(...bookable.map(({ opens }) => Date.parse(opens[service] ?? '9999-12-31T00:00:00Z')))
  const totalOf = async (limit: Partial<NarrowedSearch>) =>
    (await narrowed({ ...query, ...limit }, { candidates: PROS, timed: PROS })).total
  expect(await totalOf({ maxPriceCents: lowest })).toBeGreaterThan(0)
  expect(await totalOf({ maxPriceCents: lowest - 1 })).toBe(0)
  expect(await totalOf({ minRating: best })).toBeGreaterThan(0)
  expect(await totalOf({ minRating: best + 0.01 })).toBe(0)
  expect(await totalOf({ opensBefore: new Date(soonest) })).toBe(0)
  expect(await totalOf({ opensBefore: new Date(soonest + 1) })).toBeGreaterThan(0)
})
