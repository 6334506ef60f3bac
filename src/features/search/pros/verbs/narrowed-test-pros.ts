// The search of a test key with limits of time and an order: its test pros are few, so all of them are looked at.
import type { Viewer } from '../../../../auth/caller.ts'
import type { Ctx } from '../../../../ctx.ts'
import { pageMeta, pageOf } from '../../../../platform/schema/paging.ts'
import { localDateTime } from '../../../../platform/text/format.ts'
import { requireComingDates } from '../../../booking/bookings/rules/bookable.ts'
import { getOpenSlots } from '../../../calendar/availability/verbs.ts'
import { TIMED_DAYS, type OpenTime } from '../queries/narrowed-search.ts'
import type { Professional, ProsQuery } from '../schemas.ts'
import { type FoundPros, type Narrowing, findPros } from './search.ts'

/** An account has fewer. */
const ALL = 50

/**
 * Finds the caller's test pros as `findNarrowedPros` finds the real ones: by open times, and in an order. Throws
 * validation_failed for a date that is past everywhere.
 */
export async function findNarrowedTestPros(
  ctx: Ctx<Viewer>,
  { query, narrowing }: { query: ProsQuery; narrowing: Narrowing },
): Promise<FoundPros> {
  const { opensOn, opensFrom, opensUntil, order = 'usual' } = narrowing
  const isTimed = [opensOn, opensFrom, opensUntil].some((limit) => limit !== undefined)
  if (opensOn !== undefined) requireComingDates(ctx.clock.now(), 'query.date', { first: opensOn })
  // SQL builds the JSON after the schema of this type.
  const all = JSON.parse(await findPros(ctx, { ...query, limit: ALL, offset: 0 })) as Omit<FoundPros, 'openTimes'>
  const opens = new Map<string, OpenTime>()
  if (isTimed || order === 'time')
    for (const pro of all.professionals) {
      const first = await firstOpenTime(ctx, pro, narrowing)
      if (first) opens.set(pro.id, first)
    }
  const matches = all.professionals.filter(({ id }) => !isTimed || opens.has(id))
  const { limit, offset } = pageOf(query)
  return {
    professionals: matches.toSorted(comparison(order, opens)).slice(offset, offset + limit),
    meta: { ...all.meta, ...pageMeta(matches.length, query) },
    openTimes: Object.fromEntries(opens),
  }
}

async function firstOpenTime(
  ctx: Ctx<Viewer>,
  { id, matchedService }: Professional,
  { opensOn, opensFrom = '00:00', opensUntil = '24:00' }: Narrowing,
): Promise<OpenTime | undefined> {
  const days = opensOn === undefined ? { days: TIMED_DAYS } : { date: opensOn, days: 1 }
  const { availability, timezone } = await getOpenSlots(ctx, { pro: id, serviceId: matchedService?.id, ...days })
  const slot = availability
    .flatMap(({ slots }) => slots)
    .find(({ available, start }) => available && start >= opensFrom && start < opensUntil)
  return slot && { startDateTime: slot.startDateTime, localTime: localDateTime(slot.startDateTime, timezone) }
}

/** What has no such value comes last. */
function comparison(order: Narrowing['order'], opens: ReadonlyMap<string, OpenTime>) {
  const rankOf = (pro: Professional): number => {
    if (order === 'time') return Date.parse(opens.get(pro.id)?.startDateTime ?? '') || Infinity
    if (order === 'price') return pro.matchedService?.pricing.from ?? Infinity
    return order === 'rating' ? -(pro.rating ?? 0) : 0
  }
  return (a: Professional, b: Professional) => {
    const [first, second] = [rankOf(a), rankOf(b)]
    return first === second ? 0 : first - second
  }
}
