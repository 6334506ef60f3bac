// Values as people read them: numbers, money, prices, dates, times, durations.
import { wallAt, zoneName } from '../clock/zones.ts'
import { moneyFormat } from './price.ts'

export { priceOf, shortMoney } from './price.ts'

const NUMBER = new Intl.NumberFormat('en-US')
const ROUGH_DOLLARS = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
})
const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const LONG_DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
const WEEKDAY = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' })
const DATE_TIME = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'UTC',
})
const EXACT_DATE_TIME = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

export const count = (value: number): string => NUMBER.format(value)

/** "1 key", "3 keys". */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

/** An amount in whole currency units. Without a currency they are dollars, of the United States or of Canada. */
export const money = (amount: number, currency = 'USD', digits = 2): string =>
  moneyFormat(currency, { maximumFractionDigits: digits }).format(amount)

/** "Jun 1, 2026", from an instant or a calendar date. */
export const day = (date: string): string => DAY.format(new Date(date))

/** "June 1, 2026". */
export const longDay = (date: string): string => LONG_DAY.format(new Date(date))

const AGO = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' })

/** "5 minutes ago", "yesterday"; the day if it is longer ago than a month. */
export function ago(instant: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - new Date(instant).getTime()) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return AGO.format(-minutes, 'minute')
  if (minutes < 24 * 60) return AGO.format(-Math.floor(minutes / 60), 'hour')
  const days = Math.floor(minutes / (24 * 60))
  return days > 30 ? day(instant) : AGO.format(-days, 'day')
}

/** "Monday, June 1". */
export const weekday = (date: string): string => WEEKDAY.format(new Date(date))

/** "2:15 PM", from "14:15". */
export function clockTime(time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return `${hours % 12 || 12}:${String(minutes).padStart(2, '0')} ${hours % 24 < 12 ? 'AM' : 'PM'}`
}

/** "Tuesday, June 2, 2:15 PM", where the zone is known from elsewhere. */
export const visitTime = (date: string, time: string): string => `${weekday(date)}, ${clockTime(time)}`

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** "Is required.", from "is required". */
export const asSentence = (text: string): string => `${capitalized(text).replace(/\.$/, '')}.`

/** A name at the end of a sentence, with a full stop: "Falcon Plumbing Co." brings its own. */
export const endingIn = (name: string): string => (/[.!?…]$/.test(name) ? name : `${name}.`)

const SHORT_DAY = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})
/** "Tue, Jun 2, 2:15 PM": the same where there is little room. */
export const shortVisitTime = (date: string, time: string): string =>
  `${SHORT_DAY.format(new Date(date))}, ${clockTime(time)}`

/** "Tuesday, June 2, 2026, 2:15 PM": the same where the year may be another one. */
export const datedVisitTime = (date: string, time: string): string =>
  `${weekday(date)}, ${date.slice(0, 4)}, ${clockTime(time)}`

/** An instant on the clock of a place. */
interface LocalTime {
  /** "Tuesday, June 2". */
  readonly day: string
  readonly year: string
  /** "2:15 PM". */
  readonly time: string
  /** "Central Time". */
  readonly zone: string
}

/** Day, time and zone of an instant, as people at the place write them. */
export function localTime(instant: string, timeZone: string): LocalTime {
  const wall = new Date(wallAt(Date.parse(instant), timeZone)).toISOString()
  return {
    day: weekday(wall),
    year: wall.slice(0, 4),
    time: clockTime(wall.slice(11, 16)),
    zone: zoneName(timeZone),
  }
}

/** "Tuesday, June 2, 2:15 PM Central Time": an instant as the people at the visit see it. */
export function localDateTime(instant: string, timeZone: string): string {
  const { day: date, time, zone } = localTime(instant, timeZone)
  return `${date}, ${time} ${zone}`
}

/** "2:15 to 3:45 PM", "11:30 AM to 1:00 PM": the time of day between two instants of one place. */
export function timeSpan(startsAt: string, endsAt: string, timeZone: string): string {
  const start = localTime(startsAt, timeZone).time
  const end = localTime(endsAt, timeZone).time
  return `${start.slice(-2) === end.slice(-2) ? start.slice(0, -3) : start} to ${end}`
}

const SHORT_TIME = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'UTC',
})

/** "Tue, Jun 2, 2:15 – 3:45 PM": the time between two instants of one place, with both days if they differ. */
export const shortSpan = (startsAt: string, endsAt: string, timeZone: string): string =>
  SHORT_TIME.formatRange(wallAt(Date.parse(startsAt), timeZone), wallAt(Date.parse(endsAt), timeZone))

/** "Jun 1, 2026, 12:00 UTC", from an instant. */
export const dateTimeText = (instant: string): string => `${DATE_TIME.format(new Date(instant))} UTC`

/** "Jun 1, 2026, 12:00:05 UTC", from an instant. */
export const exactDateTimeText = (instant: string): string => `${EXACT_DATE_TIME.format(new Date(instant))} UTC`

/** "45 minutes", "2 hours", "1 hour 30 minutes". */
export function duration(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 && plural(hours, 'hour'), rest > 0 && plural(rest, 'minute')].filter(Boolean).join(' ')
}

/** Dollars to two or three digits, for sums of very many: $3.6M. */
export const roughMoney = (dollars: number): string => ROUGH_DOLLARS.format(dollars)
