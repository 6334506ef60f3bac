// The files of the schema (migrations and functions), and the record of those that a database has, each with the version that
// applied it. Two versions may use one database: the newer one's functions stay.
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { type Columns, boolean, composed, text } from './composed.ts'
import type { Runner, Sql } from './database.ts'
import { SQL_FOLDER } from './statement-files.ts'
import { VERSION, isNewer } from '../version.ts'

export interface SchemaFile {
  /** Such as `migrations/0001_accounts_and_keys.sql`. */
  readonly name: string
  readonly text: string
  readonly checksum: string
}

/** What a database knows of a file. */
export interface SchemaRecord {
  readonly name: string
  readonly checksum: string
  /** The newest version whose file has this checksum, of those that have migrated the database. */
  readonly version: string
}

const RECORD: Columns<SchemaRecord> = { name: text, checksum: text, version: text }

export type SchemaRecords = ReadonlyMap<string, SchemaRecord>

export interface SchemaFiles {
  /** In the order in which they apply. */
  readonly migrations: readonly SchemaFile[]
  readonly functions: readonly SchemaFile[]
}

/** An applied migration was edited or removed. The database is unchanged. */
export class MigrationChanged extends Error {
  override readonly name = 'MigrationChanged'
}

/** The version whose record was the table `schema_migrations`, without versions. */
const FIRST_RELEASE = '0.1.0'

/** The files of this build, or of another folder. */
export const schemaFiles = (folder = SQL_FOLDER): SchemaFiles => ({
  migrations: sqlFiles(join(folder, 'migrations')),
  functions: sqlFiles(join(folder, 'functions')),
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
  migrations.filter(({ name }) => !records.has(name))

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

/** Throws {@link MigrationChanged} for an applied migration that differs, and for an unknown one that is not a newer version's. */
export function checkUnchanged({ migrations }: SchemaFiles, records: SchemaRecords, version: string): void {
  for (const { name, checksum } of migrations) {
    const record = records.get(name)
    if (record && record.checksum !== checksum)
      throw new MigrationChanged(`${name} has changed since it was applied. Restore it and add a new migration.`)
  }
  const names = new Set(migrations.map(({ name }) => name))
  for (const record of records.values())
    if (record.name.startsWith('migrations/') && !names.has(record.name) && !isNewer(record.version, version))
      throw new MigrationChanged(`${record.name} was applied to this database, but this build does not contain it.`)
}

/** The migrations and functions that this build needs and the database lacks. A newer version's functions are as good. */
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
  const isOther = ({ name, checksum }: SchemaFile) => records.get(name)?.checksum !== checksum
  return [...files.migrations.filter(isOther), ...outdatedFunctions(files, records, VERSION)].map(({ name }) => name)
}

const byName = (records: readonly SchemaRecord[]): SchemaRecords => new Map(records.map((one) => [one.name, one]))

function sqlFiles(folder: string): SchemaFile[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      const checksum = createHash('sha256').update(text).digest('hex')
      return { name: `${folder.split('/').at(-1)}/${name}`, text, checksum }
    })
}
