// Converts local times of demo history to instants.
import { type ZoneOffsets, instantOf, useZones } from '../../platform/clock/zones.ts'
import type { Transaction } from './bulk-load.ts'

const dayMs = 86_400_000

/** This zone of the demo is not that of a city. */
export const HALF_HOUR_ZONE = 'Australia/Lord_Howe'

/** Local times of the history are those that PostgreSQL will show. */
export const loadZoneOffsets = async (tx: Transaction, now: Date): Promise<void> => {
  const until = new Date(now.getTime() + 2 * 365 * 86_400_000).toISOString()
  const rows = await tx<{ zone: ZoneOffsets }[]>`
    select zone_offsets(z.name, '2022-01-01Z', ${until}) as zone
    from (select name from time_zones union select ${HALF_HOUR_ZONE}) z`
  useZones(rows.map(({ zone }) => zone))
}

/** Adds the zone of the demo to those in use: the bulk load of pros runs no trigger. */
export const addDemoZone = async (tx: Transaction): Promise<void> => {
  await tx`select add_time_zone(${HALF_HOUR_ZONE})`
}

/** Days since 1970-01-01 UTC. */
export const dayNumber = (ms: number): number => Math.floor(ms / dayMs)

/** 0 for Sunday to 6 for Saturday; day 0 was a Thursday. */
export const dayOfWeek = (day: number): number => (day + 4) % 7

/** The instant, in milliseconds, of a local time. */
export const localInstant = (timeZone: string, day: number, minutes: number): number =>
  instantOf(day * dayMs + minutes * 60_000, timeZone)
