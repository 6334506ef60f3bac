// Writes the catalog and the places: categories, services, states and cities. Rows that exist stay as they are: operators edit them.
import type postgres from 'postgres'

import type { Transaction } from './bulk-load.ts'
import { trades } from '../../features/catalog/entries/starter-set.ts'
import { states, listCities, type City } from './cities.ts'

/** Adds every category, service, state and city that is missing. */
export const loadCatalog = async (tx: Transaction, cities: readonly City[]): Promise<void> => {
  const categories = trades.map(({ id, ordinal, name, slug, synonyms }) => ({ id, ordinal, name, slug, synonyms }))
  await tx`
    insert into categories (id, ordinal, name, slug, synonyms)
    select id, ordinal, name, slug, synonyms from jsonb_to_recordset(${JSON.stringify(categories)}::text::jsonb)
      as row (id uuid, ordinal smallint, name text, slug text, synonyms text[])
    on conflict do nothing`
  await loadServices(tx)
  await loadPlaces(tx, cities)
}

/** Adds the places of the United States to a database without places. Returns the number of cities: 0 where there were some. */
export const ensurePlaces = async (sql: postgres.Sql<Record<string, never>>): Promise<number> => {
  const cities = listCities()
  return await sql.begin(async (tx) => {
    if ((await tx`select from cities limit 1`).length > 0) return 0
    await loadPlaces(tx, cities)
    for (const table of ['states', 'cities']) await tx`analyze ${tx(table)}`
    return cities.length
  })
}

const loadPlaces = async (tx: Transaction, cities: readonly City[]): Promise<void> => {
  const stateRows = states.map(({ code, name }, index) => ({ code, name, ordinal: index + 1 }))
  await tx`
    insert into states (code, name, ordinal)
    select code, name, ordinal from jsonb_to_recordset(${JSON.stringify(stateRows)}::text::jsonb)
      as row (code text, name text, ordinal smallint)
    on conflict do nothing`
  // Together: each zone that a city brings by itself would be looked up alone.
  const zones = [...new Set(cities.map(({ timeZone }) => timeZone))]
  await tx`
    insert into time_zones (name) select value from jsonb_array_elements_text(${JSON.stringify(zones)}::text::jsonb)
    on conflict do nothing`
  await tx`
    insert into cities (id, name, state, latitude, longitude, time_zone, population)
    select id, name, state, latitude, longitude, "timeZone", population
    from jsonb_to_recordset(${JSON.stringify(cities)}::text::jsonb)
      as row (id integer, name text, state text, latitude float8, longitude float8, "timeZone" text, population integer)
    on conflict do nothing`
}

const loadServices = async (tx: Transaction): Promise<void> => {
  const services = trades.flatMap((trade) =>
    trade.services.map(({ categoryId, priceType, durationMinutes, atCustomer, ...service }) => ({
      ...service,
      category_id: categoryId,
      price_type: priceType,
      duration_minutes: durationMinutes,
      at_customer: atCustomer,
    })),
  )
  await tx`
    insert into services (id, ordinal, category_id, name, slug, synonyms, description, price_type, unit, duration_minutes,
      at_customer)
    select id, ordinal, category_id, name, slug, synonyms, description, price_type, unit, duration_minutes,
      at_customer
    from jsonb_to_recordset(${JSON.stringify(services)}::text::jsonb)
      as row (id uuid, ordinal smallint, category_id uuid, name text, slug text, synonyms text[], description text,
        price_type text, unit text, duration_minutes integer, at_customer boolean)
    on conflict do nothing`
}
