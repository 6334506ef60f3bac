// What a migration would do to a database: files, locks, and the size of what is read or written under them.
import type { Sql } from './database.ts'
import {
  type SchemaFile,
  checkUnchanged,
  missingMigrations,
  missingSweeps,
  newerVersion,
  outdatedFunctions,
  readRecords,
  schemaFiles,
} from './schema-files.ts'
import { type TableLock, locksOf, parseStatements } from './statement-locks.ts'
import { VERSION } from '../version.ts'

interface Table {
  readonly name: string
  readonly bytes: number
  readonly rows: number
}

/** A round figure for one disk; the lines of a plan name it. */
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
  const sweeps = missingSweeps(files, records).map(
    ({ name }) => `would write rows anew by ${name}, in parts that readers and other writers need not wait for`,
  )
  if (migrations.length + functions.length + sweeps.length === 0) return [...head, 'The database is up to date.']
  const described = []
  for (const file of migrations) described.push(`would apply ${file.name}`, ...(await describe(sql, file)))
  const replaced = []
  for (const file of functions)
    replaced.push(`  ${file.name}`, ...(await describe(sql, file)).map((line) => `  ${line}`))
  if (replaced.length > 0) described.push('would replace these functions in one transaction', ...replaced)
  return [...head, ...described, ...sweeps, 'Nothing was changed.']
}

/** Tables that the migrations create are left out: no statement can wait for them. */
async function describe(sql: Sql, { text }: SchemaFile): Promise<string[]> {
  const lines = []
  for (const { node } of await parseStatements(text)) {
    if ('DoStmt' in node) lines.push('  a block of code, whose locks only the file shows')
    for (const lock of locksOf(node)) {
      const table = await findTable(sql, lock.relation)
      if (table) lines.push(`  ${lineOf(lock, table)}`)
    }
  }
  return [...new Set(lines)]
}

/** The existing table of this name, or of the index of this name. */
async function findTable(sql: Sql, relation: string): Promise<Table | undefined> {
  const [found] = await sql<Table[]>`
    select relname as name, pg_total_relation_size(oid) as bytes, greatest(reltuples, 0)::float8 as rows
    from pg_class where oid = coalesce(
      (select indrelid from pg_index where indexrelid = to_regclass(quote_ident(${relation}))),
      to_regclass(quote_ident(${relation})))`
  return found
}

function lineOf({ mode, work }: TableLock, { name, bytes, rows }: Table): string {
  const blocked = BLOCKED[mode]
  const lock = `${mode} on ${name}${blocked ? ` (${blocked})` : ''}: ${WORKS[work]}`
  if (work === 'catalog') return lock
  const megabytes = Math.ceil(bytes / 1_000_000).toLocaleString('en')
  const seconds = Math.ceil(bytes / BYTES_PER_SECOND).toLocaleString('en')
  return `${lock}, up to ${megabytes} MB and about ${Math.round(rows).toLocaleString('en')} rows: ${seconds} s at 100 MB/s`
}
