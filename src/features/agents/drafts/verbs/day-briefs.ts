// A day's brief: bookings and jobs in order, with local times, addresses, what to bring, and gaps.
import { endingIn } from '../../../../platform/text/format.ts'
import type { Ctx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { runIdempotently } from '../../../../idempotency/verbs.ts'
import type { ActingPro } from '../../../quoting/rfqs/verbs/rfqs.ts'
import { type DayBrief, formatAddress } from '../schemas.ts'
import { insertPrepared } from '../queries/prepared-work.ts'
import { type StoredDay, findDay } from '../queries/pro-records.ts'

/** Less time than this between two stops causes a warning. */
const SHORT_TRAVEL_MINUTES = 15

/** The brief of a day; today in the pro's time zone by default. */
export const prepareDayBrief = (ctx: Ctx<ActingPro>, input: { date?: string | undefined }): Promise<DayBrief> =>
  runIdempotently(
    ctx,
    { accountId: ctx.actor.accountId, operation: 'prepareDayBrief', request: input },
    async (ctx) => {
      const { professionalId } = ctx.actor
      const now = ctx.clock.now()
      const day = await findDay(ctx, { professionalId, date: input.date ?? null, now })
      if (!day) throw new AppError('professional_not_found', 'The pro of this key does not exist any more.')
      const content = briefOf(day)
      await insertPrepared(ctx, { id: ctx.ids.uuid(), professionalId, kind: 'day_brief', day: day.date, content, now })
      return content
    },
  )

function briefOf({ stops, jobs, ...day }: StoredDay): DayBrief {
  return {
    ...day,
    stops: stops.map(stopOf),
    jobs: jobs.map(({ lineItems, address, ...job }) => ({
      ...job,
      address: formatAddress(address),
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
    address: formatAddress(stored.address),
    notes,
    bring: name === null ? [] : includes.length > 0 ? includes : [`For the package ${name}`],
    assignedTo,
  }
}

function warningsOf(stops: StoredDay['stops']): string[] {
  return stops.flatMap(({ start, status, address, customer, minutesBefore, service }) => [
    ...(status === 'pending' ? [`${start} ${service} is not confirmed yet.`] : []),
    ...(formatAddress(address) === null ? [`${start} ${service} has no address: ask ${endingIn(customer.name)}`] : []),
    ...(minutesBefore !== null && minutesBefore < SHORT_TRAVEL_MINUTES
      ? [`${minutesBefore} minutes between ${start} ${service} and the stop before it.`]
      : []),
  ])
}

/** An end before the start is on the next day. */
function minutesBetween(start: string, end: string): number {
  const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  return (minutes(end) - minutes(start) + 1440) % 1440
}
