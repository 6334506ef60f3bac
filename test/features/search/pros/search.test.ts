// Search returns exactly what a plain query of the base tables returns, and stays correct through all changes.
import { describe, expect, test } from 'bun:test'

import { type SearchQuery, searchPros } from '../../../../src/features/search/pros/queries/search.ts'
import { postgresClient } from '../../../../src/platform/postgres/client.ts'
import { openDatabase } from '../../../../src/platform/postgres/open-database.ts'
import { migrate } from '../../../../src/platform/postgres/migrate.ts'
import { cloneDatabase, testSql } from '../../../support/database.ts'
import {
  CITIES,
  SERVICE_ORDINALS,
  differencesFromRebuilt,
  insertMarketplace,
  pick,
  randomQuery,
  refreshRest,
  searchByReference,
  seededRandom,
} from '../../../support/search.ts'
import { ctxOn } from '../../../support/ctx-on.ts'
import { opened } from '../../../support/fixture.ts'

const PROS = 4000
const clone = await opened(cloneDatabase('migrated'), 'drop')
const sql = await opened(testSql(clone.url), 'end')
const database = await opened(
  openDatabase({
    url: clone.url,
    readConnections: 2,
    writeConnections: 2,
    statementTimeoutMs: 10_000,
    waitLimitMs: 20_000,
    applicationName: 'hearth-test',
  }),
)
await insertMarketplace(sql, PROS)

interface Item {
  id: string
  slug: string
  distance: number | null
  serviceRadius: number
  inServiceArea: boolean | null
  profileUrl: string
  bookingUrl: string | null
  instantBookingEnabled: boolean
  matchedService: { id: string } | null
}

async function search(query: SearchQuery): Promise<{ total: number; items: Item[] }> {
  const { total, professionals } = await searchPros(ctxOn(database.replicas), query)
  return { total, items: JSON.parse(professionals) as Item[] }
}

/** Compares one page with the reference: pros, order, distances, service areas, total, the matched service and where it is booked. */
async function expectReferencePage(query: SearchQuery) {
  const [{ total, items }, plain] = await Promise.all([search(query), searchByReference(sql, query)])
  const page = plain.slice(query.offset, query.offset + query.limit)
  const where = JSON.stringify(query)
  expect({ where, total, ids: items.map(({ id }) => id) }).toEqual({
    where,
    total: plain.length,
    ids: page.map(({ id }) => id),
  })
  for (const [index, item] of items.entries()) {
    const { id, distance, serviceRadius, inServiceArea, matchedService, profileUrl, bookingUrl } = item
    const hit = page[index]
    const exact = hit?.distance ?? null
    const bookingPage = `${profileUrl}/book${matchedService ? `?service=${matchedService.id}` : ''}`
    expect({ where, id, serviceRadius, inServiceArea, matchedService, bookingUrl }).toEqual({
      where,
      id,
      serviceRadius: hit?.serviceRadius ?? 0,
      inServiceArea: hit?.inServiceArea ?? null,
      matchedService: (hit?.matchedService ?? null) as Item['matchedService'],
      bookingUrl: hit?.isBookable ? bookingPage : null,
    })
    if (exact === null || distance === null) expect(distance).toBe(exact)
    // Distances are rounded to two decimals.
    else expect(Math.abs(distance - exact)).toBeLessThanOrEqual(0.005 + 1e-6)
  }
}

async function expectReferencePages(count: number, seed: number) {
  const random = seededRandom(seed)
  for (let done = 0; done < count; done++) await expectReferencePage(randomQuery(random))
}

describe('a page of search results', () => {
  test('equals a PostGIS query of the base tables for 500 random queries over all filters', async () => {
    await expectReferencePages(500, 1)
  }, 120_000)

  test('follows the previous page without gaps or repetitions, in every order', async () => {
    const [city] = CITIES
    const around = { lat: city?.lat ?? 0, lng: city?.lng ?? 0 }
    const lists: Partial<SearchQuery>[] = [
      {},
      { state: 1 },
      { cityIds: [4, 5] },
      { point: around },
      { point: around, state: 1 },
      { point: around, onlyInServiceArea: true },
      { cityIds: [4, 5], onlyInServiceArea: true },
    ]
    for (const filters of lists) {
      const query = { facet: 101, radiusMiles: 25, limit: 50, baseUrl: 'https://hearth.example', ...filters }
      const seen: string[] = []
      const { total } = await search({ ...query, offset: 0 })
      for (let offset = 0; offset < total; offset += query.limit)
        seen.push(...(await search({ ...query, offset })).items.map(({ id }) => id))
      expect(seen.length).toBe(total)
      expect(new Set(seen).size).toBe(total)
    }
  }, 60_000)

  test('has the total even past the end, and an empty list of cities matches no pro', async () => {
    const query = { facet: 0, radiusMiles: 25, limit: 20, baseUrl: 'https://hearth.example' }
    const { total, items } = await search({ ...query, offset: 1_000_000_000 })
    expect(items).toEqual([])
    expect(total).toBe((await searchByReference(sql, { ...query, offset: 0 })).length)
    expect(await search({ ...query, offset: 0, cityIds: [] })).toEqual({ total: 0, items: [] })
  })

  test('has the fields of the spec, and without a service a bookingUrl exactly when one service can be booked', async () => {
    const { items } = await search({
      facet: 0,
      radiusMiles: 25,
      limit: 50,
      offset: 0,
      baseUrl: 'https://hearth.example',
    })
    expect(new Set(items.map(({ instantBookingEnabled }) => instantBookingEnabled)).size).toBe(2)
    for (const item of items) {
      expect(Object.keys(item)).toEqual([
        'id',
        'slug',
        'businessName',
        'description',
        'verified',
        'verificationDetails',
        'rating',
        'reviewCount',
        'categories',
        'services',
        'pricing',
        'location',
        'instantBookingEnabled',
        'matchedService',
        'distance',
        'serviceRadius',
        'inServiceArea',
        'profileUrl',
        'bookingUrl',
      ])
      expect(item.profileUrl).toBe(`https://hearth.example/pros/${item.slug}`)
      expect(item.bookingUrl).toBe(item.instantBookingEnabled ? `${item.profileUrl}/book` : null)
    }
  })
})

describe('the search tables', () => {
  test('stay exact through random changes of pros and their offers', async () => {
    const random = seededRandom(7)
    for (let round = 0; round < 150; round++) await changeRandomly(random)
    await refreshRest(sql)
    await expectReferencePages(150, 2)
    expect(await differencesFromRebuilt(sql)).toEqual([])
  }, 120_000)

  test('stay exact when several writers change the same pros and counters at once', async () => {
    const random = seededRandom(8)
    const writers = Array.from({ length: 4 }, async () => {
      for (let round = 0; round < 40; round++) await changeRandomly(random)
    })
    await Promise.all(writers)
    await refreshRest(sql)
    expect(await differencesFromRebuilt(sql)).toEqual([])
  }, 120_000)

  test('are rebuilt by the upgrade from a version that did not tell deposits', async () => {
    await sql`
      update pro_search set offers = (
        select array_agg(regexp_replace(offer, ',"deposit":[0-9.]+', '') order by n)
        from unnest(offers) with ordinality as it (offer, n))`
    await sql`delete from schema_files where name = 'sweeps/0001_search_rows.sql'`
    expect((await migrate(sql)).applied).toEqual(['sweeps/0001_search_rows.sql'])
    expect(await differencesFromRebuilt(sql)).toEqual([])
  }, 60_000)

  test('tell the service radius after the upgrade from a version that did not', async () => {
    await sql`update pro_search set flags = flags & 3`
    await sql`update pro_search_entry set flags = flags & 3`
    await sql`delete from schema_files where name = 'sweeps/0001_search_rows.sql'`
    expect((await migrate(sql)).applied).toEqual(['sweeps/0001_search_rows.sql'])
    expect(await differencesFromRebuilt(sql)).toEqual([])
  }, 60_000)

  test('are not written by a change that affects no result', async () => {
    const touched = async () =>
      sql`select max(xmin::text::bigint) as newest, (select max(xmin::text::bigint) from pro_search_entry) as newest_entry
        from pro_search`
    const before = await touched()
    // The same hours on another day: the longest interval stays.
    await sql`
      update professionals set event_sequence = event_sequence + 1, lead_time_hours = 1,
        business_hours = jsonb_build_object('friday', coalesce(business_hours -> 'monday', business_hours -> 'tuesday'))`
    await sql`update professional_services set description = 'New words'`
    await sql`update services set description = 'New words'`
    expect(await touched()).toEqual(before)
  }, 60_000)

  test('wake servers only when counts change', async () => {
    const asked: (string | undefined)[] = []
    const noticed = postgresClient(clone.url, { max: 1, onnotice: ({ message }) => asked.push(message) })
    const [pro] = await sql<{ id: string }[]>`select id from professionals where active order by id limit 1`
    const id = pro?.id ?? ''
    await noticed`update professionals set description = 'Another text' where id = ${id}`
    expect(asked).not.toContain('catalog_changed')
    await noticed`update professionals set verified = not verified where id = ${id}`
    expect(asked).toContain('catalog_changed')
    await noticed.end()
  })
})

/** One random change of one or a few pros, in its own transaction. */
async function changeRandomly(random: () => number): Promise<void> {
  const numbers = Array.from({ length: 1 + Math.floor(random() * 3) }, () => 1 + Math.floor(random() * PROS))
  const ids = sql`(select md5('pro' || n)::uuid from unnest(${numbers}::integer[]) n)`
  const city = pick(random, CITIES)
  const service = pick(random, SERVICE_ORDINALS)
  const changes: (() => PromiseLike<unknown>)[] = [
    () => sql`update professionals set verified = not verified where id in ${ids}`,
    () => sql`update professionals set instant_booking_enabled = not instant_booking_enabled where id in ${ids}`,
    () =>
      sql`update professionals set active = not active, status = case when active then 'paused' else 'active' end where id in ${ids}`,
    () => sql`
      update professionals set service_radius_miles = ${pick(random, [1, 5, 25, 500])} where id in ${ids}`,
    () => sql`update cities set latitude = latitude + ${(random() - 0.5) / 100} where id = ${city.id}`,
    () => sql`
      update professionals set deposit_required = not deposit_required,
        deposit_percentage = case when not deposit_required then 25 end
      where id in ${ids}`,
    () => sql`
      update professionals set business_hours = jsonb_build_object('tuesday', jsonb_build_array(jsonb_build_object(
        'start', '08:00', 'end', ${pick(random, ['08:00', '09:00', '12:00', '22:00'])}::text)))
      where id in ${ids}`,
    () => sql`
      update professional_services set instant_book_enabled = not instant_book_enabled where professional_id in ${ids}`,
    () => sql`
      update professional_services set duration_minutes = ${pick(random, [null, 15, 200, 700])}
      where professional_id in ${ids}`,
    () => sql`
      update professional_services set price_type = 'flat', unit = null, max_price_cents = null,
        base_price_cents = ${pick(random, [null, 0, 995, 12_000])}, min_price_cents = ${pick(random, [null, 500])}
      where professional_id in ${ids}`,
    () => sql`
      update services set duration_minutes = ${pick(random, [30, 60, 240])}, name = name || '.'
      where ordinal = ${service} and ${random() < 0.2}`,
    () => sql`update professionals set review_count = review_count + 1, rating_sum = rating_sum + 4 where id in ${ids}`,
    () => sql`update professionals set business_name = business_name || '!' where id in ${ids}`,
    () => sql`
      update professionals set city_id = ${city.id}, latitude = ${city.lat + random() / 20}, longitude = ${city.lng}
      where id in ${ids}`,
    () =>
      sql`delete from professional_services where professional_id in ${ids} and service_id = md5('service' || ${service}::integer)::uuid`,
    () => sql`
      insert into professional_services (professional_id, service_id, price_type)
      select id, md5('service' || ${service}::integer)::uuid, 'flat' from professionals where id in ${ids}
      on conflict do nothing`,
  ]
  await pick(random, changes)()
}
