// Packages as their pro makes and ends them.
import type { Runner } from '../../../platform/postgres/database.ts'
import type { Static } from '@sinclair/typebox'
import type { Cadence } from '../schemas.ts'

export interface PackageValues {
  kind: string
  name: string
  description: string | null
  priceCents: number
  includes: readonly string[]
  cadence: Static<typeof Cadence>
  durationMinutes: number
  bedrooms: number | null
  bathrooms: number | null
}

/** Makes the offer's package, or changes it; its id and sku stay. */
export async function upsertPackage(
  tx: Runner,
  offer: { professionalId: string; serviceId: string },
  made: { id: string; sku: string; now: Date },
  values: PackageValues,
): Promise<void> {
  const now = made.now.toISOString()
  await tx.run(
    'upsertPackage',
    (sql) => sql`
      insert into packages (id, professional_id, service_id, sku, kind, name, description, price_cents, includes,
        cadence, duration_minutes, bedrooms, bathrooms, created_at, updated_at)
      values (${made.id}, ${offer.professionalId}, ${offer.serviceId}, ${made.sku}, ${values.kind}, ${values.name},
        ${values.description}, ${values.priceCents}, ${[...values.includes]}, ${values.cadence},
        ${values.durationMinutes}, ${values.bedrooms}, ${values.bathrooms}, ${now}, ${now})
      on conflict on constraint packages_offer_key do update set
        kind = excluded.kind, name = excluded.name, description = excluded.description,
        price_cents = excluded.price_cents, includes = excluded.includes, cadence = excluded.cadence,
        duration_minutes = excluded.duration_minutes, bedrooms = excluded.bedrooms, bathrooms = excluded.bathrooms,
        active = true, updated_at = excluded.updated_at`,
  )
}

/** Takes the offer's package off the list. It keeps its sku, should it come back. */
export async function retirePackage(tx: Runner, professionalId: string, serviceId: string, now: Date): Promise<void> {
  await tx.run(
    'retirePackage',
    (sql) => sql`
      update packages set active = false, updated_at = ${now.toISOString()}
      where professional_id = ${professionalId} and service_id = ${serviceId} and active`,
  )
}
