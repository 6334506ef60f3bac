// Writes the TypeScript of statements in `.sql` files from what a migrated database says of their parameters and columns.
import { readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

import type { Sql } from '../src/platform/postgres/database.ts'
import { type ParsedStatement, camelCase, numberedText, parseStatements } from '../src/platform/postgres/statements.ts'
import { ROOT, filesUnder } from './support/imports.ts'

/** PostgreSQL's types by id, as src/platform/postgres/types.ts and the driver read them. All others are texts. */
const TYPES: Readonly<Record<number, string>> = {
  16: 'boolean',
  17: 'Buffer',
  20: 'number',
  21: 'number',
  23: 'number',
  114: 'unknown',
  700: 'number',
  701: 'number',
  1005: 'number[]',
  1007: 'number[]',
  1009: 'string[]',
  1016: 'number[]',
  1022: 'number[]',
  1184: 'string',
  1700: 'number',
  2278: 'void',
  2951: 'string[]',
  3802: 'unknown',
}
const typeOf = (id: number) => TYPES[id] ?? 'string'
const INSTANT = 1184

interface TableColumn {
  name: string
  isNotNull: boolean
  /** The values that a CHECK allows. */
  texts: string[] | undefined
}

/** A column of a result. */
interface Column {
  name: string
  type: number
  table: number
  number: number
}

/** A fault of a statement, for the one who wrote it. */
export class StatementError extends Error {}

/** Each generated file, by its path from the root. `sql` is a connection to a migrated database. */
export async function statementTypes(sql: Sql): Promise<Map<string, string>> {
  const catalog = await readCatalog(sql)
  const files = ['src', 'workers'].flatMap((folder) => filesUnder(folder)).filter((path) => path.endsWith('.sql'))
  const written = new Map<string, string>()
  for (const path of files)
    written.set(`${path}.ts`, await typesOfFile(sql, { path, source: readFileSync(join(ROOT, path), 'utf8') }, catalog))
  return written
}

type Catalog = Awaited<ReturnType<typeof readCatalog>>

/** The columns of all tables, by table id and number, and by `table.column`. */
export async function readCatalog(sql: Sql) {
  const rows = await sql<{ id: string; table: string; name: string; isNotNull: boolean; check: string | null }[]>`
    select a.attrelid || '.' || a.attnum as id, c.relname as table, a.attname as name, a.attnotnull as is_not_null,
      (select pg_get_constraintdef(k.oid) from pg_constraint k
        where k.conrelid = a.attrelid and k.contype = 'c' and k.conkey = array[a.attnum]
          and pg_get_constraintdef(k.oid) like 'CHECK ((% = ANY (ARRAY[%' order by k.conname limit 1) as check
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and a.attnum > 0 and not a.attisdropped`
  const catalog = new Map<string, TableColumn>()
  for (const { id, table, name, isNotNull, check } of rows) {
    const column = { name, isNotNull, texts: check === null ? undefined : textsOf(check) }
    catalog.set(id, column)
    catalog.set(`${table}.${name}`, column)
  }
  return catalog
}

/** The values of `CHECK ((status = ANY (ARRAY['open'::text, 'done'::text])))`. */
function textsOf(check: string): string[] | undefined {
  const [, list = ''] = /^CHECK \(\(+\w+ = ANY \(ARRAY\[([^\]]*)\]\)+$/.exec(check) ?? []
  return list === '' ? undefined : Array.from(list.matchAll(/'((?:[^']|'')*)'::text/g), ([, text = '']) => text)
}

/** The TypeScript of one file. Throws {@link StatementError}. */
export async function typesOfFile(
  sql: Sql,
  { path, source }: { path: string; source: string },
  catalog: Catalog,
): Promise<string> {
  const statements = parseStatements(source)
  const written: string[] = []
  for (const statement of statements)
    try {
      written.push(await typesOfStatement(sql, statement, catalog))
    } catch (error) {
      throw new StatementError(`${path}, ${statement.name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  const text = written.join('\n')
  const types = ['Exec', 'Many', 'One'].filter((type) => new RegExp(`\\b${type}<`).test(text))
  const module = relative(join(ROOT, dirname(path)), join(ROOT, 'src/platform/postgres/statements.ts'))
  return `// Written by \`npm run schema\` from ${basename(path)}. Do not edit.
import { ${types.map((type) => `type ${type}, `).join('')}statementsOf } from '${module.startsWith('.') ? module : `./${module}`}'

const statement = statementsOf(import.meta.path)

${text}`
}

/** What the header of a statement declares about its columns. */
interface Declarations {
  notNull: string[]
  nullable: string[]
  /** Types by column: texts, or `table.column`. */
  types: Map<string, string>
  /** Columns whose shape the caller declares. */
  byCaller: string[]
  docs: string[]
}

function declarationsOf(header: readonly string[]): Declarations {
  const found: Declarations = { notNull: [], nullable: [], types: new Map(), byCaller: [], docs: [] }
  for (const line of header) {
    const [, word, list = ''] = /^(not null|nullable|shape|type): (.*)$/.exec(line) ?? []
    if (word === 'type') found.types.set(camelCase(list.split(' ', 1)[0] ?? ''), list.slice(list.indexOf(' ') + 1))
    else if (word === 'not null') found.notNull.push(...list.split(', '))
    else if (word === 'nullable') found.nullable.push(...list.split(', '))
    else if (word === 'shape') found.byCaller.push(...list.split(', '))
    else found.docs.push(line)
  }
  return found
}

async function typesOfStatement(sql: Sql, statement: ParsedStatement, catalog: Catalog): Promise<string> {
  const { name, rows, on, parameters } = statement
  const { columns, types: parameterTypes } = await describe(sql, statement)
  const declared = declarationsOf(statement.header)
  const unknown = [...declared.notNull, ...declared.nullable, ...declared.types.keys(), ...declared.byCaller].filter(
    (column) => !columns.some((found) => found.name === camelCase(column)),
  )
  if (unknown.length > 0) throw new StatementError(`it has no column ${unknown.join(', ')}`)
  const input = inputOf(parameters, parameterTypes)
  const read = columns.map((column) => columnOf(column, declared, catalog))
  const byCaller = read.filter(({ type }) => type === 'unknown').map(({ name }) => `'${name}'`)
  const generics = [
    on === undefined ? 'undefined' : `'${on}'`,
    objectOf(input),
    ...(rows === 'exec' ? [] : [objectOf(read.map(({ name, type }) => `${name}: ${type}`))]),
    ...(rows === 'exec' || byCaller.length === 0 ? [] : [byCaller.join(' | ')]),
  ]
  const docs = declared.docs.length === 0 ? '' : `/** ${declared.docs.join(' ')} */\n`
  const checks = rows === 'exec' ? '' : checksOf(read)
  const kind = { one: 'One', many: 'Many', exec: 'Exec' }[rows]
  return `${docs}export const ${camelCase(name)} = statement('${name}'${checks}) as ${kind}<${generics.join(',\n  ')}>\n`
}

const objectOf = (members: readonly string[]) => (members.length === 0 ? '{}' : `{ ${members.join('; ')} }`)

/** The members of the input. An instant that stands as a text somewhere else in the statement is a text. */
function inputOf(parameters: ParsedStatement['parameters'], types: readonly number[]): string[] {
  const members = new Map<string, string>()
  for (const [index, { name, isNullable }] of parameters.entries()) {
    const isInstant = parameters.every((other, at) => other.name !== name || types[at] === INSTANT)
    const type = isInstant ? 'string | Date' : typeOf(types[index] ?? 0).replace(/^(\w+\[\])$/, 'readonly $1')
    members.set(name, isNullable ? `${name}?: ${type === 'unknown' ? type : `${type} | null`}` : `${name}: ${type}`)
  }
  return Array.from(members.values())
}

interface ReadColumn {
  name: string
  type: string
  /** The texts that its header declares. */
  texts: string[] | undefined
}

function columnOf({ name, type, table, number }: Column, declared: Declarations, catalog: Catalog): ReadColumn {
  const isIn = (columns: readonly string[]) => columns.some((column) => camelCase(column) === name)
  const origin = catalog.get(`${table}.${number}`)
  const declaredType = declared.types.get(name)
  const texts = declaredType === undefined ? undefined : declaredTexts(declaredType, catalog)
  const known = texts ?? origin?.texts
  if (isIn(declared.byCaller) || typeOf(type) === 'unknown') return { name, type: 'unknown', texts: undefined }
  const base = known ? known.map((text) => `'${text}'`).join(' | ') : typeOf(type)
  const isNotNull = isIn(declared.notNull) || ((origin?.isNotNull ?? false) && !isIn(declared.nullable))
  return { name, type: isNotNull || base === 'void' ? base : `${base} | null`, texts }
}

/** The texts of `'open' | 'done'`, or of the CHECK of `bookings.status`. */
function declaredTexts(type: string, catalog: Catalog): string[] {
  const texts = type.startsWith("'") ? type.split(' | ').map((text) => text.slice(1, -1)) : catalog.get(type)?.texts
  if (!texts) throw new StatementError(`${type} is neither a list of texts nor a column whose CHECK has one`)
  return texts
}

function checksOf(columns: readonly ReadColumn[]): string {
  const nullable = columns.filter(({ type }) => /^unknown$|^void$|\| null$/.test(type)).map(({ name }) => `'${name}'`)
  const texts = columns.flatMap(({ name, texts }) =>
    texts ? [`${name}: [${texts.map((text) => `'${text}'`).join(', ')}]`] : [],
  )
  const parts = [
    ...(nullable.length > 0 ? [`nullable: [${nullable.join(', ')}]`] : []),
    ...(texts.length > 0 ? [`texts: { ${texts.join(', ')} }`] : []),
  ]
  return parts.length === 0 ? '' : `, { ${parts.join(', ')} }`
}

/** What PostgreSQL says of the parameters and columns (`Describe` of the protocol). */
async function describe(sql: Sql, statement: ParsedStatement): Promise<{ columns: Column[]; types: number[] }> {
  const described = await sql.unsafe(numberedText(statement)).describe()
  // PostgreSQL calls a column without a name `?column?`: no code reads it.
  const columns = (described.columns ?? []) as Column[]
  return { columns: columns.filter(({ name }) => /^\w+$/.test(name)), types: described.types }
}
