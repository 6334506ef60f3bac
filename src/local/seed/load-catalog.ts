// Writes the catalog: categories, services, states and cities. Rows that exist stay as they are, since somebody may have edited them.
import type { Transaction } from './bulk-load.ts'
import { trades } from './catalog.ts'
import { states, type City } from './cities.ts'

/** Adds every category, service, state and city that is missing. */
export const loadCatalog = async (tx: Transaction, cities: readonly City[]): Promise<void> => {
  const categories = trades.map(({ id, ordinal, name, slug, synonyms }) => ({ id, ordinal, name, slug, synonyms }))
  await tx`
    insert into categories (id, ordinal, name, slug, synonyms)
    select id, ordinal, name, slug, synonyms from jsonb_to_recordset(${JSON.stringify(categories)}::text::jsonb)
      as row (id uuid, ordinal smallint, name text, slug text, synonyms text[])
    on conflict do nothing`
  await loadServices(tx)
  const stateRows = states.map(({ code, name }, index) => ({ code, name, ordinal: index + 1 }))
  await tx`
    insert into states (code, name, ordinal)
    select code, name, ordinal from jsonb_to_recordset(${JSON.stringify(stateRows)}::text::jsonb)
      as row (code text, name text, ordinal smallint)
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
