// The times of one event: its recurrence, exceptions and overridden times.
import ICAL from 'ical.js'

import { type Wall, expandRule, wallOf } from './recurrence.ts'
import { UTC, type Zone, lastUntil } from './zones.ts'

/** A time from `start` to `end`, in milliseconds since 1970. */
export interface Span {
  start: number
  end: number
}

/** A time as an event gives it: a date, or a local time of a zone. */
export interface Moment {
  wall: Wall
  isDate: boolean
  zone: Zone
  instant: number
}

export interface EventTimes {
  uid: string
  sequence: number
  start: Moment
  /** The end of an instance that starts at a time. */
  endOf: (start: { wall: Wall; instant: number }) => number
  blocks: boolean
  rules: ICAL.Recur[]
  /** Additional instances; a period has its own end. */
  dates: { start: Moment; end?: Moment }[]
  exceptions: Moment[]
  /** The instance of the series that this event replaces, or from which on it replaces all. */
  replaces: (Moment & { andFuture: boolean }) | undefined
}

export type ReadMoment = (time: ICAL.Time, tzid: string | undefined) => Moment

/** Dates and floating times are in the zone `floating`. */
export const momentReader =
  (zoneOf: (tzid: string) => Zone, floating: Zone): ReadMoment =>
  (time, tzid) => {
    const { isDate } = time
    const isUtc = !isDate && time.zone === ICAL.Timezone.utcTimezone
    const zone = isUtc ? UTC : isDate || tzid === undefined ? floating : zoneOf(tzid)
    const wall = wallOf(time)
    return { wall, isDate, zone, instant: zone.instantOf(wall) }
  }

const DAY_MS = 86_400_000
const dayOf = ({ wall }: { wall: Wall }) => Math.floor(wall / DAY_MS)

/** Throws for an event without a UID or a start, or with a value that cannot be read. */
export function readEvent(component: ICAL.Component, read: ReadMoment): EventTimes {
  const momentsOf = (property: ICAL.Property) =>
    (property.getValues() as ICAL.Time[]).map((time) => read(time, property.getFirstParameter('tzid')))
  const moment = (name: string): Moment | undefined => {
    const property = component.getFirstProperty(name)
    return property ? momentsOf(property)[0] : undefined
  }
  const text = (name: string) => String(component.getFirstPropertyValue(name) ?? '').toUpperCase()
  const start = moment('dtstart')
  if (!start) throw new Error('The event has no start.')
  const recurrenceId = component.getFirstProperty('recurrence-id')
  const replaced = moment('recurrence-id')
  return {
    uid: String(component.getFirstPropertyValue('uid') ?? crypto.randomUUID()),
    sequence: Number(component.getFirstPropertyValue('sequence') ?? 0),
    start,
    endOf: lengthOf(start, moment('dtend'), component.getFirstPropertyValue('duration') as ICAL.Duration | null),
    blocks:
      text('status') !== 'CANCELLED' &&
      text('transp') !== 'TRANSPARENT' &&
      text('x-microsoft-cdo-busystatus') !== 'FREE',
    rules: component.getAllProperties('rrule').map((property) => property.getFirstValue() as ICAL.Recur),
    dates: component.getAllProperties('rdate').flatMap((property) =>
      (property.getValues() as (ICAL.Time | ICAL.Period)[]).map((value) => {
        const tzid = property.getFirstParameter('tzid')
        return value instanceof ICAL.Period
          ? { start: read(value.start, tzid), end: read(value.getEnd(), tzid) }
          : { start: read(value, tzid) }
      }),
    ),
    exceptions: component.getAllProperties('exdate').flatMap(momentsOf),
    replaces: replaced && {
      ...replaced,
      andFuture: recurrenceId?.getFirstParameter('range')?.toUpperCase() === 'THISANDFUTURE',
    },
  }
}

/**
 * An end gives all instances of a series the same exact length, a duration the same nominal one: its days are days of the
 * calendar (RFC 5545 §3.8.5.3). A date without an end is a whole day; a time without an end takes no time.
 */
function lengthOf(start: Moment, end: Moment | undefined, duration: ICAL.Duration | null): EventTimes['endOf'] {
  const afterDays = (from: Wall, days: number) => start.zone.instantOf(from + days * DAY_MS)
  if (start.isDate) {
    const days = end ? dayOf(end) - dayOf(start) : duration ? Math.ceil(duration.toSeconds() / 86_400) : 1
    return ({ wall }) => afterDays(wall, Math.max(days, 1))
  }
  if (end) return ({ instant }) => instant + end.instant - start.instant
  if (!duration || duration.isNegative) return ({ instant }) => instant
  const days = duration.weeks * 7 + duration.days
  const ms = ((duration.hours * 60 + duration.minutes) * 60 + duration.seconds) * 1000
  return ({ wall, instant }) => (days === 0 ? instant : afterDays(wall, days)) + ms
}

type Replacement = EventTimes & { replaces: NonNullable<EventTimes['replaces']> }

/** The events of one UID that count, and what they replace in one another. */
export interface Series {
  events: readonly EventTimes[]
  isReplaced: ReturnType<typeof exclusions>
  /** Those that replace all instances from theirs on, in order. */
  futures: readonly Replacement[]
}

/** Of two events for the same instance the one with the higher sequence counts, or the later one in the file. */
export function openSeries(events: readonly EventTimes[]): Series {
  const latest = new Map<number, Replacement>()
  for (const event of events) {
    const { replaces } = event
    const other = replaces && latest.get(replaces.instant)
    if (replaces && (!other || event.sequence >= other.sequence)) latest.set(replaces.instant, { ...event, replaces })
  }
  const replacing = [...latest.values()]
  return {
    events: [...events.filter(({ replaces }) => !replaces), ...replacing],
    isReplaced: exclusions(replacing.map(({ replaces }) => replaces)),
    futures: replacing
      .filter(({ replaces }) => replaces.andFuture)
      .sort((a, b) => a.replaces.instant - b.replaces.instant),
  }
}

/** The times within a span that an event of a series blocks. */
export function timesOfEvent(event: EventTimes, { isReplaced, futures }: Series, within: Span): Span[] {
  if (event.replaces) return event.blocks ? [{ start: event.start.instant, end: event.endOf(event.start) }] : []
  const isLeftOut = exclusions(event.exceptions)
  return instancesOf(event, within).flatMap((instance) => {
    if (isLeftOut(instance, event) || isReplaced(instance, event)) return []
    const future = lastUntil(futures, ({ replaces }) => replaces.instant, instance.instant)
    if (!future) return event.blocks ? [{ start: instance.instant, end: instance.end }] : []
    if (!future.blocks) return []
    const wall = instance.wall + future.start.wall - future.replaces.wall
    const moved = { wall, instant: future.start.zone.instantOf(wall) }
    return [{ start: moved.instant, end: future.endOf(moved) }]
  })
}

interface Instance {
  wall: Wall
  instant: number
  end: number
}

/** All instances that may reach into the span; exceptions are among them. */
function instancesOf(event: EventTimes, within: Span): Instance[] {
  const { start, endOf } = event
  const byDate = new Map<number, Instance>()
  const add = (wall: Wall, instant: number, end = endOf({ wall, instant })) =>
    byDate.has(instant) || byDate.set(instant, { wall, instant, end })
  add(start.wall, start.instant)
  // A day more for local times, a day for instances that a later event moves.
  const length = endOf(start) - start.instant + 2 * DAY_MS
  const span = { after: within.start - length, before: within.end + DAY_MS }
  for (const rule of event.rules) {
    const until = rule.until && untilOf(rule.until, start)
    if (start.zone.iana === undefined || start.isDate || isSkipped(start)) {
      const walls = { start: start.wall, zone: 'UTC', until: until && start.zone.wallAt(until), ...span }
      for (const wall of expandRule(rule, walls)) {
        const time = { ...start, wall, instant: start.zone.instantOf(wall) }
        if (start.isDate || !isSkipped(time)) add(wall, time.instant)
      }
    } else
      for (const instant of expandRule(rule, { start: start.wall, zone: start.zone.iana, until, ...span }))
        add(start.zone.wallAt(instant), instant)
  }
  for (const { start: date, end } of event.dates) add(date.wall, date.instant, end?.instant)
  return [...byDate.values()]
}

/** Whether the clock skips a local time. */
const isSkipped = ({ zone, wall, instant }: Moment) => zone.wallAt(instant) !== wall

/** The last instant of a rule. UNTIL as a date includes the whole day; without `Z` it is a local time of the event. */
function untilOf(until: ICAL.Time, { zone }: Moment): number {
  if (until.isDate) return zone.instantOf(wallOf(until) + DAY_MS - 1000)
  return until.zone === ICAL.Timezone.utcTimezone ? wallOf(until) : zone.instantOf(wallOf(until))
}

/** Tells the instances that are excluded: by their instant, or by their local date where a date is given. */
function exclusions(moments: readonly Moment[]): (instance: Instance, event: EventTimes) => boolean {
  const instants = new Set(moments.map(({ instant }) => instant))
  const days = new Set(moments.filter(({ isDate }) => isDate).map(dayOf))
  const allDays = new Set(moments.map(dayOf))
  return (instance, { start }) =>
    start.isDate ? allDays.has(dayOf(instance)) : instants.has(instance.instant) || days.has(dayOf(instance))
}
