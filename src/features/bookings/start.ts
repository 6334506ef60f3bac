// When a booking starts, as requests say it.
import { invalidField } from '../../errors/app-error.ts'

/** When a booking starts: minutes past midnight of a date on the pro's clock, or an instant. */
export type Start = { date: string; minute: number } | { instant: string }

/** `HH:MM` of a date on the pro's clock. */
export function localStart(date: string, time: string): Start {
  const [hours, minutes] = time.split(':').map(Number)
  return { date, minute: (hours ?? 0) * 60 + (minutes ?? 0) }
}

/** The instant, if it is a whole minute; throws validation_failed otherwise. */
export function wholeMinute(field: string, instant: string): string {
  if (Date.parse(instant) % 60_000 !== 0 || !/T\d\d:\d\d(:00(\.0+)?)?(Z|[+-])/.test(instant))
    throw invalidField(field, 'must be a whole minute')
  return instant
}
