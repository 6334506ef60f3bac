// Open times: business hours minus blocks minus bookings, as the reservation sees them.
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors/app-error.ts'
import { addDays, earliestToday } from '../../platform/clock/dates.ts'
import { idOrSlug } from '../../platform/schema/id-or-slug.ts'
import type { AvailabilityQuery, ServiceAvailabilityQuery } from './schemas.ts'
import { type TimesRow, findOpenSlots, findServiceSlots, findTimes } from './queries.ts'

export type { TimesRow as Times }

/** Bookings and availability reach this far ahead. */
export const MAX_DAYS_AHEAD = 365

/**
 * The open times of a pro from `date` on, as JSON text (Availability). Throws professional_not_found, and
 * validation_failed for a date that is past in every US time zone or more than 365 days ahead.
 */
export async function listOpenSlots(deps: Deps, pro: string, { date, days = 1 }: AvailabilityQuery): Promise<string> {
  if (date !== undefined) requireBookableDates(deps, date, days)
  const row = await findOpenSlots(deps.read, {
    ...idOrSlug(pro),
    firstDate: date ?? null,
    days,
    now: deps.clock.now(),
    baseUrl: deps.config.baseUrl,
  })
  if (!row) throw new AppError('professional_not_found', 'No pro has this id or slug.')
  return row.body
}

/** The slots of one date that fit a service, as JSON text (ServiceAvailability). Throws like {@link listOpenSlots}. */
export async function listServiceSlots(deps: Deps, query: ServiceAvailabilityQuery): Promise<string> {
  requireBookableDates(deps, query.date, 1)
  const row = await findServiceSlots(deps.read, { ...query, now: deps.clock.now(), baseUrl: deps.config.baseUrl })
  if (!row) throw new AppError('professional_not_found', 'No pro has this id.')
  if (row.body === null) throw new AppError('service_not_found', 'This pro does not offer the service.')
  return row.body
}

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
