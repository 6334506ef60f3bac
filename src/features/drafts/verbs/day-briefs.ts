// A day's brief: bookings and jobs in order, with local times, addresses, what to bring, and the time between.
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { IdempotencyContext, IdempotentResult } from '../../../idempotency/context.ts'
import { runIdempotently } from '../../../idempotency/verbs.ts'
import type { ActingPro } from '../../rfqs/verbs/rfqs.ts'
import { type DayBrief, inOneLine } from '../schemas.ts'
import { type StoredDay, findDay, insertPrepared } from '../queries.ts'

/** Less than this between two addresses is worth a warning. */
const SHORT_WAY_MINUTES = 15

/** The brief of a day of the pro's calendar: today, where they are, unless another is named. */
export const prepareDayBrief = (
  deps: Deps,
  pro: ActingPro,
  wish: { date?: string | undefined },
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<DayBrief>> =>
  runIdempotently(
    deps,
    idempotency,
    { accountId: pro.accountId, operation: 'prepareDayBrief', request: wish },
    async (tx) => {
      const { professionalId } = pro
      const now = deps.clock.now()
      const day = await findDay(tx, professionalId, wish.date ?? null, now)
      if (!day) throw new AppError('professional_not_found', 'The pro of this key is gone.')
      const content = briefOf(day)
      await insertPrepared(tx, { id: deps.ids.uuid(), professionalId, kind: 'day_brief', day: day.date, content, now })
      return content
    },
  )

function briefOf({ stops, jobs, ...day }: StoredDay): DayBrief {
  return {
    ...day,
    stops: stops.map(stopOf),
    jobs: jobs.map(({ lineItems, address, ...job }) => ({
      ...job,
      address: inOneLine(address),
      bring: lineItems
        .filter(({ amount }) => amount > 0)
        .map(({ description, quantity }) => `${quantity} × ${description}`),
    })),
    bookedMinutes: stops.reduce((sum, { start, end }) => sum + minutesBetween(start, end), 0),
    warnings: warningsOf(stops),
  }
}

function stopOf(stored: StoredDay['stops'][number]): DayBrief['stops'][number] {
  const { bookingId, status, start, end, service, customer, notes, assignedTo, package: name, includes } = stored
  return {
    bookingId,
    status,
    start,
    end,
    service,
    customer,
    address: inOneLine(stored.address),
    notes,
    bring: name === null ? [] : includes.length > 0 ? includes : [`For the package ${name}`],
    assignedTo,
  }
}

function warningsOf(stops: StoredDay['stops']): string[] {
  return stops.flatMap(({ start, status, address, customer, minutesBefore, service }) => [
    ...(status === 'pending' ? [`${start} ${service} is not confirmed yet.`] : []),
    ...(inOneLine(address) === null ? [`${start} ${service} has no address: ask ${customer.name}.`] : []),
    ...(minutesBefore !== null && minutesBefore < SHORT_WAY_MINUTES
      ? [`${minutesBefore} minutes between ${start} ${service} and what is before it.`]
      : []),
  ])
}

/** By the clock; past midnight it goes on. */
function minutesBetween(start: string, end: string): number {
  const minutes = (reading: string) => Number(reading.slice(0, 2)) * 60 + Number(reading.slice(3))
  return (minutes(end) - minutes(start) + 1440) % 1440
}
