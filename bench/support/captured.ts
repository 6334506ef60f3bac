// The statement that a query function of the program sends, with its parameters, so that pgbench and the floor run no copy of it.
import type { Runner, Sql } from '../../src/platform/postgres/database.ts'
import { type Parameter, literal } from './pgbench.ts'

/** A statement with `$1 … $n` and the parameters of one call. */
export interface StatementCall {
  readonly text: string
  readonly parameters: readonly Parameter[]
}

/** Returns what a function sends that runs a file of `sql/queries/`. The function gets no rows. Throws when it sends nothing. */
export async function captureCall(query: (db: Runner) => Promise<unknown>): Promise<StatementCall> {
  let sent: StatementCall | undefined
  await query({
    freshness: 'fresh',
    run: (name) => Promise.reject(new Error(`${name} is not a statement file.`)),
    prepared: (_, text, parameters) => {
      sent = { text, parameters: parameters as readonly Parameter[] }
      return Promise.resolve([])
    },
  })
  if (!sent) throw new Error('No statement was sent.')
  return sent
}

/** Statement files of one form: the text and the parameters of each call. */
export async function captureCalls(queries: readonly ((db: Runner) => Promise<unknown>)[]) {
  const calls = await Promise.all(queries.map(captureCall))
  return { text: calls[0]?.text ?? '', calls: calls.map(({ parameters }) => parameters) }
}

class Expression {
  constructor(readonly sql: string) {}
}

/** Stands for an SQL expression where a query function takes a value. */
export const expression = (sql: string): never => new Expression(sql) as never

/** Returns the text of a function's tagged statement, with its values as literals and its {@link expression}s in place. */
export async function captureText(query: (db: Runner) => Promise<unknown>): Promise<string> {
  let text: string | undefined
  const valueOf = (value: unknown) => {
    if (value instanceof Expression) return value.sql
    const isJson = typeof value === 'object' && value !== null && !Array.isArray(value)
    return literal(isJson ? JSON.stringify(value) : ((value ?? null) as Parameter))
  }
  const tag = (strings: readonly string[], ...values: readonly unknown[]) => {
    text = strings.map((part, n) => (n < values.length ? part + valueOf(values[n]) : part)).join('')
    return Promise.resolve([])
  }
  await query({
    freshness: 'fresh',
    run: async (_, statement) => [...(await statement(tag as unknown as Sql))],
    prepared: (name) => Promise.reject(new Error(`${name} is a statement file.`)),
  })
  if (text === undefined) throw new Error('No statement was sent.')
  return text
}
