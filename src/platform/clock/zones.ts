// Local times. The offsets of the zones in use are PostgreSQL's, which computes availability with them; the feature
// time-zones loads them. No other module asks the runtime, whose zone data may be of another year.

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** The offsets of a zone within a span of time, in milliseconds since 1970. */
export interface ZoneOffsets {
  /** The IANA name. */
  readonly name: string
  /** "Central Time". */
  readonly title?: string
  readonly until: number
  /** From each instant on the local clock is that many milliseconds ahead of UTC, until the next. The first begins the span. */
  readonly changes: readonly (readonly [at: number, offsetMs: number])[]
}

/** PostgreSQL takes names in any case. */
const keyOf = (zone: string) => zone.toLowerCase()

/** Global, because a process shows times of one database only. */
const loaded = new Map<string, ZoneOffsets>()

/** Replaces the offsets of the given zones. */
export function useZones(zones: readonly ZoneOffsets[]): void {
  for (const zone of zones) loaded.set(keyOf(zone.name), zone)
}

/** Whether the zone's offsets are loaded. */
export const isZoneLoaded = (zone: string): boolean => loaded.has(keyOf(zone))

/**
 * How many milliseconds the local clock is ahead of UTC at an instant. Outside of the loaded span, and for a zone that is not
 * loaded, as the runtime says. Throws RangeError for a zone that neither knows.
 */
export function offsetAt(instant: number, zone: string): number {
  const offsets = loaded.get(keyOf(zone))
  const [first] = offsets?.changes ?? []
  if (!offsets || !first || instant < first[0] || instant >= offsets.until) return runtimeOffset(instant, zone)
  let [low, high] = [0, offsets.changes.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((offsets.changes[middle]?.[0] ?? Infinity) <= instant) low = middle
    else high = middle
  }
  return offsets.changes[low]?.[1] ?? 0
}

const runtimeOffset = (instant: number, zone: string): number =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6

/** The local time at an instant, in milliseconds since 1970 as if the clock showed UTC. */
export const wallAt = (instant: number, zone: string): number => instant + offsetAt(instant, zone)

/** The first instant of a local time; one that the clock skips counts by the offset before the skip (RFC 5545 §3.3.5). */
export function instantOf(wall: number, zone: string): number {
  const [before, after] = [offsetAt(wall - DAY_MS, zone), offsetAt(wall + DAY_MS, zone)]
  const first = wall - before
  if (before === after || wallAt(first, zone) === wall) return first
  return wallAt(wall - after, zone) === wall ? wall - after : first
}

/** "Central Time", from "America/Chicago"; the name itself where neither the database nor the runtime has one. */
export function zoneName(zone: string): string {
  const known = loaded.get(keyOf(zone))?.title ?? names.get(zone)
  if (known !== undefined) return known
  const name = isRuntimeZone(zone) ? runtimeName(zone) : zone
  names.set(zone, name)
  return name
}

/** The names of pros' zones, which PostgreSQL knows: some hundred at most. */
const names = new Map<string, string>()

const runtimeName = (zone: string): string =>
  new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longGeneric' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value ?? zone

/** Whether the runtime knows a zone of this name; not for offsets such as `+01:00`. */
export function isRuntimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Where a loaded zone and the runtime first differ. */
export interface ZoneDifference {
  readonly zone: string
  readonly at: string
  /** The local times, such as `2027-03-28T03:00`; the runtime's is undefined when it does not know the zone. */
  readonly postgres: string
  readonly runtime: string | undefined
}

/** No rule of a zone lasts for less than this. */
const STEP_MS = 7 * DAY_MS

/** The first difference from the runtime's data since `from`, if there is one in the loaded span. */
export function differenceFromRuntime({ name, until, changes }: ZoneOffsets, from: number): ZoneDifference | undefined {
  const text = (instant: number, offset: number) => new Date(instant + offset).toISOString().slice(0, 16)
  const difference = (at: number, runtime?: string): ZoneDifference => {
    return { zone: name, at: new Date(at).toISOString(), postgres: text(at, offsetAt(at, name)), runtime }
  }
  if (!isRuntimeZone(name)) return difference(from)
  const differs = (at: number) => offsetAt(at, name) !== runtimeOffset(at, name)
  const instants = changes.flatMap(([at]) => [at - MINUTE_MS, at])
  for (let at = from; at < until; at += STEP_MS) instants.push(at)
  let same = from
  for (const at of instants.filter((instant) => instant >= from && instant < until).sort((a, b) => a - b)) {
    if (!differs(at)) {
      same = at
      continue
    }
    const first = firstMinute(differs, same, at)
    return difference(first, text(first, runtimeOffset(first, name)))
  }
  return undefined
}

/** The first minute after `before` at which the condition holds. It must hold at `after`, and from that minute on. */
function firstMinute(holds: (at: number) => boolean, before: number, after: number): number {
  let [low, high] = [Math.floor(before / MINUTE_MS), Math.floor(after / MINUTE_MS)]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (holds(middle * MINUTE_MS)) high = middle
    else low = middle
  }
  return high * MINUTE_MS
}
