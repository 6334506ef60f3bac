// Reads of the pricing statistics.
import type { Runner } from '../../platform/db.ts'

export interface PricingRow {
  averageCents: number
  medianCents: number
  minCents: number
  maxCents: number
  professionalListings: number
  acceptedQuotes: number
  completedProjects: number
  lastUpdated: string
}

/** The statistics of a service in one place: `state` '' and `cityId` 0 stand for anywhere. */
export async function findPricing(
  db: Runner,
  key: { serviceId: string; state: string; cityId: number },
): Promise<PricingRow | undefined> {
  const rows = await db.run<PricingRow>(
    'findPricing',
    (sql) => sql`
      select average_cents, median_cents, min_cents, max_cents, professional_listings, accepted_quotes,
        completed_projects, last_updated
      from pricing_aggregates
      where service_id = ${key.serviceId} and state = ${key.state} and city_id = ${key.cityId}`,
  )
  return rows[0]
}

/** Notes that a price of a service changed where the pro is. */
export async function insertPriceChange(
  tx: Runner,
  { serviceId, professionalId, now }: { serviceId: string; professionalId: string; now: Date },
): Promise<void> {
  await tx.run(
    'insertPriceChange',
    (sql) => sql`
      insert into pricing_changes (service_id, city_id, changed_at)
      select ${serviceId}, city_id, ${now.toISOString()} from professionals where id = ${professionalId}`,
  )
}

/** Brings the statistics in step; see `sql/functions/refresh_changed_prices.sql`. */
export async function refreshChangedPrices(db: Runner, now: Date): Promise<void> {
  await db.run('refresh_changed_prices', (sql) => sql`select refresh_changed_prices(${now.toISOString()})`)
}
