// Open times: business hours minus blocks minus bookings, as the reservation sees them.
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors/app-error.ts'
import { addDays, earliestToday } from '../../platform/clock/dates.ts'
import { idOrSlug } from '../../platform/schema/id-or-slug.ts'
import type { AvailabilityQuery, ServiceAvailabilityQuery } from './schemas.ts'
import { type TimesRow, findOpenSlots, findServiceSlots, findTimes } from './queries.ts'

export type { TimesRow as Times }

/** Bookings and lists look this far ahead. */
export const MAX_DAYS_AHEAD = 365

/**
 * The open times of a pro as JSON text (Availability), from `date` on. Throws professional_not_found, and
 * validation_failed for a date that is past everywhere or over 365 days ahead.
 */
export async function listOpenSlots(deps: Deps, pro: string, { date, days = 1 }: AvailabilityQuery): Promise<string> {
  if (date !== undefined) checkDates(deps, date, days)
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

/** The times of one date that fit a service, as JSON text (ServiceAvailability). Throws like {@link listOpenSlots}. */
export async function listServiceSlots(deps: Deps, query: ServiceAvailabilityQuery): Promise<string> {
  checkDates(deps, query.date, 1)
  const row = await findServiceSlots(deps.read, { ...query, now: deps.clock.now(), baseUrl: deps.config.baseUrl })
  if (!row) throw new AppError('professional_not_found', 'No pro has this id.')
  if (row.body === null) throw new AppError('service_not_found', 'This pro does not offer the service.')
  return row.body
}

/** What times are looked for. */
export interface TimesWanted {
  professionalId: string
  /** How long it takes. */
  minutes: number
  /** The first day; today where the pro is unless given. */
  from?: string | undefined
  days: number
  /** A booking that would move there: its own time counts as free. */
  exceptBookingId?: string | undefined
}

/** The times of a length with a pro, by day. Throws like {@link listOpenSlots}. */
export async function listTimes(deps: Deps, { from, exceptBookingId, ...wanted }: TimesWanted): Promise<TimesRow> {
  if (from !== undefined) checkDates(deps, from, wanted.days)
  const times = await findTimes(deps.read, {
    ...wanted,
    firstDate: from ?? null,
    exceptBookingId: exceptBookingId ?? null,
    now: deps.clock.now(),
    baseUrl: deps.config.baseUrl,
  })
  if (!times) throw new AppError('professional_not_found', 'No pro has this id.')
  return times
}

function checkDates({ clock }: Deps, date: string, days: number): void {
  const today = earliestToday(clock.now())
  if (date < today) throw invalidField('query.date', 'must not be in the past')
  if (addDays(date, days - 1) > addDays(today, MAX_DAYS_AHEAD))
    throw invalidField('query.date', `must not reach over ${MAX_DAYS_AHEAD} days ahead`)
}
