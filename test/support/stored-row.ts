// A row of a table that is nowhere stored, for functions of the database that take one.
import type { Sql } from '../../src/platform/postgres/database.ts'

/** With these columns, and null in all others. */
export const storedRow = (sql: Sql, table: string, columns: object) =>
  sql`jsonb_populate_record(null::${sql(table)}, ${JSON.stringify(columns)}::text::jsonb)`
