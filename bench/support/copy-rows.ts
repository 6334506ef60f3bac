// Copies rows of a table between two databases of the benchmarks' cluster, whose schemas may differ.
import { rmSync } from 'node:fs'

import type { Transaction } from '../../src/local/seed/bulk-load.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'

/** Copies the columns that both tables have, through a file in the data directory: COPY through the driver hung. */
export async function copyRows(from: Sql, to: Transaction, table: string, where = 'true'): Promise<void> {
  const [ours, theirs] = await Promise.all([listColumns(from, table), listColumns(to, table)])
  const columns = ours.filter((column) => theirs.includes(column)).join(', ')
  const [row] = await from<{ file: string }[]>`select current_setting('data_directory') || '/copied-rows' as file`
  if (!row || columns === '') throw new Error(`The table ${table} does not exist in both databases.`)
  try {
    await from.unsafe(`copy (select ${columns} from ${table} where ${where}) to '${row.file}'`)
    await to.unsafe(`copy ${table} (${columns}) from '${row.file}'`)
  } finally {
    rmSync(row.file, { force: true })
  }
}

const listColumns = async (sql: Sql | Transaction, table: string): Promise<string[]> =>
  (
    await sql<{ name: string }[]>`
      select quote_ident(attname) as name from pg_attribute
      where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped and attgenerated = ''
      order by attnum`
  ).map(({ name }) => name)
