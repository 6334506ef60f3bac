// Converts local times of demo history to instants.

const dayMs = 86_400_000
const offsets = new Map<string, Map<number, number>>()
const formats = new Map<string, Intl.DateTimeFormat>()

/** Days since 1970-01-01 UTC. */
export const dayNumber = (ms: number): number => Math.floor(ms / dayMs)

/** 0 for Sunday to 6 for Saturday; day 0 was a Thursday. */
export const dayOfWeek = (day: number): number => (day + 4) % 7

/**
 * The instant, in milliseconds, of a local time. Uses the zone's offset at noon for the whole day, which is correct from
 * 06:00 on, because US zones change at 02:00 at the latest.
 */
export const localInstant = (timeZone: string, day: number, minutes: number): number =>
  day * dayMs + minutes * 60_000 - offsetAtNoon(timeZone, day)

const offsetAtNoon = (timeZone: string, day: number): number => {
  let byDay = offsets.get(timeZone)
  if (!byDay) offsets.set(timeZone, (byDay = new Map()))
  let offset = byDay.get(day)
  if (offset === undefined) byDay.set(day, (offset = measureOffset(timeZone, day)))
  return offset
}

const measureOffset = (timeZone: string, day: number): number => {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', dateStyle: 'short', timeStyle: 'medium' })
    formats.set(timeZone, format)
  }
  // 18:00 UTC lies between 07:00 and 14:00 of the same date in every US zone.
  const instant = day * dayMs + 18 * 3_600_000
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  const localDayStart = Math.floor(instant / dayMs) * dayMs
  return localDayStart + (parts.get('hour') ?? 0) * 3_600_000 + (parts.get('minute') ?? 0) * 60_000 - instant
}
