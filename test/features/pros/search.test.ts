// Search returns exactly what a plain query of the base tables returns, and stays correct through all changes.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { type SearchQuery, searchPros } from '../../../src/features/pros/queries/search.ts'
import {
  type Ranges,
  coverOf,
  placesAround,
  squaredChord,
  unitVector,
} from '../../../src/features/pros/queries/search-geometry.ts'
import { type Database, type Sql, openDatabase } from '../../../src/platform/postgres/database.ts'
import { cloneDatabase, testSql } from '../../support/database.ts'
import {
  CITIES,
  SERVICE_ORDINALS,
  destination,
  insertMarketplace,
  pick,
  randomQuery,
  searchByReference,
  seededRandom,
} from '../../support/search.ts'

const PROS = 4000

let clone: Awaited<ReturnType<typeof cloneDatabase>>
let database: Database
let sql: Sql

beforeAll(async () => {
  clone = await cloneDatabase('migrated')
  sql = testSql(clone.url)
  database = openDatabase({
    url: clone.url,
    readConnections: 2,
    writeConnections: 2,
    statementTimeoutMs: 10_000,
    waitLimitMs: 20_000,
    applicationName: 'hearth-test',
  })
  await insertMarketplace(sql, PROS)
}, 60_000)

afterAll(async () => {
  await Promise.all([database.close(), sql.end()])
  await clone.drop()
})

interface Item {
  id: string
  slug: string
  distance: number | null
  profileUrl: string
  bookingUrl: string | null
  instantBookingEnabled: boolean
}

async function search(query: SearchQuery): Promise<{ total: number; items: Item[] }> {
  const { total, professionals } = await searchPros(database.read, query)
  return { total, items: JSON.parse(professionals) as Item[] }
}

/** Compares one page with the reference: pros, order, distances, total. */
async function expectReferencePage(query: SearchQuery) {
  const [{ total, items }, plain] = await Promise.all([search(query), searchByReference(sql, query)])
  const page = plain.slice(query.offset, query.offset + query.limit)
  const where = JSON.stringify(query)
  expect({ where, total, ids: items.map(({ id }) => id) }).toEqual({
    where,
    total: plain.length,
    ids: page.map(({ id }) => id),
  })
  for (const [index, { distance }] of items.entries()) {
    const exact = page[index]?.distance ?? null
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

  test('has the fields of the spec, and a bookingUrl only for instant booking', async () => {
    const { items } = await search({
      facet: 101,
      radiusMiles: 25,
      limit: 50,
      offset: 0,
      baseUrl: 'https://hearth.example',
    })
    for (const item of items) {
      expect(Object.keys(item)).toEqual([
        'id',
        'slug',
        'businessName',
        'description',
        'verified',
        'rating',
        'reviewCount',
        'categories',
        'services',
        'pricing',
        'location',
        'instantBookingEnabled',
        'distance',
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
    await expectReferencePages(150, 2)
    expect(await differencesFromRebuilt()).toEqual([])
  }, 120_000)

  test('stay exact when several writers change the same pros and counters at once', async () => {
    const random = seededRandom(8)
    const writers = Array.from({ length: 4 }, async () => {
      for (let round = 0; round < 40; round++) await changeRandomly(random)
    })
    await Promise.all(writers)
    expect(await differencesFromRebuilt()).toEqual([])
  }, 120_000)

  test('are not written by a change that affects no result', async () => {
    const touched = async () =>
      sql`select max(xmin::text::bigint) as newest, (select max(xmin::text::bigint) from pro_search_entry) as newest_entry
        from pro_search`
    const before = await touched()
    await sql`update professionals set event_sequence = event_sequence + 1, business_hours = '{"monday": []}'`
    await sql`update professional_services set duration_minutes = 90`
    expect(await touched()).toEqual(before)
  }, 60_000)

  test('notify servers only when counts change', async () => {
    const payloads: string[] = []
    const listener = await sql.listen('catalog_changed', (payload) => payloads.push(payload))
    const [pro] = await sql<{ id: string }[]>`select id from professionals where active order by id limit 1`
    const id = pro?.id ?? ''
    await sql`update professionals set business_name = 'Another name' where id = ${id}`
    await sql.notify('catalog_changed', 'after the name')
    await sql`update professionals set verified = not verified where id = ${id}`
    await sql.notify('catalog_changed', 'end')
    while (!payloads.includes('end')) await new Promise((resolve) => setImmediate(resolve))
    expect(payloads[0]).toBe('after the name')
    expect(payloads.length).toBeGreaterThan(2)
    await listener.unlisten()
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
    () => sql`update professionals set active = not active where id in ${ids}`,
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

/** The differences between the search tables and a rebuild. Slots may differ. */
const differencesFromRebuilt = () =>
  sql.begin(async (tx) => {
    const tables = ['pro_search', 'pro_search_entry', 'pro_search_cell', 'pro_search_area']
    for (const table of tables)
      await tx.unsafe(
        `create temporary table kept_${table} on commit drop as select to_jsonb(t) - 'slot' as row from ${table} t`,
      )
    const [rowsOfUnknownPros] = await tx<{ count: number }[]>`
      select count(*) from pro_search_entry e left join pro_search s on (s.slot, s.professional_id) = (e.slot, e.professional_id)
      where s.slot is null`
    expect(rowsOfUnknownPros?.count).toBe(0)
    await tx`select rebuild_search()`
    const comparisons = tables.flatMap((table) => {
      const expectedRows = `select row from kept_${table}`
      const actualRows = `select to_jsonb(t) - 'slot' from ${table} t`
      return [
        `(select 'only kept' as side, d.* from (${expectedRows} except all ${actualRows}) d limit 5)`,
        `(select 'only rebuilt' as side, d.* from (${actualRows} except all ${expectedRows}) d limit 5)`,
      ]
    })
    return [...(await tx.unsafe<{ side: string; row: unknown }[]>(comparisons.join(' union all ')))]
  })

describe('the cover of a circle', () => {
  const anyPlace = fc.record({
    lat: fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(-90, 90, 0, 89.99, -89.7)),
    lng: fc.oneof(fc.double({ min: -180, max: 180, noNaN: true }), fc.constantFrom(-180, 180, 179.999, -179.999)),
  })
  const facet = fc.constantFrom(0, 1, 101)
  const miles = fc.constantFrom(1, 5, 25, 60, 200, 500)

  test('contains every point of the circle once and none outside, anywhere on the globe', async () => {
    const cases = fc.sample(
      fc.record({
        center: anyPlace,
        facet,
        miles,
        others: fc.array(
          fc.tuple(fc.double({ min: 0, max: 1.1, noNaN: true }), fc.double({ min: 0, max: 2 * Math.PI, noNaN: true })),
          { minLength: 40, maxLength: 40 },
        ),
      }),
      { numRuns: 1500, seed: 3 },
    )
    for (const { center, facet: of, miles: radius, others } of cases) {
      const points = others.map(([share, bearing]) => destination(center, radius * share, bearing))
      const keys = await keysOf(of, points)
      const cover = coverOf(of, center, radius)
      const places = placesAround(of, center, radius)
      const [x, y, z] = unitVector(center)
      for (const [index, point] of points.entries()) {
        const { place = -1, small = -1, large = -1 } = keys[index] ?? {}
        const [px, py, pz] = unitVector(point)
        const within = (x - px) ** 2 + (y - py) ** 2 + (z - pz) ** 2 <= squaredChord(radius)
        const inside = times(cover.inside, small) + times(cover.inside, large)
        const borderCount = times(cover.rim, place)
        const about = JSON.stringify({ center, of, radius, point })
        expect({ about, found: inside + borderCount }).toEqual({ about, found: within ? 1 : borderCount })
        expect(inside + borderCount).toBeLessThanOrEqual(1)
        if (within) expect({ about, times: times(places, place) }).toEqual({ about, times: 1 })
      }
    }
  }, 60_000)

  /** The grid numbers as the database computes them. */
  const keysOf = (of: number, points: { lat: number; lng: number }[]) =>
    sql<{ place: number; small: number; large: number }[]>`
      select search_place(${of}::smallint, lat, lng) as place, search_cell(${of}::smallint, 0::smallint, lat, lng) as small,
        search_cell(${of}::smallint, 1::smallint, lat, lng) as large
      from unnest(${points.map(({ lat }) => lat)}::float8[], ${points.map(({ lng }) => lng)}::float8[])
        with ordinality p (lat, lng, i)
      order by i`

  const times = ({ from, to }: Ranges, key: number) =>
    from.filter((low, index) => low <= key && key <= (to[index] ?? -1)).length
})
