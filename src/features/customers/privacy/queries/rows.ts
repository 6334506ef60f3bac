// Rows of any table as JSON: locked, changed and deleted by the verbs of privacy. Table and column names are constants of ours.
import type { Sql } from '../../../../platform/postgres/database.ts'
import type { Row } from '../erased-row.ts'
import type { TxCtx } from '../../../../ctx.ts'
import { composed, json, number } from '../../../../platform/postgres/composed.ts'

/** A condition on the rows of a table, which is `t`. */
export type Condition = (sql: Sql) => ReturnType<Sql>

/** Rows of a table, by the columns that identify a row. */
export interface RowSource {
  readonly table: string
  readonly key: readonly string[]
  readonly where: Condition
}

type KeyPart = string | number

/** The first rows of a source in the order of its key, after the row with the key `after`, locked until the transaction ends. */
export async function lockRows(
  ctx: TxCtx,
  { table, key, where, after, limit }: { after: Row | undefined; limit: number } & RowSource,
): Promise<Row[]> {
  const rows = await composed(
    ctx.tx,
    `lockRowsOf_${table}`,
    { row: json<Row>() },
    (sql) => sql`
      select to_jsonb(t) as row from ${sql(table)} t
      where ${where(sql)} ${after ? sql`and (${columns(sql, key)}) > (${values(sql, key, after)})` : sql``}
      order by ${columns(sql, key)} limit ${limit} for update of t`,
  )
  return rows.map(({ row }) => row)
}

const columns = (sql: Sql, key: readonly string[]) =>
  key.map((name, n) => sql`${n === 0 ? sql`` : sql`,`} t.${sql(name)}`)

const values = (sql: Sql, key: readonly string[], row: Row) =>
  key.map((name, n) => sql`${n === 0 ? sql`` : sql`,`} ${row[name] as KeyPart}`)

/** Replaces columns of rows, which are identified by the columns `key`. */
export async function updateRows(
  ctx: TxCtx,
  { table, key, columns: changed, rows }: { columns: readonly string[]; rows: readonly Row[] } & RowSource,
): Promise<void> {
  await ctx.tx.run(
    `updateRowsOf_${table}`,
    (sql) => sql`
      update ${sql(table)} t set ${changed.map((name, n) => sql`${n === 0 ? sql`` : sql`,`} ${sql(name)} = r.${sql(name)}`)}
      from jsonb_populate_recordset(null::${sql(table)}, ${JSON.stringify(rows)}::text::jsonb) r
      where ${key.map((name, n) => sql`${n === 0 ? sql`` : sql`and`} t.${sql(name)} = r.${sql(name)}`)}`,
  )
}

/** Deletes the rows that fulfil the condition. Returns their number. */
export async function deleteRows(ctx: TxCtx, { table, where }: { table: string; where: Condition }): Promise<number> {
  const [row] = await composed(
    ctx.tx,
    `deleteRowsOf_${table}`,
    { count: number },
    (sql) => sql`
      with gone as (delete from ${sql(table)} t where ${where(sql)} returning 1) select count(*)::int as count from gone`,
  )
  return row?.count ?? 0
}

/** A list of ids as a parameter. */
export const uuids = (sql: Sql, ids: readonly string[]) => sql`${uuidArray(ids)}::text::uuid[]`

/** Ids as the text of an array: the driver would look at each of thousands. */
export const uuidArray = (ids: readonly string[]): string => `{${ids.join(',')}}`
