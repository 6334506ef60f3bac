// The rows of a pro who leaves, of any table in the inventory. Table and column names are constants of ours.
import type { Ctx, TxCtx } from '../../../ctx.ts'
import { composed, json, number, text } from '../../../platform/postgres/composed.ts'
import * as statements from './queries.sql.ts'
import { HIDDEN_COLUMNS, HIDDEN_OF_TABLE, LEAVING, type Leaver } from './tables.ts'

/** The rows of the pro that are found by its accounts, users and addresses. Throws for an unknown pro. */
export async function findLeaver(ctx: Ctx, { professionalId }: { professionalId: string }): Promise<Leaver> {
  const found = await statements.findLeaver(ctx, { professionalId })
  if (!found) throw new RangeError('A query without groups has one row.')
  const { accounts, users, emails } = found as Pick<Leaver, 'accounts' | 'users' | 'emails'>
  return { professionalId, accounts, users, emails }
}

/** The tables whose rows are deleted then, in order. */
export const tablesDeletedAt = (when: 'closing' | 'erasure'): string[] =>
  Object.entries(LEAVING).flatMap(([table, rule]) => ('deleted' in rule && rule.deleted === when ? [table] : []))

/** The tables whose rows get other values. */
export const CHANGED_TABLES: readonly string[] = Object.entries(LEAVING).flatMap(([table, rule]) =>
  'changed' in rule ? [table] : [],
)

/** The tables of a pro's copy. */
export const COPIED_TABLES: readonly string[] = Object.entries(LEAVING)
  .flatMap(([table, rule]) => ('of' in rule && rule.isNoCopy !== true ? [table] : []))
  .toSorted()

function ownerOf(table: string) {
  const rule = LEAVING[table]
  if (!rule || !('of' in rule)) throw new RangeError(`The rows of ${table} belong to no pro.`)
  return rule
}

/** Deletes up to `limit` rows of the pro. Returns how many. */
export async function deleteRowsOf(
  ctx: TxCtx,
  { table, leaver, limit }: { table: string; leaver: Leaver; limit: number },
): Promise<number> {
  const [row] = await composed(
    ctx.tx,
    `deleteRowsOfLeaver_${table}`,
    { count: number },
    (sql) => sql`
      with old as materialized (select t.ctid from ${sql(table)} t where ${ownerOf(table).of(sql, leaver)} limit ${limit}),
      gone as (delete from ${sql(table)} where ctid = any (array(select ctid from old)) returning 1)
      select count(*)::int as count from gone`,
  )
  return row?.count ?? 0
}

/** Gives the pro's rows of a table the values that the inventory names. Returns how many rows. */
export async function changeRowsOf(ctx: TxCtx, { table, leaver }: { table: string; leaver: Leaver }): Promise<number> {
  const rule = ownerOf(table)
  if (!('changed' in rule)) throw new RangeError(`The rows of ${table} do not change.`)
  const [row] = await composed(
    ctx.tx,
    `changeRowsOfLeaver_${table}`,
    { count: number },
    (sql) => sql`
      with changed as (
        update ${sql(table)} t set ${Object.entries(rule.changed).map(
          ([column, value], n) =>
            sql`${n === 0 ? sql`` : sql`,`} ${sql(column)} = ${value(sql, ctx.clock.now().toISOString())}`,
        )}
        where ${rule.of(sql, leaver)} returning 1)
      select count(*)::int as count from changed`,
  )
  return row?.count ?? 0
}

/** Up to `limit` rows of the pro after the row at `after`, in the order in which they are stored, without secrets. */
export async function copyRowsOf(
  ctx: Ctx,
  { table, leaver, after, limit }: { table: string; leaver: Leaver; after: string; limit: number },
): Promise<{ place: string; row: object }[]> {
  const hidden = [...HIDDEN_COLUMNS, ...(HIDDEN_OF_TABLE[table] ?? [])]
  return await composed(
    ctx.write,
    `copyRowsOfLeaver_${table}`,
    { place: text, row: json<object>() },
    (sql) => sql`
      select t.ctid::text as place, to_jsonb(t) - ${hidden}::text[] as row from ${sql(table)} t
      where ${ownerOf(table).of(sql, leaver)} and t.ctid > ${after}::tid order by t.ctid limit ${limit}`,
  )
}
