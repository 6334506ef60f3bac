// The statements under sql/queries/: loaded once, prepared on first use, shared with the plan test and pgbench.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type postgres from 'postgres'

import type { LaggingRunner, Runner } from './database.ts'

/** Migrations, functions and queries. */
export const SQL_FOLDER = join(import.meta.dir, '../../../sql')

/** A statement of `sql/queries/<name>.sql` with `$1 … $n`. */
export interface StatementFile<Row extends object, On extends LaggingRunner> {
  readonly name: string
  readonly text: string
  run(on: On, parameters: readonly postgres.SerializableParameter[]): Promise<Row[]>
}

/** Loads `sql/queries/<name>.sql`. Only a statement that `mayLag` can run on a replica. Throws if the file is missing. */
export function statementFile<Row extends object>(name: string, age: 'fresh'): StatementFile<Row, Runner>
export function statementFile<Row extends object>(name: string, age: 'mayLag'): StatementFile<Row, LaggingRunner>
export function statementFile<Row extends object>(name: string): StatementFile<Row, LaggingRunner> {
  const text = withoutComments(readFileSync(join(SQL_FOLDER, 'queries', `${name}.sql`), 'utf8'))
  return { name, text, run: (on, parameters) => on.prepared<Row>(name, text, parameters) }
}

/** The driver looks statements up by their text: without comments and indentation it is a third shorter. */
const withoutComments = (sql: string): string => sql.replace(/^\s*--.*\n/gm, '').replace(/^[ \t]+/gm, '')
