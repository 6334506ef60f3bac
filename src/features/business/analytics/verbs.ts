// A pro's analytics.
import type { Ctx } from '../../../ctx.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { AnalyticsQuery, PERIODS } from './schemas.ts'
import { findAnalytics } from './queries.ts'

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
