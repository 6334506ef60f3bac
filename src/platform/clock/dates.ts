// Days as `YYYY-MM-DD`, compared as text, and times of a day as `HH:MM`.
import { wallAt } from './zones.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** The day `days` after `date`. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** The same day of the month `months` after that of `date`, or the last day of a month that has no such day. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const length = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, length))).toISOString().slice(0, 10)
}

/** Today in UTC−12: a day before it is over everywhere on Earth. */
export const earliestToday = (now: Date): string => new Date(now.getTime() - 12 * HOUR_MS).toISOString().slice(0, 10)

/** The date of an instant on the calendar of a place, as `YYYY-MM-DD`. */
export const localDate = (instant: Date | string, zone: string): string => localIso(instant, zone).slice(0, 10)

/** The time of an instant on the clock of a place, as `HH:MM`. */
export const localClock = (instant: Date | string, zone: string): string => localIso(instant, zone).slice(11, 16)

const localIso = (instant: Date | string, zone: string): string =>
  new Date(wallAt(new Date(instant).getTime(), zone)).toISOString()

/** The minutes from midnight to a time of day. */
export function minuteOfDay(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** The minutes from now to an instant, rounded up; 0 once it is past. */
export const minutesLeft = (until: string, now: Date): number =>
  Math.max(0, Math.ceil((Date.parse(until) - now.getTime()) / 60_000))
