// The zones in use, with their offsets as PostgreSQL has them.
import type { ZoneOffsets } from '../../../platform/clock/zones.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import * as statements from './queries.sql.ts'

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
    const rows = await statements.selectOffsets<{ zone: ZoneOffsets }>(ctx, { since, until, batch })
    zones.push(...rows.map(({ zone }) => zone))
  }
  return zones
}

/** The zones that pros and cities have or had and PostgreSQL has, in order. */
export async function selectZonesInUse(ctx: Ctx): Promise<string[]> {
  const rows = await statements.selectZonesInUse(ctx)
  return rows.map(({ name }) => name)
}

/** PostgreSQL's spelling of lower-case names, of those that it has. Reads all files of its zones: about 50 ms. */
export async function selectKnownZones(ctx: Ctx, { names }: { names: readonly string[] }): Promise<string[]> {
  const rows = await statements.selectKnownZones(ctx, { names })
  return rows.map(({ name }) => name)
}

/** Adds a zone to those in use. False when PostgreSQL does not have it. */
export async function insertZone(ctx: TxCtx, { name }: { name: string }): Promise<boolean> {
  const row = await statements.addTimeZone(ctx, { name })
  return row?.isZone === true
}
