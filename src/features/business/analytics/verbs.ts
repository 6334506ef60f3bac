// Analytics: of a pro, of all, and how the marketplace grows: by day, beside as many days before.
import type { Ctx } from '../../../ctx.ts'
import { addDays, localDate } from '../../../platform/clock/dates.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { AnalyticsQuery, PERIODS } from './schemas.ts'
import { type MarketplaceDay, findAnalytics, selectMarketplaceDays } from './queries.ts'
import { listBookingsByDay, listCancellationsByDay, listFeesByDay, listNewProsByDay } from './queries.sql.ts'

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

/** The ranges of the page, each in steps of so many days. */
export const RANGES = {
  '30d': { steps: 30, daysPerStep: 1 },
  '12w': { steps: 12, daysPerStep: 7 },
} as const
export type GrowthRange = keyof typeof RANGES

export interface GrowthNumbers {
  /** Bookings that were made, by the day on the pros' clocks. */
  readonly made: number
  /** How many of those bookings have been completed, were missed by the customer, and were cancelled until now. */
  readonly completed: number
  readonly missed: number
  readonly cancelled: number
  /** Cancellations, by the day in UTC on which they came. */
  readonly byCustomers: number
  readonly byPros: number
  readonly byHearth: number
  /** Fees of payments, by the day in UTC on which the payment began. */
  readonly cents: number
  /** Pros who joined, by the day in UTC. */
  readonly joined: number
}

/** Numbers of the days from `first` to `last`. */
export interface GrowthStep extends GrowthNumbers {
  readonly first: string
  readonly last: string
}

export interface Growth {
  /** Oldest first. The last step ends with today. */
  readonly steps: readonly GrowthStep[]
  readonly total: GrowthNumbers
  /** The sums of as many days before the first step. */
  readonly before: GrowthNumbers
}

/** The growth of a range that ends with today in UTC, without test pros. A rate is a quotient of these numbers. */
export async function getGrowth(ctx: Ctx, { range }: { range: GrowthRange }): Promise<Growth> {
  const { steps, daysPerStep } = RANGES[range]
  const last = localDate(ctx.clock.now(), 'UTC')
  const start = addDays(last, 1 - 2 * steps * daysPerStep)
  const byDay = await readDays(ctx, { first: start, last })
  const summed = Array.from({ length: 2 * steps }, (_, index): GrowthStep => {
    const first = addDays(start, index * daysPerStep)
    const days = Array.from({ length: daysPerStep }, (__, offset) => byDay.get(addDays(first, offset)) ?? [])
    return { ...sumOf(days.flat()), first, last: addDays(first, daysPerStep - 1) }
  })
  const [before, shown] = [summed.slice(0, steps), summed.slice(steps)]
  return { steps: shown, total: sumOf(shown), before: sumOf(before) }
}

/** The numbers of the days from `first` to `last`, each in parts to be added up. */
async function readDays(
  ctx: Ctx,
  { first, last }: { first: string; last: string },
): Promise<Map<string, Partial<GrowthNumbers>[]>> {
  const span = { since: `${first}T00:00:00Z`, until: `${addDays(last, 1)}T00:00:00Z` }
  const parts = await Promise.all([
    listBookingsByDay(ctx, { first, last }),
    listCancellationsByDay(ctx, span),
    listFeesByDay(ctx, span),
    listNewProsByDay(ctx, span),
  ])
  return Map.groupBy<string, Partial<GrowthNumbers> & { day: string }>(parts.flat(), ({ day }) => day)
}

function sumOf(parts: readonly Partial<GrowthNumbers>[]): GrowthNumbers {
  const of = (name: keyof GrowthNumbers) => parts.reduce((total, part) => total + (part[name] ?? 0), 0)
  return {
    made: of('made'),
    completed: of('completed'),
    missed: of('missed'),
    cancelled: of('cancelled'),
    byCustomers: of('byCustomers'),
    byPros: of('byPros'),
    byHearth: of('byHearth'),
    cents: of('cents'),
    joined: of('joined'),
  }
}
