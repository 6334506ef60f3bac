// What a migration would do to a database: files, locks, and the size of what is read or written under them.
import type { Sql } from './database.ts'
import {
  type SchemaFile,
  checkUnchanged,
  missingMigrations,
  newerVersion,
  outdatedFunctions,
  readRecords,
  schemaFiles,
} from './schema-files.ts'
import { type TableLock, locksOf, parseStatements } from './statement-locks.ts'
import { VERSION } from '../version.ts'

interface TableSize {
  readonly bytes: number
  readonly rows: number
}

/** What one disk and one core read of a table per second, roughly: PostgreSQL's own sums assume no more. */
const BYTES_PER_SECOND = 100_000_000
const WORKS: Record<TableLock['work'], string> = {
  catalog: 'changes no rows',
  read: 'reads all rows',
  rewrite: 'rewrites all rows',
  rows: 'writes the rows that match',
}
/** Modes under which statements of servers wait, and which. */
const BLOCKED: Partial<Record<TableLock['mode'], string>> = {
  'ACCESS EXCLUSIVE': 'reads and writes wait',
  'SHARE ROW EXCLUSIVE': 'writes wait',
  SHARE: 'writes wait',
}

/** Lines for the operator that say what `migrate` would do now. Changes nothing. Throws MigrationChanged like `migrate`. */
export async function planMigration(sql: Sql, folder?: string, version = VERSION): Promise<string[]> {
  const files = schemaFiles(folder)
  const records = await readRecords(sql)
  checkUnchanged(files, records, version)
  const newer = newerVersion(records, version)
  const migrations = missingMigrations(files, records)
  const functions = outdatedFunctions(files, records, version)
  const head = newer === undefined ? [] : [`The database has functions of the newer version ${newer}, which stay.`]
  if (migrations.length + functions.length === 0) return [...head, 'The database is up to date.']
  const described = []
  for (const file of migrations) described.push(`would apply ${file.name}`, ...(await describe(sql, file)))
  const replaced = []
  for (const file of functions)
    replaced.push(`  ${file.name}`, ...(await describe(sql, file)).map((line) => `  ${line}`))
  if (replaced.length > 0) described.push('would replace these functions in one transaction', ...replaced)
  return [...head, ...described, 'Nothing was changed.']
}

async function describe(sql: Sql, { text }: SchemaFile): Promise<string[]> {
  const lines = []
  for (const { node } of await parseStatements(text)) {
    if ('DoStmt' in node) lines.push('  a block of code, whose locks only the file shows')
    for (const lock of locksOf(node)) lines.push(`  ${lineOf(lock, await sizeOf(sql, lock.table))}`)
  }
  return [...new Set(lines)]
}

/** Undefined for a table that does not exist yet, or is empty. */
async function sizeOf(sql: Sql, table: string): Promise<TableSize | undefined> {
  const [size] = await sql<TableSize[]>`
    select pg_total_relation_size(oid) as bytes, greatest(reltuples, 0)::float8 as rows
    from pg_class where oid = to_regclass(quote_ident(${table}))`
  return size && size.bytes > 0 ? size : undefined
}

function lineOf({ table, mode, work }: TableLock, size: TableSize | undefined): string {
  const blocked = BLOCKED[mode]
  const lock = `${mode} on ${table}${blocked ? ` (${blocked})` : ''}: ${WORKS[work]}`
  if (!size || work === 'catalog') return lock
  const megabytes = Math.ceil(size.bytes / 1_000_000).toLocaleString('en')
  const seconds = Math.ceil(size.bytes / BYTES_PER_SECOND).toLocaleString('en')
  return `${lock}, up to ${megabytes} MB and about ${Math.round(size.rows).toLocaleString('en')} rows: ${seconds} s at 100 MB/s`
}
