// Reads of the catalog: names for the in-memory index, pro counts from the search counters, which are sums of rows.
import type { Ctx } from '../../../ctx.ts'
import type { Question } from './schemas.ts'
import * as statements from './queries.sql.ts'

export interface CategoryRow {
  id: string
  ordinal: number
  name: string
  slug: string
  /** What people call it besides its name. */
  synonyms: readonly string[]
  /** Slugs that it had before. They still find it. */
  formerSlugs: readonly string[]
  /** The ids of those that were merged into it. They find it. */
  formerIds: readonly string[]
}

export interface ServiceRow extends CategoryRow {
  categoryId: string
  description: string | null
  priceType: 'flat' | 'hourly' | 'per_unit'
  unit: string | null
  durationMinutes: number
  atCustomer: boolean
  questions: readonly Question[]
}

/** A state or province of the marketplace's country. */
export interface StateRow {
  code: string
  name: string
  ordinal: number
  country: string
}

export interface CityRow {
  id: number
  name: string
  state: string
  latitude: number
  longitude: number
  population: number
}

/** A phrase of people, as operators add it: docs/design/words.md explains the kinds. */
export interface WordRow {
  phrase: string
  kind: 'service' | 'same' | 'ignored' | 'elsewhere' | 'place'
  /** The slug of a service or category; the words it stands for; a place. Null for the other kinds. */
  means: string | null
}

/** All catalog entries: categories and services in catalog order, cities by population. Runs five statements. */
export async function selectNames(ctx: Ctx) {
  const [categories, services, states, cities, words] = await Promise.all([
    statements.selectCategories<Pick<CategoryRow, 'synonyms' | 'formerSlugs' | 'formerIds'>>(ctx),
    statements.selectServices<Pick<ServiceRow, 'synonyms' | 'formerSlugs' | 'formerIds' | 'questions'>>(ctx),
    statements.selectStates(ctx),
    statements.selectCities(ctx),
    statements.selectSearchWords(ctx),
  ])
  return { categories, services, states, cities, words }
}

/** Pros per service ordinal, summed over `areas`. */
export async function selectServiceCounts(
  ctx: Ctx,
  { areas }: { areas: readonly number[] },
): Promise<Map<number, { pros: number; verified: number }>> {
  const rows = await statements.selectServiceCounts(ctx, { areas })
  return new Map(rows.map(({ facet, pros, verified }) => [facet, { pros, verified }]))
}

/** Pros of a service or category in each of some cities, by city; only cities with pros. */
export async function selectCityFacetCounts(
  ctx: Ctx,
  { facet, cityIds }: { facet: number; cityIds: readonly number[] },
): Promise<Map<number, number>> {
  const rows = await statements.selectCityFacetCounts(ctx, { cityIds, facet })
  return new Map(rows.map(({ cityId, pros }) => [cityId, pros]))
}
