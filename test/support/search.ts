// A marketplace for search tests with edge cases of geography, and a slow, simple reference implementation of the search.
import type { SearchQuery } from '../../src/features/search/pros/queries/search.ts'
import { METRES_PER_MILE } from '../../src/features/search/pros/queries/search-geometry.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'

/** Reproducible random numbers in [0, 1) (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const pick = <T>(random: () => number, from: readonly T[]): T => {
  const item = from[Math.floor(random() * from.length)]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

export interface TestCity {
  id: number
  name: string
  state: number
  lat: number
  lng: number
}

/** Crowded and sparse cities, at the antimeridian, both poles and the equator, and two of the same name. */
export const CITIES: readonly TestCity[] = [
  { id: 1, name: 'New York', state: 1, lat: 40.71427, lng: -74.00597 },
  { id: 2, name: 'Brooklyn', state: 1, lat: 40.6501, lng: -73.94958 },
  { id: 3, name: 'Austin', state: 2, lat: 30.26715, lng: -97.74306 },
  { id: 4, name: 'Springfield', state: 3, lat: 39.80172, lng: -89.64371 },
  { id: 5, name: 'Springfield', state: 4, lat: 37.21533, lng: -93.29824 },
  { id: 6, name: 'Adak', state: 5, lat: 51.88, lng: 179.98 },
  { id: 7, name: 'Farther Adak', state: 5, lat: 51.9, lng: -179.97 },
  { id: 8, name: 'North', state: 6, lat: 89.9, lng: 20 },
  { id: 9, name: 'South', state: 6, lat: -89.8, lng: -120 },
  { id: 10, name: 'Equator', state: 6, lat: 0, lng: 0 },
]
export const CATEGORY_ORDINALS = [1, 2, 3]
export const SERVICE_ORDINALS = [101, 102, 103, 201, 202, 301, 302, 303]

/**
 * Inserts the catalog and `pros` pros around the cities, some at the same point, some inactive. Their settings and offers
 * meet every obstacle to a booking.
 */
export async function insertMarketplace(sql: Sql, pros: number): Promise<void> {
  await sql.unsafe(`
    insert into states select chr(64 + s) || 'X', 'State ' || s, s from generate_series(1, 6) s;
    insert into categories
      select md5('category' || c)::uuid, c, 'Category ' || c, 'category-' || c from generate_series(1, 3) c;
    insert into services
      select md5('service' || o)::uuid, o, md5('category' || o / 100)::uuid, 'Service "' || o || '"', 'service-' || o, null,
        'flat', null, 60
      from unnest('{${SERVICE_ORDINALS.join(',')}}'::smallint[]) o`)
  for (const { id, name, state, lat, lng } of CITIES)
    await sql`
      insert into cities
      values (${id}, ${name}, ${String.fromCharCode(64 + state)} || 'X', ${lat}, ${lng}, 'America/New_York', ${1000 - id})`
  await sql.begin((tx) =>
    tx.unsafe(`
    select setseed(0.5);
    create temporary table drawn on commit drop as
      select n, case when random() < 0.5 then 1 + floor(random() * 2)::integer else 1 + floor(random() * 10)::integer end as city_id,
        random() as u, random() as v, random() as r, random() as a, random() as b, random() as c, random() as d
      from generate_series(1, ${pros}) n;
    insert into accounts
      select md5('account' || n)::uuid, 'pro', 'pro' || n || '@example.com', 'Pro ' || n, '2026-01-01' from drawn;
    insert into professionals (id, account_id, slug, business_name, description, active, status, verified, city_id, latitude,
      longitude, time_zone, review_count, rating_sum, instant_booking_enabled, deposit_required, deposit_percentage,
      service_radius_miles, business_hours, created_at, updated_at)
    select md5('pro' || n)::uuid, md5('account' || n)::uuid, 'pro-' || n, 'Pro "' || n || '"',
      case when d < 0.5 then 'Says: \\ "careful"' end, a < 0.95, case when a < 0.95 then 'active' else 'paused' end, b < 0.6, k.id,
      greatest(-89.999, least(89.999, k.latitude + round((spread * cos(v * 6.2831853))::numeric, 5))),
      mod((k.longitude + round((spread * sin(v * 6.2831853) / greatest(cos(radians(k.latitude)), 0.002))::numeric, 5)
        + 4140)::numeric, 360) - 180,
      'America/New_York', floor(r * 4), floor(r * 4) * (1 + floor(u * 5)), c < 0.6, n % 5 = 0,
      case when n % 5 = 0 then 20 end, (array[2, 10, 25, 60, 300])[1 + n / 3 % 5], jsonb_build_object('monday', jsonb_build_array(jsonb_build_object(
        'start', '09:00', 'end', (array['09:00', '10:30', '13:00', '19:00'])[1 + n % 4]))), '2026-01-01', '2026-01-01'
    from (select *, case when n % 9 = 0 then 0 else power(u, 3) * 1.5 end as spread from drawn) drawn
    join cities k on k.id = drawn.city_id;
    insert into professional_services (professional_id, service_id, price_type, unit, base_price_cents, min_price_cents,
      max_price_cents, duration_minutes, instant_book_enabled)
    select md5('pro' || n)::uuid, md5('service' || o)::uuid,
      (array['flat', 'hourly', 'per_unit'])[1 + (n + o) % 3], (array[null, 'hour', 'square "foot"'])[1 + (n + o) % 3],
      case when (n * o) % 7 > 0 then (o * 37 + n) % 900 * 10 + n % 3 end, case when (n * o) % 11 = 0 then 50 end,
      case when (n * o) % 7 > 1 then 9000 end, (array[null, 30, 200, 500])[1 + (n + o * 3) % 4], (n * 3 + o) % 8 > 0
    from drawn cross join unnest('{${SERVICE_ORDINALS.join(',')}}'::integer[]) o
    where ('x' || substr(md5(n || '-' || o), 1, 4))::bit(16)::integer % 10 < 4`),
  )
  await sql.unsafe('vacuum analyze')
}

/** A query with a random combination of filters, usually near pros. */
export function randomQuery(random: () => number): SearchQuery {
  const chance = (share: number) => random() < share
  const service = chance(0.6) ? pick(random, SERVICE_ORDINALS) : undefined
  const category = chance(0.3) ? pick(random, CATEGORY_ORDINALS) : undefined
  const city = pick(random, CITIES)
  const cities = chance(0.25) ? CITIES.filter(({ name }) => name === city.name).map(({ id }) => id) : undefined
  const spread = chance(0.5) ? 0.2 : 2
  const limit = pick(random, [1, 5, 20, 50])
  return {
    facet: service ?? category ?? 0,
    secondFacet: service !== undefined && category !== Math.floor(service / 100) ? category : undefined,
    cityIds: cities,
    state: !cities && chance(0.2) ? city.state : undefined,
    point: chance(0.7)
      ? {
          lat: Math.max(-90, Math.min(90, city.lat + (random() - 0.5) * spread)),
          lng: ((city.lng + (random() - 0.5) * spread + 540) % 360) - 180,
        }
      : undefined,
    radiusMiles: pick(random, [1, 5, 25, 25, 25, 60, 200, 500]),
    verified: chance(0.3) ? chance(0.6) : undefined,
    instantBook: chance(0.3) ? chance(0.6) : undefined,
    onlyInServiceArea: chance(0.4) ? chance(0.8) : undefined,
    limit,
    offset: chance(0.6) ? 0 : Math.floor(random() * random() * 300),
    baseUrl: 'https://hearth.example',
  }
}

export interface ReferenceHit {
  id: string
  /** Miles, not rounded. */
  distance: number | null
  /** Whether the point, or the center of the city that is searched, is in the pro's service area; null without either. */
  inServiceArea: boolean | null
  serviceRadius: number
  /** Whether what the query asks for can be booked at once. */
  isBookable: boolean
  /** The service that the query names, as the pro offers it. */
  matchedService: object | null
}

/**
 * Every matching pro in order, from the original tables with PostGIS's own distance, without search tables. Distances
 * that are equal to a micrometre count as equal: near a pole PostGIS's last digits differ for equal distances.
 */
export async function searchByReference(sql: Sql, query: SearchQuery): Promise<ReferenceHit[]> {
  const { facet, secondFacet, cityIds, state, point, radiusMiles, verified, instantBook, onlyInServiceArea } = query
  return sql<ReferenceHit[]>`
    select p.id, away.metres / ${METRES_PER_MILE}::float8 as distance, area.reached as in_service_area,
      p.service_radius_miles as service_radius, coalesce(asked.is_bookable, false) as is_bookable,
      case when offer.professional_id is not null then json_build_object(
        'id', service.id, 'name', service.name, 'slug', service.slug,
        'pricing', json_build_object('type', offer.price_type, 'basePrice', dollars(offer.base_price_cents),
          'base', dollars(offer.base_price_cents), 'min', dollars(offer.min_price_cents), 'max', dollars(offer.max_price_cents),
          'unit', offer.unit, 'from', dollars(coalesce(offer.min_price_cents, offer.base_price_cents)),
          'total', case when offer.price_type = 'flat' and offer.min_price_cents is null and offer.max_price_cents is null
            then dollars(offer.base_price_cents) end, 'currency', 'USD'),
        'booking', json_strip_nulls(json_build_object(
          'durationMinutes', coalesce(offer.duration_minutes, service.duration_minutes),
          'instantBookEnabled', asked.is_bookable,
          'deposit', case when asked.is_bookable and share.cents >= 50 then share.cents / 100 end)))
        end as matched_service
    from professionals p
    join cities c on c.id = p.city_id
    join states s on s.code = c.state
    cross join lateral (
      select st_distance(st_point(p.longitude, p.latitude, 4326)::geography,
        st_point(${point?.lng ?? null}::float8, ${point?.lat ?? null}::float8, 4326)::geography, false) as metres
    ) away
    cross join lateral (
      select coalesce(away.metres, case when ${cityIds !== undefined}
        then st_distance(st_point(p.longitude, p.latitude, 4326)::geography,
          st_point(c.longitude, c.latitude, 4326)::geography, false) end) <= p.service_radius_miles * 1609.344 as reached
    ) area
    left join (
      select pro.id, bool_or(booking_obstacle(pro, o, service_minutes(o, sv)) is null) as is_bookable
      from professionals pro
      join professional_services o on o.professional_id = pro.id
      join services sv on sv.id = o.service_id and sv.active
      join categories k on k.id in (sv.category_id, (select m.merged_into from categories m where m.id = sv.category_id))
      where ${facet}::integer in (0, sv.ordinal, k.ordinal)
      group by pro.id
    ) asked on asked.id = p.id
    left join services service on service.ordinal = ${facet}::integer
    left join professional_services offer on offer.professional_id = p.id and offer.service_id = service.id
    cross join lateral (
      select round(coalesce(offer.base_price_cents, offer.min_price_cents) * p.deposit_percentage / 100) as cents
    ) share
    where p.active
      and (${verified ?? null}::boolean is null or p.verified = ${verified ?? null})
      and (${instantBook ?? null}::boolean is null or coalesce(asked.is_bookable, false) = ${instantBook ?? null})
      and (${state ?? null}::integer is null or s.ordinal = ${state ?? null})
      and (${cityIds ? [...cityIds] : null}::integer[] is null
        or c.id = any (${cityIds ? [...cityIds] : null}::integer[]))
      and (not ${onlyInServiceArea ?? false} or coalesce(area.reached, true))
      and (away.metres is null or away.metres <= ${radiusMiles * METRES_PER_MILE}::float8)
      and not exists (
        select from unnest(${[facet, secondFacet ?? 0]}::integer[]) wanted
        where wanted <> 0 and not exists (
          select from professional_services ps
          join services sv on sv.id = ps.service_id and sv.active
          join categories k on k.id in (sv.category_id, (select m.merged_into from categories m where m.id = sv.category_id))
          where ps.professional_id = p.id and wanted in (sv.ordinal, k.ordinal)))
    order by round(away.metres::numeric, 6),
      case when away.metres is null then (p.rating_sum + 40) / (p.review_count + 10)::float8 end desc,
      case when away.metres is null then p.review_count end desc, p.id`
}

/** The point `miles` away from another in a direction (radians). */
export function destination({ lat, lng }: { lat: number; lng: number }, miles: number, bearing: number) {
  const angle = (miles * 1609.344) / 6371008.771415059
  const phi = (lat * Math.PI) / 180
  const sin = Math.sin(phi) * Math.cos(angle) + Math.cos(phi) * Math.sin(angle) * Math.cos(bearing)
  const across = Math.atan2(Math.sin(bearing) * Math.sin(angle) * Math.cos(phi), Math.cos(angle) - Math.sin(phi) * sin)
  return {
    lat: (Math.asin(Math.max(-1, Math.min(1, sin))) * 180) / Math.PI,
    lng: ((((lng + (across * 180) / Math.PI + 180) % 360) + 360) % 360) - 180,
  }
}

/** What a counter is the sum of. */
const COUNTS = ['pros', 'verified', 'instant', 'verified_instant']
/** How the rows of each search table are compared. A counter may have several rows, and slots may differ. */
const COMPARED = {
  pro_search: `select to_jsonb(t) - 'slot' as row from pro_search t`,
  pro_search_entry: `select to_jsonb(t) - 'slot' as row from pro_search_entry t`,
  pro_search_cell: sumsOf('pro_search_cell', 'cell'),
  pro_search_area: sumsOf('pro_search_area', 'area, facet'),
}

function sumsOf(table: string, key: string): string {
  const sums = COUNTS.map((column) => `sum(${column}) as ${column}`).join(', ')
  return `select to_jsonb(t) as row from (select ${key}, ${sums} from ${table} group by ${key}) t where t.pros <> 0`
}

/** The differences between the search tables and a rebuild. Leaves the rebuilt ones. */
export const differencesFromRebuilt = (sql: Sql): Promise<{ side: string; row: unknown }[]> =>
  sql.begin(async (tx) => {
    for (const [table, rows] of Object.entries(COMPARED))
      await tx.unsafe(`create temporary table kept_${table} on commit drop as ${rows}`)
    const unknown = await tx`
      select from pro_search_entry e left join pro_search s on (s.slot, s.professional_id) = (e.slot, e.professional_id)
      where s.slot is null`
    if (unknown.length > 0) throw new Error(`${unknown.length} entries belong to no pro`)
    await tx`select rebuild_search()`
    const comparisons = Object.entries(COMPARED).flatMap(([table, rows]) => [
      `(select 'only kept' as side, d.* from (select row from kept_${table} except all (${rows})) d limit 5)`,
      `(select 'only rebuilt' as side, d.* from ((${rows}) except all select row from kept_${table}) d limit 5)`,
    ])
    return [...(await tx.unsafe<{ side: string; row: unknown }[]>(comparisons.join(' union all ')))]
  })

/** Sets how many pros a change of the catalog refreshes in its own transaction. */
export const refreshAtOnce = (sql: Sql, pros: number) =>
  sql.begin(async (tx) => {
    await tx`select set_config('hearth.test_pros', ${String(pros)}, true)`
    await tx`do $$ begin
      execute format('create or replace function max_search_refresh() returns integer language sql immutable parallel safe as %L',
        'select ' || current_setting('hearth.test_pros')::integer);
    end $$`
  })

/** Refreshes the pros of changed services that their transactions left. */
export async function refreshRest(sql: Sql): Promise<void> {
  const next = () => sql<{ isMore: boolean }[]>`select continue_search_refresh(100) as "isMore"`
  while ((await next())[0]?.isMore);
}
