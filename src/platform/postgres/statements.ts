// Statements that stand in `.sql` files beside their noun. What the database says of their parameters and rows is generated as
// TypeScript beside each file: `bookings.sql.ts` of `bookings.sql`, by `npm run schema`.
import { readFileSync } from 'node:fs'

import type { LaggingRunner, Sql } from './database.ts'

/**
 * One statement of a file:
 *
 *     -- name: findOwner :one on write
 *     -- The account of a pro.
 *     select account_id from professionals where id = :id
 *
 * `:one` row or none, `:many` rows or `:exec` for none, as in sqlc. `on` names the member of the ctx that runs it; without it, the
 * statement gets the runner itself. `:id` is a parameter, and `:id?` one that may be null.
 */
export interface ParsedStatement {
  readonly name: string
  readonly rows: 'one' | 'many' | 'exec'
  readonly on: string | undefined
  /** The comments between the name and the text. */
  readonly header: readonly string[]
  /** What stands between the parameters. */
  readonly strings: readonly string[]
  /** The names of the parameters in the order in which they stand, as in TypeScript. */
  readonly parameters: readonly { readonly name: string; readonly isNullable: boolean }[]
}

/** What the database does not describe, and tests check in each row that they read. */
export interface RowChecks {
  /** The columns that may be null, or whose type the caller declares. */
  readonly nullable?: readonly string[]
  /** The texts that a column may have. */
  readonly texts?: Readonly<Record<string, readonly string[]>>
}

type Pool<On> = [On] extends [string] ? { readonly [Name in On]: LaggingRunner } : LaggingRunner
type Call<On, Input, Result> = keyof Input extends never
  ? (ctx: Pool<On>) => Promise<Result>
  : (ctx: Pool<On>, input: Input) => Promise<Result>
/** For rows with JSON, of which the database knows no shape: the caller declares it. */
type DeclaringCall<On, Input, Row, Declared extends keyof Row, Result> = keyof Input extends never
  ? <Shape extends Partial<Pick<Row, Declared>>>(
      ctx: Pool<On>,
    ) => Promise<ResultOf<Result, Omit<Row, Declared> & Shape>>
  : <Shape extends Partial<Pick<Row, Declared>>>(
      ctx: Pool<On>,
      input: Input,
    ) => Promise<ResultOf<Result, Omit<Row, Declared> & Shape>>
type ResultOf<Result, Row> = Result extends 'one' ? Row | undefined : Row[]

/** A statement that returns at most one row. `On`: the member of the ctx that runs it; undefined: it gets the runner. */
export type One<On, Input, Row, Declared extends keyof Row = never> = [Declared] extends [never]
  ? Call<On, Input, Row | undefined>
  : DeclaringCall<On, Input, Row, Declared, 'one'>
export type Many<On, Input, Row, Declared extends keyof Row = never> = [Declared] extends [never]
  ? Call<On, Input, Row[]>
  : DeclaringCall<On, Input, Row, Declared, 'many'>
export type Exec<On, Input> = Call<On, Input, void>

const NAME = /^-- name: (\w+) :(one|many|exec)(?: on (\w+))?$/
/** Tests check what the rows have; a running server trusts it. */
export const CHECKS_ROWS = process.env['NODE_ENV'] === 'test'

/** Finds the statements of `bookings.sql` by name for `bookings.sql.ts`, at `path`. Throws on one that is not there. */
export function statementsOf(path: string) {
  const source = readFileSync(path.slice(0, -'.ts'.length), 'utf8')
  const all = new Map(parseStatements(source).map((statement) => [statement.name, statement]))
  return (name: string, checks: RowChecks = {}): unknown => {
    const statement = all.get(name)
    if (!statement) throw new Error(`there is no statement ${name}`)
    return callOf(statement, checks)
  }
}

function callOf({ name, rows, on, strings, parameters }: ParsedStatement, checks: RowChecks) {
  const texts = Object.assign([...strings], { raw: strings }) as unknown as TemplateStringsArray
  return async (ctx: LaggingRunner | Record<string, LaggingRunner>, input: Record<string, unknown> = {}) => {
    const runner = on === undefined ? ctx : (ctx as Record<string, LaggingRunner>)[on]
    const found = await (runner as LaggingRunner).run<Record<string, unknown>>(name, (sql) =>
      sql(texts, ...(parameters.map((parameter) => valueOf(input[parameter.name])) as Parameters<Sql>[1][])),
    )
    if (rows === 'exec') return undefined
    if (CHECKS_ROWS) for (const row of found) checkRow(name, row, checks)
    return rows === 'many' ? found : found[0]
  }
}

const valueOf = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value)

function checkRow(name: string, row: Record<string, unknown>, { nullable = [], texts = {} }: RowChecks): void {
  for (const [column, value] of Object.entries(row))
    if (value === null && !nullable.includes(column))
      throw new TypeError(`${name} returned null in ${column}: its header does not say that it may`)
  for (const [column, allowed] of Object.entries(texts)) {
    const value = row[column]
    if (value !== null && !allowed.includes(value as string))
      throw new TypeError(
        `${name} returned ${JSON.stringify(value)} in ${column}, which it declares as ${allowed.join(', ')}`,
      )
  }
}

/** The statements of a file. Throws on a name that is not in the form of {@link ParsedStatement}. */
export const parseStatements = (source: string): ParsedStatement[] =>
  source
    .split(/^(?=-- name:)/m)
    .filter((part) => part.startsWith('-- name:'))
    .map(parseStatement)

function parseStatement(part: string): ParsedStatement {
  const [first = '', ...lines] = part.trimEnd().split('\n')
  const [, name = '', rows, on] = NAME.exec(first) ?? []
  if (rows !== 'one' && rows !== 'many' && rows !== 'exec') throw new Error(`not the name of a statement: ${first}`)
  const end = lines.findIndex((line) => !line.startsWith('--'))
  const text = lines
    .filter((line) => !line.trimStart().startsWith('--'))
    .map((line) => line.trimStart())
    .join('\n')
  const strings = ['']
  const parameters: { name: string; isNullable: boolean }[] = []
  for (const [token, parameter, mark] of text.matchAll(TOKENS))
    if (parameter === undefined) strings.push(`${strings.pop() ?? ''}${token}`)
    else {
      parameters.push({ name: camelCase(parameter), isNullable: mark === '?' })
      strings.push('')
    }
  return { name, rows, on, header: lines.slice(0, end).map((line) => line.slice(3)), strings, parameters }
}

/** A literal, a parameter, or what stands between them; `::` is a cast. */
const TOKENS = /'(?:[^']|'')*'|::|:([a-z][a-z0-9_]*)(\?)?|[^':]+|:/g

/** The text of a statement with `$1 … $n`, as the driver sends it. */
export const numberedText = ({ strings }: ParsedStatement): string =>
  strings.reduce((before, part, index) => `${before}$${index}${part}`)

export const camelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
