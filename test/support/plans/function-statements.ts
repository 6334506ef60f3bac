// The statements inside the functions of the database, with the function's variables as parameters.
import { type Node, parse, parsePlPgSQL } from 'libpg-query'

import type { Sql } from '../../../src/platform/postgres/database.ts'
import type { Statement } from './program-statements.ts'

interface StoredFunction {
  name: string
  language: 'sql' | 'plpgsql'
  definition: string
  body: string
  /** Of all arguments and columns that it returns; null without a name. */
  argumentNames: (string | null)[] | null
  argumentTypes: string[]
  /** The table of its trigger. */
  triggerTable: string | null
}

/** The types of variables by name; undefined where a row has the columns of whatever is assigned. */
type Variables = ReadonlyMap<string, string | undefined>

/**
 * Reads the functions of the schema; those of extensions are left out. The rows that a statement changed (`old_rows`,
 * `new_rows`) become temporary tables `changed_…` of this connection.
 */
export async function readFunctionStatements(sql: Sql): Promise<Statement[]> {
  const functions = await sql<StoredFunction[]>`
    select p.proname as name, l.lanname as language, pg_get_functiondef(p.oid) as definition, p.prosrc as body,
      p.proargnames as argument_names,
      array(select format_type(t, null) from unnest(coalesce(p.proallargtypes, p.proargtypes)) t) as argument_types,
      (select t.tgrelid::regclass::text from pg_trigger t where t.tgfoid = p.oid limit 1) as trigger_table
    from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = 'public'::regnamespace and l.lanname in ('sql', 'plpgsql') and p.prokind in ('f', 'p')
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by p.oid::regprocedure::text`
  for (const table of new Set(functions.flatMap(({ triggerTable }) => triggerTable ?? [])))
    await sql`create temporary table if not exists ${sql(`changed_${table}`)} as select * from ${sql(table)} limit 0`
  const found = await Promise.all(functions.map((one) => (one.language === 'sql' ? ofSql(one) : ofPlPgSql(one))))
  return found.flat()
}

const argumentsOf = ({ argumentNames, argumentTypes }: StoredFunction): Variables =>
  new Map((argumentNames ?? []).flatMap((name, n) => (name ? [[name, argumentTypes[n]] as const] : [])))

/** A function in SQL. In its body the name of a column goes before that of an argument. */
async function ofSql(one: StoredFunction): Promise<Statement[]> {
  const { name, body } = one
  const { stmts = [] } = await parse(body)
  const bytes = Buffer.from(body)
  return await Promise.all(
    stmts.map(async ({ stmt_location: start = 0, stmt_len: length = bytes.length }) => {
      const text = bytes.subarray(start, start + length).toString()
      return { name: `${name}()`, ...(await withParameters(text, argumentsOf(one), name)) }
    }),
  )
}

async function ofPlPgSql(one: StoredFunction): Promise<Statement[]> {
  const { name, definition, triggerTable } = one
  const parsed = objectsOf(await parsePlPgSQL(withoutLists(definition)))
  const variables = new Map([...variablesOf(parsed), ...argumentsOf(one)])
  for (const [, variable = '', type] of definition.matchAll(ROW_ARRAY)) variables.set(variable, type)
  if (triggerTable) for (const row of ['new', 'old']) variables.set(row, triggerTable)
  const statements = parsed.flatMap((node) => {
    const { query, parseMode } = (node['PLpgSQL_expr'] ?? {}) as { query?: string; parseMode?: number }
    return query === undefined ? [] : [withChangedRows(asStatement(query, parseMode ?? 0), triggerTable)]
  })
  return await Promise.all(
    // Without a table there is nothing to look up.
    statements
      .filter((text) => /\b(from|update|insert|delete|merge)\b/i.test(text))
      .map(async (text) => ({ name: `${name}()`, ...(await withParameters(text, variables, name)) })),
  )
}

/** The parser takes an array of rows for a row, which it refuses in a list of targets. */
const ROW_ARRAY = /\b(\w+) ((?:pro_search)_\w+\[\]);/g
const withoutLists = (definition: string): string => definition.replaceAll(ROW_ARRAY, '$1 text[];')

function* variablesOf(parsed: readonly Json[]): Generator<[string, string | undefined]> {
  for (const node of parsed) {
    const { refname, datatype } = (node['PLpgSQL_var'] ?? node['PLpgSQL_rec'] ?? {}) as {
      refname?: string
      datatype?: { PLpgSQL_type?: { typname?: string } }
    }
    const type = datatype?.PLpgSQL_type?.typname?.replace(/%rowtype$/i, '')
    if (refname) yield [refname, type === 'record' || type?.includes('%') ? undefined : type]
  }
}

/** The modes of PL/pgSQL's parser: 0 a statement, 1 the name of a type, 2 an expression, 3 to 5 an assignment. */
const asStatement = (query: string, mode: number): string =>
  mode === 0 ? query : `select ${mode === 2 ? query : query.replace(/^[^:=]*:?=/, '')}`

/** The rows that a statement changed are in a temporary table with the columns of the trigger's table. */
const withChangedRows = (query: string, table: string | null): string =>
  table ? query.replaceAll(/\b(old|new)_rows\b/g, `changed_${table}`) : query

/** Replaces references to variables, and to the columns of rows without a type, by numbers. */
async function withParameters(
  text: string,
  variables: Variables,
  owner: string,
): Promise<Pick<Statement, 'text' | 'types'>> {
  const references = objectsOf(await parse(text)).flatMap((node) => {
    const reference = node['ColumnRef'] as { fields: Node[]; location?: number } | undefined
    if (!reference) return []
    const names = reference.fields.flatMap((field) => ('String' in field ? [field.String.sval ?? ''] : []))
    const first = names[0] === owner && names.length > 1 ? 1 : 0
    const variable = names[first] ?? ''
    if (!variables.has(variable)) return []
    const type = variables.get(variable)
    // A column of a row whose type is known is read from the parameter.
    const taken = type === undefined ? names : names.slice(0, first + 1)
    return [{ at: reference.location ?? 0, name: taken.join('.'), type, isRow: names.length > taken.length }]
  })
  const types = new Map(
    [...text.matchAll(/\$(\d+)/g)].map(([found]) => [found, [...variables.values()][Number(found.slice(1)) - 1]]),
  )
  const numbers = new Map<string, string>()
  let bytes = Buffer.from(text)
  for (const { at, name, type, isRow } of references.toSorted((a, b) => b.at - a.at)) {
    const end = at + Buffer.byteLength(name)
    if (bytes.subarray(at, end).toString().toLowerCase() !== name) continue
    const number = numbers.get(name) ?? `$${Math.max(0, ...[...types.keys()].map((one) => Number(one.slice(1)))) + 1}`
    numbers.set(name, number)
    types.set(number, type)
    bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(isRow ? `(${number})` : number), bytes.subarray(end)])
  }
  const ordered = [...types].toSorted(([a], [b]) => Number(a.slice(1)) - Number(b.slice(1)))
  return { text: bytes.toString(), types: ordered.map(([, type]) => type ?? 'unknown') }
}

type Json = Record<string, unknown>

function objectsOf(value: unknown): Json[] {
  if (Array.isArray(value)) return value.flatMap(objectsOf)
  if (typeof value !== 'object' || value === null) return []
  return [value as Json, ...Object.values(value).flatMap(objectsOf)]
}
