// Statements that are put together as they run, because an order, a filter or a table varies. The database cannot describe them
// beforehand: their columns are declared, and tests check them in each result that they read.
import type { LaggingRunner, Statement } from './database.ts'
import { CHECKS_ROWS } from './statements.ts'

/** Whether a column may have this value. */
export type Column<T> = (value: unknown) => value is T

/** What each column of a row has. */
export type Columns<Row> = { readonly [Name in keyof Row]-?: Column<Row[Name]> }

export const text: Column<string> = (value): value is string => typeof value === 'string'
export const number: Column<number> = (value): value is number => typeof value === 'number'
export const boolean: Column<boolean> = (value): value is boolean => typeof value === 'boolean'

/** A JSON document or array, whose shape is declared by the caller. */
export const json =
  <T>(): Column<T> =>
  (value): value is T =>
    typeof value === 'object' && value !== null

/** One of the names of an object, such as the states of a machine. */
export const keyOf =
  <Name extends string>(names: Readonly<Record<Name, unknown>>): Column<Name> =>
  (value): value is Name =>
    typeof value === 'string' && Object.hasOwn(names, value)

export const oneOf =
  <const T extends string>(...values: readonly T[]): Column<T> =>
  (value): value is T =>
    values.some((one) => one === value)

export const listOf =
  <T>(column: Column<T>): Column<T[]> =>
  (value): value is T[] =>
    Array.isArray(value) && value.every(column)

export const nullable =
  <T>(column: Column<T>): Column<T | null> =>
  (value): value is T | null =>
    value === null || column(value)

/** Runs a statement whose rows have these columns. Throws as `run` does. */
export async function composed<Row extends object>(
  runner: LaggingRunner,
  name: string,
  columns: Columns<Row>,
  statement: Statement<Row>,
): Promise<Row[]> {
  const rows = await runner.run<Row>(name, statement)
  if (CHECKS_ROWS) checkRows(name, columns, rows)
  return rows
}

function checkRows<Row extends object>(name: string, columns: Columns<Row>, rows: readonly Row[]): void {
  const declared = Object.keys(columns) as (keyof Row & string)[]
  const read = (rows as { columns?: readonly { name: string }[] }).columns?.map((column) => column.name)
  if (read && read.toSorted().join() !== declared.toSorted().join())
    throw new TypeError(`${name} read the columns ${read.join(', ')}: it declares ${declared.join(', ')}`)
  for (const row of rows)
    for (const column of declared)
      if (!columns[column](row[column]))
        throw new TypeError(`${name} read ${JSON.stringify(row[column])} in ${column}, which it does not declare`)
}
