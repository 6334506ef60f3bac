// GET /pros returns the same results as a plain PostGIS query, for random combinations of all filters.
import { expect, test } from 'bun:test'

import type { Professional } from '../../../../src/features/search/pros/schemas.ts'
import { openTestApp } from '../../../support/app.ts'
import { pick, seededRandom } from '../../../support/search.ts'
import { longForm } from '../../../support/long-form.ts'
import { opened } from '../../../support/fixture.ts'

const app = await opened(openTestApp())
const key = await app.key()
const spellings = `array[id::text, slug, name, upper(slug)]`
/** A longer timeout for the slow reference queries. */
const sql = app.sql
const names: {
  services: string[][]
  categories: string[][]
  cities: { name: string; state: string; lat: number; lng: number }[]
} = {
  services: (await sql.unsafe<{ terms: string[] }[]>(`select ${spellings} as terms from services`)).map(
    ({ terms }) => terms,
  ),
  categories: (await sql.unsafe<{ terms: string[] }[]>(`select ${spellings} as terms from categories`)).map(
    ({ terms }) => terms,
  ),
  cities: await sql`
      select name, state, latitude as lat, longitude as lng from cities order by population desc limit 60`,
}

const SEARCHES = longForm(250, 500)

interface Filters {
  service?: string
  category?: string
  city?: string
  state?: string
  lat?: number
  lng?: number
  radius?: number
  verified?: boolean
  instantBook?: boolean
}

function randomSearch(random: () => number): Filters {
  const withProbability = (share: number) => random() < share
  const place = pick(random, names.cities)
  const near = withProbability(0.6)
  return {
    ...(withProbability(0.6) ? { service: pick(random, pick(random, names.services)) } : {}),
    ...(withProbability(0.3) ? { category: pick(random, pick(random, names.categories)) } : {}),
    ...(near ? { lat: place.lat + random() - 0.5, lng: place.lng + random() - 0.5 } : {}),
    ...(withProbability(0.5) ? { radius: pick(random, [1, 5, 25, 60, 150, 500]) } : {}),
    ...(withProbability(near ? 0.1 : 0.4) ? { city: place.name.toLowerCase() } : {}),
    ...(withProbability(0.3) ? { state: place.state.toLowerCase() } : {}),
    ...(withProbability(0.3) ? { verified: withProbability(0.7) } : {}),
    ...(withProbability(0.3) ? { instantBook: withProbability(0.7) } : {}),
  }
}

/** The reference result: every filter as a condition on the base tables, distances by PostGIS's sphere. */
async function referenceSearch(filters: Filters): Promise<{ id: string; distance: number | null }[]> {
  const { service, category, city, state, verified, instantBook } = filters
  const rows = await sql<{ id: string; distance: number | null }[]>`
    with centre as (
      select coalesce(
        case when ${filters.lat ?? null}::float8 is not null
          then st_point(${filters.lng ?? null}::float8, ${filters.lat ?? null}::float8)::geography end,
        case when ${filters.radius ?? null}::int is not null and ${city ?? null}::text is not null then (
          select st_point(c.longitude, c.latitude)::geography from cities c
          where lower(c.name) = lower(${city ?? null}) and (${state ?? null}::text is null or c.state = upper(${state ?? null}))
          order by c.population desc, c.id limit 1) end) as point
    ), found as (
      select p.id, p.rating_sum, p.review_count, centre.point,
        st_distance(st_point(p.longitude, p.latitude)::geography, centre.point, false) / 1609.344 as distance
      from professionals p join cities c on c.id = p.city_id cross join centre
      where p.active
        and (${service ?? null}::text is null or exists (
          select from professional_services o join services s on s.id = o.service_id
          where o.professional_id = p.id and lower(${service ?? null}) in (s.id::text, s.slug, lower(s.name))))
        and (${category ?? null}::text is null or exists (
          select from professional_services o join services s on s.id = o.service_id
          join categories k on k.id = s.category_id
          where o.professional_id = p.id and lower(${category ?? null}) in (k.id::text, k.slug, lower(k.name))))
        and (${city ?? null}::text is null or lower(c.name) = lower(${city ?? null})
          or (${filters.lat ?? null}::float8 is null and ${filters.radius ?? null}::int is not null))
        and (${state ?? null}::text is null or c.state = upper(${state ?? null})
          or (${city ?? null}::text is not null and ${filters.lat ?? null}::float8 is null and ${filters.radius ?? null}::int is not null))
        and (${verified ?? null}::bool is null or p.verified = ${verified ?? null})
        and (${instantBook ?? null}::bool is null or ${instantBook ?? null} = (p.id in (
          select pro.id from professionals pro join professional_services o on o.professional_id = pro.id
          join services s on s.id = o.service_id
          join categories k on k.id = s.category_id
          where booking_obstacle(pro, o, service_minutes(o, s)) is null
            and (${service ?? null}::text is null or lower(${service ?? null}) in (s.id::text, s.slug, lower(s.name)))
            and (${service ?? null}::text is not null or ${category ?? null}::text is null
              or lower(${category ?? null}) in (k.id::text, k.slug, lower(k.name))))))
    )
    select id, distance from found
    where point is null or distance <= ${filters.radius ?? 25}
    order by case when point is null then (rating_sum + 40) / (review_count + 10)::float8 end desc nulls last,
      case when point is null then review_count end desc nulls last, distance, id`
  return [...rows]
}

async function requestPage(filters: Filters, limit: number, offset: number) {
  const query = new URLSearchParams(
    Object.entries({ ...filters, limit, offset }).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const response = await app.send(`/api/v1/pros?${query.toString()}`, { key })
  expect(response.status).toBe(200)
  return (await response.json()) as { professionals: Professional[]; meta: { total: number; hasMore: boolean } }
}

test(`${SEARCHES} random searches return the right pros, order, distances and totals`, async () => {
  const random = seededRandom(20260601)
  let matches = 0
  for (let n = 0; n < SEARCHES; n++) {
    const filters = randomSearch(random)
    const [limit, offset] = [pick(random, [1, 7, 20, 50]), pick(random, [0, 0, 3, 20, 400])]
    const [reference, { professionals, meta }] = [
      await referenceSearch(filters),
      await requestPage(filters, limit, offset),
    ]
    const page = reference.slice(offset, offset + limit)
    const distances = page.map(({ distance }) => (distance === null ? null : Math.round(distance * 100) / 100))
    expect({ filters, ids: professionals.map(({ id }) => id), ...meta }).toEqual({
      filters,
      ids: page.map(({ id }) => id),
      total: reference.length,
      limit,
      offset,
      hasMore: offset + limit < reference.length,
    } as never)
    for (const [i, { distance }] of professionals.entries())
      if (distance === null) expect(distances[i]).toBeNull()
      else expect(Math.abs(distance - (distances[i] ?? Number.NaN))).toBeLessThanOrEqual(0.01)
    matches += professionals.length
  }
  expect(matches).toBeGreaterThan(2 * SEARCHES)
}, 60_000)

test('paging through all pages returns each pro once', async () => {
  for (const filters of [{ state: 'TX' }, { lat: 40.7, lng: -74, radius: 100 }, {}]) {
    const seen: string[] = []
    for (let offset = 0; ; offset += 50) {
      const { professionals, meta } = await requestPage(filters, 50, offset)
      seen.push(...professionals.map(({ id }) => id))
      if (!meta.hasMore) break
    }
    const reference = await referenceSearch(filters)
    expect(seen).toEqual(reference.map(({ id }) => id))
    expect(new Set(seen).size).toBe(seen.length)
  }
}, 60_000)
