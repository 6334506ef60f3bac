// Local times of calendars: IANA zones, the zone names of Windows, and the rules in a file's VTIMEZONE.
import ICAL from 'ical.js'
import { findIana } from 'windows-iana'

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

export const ianaZone = (name: string): Zone => ({
  iana: name,
  instantOf: (wall) =>
    Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO('UTC').toPlainDateTime().toZonedDateTime(name)
      .epochMilliseconds,
  wallAt: (instant) =>
    instant + Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(name).offsetNanoseconds / 1e6,
})

export const UTC = ianaZone('UTC')

/** Names such as `/mozilla.org/20050126_1/Europe/Berlin` end in that of IANA. */
const IANA_END =
  /\/((?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Canada|Etc|Europe|Indian|Pacific|US)\/.+)$/

/**
 * Finds the zones that a file names: by the name of IANA or Windows first, whose rules are complete and current, then by the
 * rules in the file. A zone that is neither is `floating`, the zone of floating times.
 */
export function openZones(timezones: readonly string[], floating: Zone, until: number): (tzid: string) => Zone {
  const defined = new Map<string, ICAL.Component>()
  for (const text of timezones) {
    const timezone = parsed(text)
    const tzid = timezone?.getFirstPropertyValue('tzid')
    if (timezone && typeof tzid === 'string') defined.set(tzid, timezone)
  }
  const known = new Map<string, Zone>()
  const find = (tzid: string): Zone => {
    const timezone = defined.get(tzid)
    const location = timezone?.getFirstPropertyValue('x-lic-location')
    const name = [tzid, findIana(tzid)[0], IANA_END.exec(tzid)?.[1], location].find(isZoneName)
    if (name !== undefined) return ianaZone(name)
    return (timezone && ruledZone(timezone, until)) ?? floating
  }
  return (tzid) => {
    const zone = known.get(tzid) ?? find(tzid)
    known.set(tzid, zone)
    return zone
  }
}

/** A broken time zone counts as missing: its events are in the zone of floating times. */
function parsed(text: string): ICAL.Component | undefined {
  try {
    return parseComponent(text)
  } catch {
    return undefined
  }
}

function isZoneName(name: unknown): name is string {
  if (typeof name !== 'string' || !/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
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

function ruledZone(timezone: ICAL.Component, until: number): Zone | undefined {
  const changes = timezone
    .getAllSubcomponents()
    .flatMap((part) => changesOf(part, until))
    .sort((a, b) => a.at - b.at)
  const [first] = changes
  if (!first) return undefined
  return {
    instantOf: (wall) =>
      wall - (changes.findLast(({ at, from, to }) => at + Math.max(0, to - from) <= wall)?.to ?? first.from),
    wallAt: (instant) => instant + (changes.findLast(({ at, from }) => at - from <= instant)?.to ?? first.from),
  }
}

function changesOf(part: ICAL.Component, until: number): Change[] {
  const offset = (name: string) => (part.getFirstPropertyValue(name) as ICAL.UtcOffset).toSeconds() * 1000
  const [from, to] = [offset('tzoffsetfrom'), offset('tzoffsetto')]
  const start = wallOf(part.getFirstPropertyValue('dtstart') as ICAL.Time)
  const rule = part.getFirstPropertyValue('rrule') as ICAL.Recur | null
  const dates = part.getAllProperties('rdate').flatMap((property) => property.getValues() as ICAL.Time[])
  const walls = rule
    ? expandRule(rule, {
        start,
        zone: 'UTC',
        after: FIRST_CHANGE,
        before: until + DAY_MS,
        until: rule.until && wallOf(rule.until) + (rule.until.zone === ICAL.Timezone.utcTimezone ? from : 0),
      })
    : []
  return [start, ...walls, ...dates.map(wallOf)].map((at) => ({ at, from, to }))
}
