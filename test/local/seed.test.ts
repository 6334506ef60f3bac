// `hearth seed` creates real places, a full catalog and plausible pros, and the same rows for the same seed.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { SeedRefused, type SeedCounts, seed } from '../../src/local/seed/seed.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { cloneDatabase, testSql } from '../support/database.ts'

const now = new Date('2026-06-01T12:00:00Z')
const pros = 2500
const closing: (() => Promise<void>)[] = []
let sql: Sql
let counts: SeedCounts
let schemaBefore: string

const emptyDatabase = async (): Promise<Sql> => {
  const database = await cloneDatabase('migrated')
  const opened = testSql(database.url, 1)
  closing.push(async () => {
    await opened.end()
    await database.drop()
  })
  return opened
}

beforeAll(async () => {
  sql = await emptyDatabase()
  schemaBefore = await schemaOf(sql)
  counts = await seed(sql, { pros, seed: 1, now })
}, 60_000)

afterAll(async () => {
  for (const close of closing) await close()
})

/** The single number that a counting query returns. */
const countOf = async (query: Promise<readonly object[]>): Promise<number> => {
  const [row] = await query
  return Number(Object.values(row ?? {})[0])
}

/** The definition of every index, constraint and trigger. */
const schemaOf = async (database: Sql): Promise<string> => {
  const rows = await database<{ line: string }[]>`
    select indexdef as line from pg_indexes where schemaname = 'public'
    union all
    select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
    where connamespace = 'public'::regnamespace
    union all
    select pg_get_triggerdef(oid) || ' ' || tgenabled::text from pg_trigger where not tgisinternal
    order by line`
  return rows.map(({ line }) => line).join('\n')
}

/** A checksum of every row of the tables that the seed fills. */
const checksumOf = async (database: Sql): Promise<Record<string, string>> => {
  const tables = ['categories', 'services', 'states', 'cities', ...Object.keys(counts).filter(isTable)]
  const sums: Record<string, string> = {}
  for (const table of tables) {
    const [row] = await database<{ sum: string }[]>`
      select md5(string_agg(md5(t::text), '' order by md5(t::text))) as sum from ${database(table)} t`
    sums[table] = row?.sum ?? ''
  }
  return sums
}

const isTable = (name: string): boolean => name !== 'pros' && name !== 'cities'

describe('the catalog', () => {
  test('has at least 14 categories and 90 services, each with its price type and unit', async () => {
    expect(await countOf(sql`select count(*) from categories`)).toBeGreaterThanOrEqual(14)
    expect(await countOf(sql`select count(*) from services`)).toBeGreaterThanOrEqual(90)
    expect(await countOf(sql`select count(*) from services where description is null`)).toBe(0)
  })

  test.each([
    'plumber',
    'electrician',
    'house-cleaning',
    'handyman',
    'lawn-mowing',
    'roof-repair',
    'hvac-repair',
    'painter',
  ])('has the service that people search for first: %s', async (slug) => {
    expect(
      await countOf(sql`
        select count(*) from professional_services join services on id = service_id where slug = ${slug}`),
    ).toBeGreaterThan(0)
  })
})

describe('the cities', () => {
  test.each([
    ['New York', 'NY', 40.71, -74.01, 'America/New_York'],
    ['Chicago', 'IL', 41.85, -87.65, 'America/Chicago'],
    ['Denver', 'CO', 39.74, -104.98, 'America/Denver'],
    ['Phoenix', 'AZ', 33.45, -112.07, 'America/Phoenix'],
    ['Los Angeles', 'CA', 34.05, -118.24, 'America/Los_Angeles'],
    ['Anchorage', 'AK', 61.22, -149.9, 'America/Anchorage'],
    ['Honolulu', 'HI', 21.31, -157.86, 'Pacific/Honolulu'],
    ['Washington', 'DC', 38.9, -77.04, 'America/New_York'],
    // At the borders of Mexico and Canada.
    ['Brownsville', 'TX', 25.9, -97.5, 'America/Chicago'],
    ['Blaine', 'WA', 48.99, -122.75, 'America/Los_Angeles'],
  ])('%s, %s has its real coordinates and time zone', async (name, state, latitude, longitude, zone) => {
    const [city] = await sql<{ latitude: number; longitude: number; timeZone: string }[]>`
      select latitude, longitude, time_zone from cities where name = ${name} and state = ${state}`
    expect(Math.abs((city?.latitude ?? 0) - latitude)).toBeLessThan(0.05)
    expect(Math.abs((city?.longitude ?? 0) - longitude)).toBeLessThan(0.05)
    expect(city?.timeZone).toBe(zone)
  })

  test('are in every state, and only in time zones that PostgreSQL knows', async () => {
    expect(await countOf(sql`select count(distinct state) from cities`)).toBe(52)
    expect(
      await countOf(sql`
      select count(*) from cities where time_zone not in (select name from pg_timezone_names)`),
    ).toBe(0)
  })
})

describe('the pros', () => {
  test('have the requested number, with about five services each', async () => {
    expect(await countOf(sql`select count(*) from professionals`)).toBe(pros)
    expect(counts.professional_services / pros).toBeGreaterThan(4)
    expect(counts.professional_services / pros).toBeLessThan(6)
  })

  test('are distributed over the cities in proportion to population', async () => {
    const cities = await sql<{ name: string; expected: number; actual: number }[]>`
      select name, population * ${pros}::float8 / (select sum(population) from cities) as expected,
        (select count(*)::int from professionals where city_id = cities.id) as actual
      from cities`
    expect(cities.filter(({ expected, actual }) => Math.abs(expected - actual) >= 1)).toEqual([])
  })

  test('work within 12 miles of their city, in its time zone or that of Lord Howe Island', async () => {
    expect(
      await countOf(sql`
      select count(*) from professionals p join cities c on c.id = p.city_id
      where (p.time_zone <> c.time_zone and p.time_zone <> 'Australia/Lord_Howe') or ST_DistanceSphere(
        ST_MakePoint(p.longitude, p.latitude), ST_MakePoint(c.longitude, c.latitude)) > 12.1 * 1609.344`),
    ).toBe(0)
  })

  test('are in Arizona and Hawaii, where clocks never change, and one where they change by half an hour', async () => {
    for (const zone of ['America/Phoenix', 'Pacific/Honolulu', 'Australia/Lord_Howe'])
      expect(await countOf(sql`select count(*) from professionals where time_zone = ${zone}`)).toBeGreaterThan(0)
  })

  test('take deposits in part, and some offer packages of services that can be booked at once', async () => {
    const instant = sql`from professionals p where instant_booking_enabled`
    expect(await countOf(sql`select avg(deposit_required::int) between 0.05 and 0.12 ${instant}`)).toBe(1)
    const packed = sql`exists (select from packages k where k.professional_id = p.id)`
    expect(await countOf(sql`select avg((${packed})::int) > 0.2 ${instant}`)).toBe(1)
    expect(
      await countOf(sql`
        select count(*) from packages k
        join professionals p on p.id = k.professional_id
        join professional_services o on (o.professional_id, o.service_id) = (k.professional_id, k.service_id)
        where booking_obstacle(p, o, k.duration_minutes, true) is not null`),
    ).toBe(0)
  })

  test('have ids in the order in which they joined', async () => {
    expect(
      await countOf(sql`
      select count(*) from (
        select created_at, lag(created_at) over (order by id) as before, substr(id::text, 15, 1) as version
        from professionals) p
      where created_at <= before or version <> '7'`),
    ).toBe(0)
  })

  test('have a plan only when verified: most Verified, some Business', async () => {
    const share = (plan: string) =>
      countOf(sql`select count(*) filter (where plan = ${plan}) / count(*)::float8 from professionals where verified`)
    expect(await share('verified')).toBeGreaterThan(0.6)
    expect(await share('business')).toBeGreaterThan(0.1)
    expect(await share('business')).toBeLessThan(0.3)
    expect(await countOf(sql`select count(*) from professionals where not verified and plan <> 'none'`)).toBe(0)
  })

  test('have the review count and rating sum of their approved reviews', async () => {
    expect(
      await countOf(sql`
      select count(*) from professionals p
      left join (select professional_id, count(*) as n, sum(rating) as sum from reviews where status = 'approved' group by 1) r
        on r.professional_id = p.id
      where (p.review_count, p.rating_sum) is distinct from (coalesce(r.n, 0), coalesce(r.sum, 0))`),
    ).toBe(0)
    expect(counts.reviews / pros).toBeGreaterThan(3)
  })
})

describe('the calendar', () => {
  test('has past bookings, and more in the next 14 days', async () => {
    expect(await countOf(sql`select count(*) from bookings where starts_at < ${now.toISOString()}`)).toBeGreaterThan(
      pros,
    )
    expect(
      await countOf(sql`
      select count(*) from bookings
      where starts_at between ${now.toISOString()} and ${now.toISOString()}::timestamptz + interval '14 days'
        and status = 'confirmed'`),
    ).toBeGreaterThan(pros / 4)
    expect(
      await countOf(sql`
      select count(*) from bookings
      where starts_at >= ${now.toISOString()}::timestamptz + interval '14 days' or created_at > ${now.toISOString()}`),
    ).toBe(0)
  })

  test('never has two bookings of a pro at once, buffers included', async () => {
    expect(
      await countOf(sql`
      select count(*) from bookings a join bookings b using (professional_id)
      where a.id < b.id and a.holds && b.holds`),
    ).toBe(0)
  })

  test('has an open slot within 14 days for every service with instant booking', async () => {
    const at = now.toISOString()
    const full = await sql<{ slug: string; service: string; minutes: number }[]>`
      select p.slug, s.slug as service, o.minutes
      from professionals p
      join (select *, coalesce(duration_minutes, (select duration_minutes from services where id = service_id)) as minutes
        from professional_services) o on o.professional_id = p.id and o.instant_book_enabled
      join services s on s.id = o.service_id
      cross join lateral (select (${at}::timestamptz at time zone p.time_zone)::date as today) d
      where p.instant_booking_enabled and not exists (
        select from open_slots(p.business_hours, p.time_zone, d.today, 14, p.default_slot_minutes, o.minutes,
          earliest_start(p, ${at}),
          busy_time(p.id, p.buffer_minutes, local_days(d.today, 14, p.time_zone), ${at}))
        where available)`
    expect([...full]).toEqual([])
  }, 60_000)

  test('stays within the business hours of each pro, in local time', async () => {
    expect(
      await countOf(sql`
      select count(*) from bookings b join professionals p on p.id = b.professional_id
      where not exists (
        select from working_time(p.business_hours, (b.starts_at at time zone p.time_zone)::date, p.time_zone) w
        where w.opens_at <= b.starts_at and b.ends_at <= w.closes_at)`),
    ).toBe(0)
  })
})

describe('a run', () => {
  test('creates the same rows for the same seed and time, with every batch size', async () => {
    const other = await emptyDatabase()
    await seed(other, { pros, seed: 1, now, batchSize: 137 })
    expect(await checksumOf(other)).toEqual(await checksumOf(sql))
  }, 60_000)

  test('creates other pros for another seed', async () => {
    const other = await emptyDatabase()
    await seed(other, { pros: 50, seed: 2, now })
    expect(await countOf(other`select count(*) from professionals`)).toBe(50)
    const [mine] = await sql<{ slug: string }[]>`select slug from professionals order by id limit 1`
    const [theirs] = await other<{ slug: string }[]>`select slug from professionals order by id limit 1`
    expect(theirs?.slug).not.toBe(mine?.slug)
  }, 60_000)

  test('fills the search tables and the price statistics', async () => {
    expect(await countOf(sql`select count(*) from pro_search`)).toBe(pros)
    expect(await countOf(sql`select count(distinct service_id) from pricing_aggregates`)).toBe(
      await countOf(sql`select count(*) from services`),
    )
  })

  test('leaves every index, constraint and trigger unchanged', async () => {
    expect(await schemaOf(sql)).toBe(schemaBefore)
  })

  test('rejects a database that has pros', async () => {
    const refusal = await seed(sql, { pros: 1, seed: 1, now }).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(SeedRefused)
  })

  test('that fails leaves nothing behind', async () => {
    const other = await emptyDatabase()
    await other`alter table reviews add constraint no_bad_reviews check (rating > 3)`
    const before = await schemaOf(other)
    expect(await seed(other, { pros: 200, seed: 1, now }).catch((error: unknown) => error)).toBeInstanceOf(Error)
    expect(await countOf(other`select count(*) from accounts`)).toBe(0)
    expect(await countOf(other`select count(*) from cities`)).toBe(0)
    expect(await schemaOf(other)).toBe(before)
  }, 60_000)

  test('without pros fills only the catalog, and a run with pros can follow', async () => {
    const other = await emptyDatabase()
    await seed(other, { pros: 0, seed: 1, now })
    expect(await countOf(other`select count(*) from professionals`)).toBe(0)
    expect(await countOf(other`select count(*) from cities`)).toBe(counts.cities)
    await seed(other, { pros: 20, seed: 1, now })
    expect(await countOf(other`select count(*) from professionals`)).toBe(20)
  }, 60_000)
})
