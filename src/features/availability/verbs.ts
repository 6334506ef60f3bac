// Open times: business hours minus blocks minus bookings, as the reservation sees them.
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors/app-error.ts'
import { addDays, earliestToday } from '../../platform/clock/dates.ts'
import { idOrSlug } from '../../platform/schema/id-or-slug.ts'
import type { AvailabilityQuery, Bookable, ServiceAvailabilityQuery } from './schemas.ts'
import { type BookingObstacle, type TimesRow, findOpenSlots, findServiceSlots, findTimes } from './queries.ts'

export type { TimesRow as Times }

/** Bookings and availability reach this far ahead. */
export const MAX_DAYS_AHEAD = 365

/**
 * The open times of a pro from `date` on, as JSON text (Availability): of a service, or without one in the pro's default
 * slots. Throws professional_not_found, service_not_found, and validation_failed for a date that is past in every US time
 * zone or more than 365 days ahead.
 */
export async function listOpenSlots(
  deps: Deps,
  pro: string,
  { date, days = 1, serviceId }: AvailabilityQuery,
): Promise<string> {
  if (date !== undefined) requireBookableDates(deps, date, days)
  const row = await findOpenSlots(deps.read, {
    ...idOrSlug(pro),
    serviceId: serviceId ?? null,
    firstDate: date ?? null,
    days,
    now: deps.clock.now(),
    baseUrl: deps.config.baseUrl,
  })
  if (!row) throw new AppError('professional_not_found', 'No pro has this id or slug.')
  if (serviceId !== undefined && !row.service) throw serviceNotFound()
  return withMembers(row.body, { service: row.service && { ...row.service, ...bookableOf(deps, row) } })
}

/** The slots of one date that fit a service, as JSON text (ServiceAvailability). Throws like {@link listOpenSlots}. */
export async function listServiceSlots(deps: Deps, query: ServiceAvailabilityQuery): Promise<string> {
  requireBookableDates(deps, query.date, 1)
  const row = await findServiceSlots(deps.read, { ...query, now: deps.clock.now(), baseUrl: deps.config.baseUrl })
  if (!row) throw new AppError('professional_not_found', 'No pro has this id.')
  if (row.body === null) throw serviceNotFound()
  return withMembers(row.body, bookableOf(deps, row))
}

const serviceNotFound = () => new AppError('service_not_found', 'This pro does not offer the service.')

/** A JSON object with more members. */
const withMembers = (json: string, members: object): string =>
  `${json.slice(0, -1)},${JSON.stringify(members).slice(1)}`

const OBSTACLES: Record<BookingObstacle, string> = {
  instant_booking_off: 'This pro does not take instant bookings for this service.',
  service_unpriced: 'This pro takes a deposit but has set no price for the service.',
  service_too_long: 'This service takes longer than the pro works in one stretch.',
}

/** Whether the service can be booked at once, and if not, why and what to do instead. */
const bookableOf = (
  { config }: Deps,
  { slug, obstacle }: { slug: string; obstacle: BookingObstacle | null },
): Bookable => ({
  bookable: obstacle === null,
  obstacle: obstacle && {
    reason: obstacle,
    detail: `${OBSTACLES[obstacle]} Ask for a quote with POST /api/v1/rfqs or at quoteUrl.`,
    quoteUrl: `${config.baseUrl}/pros/${slug}/quote`,
  },
})

export interface TimesQuery {
  professionalId: string
  minutes: number
  /** The first day; defaults to today in the pro's time zone. */
  from?: string | undefined
  days: number
  /** The booking being rescheduled: its current time counts as free. */
  exceptBookingId?: string | undefined
}

/** The slots of a given length with a pro, by day. Throws like {@link listOpenSlots}. */
export async function listTimes(deps: Deps, { from, exceptBookingId, ...query }: TimesQuery): Promise<TimesRow> {
  if (from !== undefined) requireBookableDates(deps, from, query.days)
  const times = await findTimes(deps.read, {
    ...query,
    firstDate: from ?? null,
    exceptBookingId: exceptBookingId ?? null,
    now: deps.clock.now(),
    baseUrl: deps.config.baseUrl,
  })
  if (!times) throw new AppError('professional_not_found', 'No pro has this id.')
  return times
}

function requireBookableDates({ clock }: Deps, date: string, days: number): void {
  const today = earliestToday(clock.now())
  if (date < today) throw invalidField('query.date', 'must not be in the past')
  if (addDays(date, days - 1) > addDays(today, MAX_DAYS_AHEAD))
    throw invalidField('query.date', `must not be more than ${MAX_DAYS_AHEAD} days ahead`)
}
