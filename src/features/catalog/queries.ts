// Reads of the catalog: names for the resolver, counts of pros from the search counters.
import type { Runner } from '../../platform/db.ts'

export interface CategoryRow {
  id: string
  ordinal: number
  name: string
  slug: string
}

export interface ServiceRow extends CategoryRow {
  categoryId: string
  description: string | null
  priceType: 'flat' | 'hourly' | 'per_unit'
  unit: string | null
  durationMinutes: number
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
}

/** All names, categories and services in the catalog's order, cities by population. Four statements, run rarely. */
export async function selectNames(db: Runner) {
  const [categories, services, states, cities] = await Promise.all([
    db.run<CategoryRow>('selectCategories', (sql) => sql`select id, ordinal, name, slug from categories order by ordinal`),
    db.run<ServiceRow>(
      'selectServices',
      (sql) => sql`
        select id, ordinal, category_id, name, slug, description, price_type, unit, duration_minutes
        from services where active order by ordinal`,
    ),
    db.run<StateRow>('selectStates', (sql) => sql`select code, name, ordinal from states order by code`),
    db.run<CityRow>(
      'selectCities',
      (sql) => sql`select id, name, state, latitude, longitude from cities order by population desc, id`,
    ),
  ])
  return { categories, services, states, cities }
}
