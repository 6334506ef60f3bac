// Keeps the offsets of the zones in use as PostgreSQL has them, and says where the runtime's data differs.
import { type Ctx, ctxOf, type TxCtx } from '../../../ctx.ts'
import { oncePerDeps } from '../../../deps.ts'
import {
  type ZoneDifference,
  type ZoneOffsets,
  differenceFromRuntime,
  useZones,
} from '../../../platform/clock/zones.ts'
import { settlesWithin } from '../../../platform/clock/deadlines.ts'
import { insertZone, selectKnownZones, selectOffsets, selectZonesInUse } from './queries.ts'
import { notifyZonesChanged, replaceLostZones, selectLostZones } from './queries.sql.ts'

/** Earlier times are shown with the runtime’s data. */
const SINCE = '2010-01-01T00:00:00Z'
/** Bookings reach a year ahead; the other years are for processes that run long. */
const YEARS_AHEAD = 5
/** Differences that ended more than this many days ago are not reported. */
const REPORTED_DAYS = 31
const DAY_MS = 86_400_000

const spanAt = (now: Date) => ({
  since: SINCE,
  until: new Date(now.getTime() + YEARS_AHEAD * 365 * DAY_MS).toISOString(),
})

/** The zones that pros and cities have, in order of their names. */
export const listZones = (ctx: Ctx): Promise<string[]> => selectZonesInUse(ctx)

/** Adds a zone to those in use; servers load it when the transaction is committed. False when PostgreSQL does not have it. */
export const addZone = (ctx: TxCtx, { name }: { name: string }): Promise<boolean> => insertZone(ctx, { name })

/** The zones in use that PostgreSQL no longer has, after its data changed. */
export async function listLostZones(ctx: Ctx): Promise<string[]> {
  const rows = await selectLostZones(ctx)
  return rows.map(({ name }) => name)
}

/** Gives pros in a lost zone that of their city. Bookings keep their instants. Returns the ids of the pros. */
export async function replaceZonesLost(ctx: Ctx): Promise<string[]> {
  const rows = await replaceLostZones(ctx, { now: ctx.clock.now() })
  return rows.map(({ id }) => id)
}

/** Loads the zones in use. Returns the first difference of each from the runtime's data. */
export async function loadZones(ctx: Ctx): Promise<ZoneDifference[]> {
  const now = ctx.clock.now()
  const zones = await selectOffsets(ctx, { ...spanAt(now), names: await selectZonesInUse(ctx) })
  useZones(zones)
  return zones.flatMap((zone) => differenceOf(zone, now) ?? [])
}

const differenceOf = (zone: ZoneOffsets, now: Date) =>
  differenceFromRuntime(zone, now.getTime() - REPORTED_DAYS * DAY_MS)

/** "Europe/Chisinau: 2027-03-28T03:00 instead of 2027-03-28T02:00". */
export const textOfDifference = ({ zone, postgres, runtime }: ZoneDifference): string =>
  runtime === undefined ? `${zone} is unknown to the runtime` : `${zone}: ${postgres} instead of ${runtime}`

/** {@link loadZones}, and logs the differences. */
export async function loadAndCompareZones(ctx: Ctx): Promise<void> {
  const differences = await loadZones(ctx)
  if (differences.length > 0)
    ctx.log.warn(
      { zones: differences.map(textOfDifference) },
      'PostgreSQL and the runtime have different time zone data; local times follow PostgreSQL',
    )
}

/** Has the servers load the zones again, after an update of PostgreSQL's data. */
export const announceZones = (ctx: Ctx): Promise<void> => notifyZonesChanged(ctx)

const LOAD_LIMIT_MS = 5000

/** Loads the zones again whenever one is new or their data was updated, as long as the process runs. */
export const keepZonesLoaded = (ctx: Ctx): void =>
  ctx.notifications.on('time_zones_changed', () => {
    const warn = (error: unknown) => ctx.log.warn({ err: error }, 'failed to load the time zones')
    void settlesWithin(loadAndCompareZones(ctx), LOAD_LIMIT_MS, warn)
  })

const RELOAD_MS = 10 * 60_000

/** Loads the zones for a process that does not listen: now, and again when they are older than ten minutes. */
export const ensureZones = (ctx: Ctx): Promise<void> => ensuredOf(ctx)()

const ensuredOf = oncePerDeps((deps) => {
  let loading: Promise<void> | undefined
  let loadedAt = -Infinity
  return async () => {
    if (performance.now() - loadedAt < RELOAD_MS) return
    loading ??= loadAndCompareZones(ctxOf(deps))
      .then(() => void (loadedAt = performance.now()))
      .finally(() => void (loading = undefined))
    await loading
  }
})

/** Those of the named zones whose data differs from the runtime’s. Names that PostgreSQL does not know are left out. */
export async function zonesThatDiffer(ctx: Ctx, { names }: { names: readonly string[] }): Promise<ZoneOffsets[]> {
  const compared = comparedOf(ctx)
  if (performance.now() - compared.since > RELOAD_MS) {
    compared.zones.clear()
    compared.since = performance.now()
  }
  const wanted = [...new Set(names.map((name) => name.toLowerCase()))]
  const unknown = wanted.filter((name) => !compared.zones.has(name))
  if (unknown.length > 0) {
    const now = ctx.clock.now()
    const found = await selectOffsets(ctx, { ...spanAt(now), names: await selectKnownZones(ctx, { names: unknown }) })
    for (const name of unknown) compared.zones.set(name, undefined)
    for (const zone of found) if (differenceOf(zone, now)) compared.zones.set(zone.name.toLowerCase(), zone)
  }
  return wanted.flatMap((name) => compared.zones.get(name) ?? [])
}

/** By lower-case name; undefined for a zone without differences. Names are those of the runtime: some hundred. */
const comparedOf = oncePerDeps(() => ({ since: performance.now(), zones: new Map<string, ZoneOffsets | undefined>() }))
