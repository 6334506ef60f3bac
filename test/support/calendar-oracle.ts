// The busy time of generated calendars, computed day by day from their description: an oracle for platform/ics. It knows neither
// the file format nor the libraries.
import type { Minutes } from './clock-oracle.ts'
import { zoneClock } from './schedule-arbitraries.ts'

const DAY = 1440
export const WEEKDAY_NAMES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const
export type WeekdayName = (typeof WEEKDAY_NAMES)[number]

export interface Rule {
  freq: 'YEARLY' | 'MONTHLY' | 'WEEKLY' | 'DAILY' | 'HOURLY'
  interval: number
  count?: number
  /** A reading of the event's clock, inclusive. */
  until?: Minutes
  month?: number[]
  weekNo?: number[]
  yearDay?: number[]
  monthDay?: number[]
  day?: { nth: number; name: WeekdayName }[]
  hour?: number[]
  minute?: number[]
  setPos?: number[]
  weekStart: WeekdayName
}

/** An end gives an exact length, a duration a nominal one. Days are for dates and durations. */
export type Length = { kind: 'end' | 'duration'; days: number; minutes: number } | undefined

export interface CalendarEvent {
  uid: string
  /** The zone of its times; undefined for floating times and dates. */
  zone: string | undefined
  isDate: boolean
  /** Readings of the event's clock, like all times of an event. */
  start: Minutes
  length: Length
  rule?: Rule | undefined
  added: Minutes[]
  excluded: Minutes[]
  overrides: { of: Minutes; start: Minutes; length: Length; isFree: 'cancelled' | 'transparent' | undefined }[]
  isFree: 'cancelled' | 'transparent' | undefined
}

export interface Window {
  from: Minutes
  to: Minutes
}

const weekdayOf = (reading: Minutes) => new Date(reading * 60_000).getUTCDay()
const partsOf = (reading: Minutes): [year: number, month: number, day: number] => {
  const at = new Date(reading * 60_000)
  return [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()]
}
const firstOf = (year: number, month = 1) => Date.UTC(year, month - 1) / 60_000
const nameOf = (reading: Minutes) => WEEKDAY_NAMES[weekdayOf(reading)] ?? 'SU'

/** The start of the week of a day. */
const weekOf = (reading: Minutes, start: WeekdayName) =>
  Math.floor(reading / DAY) * DAY - ((weekdayOf(reading) - WEEKDAY_NAMES.indexOf(start) + 7) % 7) * DAY

/** Week 1 is the first with four days in the year. Returns the number counted from the start and from the end of its year. */
function weekNumbers(reading: Minutes, start: WeekdayName): [number, number] {
  const week = weekOf(reading, start)
  const [year] = partsOf(week + 3 * DAY)
  const firstWeek = (y: number) => weekOf(firstOf(y) + 3 * DAY, start)
  const weeks = (firstWeek(year + 1) - firstWeek(year)) / DAY / 7
  const number = (week - firstWeek(year)) / DAY / 7 + 1
  return [number, number - weeks - 1]
}

/** Whether the day is the nth such weekday of [from, to), from the start or from the end. */
function isNth(day: Minutes, nth: number, from: Minutes, to: Minutes): boolean {
  if (nth > 0) return Math.floor((day - from) / DAY / 7) === nth - 1
  return nth === 0 || Math.floor((to - DAY - day) / DAY / 7) === -nth - 1
}

function matchesDay(rule: Rule, start: Minutes, day: Minutes): boolean {
  const [year, month, date] = partsOf(day)
  const [, startMonth, startDate] = partsOf(start)
  const monthEnd = month === 12 ? firstOf(year + 1) : firstOf(year, month + 1)
  const days = (monthEnd - firstOf(year, month)) / DAY
  const yearDay = (Math.floor(day / DAY) * DAY - firstOf(year)) / DAY + 1
  const yearDays = (firstOf(year + 1) - firstOf(year)) / DAY
  if (rule.month && !rule.month.includes(month)) return false
  if (rule.weekNo && !weekNumbers(day, rule.weekStart).some((number) => rule.weekNo?.includes(number))) return false
  if (rule.yearDay && !rule.yearDay.some((n) => n === yearDay || n === yearDay - yearDays - 1)) return false
  if (rule.monthDay && !rule.monthDay.some((n) => n === date || n === date - days - 1)) return false
  if (rule.day) {
    const isByMonth = rule.freq === 'MONTHLY' || rule.month !== undefined
    const [from, to] = isByMonth ? [firstOf(year, month), monthEnd] : [firstOf(year), firstOf(year + 1)]
    if (!rule.day.some(({ nth, name }) => name === nameOf(day) && isNth(day, nth, from, to))) return false
  }
  const saysDay = rule.day ?? rule.monthDay ?? rule.yearDay
  if (rule.freq === 'YEARLY' && !saysDay) {
    if (rule.weekNo) return nameOf(day) === nameOf(start)
    return date === startDate && (rule.month !== undefined || month === startMonth)
  }
  if (rule.freq === 'MONTHLY' && !saysDay) return date === startDate
  if (rule.freq === 'WEEKLY' && !saysDay) return nameOf(day) === nameOf(start)
  return true
}

/** The number of the period of a day, counted from that of the start. */
function periodOf(rule: Rule, start: Minutes, day: Minutes): number {
  const [[year, month], [startYear, startMonth]] = [partsOf(day), partsOf(start)]
  if (rule.freq === 'YEARLY') return year - startYear
  if (rule.freq === 'MONTHLY') return (year - startYear) * 12 + month - startMonth
  if (rule.freq === 'WEEKLY') return (weekOf(day, rule.weekStart) - weekOf(start, rule.weekStart)) / DAY / 7
  return Math.floor(day / DAY) - Math.floor(start / DAY)
}

/** A time of an event: its reading, and its instant if it exists. */
interface Time {
  reading: Minutes
  instant: Minutes
}

export class CalendarOracle {
  /** `proZone` is the zone of floating times and dates. */
  constructor(
    readonly proZone: string,
    readonly window: Window,
  ) {}

  clockOf(event: CalendarEvent) {
    return zoneClock(event.zone ?? this.proZone).clock
  }

  /** The instant of a reading, if the clock shows it. */
  #exact(event: CalendarEvent, reading: Minutes): Minutes | undefined {
    const clock = this.clockOf(event)
    const day = Math.floor(reading / DAY) * DAY
    const [before, after] = [clock.offset(day - DAY), clock.offset(day + 2 * DAY)]
    // The search for the instant is slow, and needed near changes only.
    return before === after ? reading - before : clock.instantOf(reading)
  }

  /** The instant of a reading; a skipped one counts by the offset before the skip. */
  #instant(event: CalendarEvent, reading: Minutes): Minutes {
    const clock = this.clockOf(event)
    const exact = this.#exact(event, reading)
    if (exact !== undefined) return exact
    const skip = clock.firstInstantFrom(reading)
    return reading - clock.offset(skip - 1)
  }

  /** The times of the rule and the start, in order, without exceptions. */
  times(event: CalendarEvent): Time[] {
    const { rule, start } = event
    const first = { reading: start, instant: this.#instant(event, start) }
    if (!rule) return [first]
    const clock = this.clockOf(event)
    const rest: Time[] = []
    const keep = (candidates: Minutes[]) => {
      const set = candidates.flatMap((reading) => {
        const instant = event.isDate ? this.#instant(event, reading) : this.#exact(event, reading)
        return instant === undefined ? [] : [{ reading, instant }]
      })
      const chosen = rule.setPos
        ? set.filter((_, i) => rule.setPos?.some((n) => n === i + 1 || n === i - set.length))
        : set
      rest.push(...chosen.filter(({ reading }) => reading > start))
    }
    if (rule.freq === 'HOURLY') {
      for (let instant = first.instant + rule.interval * 60; instant < this.window.to; instant += rule.interval * 60) {
        const reading = clock.read(instant)
        const isHour = !rule.hour || rule.hour.includes(Math.floor((reading % DAY) / 60))
        if (isHour && matchesDay(rule, start, reading)) rest.push({ reading, instant })
      }
    } else {
      const timesOfDay = event.isDate
        ? [0]
        : (rule.hour ?? [Math.floor((start % DAY) / 60)]).flatMap((hour) =>
            (rule.minute ?? [start % 60]).map((minute) => hour * 60 + minute),
          )
      timesOfDay.sort((a, b) => a - b)
      let period = 0
      let candidates: Minutes[] = []
      // The period of the start may begin before it: BYSETPOS counts from its beginning.
      for (let day = Math.floor(start / DAY) * DAY - 366 * DAY; day < this.window.to + 400 * DAY; day += DAY) {
        const next = periodOf(rule, start, day)
        if (next !== period) {
          keep(candidates)
          candidates = []
          period = next
        }
        if (next < 0 || next % rule.interval !== 0 || !matchesDay(rule, start, day)) continue
        candidates.push(...timesOfDay.map((minute) => day + minute))
      }
    }
    const until = rule.until
    return [first, ...rest.filter(({ reading }) => until === undefined || reading <= until)].slice(0, rule.count)
  }

  #end(event: CalendarEvent, { reading, instant }: Time, from: Time, length: Length): Minutes {
    if (event.isDate) return this.#instant(event, reading + Math.max(length?.days ?? 1, 1) * DAY)
    if (!length) return instant
    if (length.kind === 'duration')
      return (length.days ? this.#instant(event, reading + length.days * DAY) : instant) + length.minutes
    return instant + this.#instant(event, from.reading + length.days * DAY + length.minutes) - from.instant
  }

  /** All blocked minutes of a calendar, merged. */
  busy(events: readonly CalendarEvent[]): [Minutes, Minutes][] {
    const spans: [Minutes, Minutes][] = []
    for (const event of events) {
      const first = { reading: event.start, instant: this.#instant(event, event.start) }
      const added = event.added.map((reading) => ({ reading, instant: this.#instant(event, reading) }))
      const left = new Set(
        [...event.excluded, ...event.overrides.map(({ of }) => of)].map((reading) => this.#instant(event, reading)),
      )
      if (!event.isFree)
        for (const time of [...this.times(event), ...added])
          if (!left.has(time.instant)) spans.push([time.instant, this.#end(event, time, first, event.length)])
      for (const { start, length, isFree } of event.overrides) {
        const time = { reading: start, instant: this.#instant(event, start) }
        if (!isFree) spans.push([time.instant, this.#end(event, time, time, length)])
      }
    }
    return mergeSpans(spans, this.window)
  }
}

export function mergeSpans(
  spans: readonly (readonly [Minutes, Minutes])[],
  { from, to }: Window,
): [Minutes, Minutes][] {
  const merged: [Minutes, Minutes][] = []
  for (const [start, end] of spans
    .map(([a, b]) => [Math.max(a, from), Math.min(b, to)] as const)
    .toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (start >= end) continue
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else merged.push([start, end])
  }
  return merged
}
