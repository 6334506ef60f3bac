// Analytics: of a pro, and of all.
import type { Ctx } from '../../../ctx.ts'
import { addDays, localDate } from '../../../platform/clock/dates.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { AnalyticsQuery, PERIODS } from './schemas.ts'
import { type MarketplaceDay, findAnalytics, selectMarketplaceDays } from './queries.ts'

/** The length of each period in days; null for all time. */
const DAYS: Record<(typeof PERIODS)[number], number | null> = { '7d': 7, '30d': 30, '90d': 90, '1y': 365, all: null }

/** The pro's analytics of a period as JSON text (Analytics). Throws professional_not_found. */
export async function getAnalytics(
  ctx: Ctx<{ professionalId: string }>,
  { period = '30d' }: AnalyticsQuery,
): Promise<string> {
  const body = await findAnalytics(ctx, {
    professionalId: ctx.actor.professionalId,
    now: ctx.clock.now(),
    days: DAYS[period],
    period,
  })
  if (body === undefined) throw new AppError('professional_not_found', 'No pro has this id.')
  return body
}

/** The last `days` days of all real pros, those without anything too, oldest first. Without bookings of test pros. */
export async function listMarketplaceDays(ctx: Ctx, { days }: { days: number }): Promise<MarketplaceDay[]> {
  const last = localDate(ctx.clock.now(), 'UTC')
  const first = addDays(last, 1 - days)
  const found = new Map((await selectMarketplaceDays(ctx, { first, last })).map((row) => [row.day, row]))
  return Array.from({ length: days }, (_, index) => {
    const day = addDays(first, index)
    return found.get(day) ?? { day, bookings: 0, rfqs: 0, done: 0, cents: 0, reviews: 0 }
  })
}
