// Open times: business hours minus blocks minus bookings, as the reservation sees them.
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors.ts'
import { addDays, earliestToday } from '../../platform/dates.ts'
import { idOrSlug } from '../pros/identifier.ts'
import type { AvailabilityQuery, ServiceAvailabilityQuery } from './model.ts'
import { findOpenSlots, findServiceSlots } from './queries.ts'

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

function checkDates({ clock }: Deps, date: string, days: number): void {
  const today = earliestToday(clock.now())
  if (date < today) throw invalidField('query.date', 'must not be in the past')
  if (addDays(date, days - 1) > addDays(today, MAX_DAYS_AHEAD))
    throw invalidField('query.date', `must not reach over ${MAX_DAYS_AHEAD} days ahead`)
}
