// Rows of any table as JSON: locked, changed and deleted by the verbs of privacy. Table and column names are constants of ours.
import type { Runner, Sql } from '../../../platform/postgres/database.ts'
import type { Row } from '../redaction.ts'

/** A condition on the rows of a table, which is `t`. */
export type Condition = (sql: Sql) => ReturnType<Sql>

/** The rows that fulfil the condition. */
export async function selectRows(db: Runner, table: string, where: Condition): Promise<Row[]> {
  const rows = await db.run<{ row: Row }>(
    `selectRowsOf_${table}`,
    (sql) => sql`select to_jsonb(t) as row from ${sql(table)} t where ${where(sql)}`,
  )
  return rows.map(({ row }) => row)
}

/** The rows that fulfil the condition, locked until the transaction ends. */
export async function lockRows(tx: Runner, table: string, where: Condition): Promise<Row[]> {
  const rows = await tx.run<{ row: Row }>(
    `lockRowsOf_${table}`,
    (sql) => sql`select to_jsonb(t) as row from ${sql(table)} t where ${where(sql)} for update of t`,
  )
  return rows.map(({ row }) => row)
}

/** Replaces columns of rows, which are identified by the columns `key`. */
export async function updateRows(
  tx: Runner,
  table: string,
  { key, columns, rows }: { key: readonly string[]; columns: readonly string[]; rows: readonly Row[] },
): Promise<void> {
  await tx.run(
    `updateRowsOf_${table}`,
    (sql) => sql`
      update ${sql(table)} t set ${columns.map((name, n) => sql`${n === 0 ? sql`` : sql`,`} ${sql(name)} = r.${sql(name)}`)}
      from jsonb_populate_recordset(null::${sql(table)}, ${JSON.stringify(rows)}::text::jsonb) r
      where ${key.map((name, n) => sql`${n === 0 ? sql`` : sql`and`} t.${sql(name)} = r.${sql(name)}`)}`,
  )
}

/** Deletes the rows that fulfil the condition. Returns their number. */
export async function deleteRows(tx: Runner, table: string, where: Condition): Promise<number> {
  const rows = await tx.run(
    `deleteRowsOf_${table}`,
    (sql) => sql`delete from ${sql(table)} t where ${where(sql)} returning 1`,
  )
  return rows.length
}

/** A list of ids as a parameter. */
export const uuids = (sql: Sql, ids: readonly string[]) => sql`${`{${ids.join(',')}}`}::text::uuid[]`
