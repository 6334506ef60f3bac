// Reads and updates of the price statistics.
import type { Ctx } from '../../../ctx.ts'

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

/** The statistics of a service in one place. `state` '' and `cityId` 0 mean everywhere. */
export async function findPricing(
  ctx: Ctx,
  key: { serviceId: string; state: string; cityId: number },
): Promise<PricingRow | undefined> {
  const rows = await ctx.read.run<PricingRow>(
    'findPricing',
    (sql) => sql`
      select average_cents, median_cents, min_cents, max_cents, professional_listings, accepted_quotes,
        completed_projects, last_updated
      from pricing_aggregates
      where service_id = ${key.serviceId} and state = ${key.state} and city_id = ${key.cityId}`,
  )
  return rows[0]
}

/** Applies up to `limit` recorded changes to the statistics and returns how many; see `sql/functions/refresh_changed_prices.sql`. */
export async function refreshChangedPrices(ctx: Ctx, { now, limit }: { now: Date; limit: number }): Promise<number> {
  const rows = await ctx.write.run<{ changes: number }>(
    'refresh_changed_prices',
    (sql) => sql`select refresh_changed_prices(${now.toISOString()}, ${limit}) as changes`,
  )
  return rows[0]?.changes ?? 0
}

/** Recomputes all statistics and returns how many were wrong, or null while another process recomputes them. */
export async function recomputePrices(ctx: Ctx, { now, day }: { now: Date; day: string }): Promise<number | null> {
  return await ctx.write.begin('runPricingPass', async (tx) => {
    await tx.run('setRepeatableRead', (sql) => sql`set transaction isolation level repeatable read`)
    const rows = await tx.run<{ drift: number | null }>(
      'correct_prices',
      (sql) => sql`select correct_prices(${now.toISOString()}, ${day}) as drift`,
    )
    return rows[0]?.drift ?? null
  })
}

/** A daily pass that recomputed all statistics. */
export interface PricingPass {
  day: string
  /** The number of statistics that differed without a recorded change that explains it. */
  drift: number
}

/** The latest daily pass and the drift it found. */
export async function findLastPricingPass(ctx: Ctx): Promise<PricingPass | undefined> {
  const rows = await ctx.read.run<PricingPass>(
    'findLastPricingPass',
    (sql) => sql`select day, drift from pricing_passes order by day desc limit 1`,
  )
  return rows[0]
}

/** The number of changes not yet applied and the age of the oldest. */
export async function measurePricingLag(
  ctx: Ctx,
  { now }: { now: Date },
): Promise<{ waiting: number; oldestSeconds: number }> {
  const rows = await ctx.read.run<{ waiting: number; oldestSeconds: number }>(
    'measurePricingLag',
    (sql) => sql`
      select count(*)::int as waiting,
        coalesce(greatest(0, extract(epoch from ${now.toISOString()}::timestamptz - min(changed_at))), 0)::float8
          as oldest_seconds
      from pricing_changes`,
  )
  return rows[0] ?? { waiting: 0, oldestSeconds: 0 }
}
