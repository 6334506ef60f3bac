// What can be booked at once, on which days, and what people read where it cannot. The database decides it for lists, search and
// reservations alike: `booking_obstacle` in sql/functions/bookable.sql, and the days in sql/functions/reserve_slot.sql.
import { AppError, invalidField } from '../../../../errors/app-error.ts'
import { addDays, earliestToday } from '../../../../platform/clock/dates.ts'
import { weekday } from '../../../../platform/text/format.ts'

/** Bookings and availability reach this far ahead. */
export const MAX_DAYS_AHEAD = 365

/** Why a service or package cannot be booked at once. The last one is of this server, not of the pro. */
export const OBSTACLES = [
  'instant_booking_disabled',
  'service_unpriced',
  'service_too_long',
  'payments_not_configured',
] as const
export type Obstacle = (typeof OBSTACLES)[number]

/** The obstacles that `booking_obstacle` returns. */
export type ProObstacle = Exclude<Obstacle, 'payments_not_configured'>

/** Why an offer cannot be booked at once, null if it can: what costs something needs a server that takes payments. */
export const obstacleOf = (
  ofPro: ProObstacle | null,
  { dueNow, canPay }: { dueNow: number; canPay: boolean },
): Obstacle | null => ofPro ?? (dueNow > 0 && !canPay ? 'payments_not_configured' : null)

const OBSTACLE_TEXTS: Record<Obstacle, string> = {
  payments_not_configured:
    'This cannot be booked online here, because it costs a fee or deposit that cannot be paid here.',
  instant_booking_disabled: 'This pro does not take instant bookings for this service.',
  service_unpriced: 'This pro takes a deposit but has set no price for the service.',
  service_too_long: 'This service takes longer than the pro works in one stretch.',
}

/** The obstacle in a list of times, for people. */
export const obstacleText = (obstacle: Obstacle): string => `${OBSTACLE_TEXTS[obstacle]} Ask for a quote instead.`

/** What a reservation answers, for clients of the API. */
export const OBSTACLE_REFUSALS: Record<ProObstacle, string> = {
  instant_booking_disabled:
    'This pro does not take instant bookings for this service. Ask for a quote with POST /api/v1/rfqs.',
  service_unpriced:
    'This pro takes a deposit but has set no price for the service. Ask for a quote with POST /api/v1/rfqs.',
  service_too_long: 'This takes longer than the pro works in one stretch. Ask for a quote with POST /api/v1/rfqs.',
}

/** validation_failed for a day that cannot be booked; `field` names it. */
export const dateOutOfRange = (field: string): AppError =>
  invalidField(field, `must be from today to ${MAX_DAYS_AHEAD} days ahead on the pro’s calendar`)

/**
 * Throws validation_failed for dates (`YYYY-MM-DD`) that are past everywhere on Earth or more than {@link MAX_DAYS_AHEAD} days
 * ahead. It names today, which models that know no calendar guess wrong.
 */
export function requireComingDates(
  now: Date,
  field: string,
  { first, last = first }: { first: string; last?: string },
) {
  const today = earliestToday(now)
  const isoNow = now.toISOString()
  if (first < today)
    throw invalidField(field, `must not be in the past: today is ${weekday(isoNow)}, ${isoNow.slice(0, 4)}`)
  if (last > addDays(today, MAX_DAYS_AHEAD))
    throw invalidField(field, `must not be more than ${MAX_DAYS_AHEAD} days ahead`)
}

/** slot_unavailable with the next open time, if it is known. */
export const slotUnavailable = (nextAvailable: unknown, { replayed = false } = {}): AppError =>
  new AppError('slot_unavailable', 'The pro is not available at this time. Choose another time.', {
    extensions: { nextAvailable },
    replayed,
  })
