// Analytics: of a pro, of all, and how the marketplace grows: by day, beside as many days before.
import type { Ctx } from '../../../ctx.ts'
import { addDays, addMonths, localDate } from '../../../platform/clock/dates.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { AnalyticsQuery, PERIODS } from './schemas.ts'
import { type MarketplaceDay, findAnalytics, selectMarketplaceDays } from './queries.ts'
import {
  listBookingsByDay,
  listCancellationsByDay,
  listFeesByDay,
  listNewProsByDay,
  listSearchesByDay,
} from './queries.sql.ts'

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

/** The ranges of the page, each in steps. The last step ends today, and a month ends on the same day of a month as the last. */
export const RANGES = {
  '30d': { steps: 30, by: 'day' },
  '12w': { steps: 12, by: 'week' },
  '12m': { steps: 12, by: 'month' },
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
  /** Searches for pros, by the day in UTC: on pages, by programs and by agents of customers. */
  readonly byPages: number
  readonly byPrograms: number
  readonly byAgents: number
  /** How many of those searches found no pro. */
  readonly misses: number
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
  const { steps, by } = RANGES[range]
  const last = localDate(ctx.clock.now(), 'UTC')
  const firsts = Array.from({ length: 2 * steps + 1 }, (_, index) => firstDay(addDays(last, 1), by, 2 * steps - index))
  const parts = await readDays(ctx, { first: firsts[0] ?? last, last })
  const summed = firsts.slice(0, -1).map((first, index): GrowthStep => {
    const end = addDays(firsts[index + 1] ?? last, -1)
    return { ...sumOf(parts.filter(({ day }) => first <= day && day <= end)), first, last: end }
  })
  const [before, shown] = [summed.slice(0, steps), summed.slice(steps)]
  return { steps: shown, total: sumOf(shown), before: sumOf(before) }
}

/** The first day of the step that begins `steps` steps before `end`. */
const firstDay = (end: string, by: (typeof RANGES)[GrowthRange]['by'], steps: number): string =>
  by === 'month' ? addMonths(end, -steps) : addDays(end, -steps * (by === 'week' ? 7 : 1))

/** The numbers of the days from `first` to `last`, each in parts to be added up. */
async function readDays(
  ctx: Ctx,
  { first, last }: { first: string; last: string },
): Promise<(Partial<GrowthNumbers> & { day: string })[]> {
  const span = { since: `${first}T00:00:00Z`, until: `${addDays(last, 1)}T00:00:00Z` }
  const parts = await Promise.all([
    listBookingsByDay(ctx, { first, last }),
    listCancellationsByDay(ctx, span),
    listFeesByDay(ctx, span),
    listNewProsByDay(ctx, span),
    listSearchesByDay(ctx, { first, last }),
  ])
  return parts.flat()
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
    byPages: of('byPages'),
    byPrograms: of('byPrograms'),
    byAgents: of('byAgents'),
    misses: of('misses'),
  }
}
