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
