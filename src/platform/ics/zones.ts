// Local times of calendars: IANA zones, the zone names of Windows, and the rules in a file's VTIMEZONE.
import ICAL from 'ical.js'
import { findIana } from 'windows-iana'

import { instantOf, isRuntimeZone, isZoneLoaded, wallAt } from '../clock/zones.ts'
import { parseComponent } from './components.ts'
import { type Wall, expandRule, wallOf } from './recurrence.ts'

/** Local times are numbers: milliseconds since 1970 as if the clock showed UTC. */
export interface Zone {
  /** Rules are expanded by the clock of this IANA zone, if there is one. */
  readonly iana?: string
  /** Of a doubled local time the first instant; a skipped one counts by the offset before the skip (RFC 5545 §3.3.5). */
  instantOf(wall: Wall): number
  wallAt(instant: number): Wall
}

/** A zone whose offsets are loaded differs from the runtime's: rules are expanded in local times, and then converted. */
export const ianaZone = (name: string): Zone => ({
  ...(isZoneLoaded(name) ? {} : { iana: name }),
  instantOf: (wall) => instantOf(wall, name),
  wallAt: (instant) => wallAt(instant, name),
})

export const UTC = ianaZone('UTC')

/**
 * Names such as `/mozilla.org/20050126_1/Europe/Berlin` end in that of IANA. With `s` the first match reaches the end: without,
 * a line separator in the name made the search quadratic.
 */
const IANA_END =
  /\/((?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Canada|Etc|Europe|Indian|Pacific|US)\/.+)$/s

/**
 * Finds the zones that a file names: by the name of IANA or Windows first, whose rules are complete and current, then by the
 * rules in the file. A zone that is neither is `floating`, the zone of floating times.
 */
export function openZones(timezones: readonly string[], floating: Zone, until: number): (tzid: string) => Zone {
  const defined = new Map<string, ICAL.Component>()
  for (const text of timezones) {
    const timezone = orMissing(() => parseComponent(text))
    const tzid = timezone?.getFirstPropertyValue('tzid')
    if (timezone && typeof tzid === 'string') defined.set(tzid, timezone)
  }
  const known = new Map<string, Zone>()
  const find = (tzid: string): Zone => {
    const timezone = defined.get(tzid)
    const location = timezone?.getFirstPropertyValue('x-lic-location')
    const name = [...ianaNames(tzid), location].find(isZoneName)
    if (name !== undefined) return ianaZone(name)
    return (timezone && orMissing(() => ruledZone(timezone, until))) ?? floating
  }
  return (tzid) => {
    const zone = known.get(tzid) ?? find(tzid)
    known.set(tzid, zone)
    return zone
  }
}

/** The IANA names that a TZID may mean, the likeliest first. */
const ianaNames = (tzid: string) => [tzid, findIana(tzid)[0], IANA_END.exec(tzid)?.[1]]

const isZoneName = (name: unknown): name is string =>
  typeof name === 'string' && (isZoneLoaded(name) || isRuntimeZone(name))

/** A calendar of more zones than this names only the first to {@link zoneNamesIn}. */
const MAX_NAMES = 50
const NAMED = /(?:TZID|X-LIC-LOCATION)[=:]"?([^":;\r\n]{1,100})/gi

/** The IANA names of the zones in a file, in order of their first use. Events may be in other zones by rules of the file. */
export function zoneNamesIn(text: string): string[] {
  const named = new Set<string>()
  for (const [, tzid] of text.matchAll(NAMED)) {
    if (tzid !== undefined) named.add(tzid)
    if (named.size === MAX_NAMES) break
  }
  return [...named].flatMap((tzid) => ianaNames(tzid).find(isZoneName) ?? [])
}

/** A broken time zone counts as missing: its events are in the zone of floating times. */
function orMissing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

const DAY_MS = 86_400_000

/** From `at`, a local time before the change, the offset is `to` instead of `from`. */
interface Change {
  at: Wall
  from: number
  to: number
}

/** Changes are needed for the present only, and for UNTIL of rules from some years ago. */
const FIRST_CHANGE = Date.UTC(1990, 0)
/** Zones with more changes than two a year for a century, or rules that need more steps than since 1601, are not real. */
const MAX_PARTS = 300
const MAX_CHANGES = 2000
const MAX_STEPS = 1000

/** Undefined for a zone without changes, or with more than a real one has. */
function ruledZone(timezone: ICAL.Component, until: number): Zone | undefined {
  const parts = timezone.getAllSubcomponents()
  if (parts.length > MAX_PARTS) return undefined
  const changes: Change[] = []
  for (const part of parts) {
    changes.push(...changesOf(part, until))
    if (changes.length > MAX_CHANGES) return undefined
  }
  const [first] = changes.toSorted((a, b) => a.at - b.at)
  if (!first) return undefined
  const byWall = offsetsFrom(changes, ({ at, from, to }) => at + Math.max(0, to - from), first)
  const byInstant = offsetsFrom(changes, ({ at, from }) => at - from, first)
  return { instantOf: (wall) => wall - byWall(wall), wallAt: (instant) => instant + byInstant(instant) }
}

/** Finds the offset at a time: that of the last change whose `start` is not after it, or the one before all changes. */
function offsetsFrom(changes: readonly Change[], start: (change: Change) => number, first: Change) {
  const sorted = changes.map((change) => ({ start: start(change), ...change }))
  sorted.sort((a, b) => a.start - b.start || a.at - b.at)
  return (time: number): number => lastUntil(sorted, (change) => change.start, time)?.to ?? first.from
}

/** The last item whose time is not after `time`; the items are in the order of their times. */
export function lastUntil<T>(items: readonly T[], timeOf: (item: T) => number, time: number): T | undefined {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && timeOf(item) <= time) low = middle + 1
    else high = middle
  }
  return items[low - 1]
}

function changesOf(part: ICAL.Component, until: number): Change[] {
  const offset = (name: string) => (part.getFirstPropertyValue(name) as ICAL.UtcOffset).toSeconds() * 1000
  const [from, to] = [offset('tzoffsetfrom'), offset('tzoffsetto')]
  const start = wallOf(part.getFirstPropertyValue('dtstart') as ICAL.Time)
  const rule = part.getFirstPropertyValue('rrule') as ICAL.Recur | null
  const dates = part.getAllProperties('rdate').flatMap((property) => property.getValues() as ICAL.Time[])
  if (dates.length > MAX_CHANGES) throw new RangeError('The zone has too many changes.')
  const walls = rule
    ? expandRule(rule, {
        start,
        zone: 'UTC',
        after: FIRST_CHANGE,
        before: until + DAY_MS,
        until: rule.until && wallOf(rule.until) + (rule.until.zone === ICAL.Timezone.utcTimezone ? from : 0),
        maxSteps: MAX_STEPS,
      })
    : []
  return [start, ...walls, ...dates.map(wallOf)].map((at) => ({ at, from, to }))
}
