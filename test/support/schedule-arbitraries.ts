// Random schedules around changes of daylight saving time, for property tests.
import fc from 'fast-check'

import { type Minutes, WallClock, addDays, clockText, dateOf, iso, midnight } from './clock-oracle.ts'
import { type BookingTime, type BusinessHours, WEEKDAYS } from './schedule.ts'
import type { Situation } from './slot-oracle.ts'

/** Zones with half-hour, quarter-hour, midnight and no changes, north and south. Apia once skipped a whole day. */
export const ZONES = [
  'Africa/Casablanca',
  'America/Havana',
  'America/New_York',
  'America/Phoenix',
  'America/Santiago',
  'America/Sao_Paulo',
  'America/St_Johns',
  'Antarctica/Troll',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Atlantic/Azores',
  'Australia/Lord_Howe',
  'Europe/London',
  'Pacific/Apia',
  'Pacific/Auckland',
  'Pacific/Chatham',
]

/** A schedule and the dates, times and durations to check. */
export interface Case extends Situation {
  firstDate: string
  days: number
  /** The duration of the service. */
  serviceMinutes: number
  /** Further starts to check besides the slots: in local time, and as instants. */
  tries: { day: number; minute: number; minutes: number }[]
  instants: { startsAt: string; minutes: number }[]
}

const clocks = new Map<string, { clock: WallClock; changes: string[] }>()

/** The clock of a zone, and its change dates in years on which all time zone data agrees. */
export function zoneClock(zone: string): { clock: WallClock; changes: string[] } {
  const cached = clocks.get(zone)
  if (cached) return cached
  const clock = new WallClock(zone)
  const changes = [...clock.changes('2011-12-20', '2012-01-10'), ...clock.changes('2017-01-01', '2022-12-01')]
  clocks.set(zone, { clock, changes })
  return { clock, changes }
}

const step5 = (min: number, max: number) => fc.integer({ min: min / 5, max: max / 5 }).map((n) => n * 5)
const slotMinutes = fc.oneof(fc.constantFrom(15, 30, 45, 60, 90, 120), step5(15, 720))

/** Up to 4 intervals in order that may touch, often at the hours when clocks change. */
const dayHours = fc
  .uniqueArray(
    fc.oneof(
      fc.constantFrom(0, 1440),
      fc.integer({ min: 0, max: 16 }).map((n) => n * 15),
      fc.integer({ min: 0, max: 1440 }),
      fc.integer({ min: 0, max: 24 }).map((n) => n * 60),
    ),
    { maxLength: 8 },
  )
  .chain((marks) => {
    const sorted = [...marks].sort((a, b) => a - b)
    return fc.boolean().map((touching) => {
      const hours = []
      for (let i = 0; i + 1 < sorted.length && hours.length < 4; i += touching ? 1 : 2)
        hours.push({ start: clockText(sorted[i] ?? 0), end: clockText(sorted[i + 1] ?? 0) })
      return hours
    })
  })

export const businessHours: fc.Arbitrary<BusinessHours> = fc
  .tuple(fc.array(dayHours, { minLength: 1, maxLength: 7 }), fc.nat(6))
  .map(([patterns, shift]) =>
    Object.fromEntries(WEEKDAYS.map((day, i) => [day, patterns[(i + shift) % patterns.length] ?? []])),
  )

/** Bookings in sequence. Only those that hold no time may overlap others. */
const bookings = (from: Minutes): fc.Arbitrary<BookingTime[]> =>
  fc
    .array(
      fc.record({
        gap: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 900 })),
        durationMinutes: slotMinutes,
        bufferMinutes: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 240 })),
        status: fc.constantFrom<BookingTime['status']>(
          'pending',
          'confirmed',
          'confirmed',
          'completed',
          'no_show',
          'cancelled',
        ),
      }),
      { maxLength: 8 },
    )
    .map((gaps) => {
      let at = from
      return gaps.map(({ gap, ...booking }) => {
        at += gap
        const startsAt = iso(at)
        if (booking.status === 'pending' || booking.status === 'confirmed')
          at += booking.durationMinutes + booking.bufferMinutes
        return { ...booking, startsAt }
      })
    })

const blocks = (from: Minutes, length: number) =>
  fc.array(
    fc
      .tuple(fc.integer({ min: -2000, max: length }), fc.oneof(step5(5, 600), fc.integer({ min: 1, max: 4000 })))
      .map(([start, minutes]) => ({ from: iso(from + start), to: iso(from + start + minutes) })),
    { maxLength: 3 },
  )

/** A zone and a first date, mostly within two days of a clock change. */
const place = fc.constantFrom(...ZONES).chain((timeZone) => {
  const { changes } = zoneClock(timeZone)
  const anyDate = fc
    .integer({ min: midnight('2017-01-01') / 1440, max: midnight('2022-11-01') / 1440 })
    .map((n) => dateOf(n * 1440))
  const nearChange = fc
    .tuple(fc.constantFrom(...(changes.length ? changes : ['2020-02-28'])), fc.integer({ min: -2, max: 0 }))
    .map(([date, shift]) => addDays(date, shift))
  return fc
    .oneof({ weight: 5, arbitrary: nearChange }, { weight: 1, arbitrary: anyDate })
    .map((firstDate) => ({ timeZone, firstDate }))
})

/** A current time between three days before the first date and its end, often where a lead time ends as a slot begins. */
const nowBefore = (date: string) =>
  fc
    .oneof(
      fc.tuple(
        fc.integer({ min: -288, max: 96 }).map((n) => n * 15),
        fc.constant(0),
      ),
      fc.tuple(fc.integer({ min: -3 * 1440, max: 1440 }), fc.constantFrom(1, 30_000, 59_999)),
    )
    .map(([minutes, ms]) => new Date((midnight(date) + minutes) * 60_000 + ms).toISOString())

export const scheduleCase: fc.Arbitrary<Case> = fc
  .tuple(place, fc.integer({ min: 1, max: 4 }))
  .chain(([{ timeZone, firstDate }, days]) => {
    const from = midnight(firstDate) - 15 * 60
    const length = (days + 1) * 1440
    return fc.record({
      timeZone: fc.constant(timeZone),
      firstDate: fc.constant(firstDate),
      days: fc.constant(days),
      businessHours,
      leadTimeHours: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 48 }), fc.integer({ min: 0, max: 720 })),
      bufferMinutes: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 240 })),
      defaultSlotMinutes: slotMinutes,
      serviceMinutes: slotMinutes,
      now: nowBefore(firstDate),
      bookings: bookings(from),
      blocks: blocks(from, length),
      tries: fc.array(
        fc.record({ day: fc.nat(days - 1), minute: fc.oneof(fc.nat(1439), fc.nat(240)), minutes: slotMinutes }),
        { minLength: 4, maxLength: 12 },
      ),
      instants: fc.array(
        fc.record({ startsAt: fc.nat(length).map((minute) => iso(from + minute)), minutes: slotMinutes }),
        { minLength: 2, maxLength: 6 },
      ),
    })
  })
