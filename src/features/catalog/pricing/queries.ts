// Reads and updates of the price statistics.
import type { Ctx } from '../../../ctx.ts'
import * as statements from './queries.sql.ts'

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

/** Applies up to `limit` recorded changes to the statistics and returns how many; see `sql/functions/refresh_changed_prices.sql`. */
export async function refreshChangedPrices(ctx: Ctx, { now, limit }: { now: Date; limit: number }): Promise<number> {
  const row = await statements.refreshChangedPrices(ctx, { now, limit })
  return row?.changes ?? 0
}

/** Recomputes all statistics and returns how many were wrong, or null while another process recomputes them. */
export async function recomputePrices(ctx: Ctx, { now, day }: { now: Date; day: string }): Promise<number | null> {
  return await ctx.write.begin('runPricingPass', async (tx) => {
    await statements.setRepeatableRead(tx)
    const row = await statements.correctPrices(tx, { now, day })
    return row?.drift ?? null
  })
}

/** A daily pass that recomputed all statistics. */
export interface PricingPass {
  day: string
  /** The number of statistics that differed without a recorded change that explains it. */
  drift: number
}

/** The number of changes not yet applied and the age of the oldest. */
export async function measurePricingLag(
  ctx: Ctx,
  { now }: { now: Date },
): Promise<{ waiting: number; oldestSeconds: number }> {
  const row = await statements.measurePricingLag(ctx, { now })
  return row ?? { waiting: 0, oldestSeconds: 0 }
}
