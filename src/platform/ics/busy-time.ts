// The busy time in an iCalendar file (RFC 5545): recurrences, exceptions and time zones expanded.
import type ICAL from 'ical.js'

import { type ZoneOffsets, useZones } from '../clock/zones.ts'
import { parseComponent, splitComponents } from './components.ts'
import {
  type EventTimes,
  type ReadMoment,
  type Span,
  momentReader,
  openSeries,
  readEvent,
  timesOfEvent,
} from './events.ts'
import { ianaZone, openZones } from './zones.ts'

export type { Span }

export interface BusyTimeOptions {
  /** The IANA zone of floating times and of whole days. */
  timeZone: string
  /** The span in which busy time is wanted. */
  within: Span
  /** The offsets of zones that the runtime's data has otherwise. */
  zones?: readonly ZoneOffsets[]
  /** The host of our own invitations, which do not count. */
  ownHost?: string
}

export type BusyTime =
  | {
      kind: 'read'
      /** In order, without overlaps, within the wanted span. Cut at midnights in UTC, so that each lasts a day at most. */
      busy: Span[]
      /** The number of events in the file, and of those that could not be read. */
      events: number
      unreadable: number
    }
  | { kind: 'unusable'; reason: 'not_a_calendar' | 'incomplete' | 'too_many_times' | 'too_slow' }

/** A calendar with more busy times than this is not that of a person: 400 days have 9,600 hours. */
const MAX_TIMES = 20_000
const DAY_MS = 86_400_000

/** The CPU time that a file may take for each KB. The slowest of usual calendars, short series of years, take a fifth. */
export const CPU_MS_PER_KB = 20
/** Smaller files may take as much as one of this size, and larger ones at most that of {@link MAX_CPU_MS}. */
const MIN_KB = 50
export const MAX_CPU_MS = 5000

/** The CPU time that a file of `bytes` may take, in ms. */
export const cpuLimitMs = (bytes: number): number =>
  Math.min(CPU_MS_PER_KB * Math.max(bytes / 1024, MIN_KB), MAX_CPU_MS)

/**
 * An event that cannot be read is counted and does not prevent the others from being read. `mayGoOn` is asked between
 * events. A hostile event may take long by itself: read files of others through {@link ./isolated-reader.ts}.
 */
export function readBusyTime(
  text: string,
  { timeZone, within, ownHost, zones = [] }: BusyTimeOptions,
  mayGoOn: () => boolean = () => true,
): BusyTime {
  const components = splitComponents(text)
  if (components === undefined) return { kind: 'unusable', reason: 'not_a_calendar' }
  if (components === 'incomplete') return { kind: 'unusable', reason: 'incomplete' }
  useZones(zones)
  const floating = ianaZone(timeZone)
  const read = momentReader(openZones(components.VTIMEZONE, floating, within.end), floating)
  const found: Span[] = []
  let unreadable = components.refused
  const attempt = (work: () => void) => {
    try {
      work()
    } catch {
      // An event that cannot be read is only counted. The pro sees how many there are.
      unreadable++
    }
  }

  const events: EventTimes[] = []
  for (const block of components.VEVENT) {
    attempt(() => events.push(readEvent(parseComponent(block), read)))
    if (!mayGoOn()) return { kind: 'unusable', reason: 'too_slow' }
  }
  const isOwn = ({ uid }: EventTimes) =>
    ownHost !== undefined && uid.startsWith('booking-') && uid.endsWith(`@${ownHost}`)
  for (const ofOneUid of Map.groupBy(events, ({ uid }) => uid).values()) {
    if (ofOneUid.some(isOwn)) continue
    const series = openSeries(ofOneUid)
    for (const event of series.events) {
      // Most calendars are full of the past.
      attempt(() => timesOfEvent(event, series, within).forEach((time) => isWithin(time, within) && found.push(time)))
      if (found.length > MAX_TIMES) return { kind: 'unusable', reason: 'too_many_times' }
      if (!mayGoOn()) return { kind: 'unusable', reason: 'too_slow' }
    }
  }
  for (const block of components.VFREEBUSY) {
    attempt(() => busyPeriods(block, read).forEach((time) => isWithin(time, within) && found.push(time)))
    if (!mayGoOn()) return { kind: 'unusable', reason: 'too_slow' }
  }
  const count = components.VEVENT.length + components.VFREEBUSY.length + components.refused
  return { kind: 'read', busy: cutAtMidnights(merge(found, within)), events: count, unreadable }
}

const isWithin = ({ start, end }: Span, within: Span) => end > within.start && start < within.end

/** The periods of a published VFREEBUSY that are not free. */
function busyPeriods(block: string, read: ReadMoment): Span[] {
  return parseComponent(block)
    .getAllProperties('freebusy')
    .filter((property) => property.getFirstParameter('fbtype')?.toUpperCase() !== 'FREE')
    .flatMap((property) => property.getValues() as ICAL.Period[])
    .map((period) => ({ start: read(period.start, undefined).instant, end: read(period.getEnd(), undefined).instant }))
}

function merge(spans: readonly Span[], within: Span): Span[] {
  const merged: Span[] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const span = { start: Math.max(start, within.start), end: Math.min(end, within.end) }
    if (span.start >= span.end) continue
    const last = merged.at(-1)
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end)
    else merged.push(span)
  }
  return merged
}

const cutAtMidnights = (spans: readonly Span[]): Span[] =>
  spans.flatMap(({ start, end }) => {
    const pieces: Span[] = []
    for (let from = start; from < end;) {
      const to = Math.min(end, (Math.floor(from / DAY_MS) + 1) * DAY_MS)
      pieces.push({ start: from, end: to })
      from = to
    }
    return pieces
  })
