// Generated calendars with all kinds of recurrences.
import fc from 'fast-check'

import {
  type CalendarEvent,
  CalendarOracle,
  type Length,
  type Rule,
  WEEKDAY_NAMES,
  type WeekdayName,
  type Window,
} from './calendar-oracle.ts'
import { calendarText } from './calendar-text.ts'
import { type Minutes, midnight } from './clock-oracle.ts'
import { ZONES, zoneClock } from './schedule-arbitraries.ts'

export interface GeneratedCalendar {
  proZone: string
  events: CalendarEvent[]
  text: string
}

/** 400 days, as Hearth expands, in years on which all time zone data agrees. */
export const WINDOW: Window = { from: midnight('2020-09-01'), to: midnight('2020-09-01') + 400 * 1440 }

const subset = <T>(values: readonly T[], maxLength = 3) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength })
const numbers = (min: number, max: number) =>
  fc.uniqueArray(
    fc.integer({ min, max }).filter((n) => n !== 0),
    { minLength: 1, maxLength: 3 },
  )
/** Absent twice for every `often` times that it is present. */
const maybe = <T>(arbitrary: fc.Arbitrary<T>, often = 2): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: often, arbitrary })
const plainDays = subset(WEEKDAY_NAMES).map((names) => names.map((name) => ({ nth: 0, name })))
const nthDays = (most: number) =>
  fc.uniqueArray(
    fc.record({ nth: fc.integer({ min: -most, max: most }), name: fc.constantFrom<WeekdayName>(...WEEKDAY_NAMES) }),
    {
      minLength: 1,
      maxLength: 2,
      selector: ({ nth, name }) => `${nth}${name}`,
    },
  )

/** The parts of each kind of rule that may be combined. */
const parts: Record<Rule['freq'], fc.Arbitrary<Partial<Rule>>> = {
  HOURLY: fc.record({
    interval: fc.integer({ min: 5, max: 30 }),
    day: maybe(plainDays, 1),
    month: maybe(subset([1, 3, 5, 11]), 1),
  }),
  DAILY: fc.record({
    interval: fc.integer({ min: 1, max: 9 }),
    month: maybe(subset([1, 2, 3, 6, 10, 11]), 1),
    monthDay: maybe(numbers(-31, 31), 1),
    day: maybe(plainDays, 1),
  }),
  WEEKLY: fc.record({
    interval: fc.integer({ min: 1, max: 4 }),
    day: maybe(plainDays),
    month: maybe(subset([2, 3, 10, 11]), 1),
  }),
  MONTHLY: fc.oneof(
    fc.record({ interval: fc.integer({ min: 1, max: 5 }), monthDay: maybe(numbers(-31, 31)) }),
    fc.record({ interval: fc.integer({ min: 1, max: 3 }), day: nthDays(5), month: maybe(subset([1, 3, 4, 10]), 1) }),
    fc.record({ interval: fc.constant(1), day: plainDays, monthDay: numbers(-15, 15) }),
  ),
  YEARLY: fc.oneof(
    fc.record({ interval: fc.integer({ min: 1, max: 2 }), month: maybe(subset([1, 2, 3, 10, 11, 12])) }),
    fc.record({ interval: fc.constant(1), month: subset([2, 3, 6, 10, 11]), monthDay: numbers(-31, 31) }),
    // rrule-temporal 2.2.8 is wrong for yearly rules that mix weekdays with and without a number.
    fc.record({
      interval: fc.constant(1),
      month: maybe(subset([3, 10, 11])),
      day: nthDays(4).map((days) => days.map((it) => ({ ...it, nth: it.nth || 1 }))),
    }),
    fc.record({ interval: fc.constant(1), yearDay: numbers(-366, 366) }),
    fc.record({ interval: fc.constant(1), monthDay: numbers(1, 31) }),
    fc.record({ interval: fc.constant(1), weekNo: numbers(-50, 50), day: maybe(plainDays) }),
  ),
}

const rule = (isDate: boolean, window: Window): fc.Arbitrary<Rule> =>
  fc
    .constantFrom<Rule['freq']>(
      'DAILY',
      'WEEKLY',
      'WEEKLY',
      'MONTHLY',
      'MONTHLY',
      'YEARLY',
      ...(isDate ? [] : ['HOURLY' as const]),
    )
    .chain((freq) =>
      fc
        .record({
          parts: parts[freq],
          weekStart: fc.constantFrom<WeekdayName>('MO', 'MO', 'SU', 'WE'),
          hour: freq === 'HOURLY' || isDate ? fc.constant(undefined) : maybe(subset([0, 1, 2, 3, 9, 17]), 1),
          minute: freq === 'HOURLY' || isDate ? fc.constant(undefined) : maybe(subset([0, 15, 30]), 1),
          setPos: maybe(subset([1, 2, -1, -2], 2), 1),
          end: fc.oneof(
            fc.constant({}),
            fc.record({ count: fc.integer({ min: 1, max: 60 }) }),
            fc.record({ until: fc.integer({ min: window.from - 100 * 1440, max: window.to }) }),
          ),
        })
        .map(({ parts: chosen, setPos, end, ...rest }) => ({
          freq,
          ...rest,
          ...end,
          ...(setPos && freq !== 'HOURLY' && !chosen.weekNo ? { setPos } : {}),
          ...chosen,
          interval: chosen.interval ?? 1,
        })),
    )

const length = (isDate: boolean): fc.Arbitrary<Length> =>
  isDate
    ? fc.option(
        fc.record({
          kind: fc.constantFrom('end' as const, 'duration' as const),
          days: fc.integer({ min: 1, max: 4 }),
          minutes: fc.constant(0),
        }),
        { nil: undefined },
      )
    : fc.record({
        kind: fc.constantFrom('end' as const, 'duration' as const),
        days: fc.constantFrom(0, 0, 0, 1, 2),
        minutes: fc.constantFrom(15, 30, 60, 90, 240, 600),
      })

const free = fc.constantFrom(undefined, undefined, undefined, undefined, 'cancelled' as const, 'transparent' as const)

/** A reading within the window or up to 15 months before it, often in the hours when clocks change. */
const reading = (zone: string, window: Window): fc.Arbitrary<Minutes> => {
  const changes = zoneClock(zone).changes.filter(
    (date) => midnight(date) > window.from - 450 * 1440 && midnight(date) < window.to,
  )
  const anyDay = fc.integer({ min: window.from / 1440 - 450, max: window.to / 1440 - 1 }).map((day) => day * 1440)
  const nearChange =
    changes.length === 0
      ? anyDay
      : fc
          .tuple(fc.constantFrom(...changes), fc.integer({ min: -7, max: 1 }))
          .map(([date, n]) => midnight(date) + n * 1440)
  return fc
    .tuple(
      fc.oneof(anyDay, nearChange),
      fc.integer({ min: 0, max: 95 }).map((n) => n * 15),
    )
    .map(([day, minute]) => day + minute)
}

/** The event without the times that depend on its recurrence; `picks` choose those. */
const draft = (proZone: string, window: Window) =>
  fc.constantFrom('zoned', 'zoned', 'floating', 'utc', 'date').chain((kind) =>
    fc.constantFrom(...ZONES).chain((zone) => {
      const isDate = kind === 'date'
      const own = kind === 'zoned' ? zone : kind === 'utc' ? 'UTC' : undefined
      return fc.record({
        uid: fc.uuid(),
        zone: fc.constant(own),
        isDate: fc.constant(isDate),
        start: reading(own ?? proZone, window).map((at) => (isDate ? Math.floor(at / 1440) * 1440 : at)),
        length: length(isDate),
        rule: maybe(rule(isDate, window), 5),
        isFree: free,
        added: fc.array(
          reading(own ?? proZone, window).map((at) => (isDate ? Math.floor(at / 1440) * 1440 : at)),
          { maxLength: 2 },
        ),
        picks: fc.record({
          excluded: fc.array(fc.nat(), { maxLength: 3 }),
          overrides: fc.array(
            fc.record({ of: fc.nat(), shift: fc.integer({ min: -30, max: 30 }), length: length(isDate), isFree: free }),
            { maxLength: 2 },
          ),
        }),
      })
    }),
  )

type Draft = typeof draft extends (zone: string, window: Window) => fc.Arbitrary<infer T> ? T : never

function completed({ picks, ...event }: Draft, oracle: CalendarOracle): CalendarEvent {
  const bare: CalendarEvent = { ...event, added: event.rule ? event.added : [], excluded: [], overrides: [] }
  const times = oracle.times(bare).map((time) => time.reading)
  const pick = (n: number) => times[n % times.length] ?? bare.start
  const overrides = bare.rule
    ? picks.overrides.map(({ of, shift, ...rest }) => ({
        of: pick(of),
        start: pick(of) + shift * (bare.isDate ? 1440 : 45),
        ...rest,
      }))
    : []
  return {
    ...bare,
    excluded: bare.rule ? picks.excluded.map(pick) : [],
    overrides: overrides.filter(({ of }, i) => overrides.findIndex((other) => other.of === of) === i),
  }
}

/** Hours are counted from a start that exists. */
const startsInSkip = (event: CalendarEvent, oracle: CalendarOracle) =>
  event.rule?.freq === 'HOURLY' && oracle.clockOf(event).instantOf(event.start) === undefined

/** A calendar of a pro in `proZone`, with events within a window or up to 15 months before it. */
export const calendarIn = (proZone: string, window: Window, maxLength = 5): fc.Arbitrary<GeneratedCalendar> =>
  fc.array(draft(proZone, window), { minLength: 1, maxLength }).map((drafts) => {
    const oracle = new CalendarOracle(proZone, window)
    const events = drafts.map((event) => completed(event, oracle)).filter((event) => !startsInSkip(event, oracle))
    return { proZone, events, text: calendarText(events) }
  })

export const generatedCalendar = fc.constantFrom(...ZONES).chain((proZone) => calendarIn(proZone, WINDOW))
