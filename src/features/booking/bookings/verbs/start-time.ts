// The two forms in which callers give the start of a booking.
import { invalidField } from '../../../../errors/app-error.ts'
import { minuteOfDay } from '../../../../platform/clock/dates.ts'
import type { Start } from '../queries/bookings.ts'

export type { Start }

/** `HH:MM` of a date on the pro's clock. */
export const localStart = (date: string, time: string): Start => ({ date, minute: minuteOfDay(time) })

/** The instant. Throws validation_failed unless it is a whole minute. */
export function wholeMinute(field: string, instant: string): string {
  if (Date.parse(instant) % 60_000 !== 0 || !/T\d\d:\d\d(:00(\.0+)?)?(Z|[+-])/.test(instant))
    throw invalidField(field, 'must be a whole minute')
  return instant
}
