// The files of the schema (migrations, functions and sweeps), and the record of those that a database has, each with the version that
// applied it. Two versions may use one database: the newer one's functions stay.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { type Columns, boolean, composed, text } from './composed.ts'
import type { Runner, Sql } from './database.ts'
import { SQL_FOLDER } from './statement-files.ts'
import { VERSION, isNewer } from '../version.ts'

export interface NamedFile {
  /** Such as `migrations/0061_baseline.sql`. */
  readonly name: string
  readonly checksum: string
}

export interface SchemaFile extends NamedFile {
  readonly text: string
  /** The migrations of older releases in whose place a baseline stands: a database has all of them, or none. */
  readonly replaces: readonly NamedFile[]
}

/** What a database knows of a file. */
export interface SchemaRecord extends NamedFile {
  /** The newest version whose file has this checksum, of those that have migrated the database. */
  readonly version: string
}

const RECORD: Columns<SchemaRecord> = { name: text, checksum: text, version: text }

export type SchemaRecords = ReadonlyMap<string, SchemaRecord>

export interface SchemaFiles {
  /** In the order in which they apply. */
  readonly migrations: readonly SchemaFile[]
  readonly functions: readonly SchemaFile[]
  /** Statements that write the rows of a table anew, part by part, once: see `sweep.ts`. */
  readonly sweeps: readonly SchemaFile[]
}

/** An applied migration was edited or removed, or a baseline was applied in part. The database is unchanged. */
export class MigrationChanged extends Error {
  override readonly name = 'MigrationChanged'
}

/** The version whose record was the table `schema_migrations`, without versions. */
const FIRST_RELEASE = '0.1.0'
/** The last version that has the migrations which a baseline replaces. */
const LAST_WITH_REPLACED = '0.2.0'

/** The files of this build, or of another folder. */
export const schemaFiles = (folder = SQL_FOLDER): SchemaFiles => ({
  migrations: sqlFiles(join(folder, 'migrations')),
  functions: sqlFiles(join(folder, 'functions')),
  sweeps: sqlFiles(join(folder, 'sweeps')),
})

/** Reads the records of a database. A database without records has none, or those of the first release. */
export async function readRecords(sql: Sql): Promise<SchemaRecords> {
  const [found] = await sql<{ ours: boolean; first: boolean }[]>`
    select to_regclass('schema_files') is not null as ours, to_regclass('schema_migrations') is not null as first`
  if (found?.ours) return byName(await sql<SchemaRecord[]>`select name, checksum, version from schema_files`)
  if (!found?.first) return new Map()
  return byName(await sql<SchemaRecord[]>`select name, checksum, ${FIRST_RELEASE} as version from schema_migrations`)
}

/** Creates the table of records, and takes over those of the first release. */
export async function openRecords(sql: Sql): Promise<SchemaRecords> {
  const records = [...(await readRecords(sql)).values()]
  const [found] = await sql`select where to_regclass('schema_files') is not null`
  if (found) return byName(records)
  await sql`begin`
  await sql`
    create table schema_files (
      name text primary key, checksum text not null, version text not null, applied_at timestamptz not null default now())`
  if (records.length > 0) await sql`insert into schema_files ${sql(records, 'name', 'checksum', 'version')}`
  await sql`commit`
  return byName(records)
}

/** The migrations that the database lacks. */
export const missingMigrations = ({ migrations }: SchemaFiles, records: SchemaRecords): SchemaFile[] =>
  migrations.filter((file) => !records.has(file.name) && !hasReplaced(file, records))

/** The sweeps that have not come to their end. */
export const missingSweeps = ({ sweeps }: SchemaFiles, records: SchemaRecords): SchemaFile[] =>
  sweeps.filter(({ name }) => !records.has(name))

/** Whether the database has all migrations in whose place the file stands. */
export const hasReplaced = ({ replaces }: SchemaFile, records: SchemaRecords): boolean =>
  replaces.length > 0 && replaces.every(({ name }) => records.has(name))

/** The functions that the database lacks or has in another form, except those of a newer version than `version`. */
export const outdatedFunctions = ({ functions }: SchemaFiles, records: SchemaRecords, version: string): SchemaFile[] =>
  functions.filter(({ name, checksum }) => {
    const record = records.get(name)
    return !record || (record.checksum !== checksum && !isNewer(record.version, version))
  })

/** The newest version that has migrated the database, if it is newer than `version`. */
export function newerVersion(records: SchemaRecords, version = VERSION): string | undefined {
  const newest = [...records.values()]
    .map((one) => one.version)
    .toSorted((a, b) => Bun.semver.order(a, b))
    .at(-1)
  return newest !== undefined && isNewer(newest, version) ? newest : undefined
}

/**
 * Throws {@link MigrationChanged} for an applied migration that differs, for an unknown one that is not a newer version's, and for
 * a database that has only some of the migrations that a baseline replaces.
 */
export function checkUnchanged({ migrations }: SchemaFiles, records: SchemaRecords, version: string): void {
  const known = migrations.flatMap((file): NamedFile[] => [file, ...file.replaces])
  for (const { name, checksum } of known) {
    const record = records.get(name)
    if (record && record.checksum !== checksum)
      throw new MigrationChanged(`${name} has changed since it was applied. Restore it and add a new migration.`)
  }
  for (const { name, replaces } of migrations) {
    const applied = replaces.filter((one) => records.has(one.name)).length
    if (applied > 0 && applied < replaces.length)
      throw new MigrationChanged(
        `This database has ${applied} of the ${replaces.length} migrations that ${name} replaces. ` +
          `Run \`hearth migrate\` of release ${LAST_WITH_REPLACED} first.`,
      )
  }
  const names = new Set(known.map(({ name }) => name))
  for (const record of records.values())
    if (record.name.startsWith('migrations/') && !names.has(record.name) && !isNewer(record.version, version))
      throw new MigrationChanged(`${record.name} was applied to this database, but this build does not contain it.`)
}

/** The files that this build needs and the database lacks. A newer version's functions are as good. */
export async function pendingMigrations(db: Runner): Promise<string[]> {
  const files = schemaFiles()
  const [table] = await composed(
    db,
    'pendingMigrations',
    { exists: boolean },
    (sql) => sql`select to_regclass('schema_files') is not null as exists`,
  )
  const rows = table?.exists
    ? await composed<SchemaRecord>(
        db,
        'pendingMigrations',
        RECORD,
        (sql) => sql`select name, checksum, version from schema_files`,
      )
    : []
  const records = byName(rows)
  const isOther = (file: SchemaFile) =>
    records.get(file.name)?.checksum !== file.checksum && !hasReplaced(file, records)
  const functions = outdatedFunctions(files, records, VERSION)
  return [...files.migrations.filter(isOther), ...functions, ...missingSweeps(files, records)].map(({ name }) => name)
}

export const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const byName = (records: readonly SchemaRecord[]): SchemaRecords => new Map(records.map((one) => [one.name, one]))

function sqlFiles(folder: string): SchemaFile[] {
  const kind = folder.split('/').at(-1)
  // Older releases have no sweeps.
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      const replaces = replacedBy(join(folder, name)).map((one) => ({ ...one, name: `${kind}/${one.name}` }))
      return { name: `${kind}/${name}`, text, checksum: checksumOf(text), replaces }
    })
}

/** The list beside a baseline, in the form of sha256sum. */
function replacedBy(path: string): NamedFile[] {
  const list = path.replace(/\.sql$/, '.sha256')
  if (!existsSync(list)) return []
  const lines = readFileSync(list, 'utf8').trim().split('\n')
  return lines.map((line) => ({ checksum: line.slice(0, 64), name: line.slice(66) }))
}
