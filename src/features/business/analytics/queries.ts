// Reads analytics: a pro's in one statement, and the days of all pros.
import { statementFile } from '../../../platform/postgres/statement-files.ts'
import type { Ctx } from '../../../ctx.ts'
import { listDaysOfPros } from './queries.sql.ts'

const proAnalytics = statementFile<{ body: string }>('pro-analytics', 'fresh')

/** The analytics of the last `days` days including today, or of all time for null, as JSON text (Analytics). */
export async function findAnalytics(
  ctx: Ctx,
  { professionalId, now, days, period }: { professionalId: string; now: Date; days: number | null; period: string },
): Promise<string | undefined> {
  const rows = await proAnalytics.run(ctx.read, [professionalId, now.toISOString(), days, period])
  return rows[0]?.body
}

/** What happened on one day of all pros, on their clocks. */
export interface MarketplaceDay {
  /** A date. */
  readonly day: string
  readonly bookings: number
  readonly rfqs: number
  /** Visits and jobs that were done. */
  readonly done: number
  /** What pros earned, in cents. */
  readonly cents: number
  readonly reviews: number
}

/** The days from `first` to `last` on which something happened, oldest first. */
export const selectMarketplaceDays = (ctx: Ctx, span: { first: string; last: string }): Promise<MarketplaceDay[]> =>
  listDaysOfPros(ctx, span)
