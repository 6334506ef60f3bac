// Reads of the catalog: names for the in-memory index, pro counts from the search counters, which are sums of rows.
import type { Ctx } from '../../../ctx.ts'

export interface CategoryRow {
  id: string
  ordinal: number
  name: string
  slug: string
  /** What people call it besides its name. */
  synonyms: readonly string[]
}

export interface ServiceRow extends CategoryRow {
  categoryId: string
  description: string | null
  priceType: 'flat' | 'hourly' | 'per_unit'
  unit: string | null
  durationMinutes: number
  atCustomer: boolean
}

export interface StateRow {
  code: string
  name: string
  ordinal: number
}

export interface CityRow {
  id: number
  name: string
  state: string
  latitude: number
  longitude: number
  population: number
}

/** All catalog entries: categories and services in catalog order, cities by population. Runs four statements. */
export async function selectNames(ctx: Ctx) {
  const [categories, services, states, cities] = await Promise.all([
    ctx.read.run<CategoryRow>(
      'selectCategories',
      (sql) => sql`select id, ordinal, name, slug, to_jsonb(synonyms) as synonyms from categories order by ordinal`,
    ),
    ctx.read.run<ServiceRow>(
      'selectServices',
      (sql) => sql`
        select id, ordinal, category_id, name, slug, description, price_type, unit, duration_minutes, at_customer,
          to_jsonb(synonyms) as synonyms
        from services where active order by ordinal`,
    ),
    ctx.read.run<StateRow>('selectStates', (sql) => sql`select code, name, ordinal from states order by code`),
    ctx.read.run<CityRow>(
      'selectCities',
      (sql) => sql`select id, name, state, latitude, longitude, population from cities order by population desc, id`,
    ),
  ])
  return { categories, services, states, cities }
}

/** Pros per service ordinal, summed over `areas`. */
export async function selectServiceCounts(
  ctx: Ctx,
  { areas }: { areas: readonly number[] },
): Promise<Map<number, { pros: number; verified: number }>> {
  const rows = await ctx.read.run<{ facet: number; pros: number; verified: number }>(
    'selectServiceCounts',
    (sql) => sql`
      select facet, sum(pros)::integer as pros, sum(verified)::integer as verified
      from pro_search_area where area = any (${[...areas]}) and facet >= 100
      group by facet`,
  )
  return new Map(rows.map(({ facet, pros, verified }) => [facet, { pros, verified }]))
}

/** Every city with active pros, most pros first. */
export async function selectCityCounts(ctx: Ctx): Promise<{ cityId: number; pros: number }[]> {
  return await ctx.read.run(
    'selectCityCounts',
    (sql) => sql`
      select area as city_id, sum(pros)::integer as pros from pro_search_area where facet = 0 and area > 0
      group by area having sum(pros) > 0 order by pros desc, area`,
  )
}

/** Pros of a service or category in each of some cities, by city; only cities with pros. */
export async function selectCityFacetCounts(
  ctx: Ctx,
  { facet, cityIds }: { facet: number; cityIds: readonly number[] },
): Promise<Map<number, number>> {
  const rows = await ctx.read.run<{ cityId: number; pros: number }>(
    'selectCityFacetCounts',
    (sql) => sql`
      select area as city_id, sum(pros)::integer as pros from pro_search_area
      where area = any (${[...cityIds]}) and facet = ${facet}
      group by area having sum(pros) > 0`,
  )
  return new Map(rows.map(({ cityId, pros }) => [cityId, pros]))
}
