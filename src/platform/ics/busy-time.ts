// The busy time in an iCalendar file (RFC 5545): recurrences, exceptions and time zones expanded.
import type ICAL from 'ical.js'

import { parseComponent, splitComponents } from './components.ts'
import { type EventTimes, type ReadMoment, type Span, momentReader, readEvent, timesOfEvent } from './events.ts'
import { ianaZone, openZones } from './zones.ts'

export type { Span }

export interface BusyTimeOptions {
  /** The IANA zone of floating times and of whole days. */
  timeZone: string
  /** The span in which busy time is wanted. */
  within: Span
  /** Events that do not count, by their UID. */
  isIgnored?: (uid: string) => boolean
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

/** More is not a person's calendar: 400 days have 9,600 hours. */
const MAX_TIMES = 20_000
const MAX_MS = 5000
/** After this time other work of the process has its turn. */
const SLICE_MS = 20
const DAY_MS = 86_400_000

/** An event that cannot be read is counted and does not prevent the others from being read. */
export async function readBusyTime(text: string, options: BusyTimeOptions): Promise<BusyTime> {
  const components = splitComponents(text)
  if (components === undefined) return { kind: 'unusable', reason: 'not_a_calendar' }
  if (components === 'incomplete') return { kind: 'unusable', reason: 'incomplete' }
  const floating = ianaZone(options.timeZone)
  const read = momentReader(openZones(components.VTIMEZONE, floating, options.within.end), floating)
  const turns = openTurns()
  const found: Span[] = []
  let unreadable = 0
  const attempt = async (work: () => void): Promise<boolean> => {
    try {
      work()
    } catch {
      // Whatever is wrong with the event: what it says is not known, and the pro is told how many there are.
      unreadable++
    }
    return await turns.next()
  }

  const series = new Map<string, EventTimes[]>()
  for (const block of components.VEVENT) {
    const inTime = await attempt(() => {
      const event = readEvent(parseComponent(block), read)
      if (options.isIgnored?.(event.uid)) return
      series.set(event.uid, [...(series.get(event.uid) ?? []), event])
    })
    if (!inTime) return { kind: 'unusable', reason: 'too_slow' }
  }
  for (const events of series.values())
    for (const event of events) {
      const inTime = await attempt(() => {
        // Most calendars are full of the past.
        const { start, end } = options.within
        found.push(...timesOfEvent(event, events, options.within).filter((it) => it.end > start && it.start < end))
      })
      if (!inTime) return { kind: 'unusable', reason: 'too_slow' }
      if (found.length > MAX_TIMES) return { kind: 'unusable', reason: 'too_many_times' }
    }
  for (const block of components.VFREEBUSY) await attempt(() => void found.push(...busyPeriods(block, read)))
  const events = components.VEVENT.length + components.VFREEBUSY.length
  return { kind: 'read', busy: cutAtMidnights(merge(found, options.within)), events, unreadable }
}

/** Lets other work of the process have its turn. `next` returns false once the work takes too long. */
function openTurns() {
  let spentMs = 0
  let since = performance.now()
  return {
    next: async (): Promise<boolean> => {
      const ms = performance.now() - since
      if (ms < SLICE_MS) return spentMs + ms < MAX_MS
      spentMs += ms
      await new Promise(setImmediate)
      since = performance.now()
      return spentMs < MAX_MS
    },
  }
}

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
