// The zones in use, with their offsets as PostgreSQL has them.
import type { ZoneOffsets } from '../../../platform/clock/zones.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'

/** Instants as ISO text. */
interface Span {
  since: string
  until: string
}

/** A zone takes 2 ms of PostgreSQL: a statement of all would reach its time limit. */
const BATCH = 50

/** The offsets of zones that PostgreSQL has, in the order of their names. */
export async function selectOffsets(
  ctx: Ctx,
  { names, since, until }: { names: readonly string[] } & Span,
): Promise<ZoneOffsets[]> {
  const zones: ZoneOffsets[] = []
  for (let start = 0; start < names.length; start += BATCH) {
    const batch = names.slice(start, start + BATCH)
    const rows = await ctx.read.run<{ zone: ZoneOffsets }>(
      'selectOffsets',
      (sql) => sql`
        select zone_offsets(name, ${since}, ${until}) as zone from unnest(${batch}::text[]) name order by name`,
    )
    zones.push(...rows.map(({ zone }) => zone))
  }
  return zones
}

/** The zones that pros and cities have or had, in order. */
export async function selectZonesInUse(ctx: Ctx): Promise<string[]> {
  const rows = await ctx.read.run<{ name: string }>(
    'selectZonesInUse',
    (sql) => sql`select name from time_zones order by name`,
  )
  return rows.map(({ name }) => name)
}

/** PostgreSQL's spelling of lower-case names, of those that it has. Reads all files of its zones: about 50 ms. */
export async function selectKnownZones(ctx: Ctx, { names }: { names: readonly string[] }): Promise<string[]> {
  const rows = await ctx.read.run<{ name: string }>(
    'selectKnownZones',
    (sql) => sql`select name from pg_timezone_names where lower(name) = any (${[...names]}::text[]) order by name`,
  )
  return rows.map(({ name }) => name)
}

/** Has the servers load the zones again. */
export async function notifyZonesChanged(ctx: Ctx): Promise<void> {
  await ctx.write.run('notifyZonesChanged', (sql) => sql`select pg_notify('time_zones_changed', '')`)
}

/** Adds a zone to those in use. False when PostgreSQL does not have it. */
export async function insertZone(ctx: TxCtx, { name }: { name: string }): Promise<boolean> {
  const [row] = await ctx.tx.run<{ isZone: boolean }>(
    'add_time_zone',
    (sql) => sql`select add_time_zone(${name}) as is_zone`,
  )
  return row?.isZone === true
}
