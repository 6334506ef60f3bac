// Applies numbered migrations and sweeps once, and replaceable SQL functions when they change.
import type { Sql } from './database.ts'
import { type LockLimits, takeSessionLock, withBoundedLocks } from './bounded-locks.ts'
import {
  type NamedFile,
  type SchemaFile,
  checkUnchanged,
  hasReplaced,
  missingMigrations,
  missingSweeps,
  newerVersion,
  openRecords,
  outdatedFunctions,
  schemaFiles,
} from './schema-files.ts'
import { createExtensions } from './extensions.ts'
import { sweep } from './sweep.ts'
import { VERSION, isNewer } from '../version.ts'

export interface MigrationReport {
  /** Files applied by this call, in order. */
  applied: string[]
  /** The version of the database's functions, if it is newer than ours: they stay. */
  newerVersion: string | undefined
}

export interface MigrationOptions extends Partial<LockLimits> {
  folder?: string
  version?: string
  /** Receives lines for the operator. */
  note?: (line: string) => void
}

/** The advisory lock of Hearth's migrations. */
const MIGRATION_LOCK = 7_236_811
const LOCK_TIMEOUT_MS = 500
const PATIENCE_MS = 600_000
const CONCURRENT_INDEX =
  /^(?:\s*--.*\n)*\s*(?:create (?:unique )?index concurrently if not exists|drop index concurrently if exists) (\w+)\b/i

/**
 * Applies missing files, each migration in a transaction, all functions in one: they call each other, and concurrent statements
 * must not see half of them. Sweeps follow, and continue from their start when they were interrupted. Several processes may start at once: the others wait and find nothing to apply.
 * Throws ExtensionsMissing where the role cannot create one, MigrationChanged if an applied migration differs from its file, LocksNotFree if a table is not free for long.
 */
export async function migrate(sql: Sql, options: MigrationOptions = {}): Promise<MigrationReport> {
  const { version = VERSION, note = () => undefined } = options
  const { lockTimeoutMs = LOCK_TIMEOUT_MS, patienceMs = PATIENCE_MS } = options
  const files = schemaFiles(options.folder)
  const connection = await sql.reserve()
  const bounded = (what: string, work: () => Promise<void>) =>
    withBoundedLocks(connection, what, { lockTimeoutMs, patienceMs }, work, note)
  await takeSessionLock(connection, MIGRATION_LOCK)
  try {
    const records = await openRecords(connection)
    checkUnchanged(files, records, version)
    const baselines = files.migrations.filter((file) => !records.has(file.name) && hasReplaced(file, records))
    await record(connection, baselines, version)
    const migrations = missingMigrations(files, records)
    if (migrations.length > 0) await createExtensions(connection)
    for (const file of migrations) await bounded(file.name, () => applyMigration(connection, file, version))
    const functions = outdatedFunctions(files, records, version)
    if (functions.length > 0)
      await bounded('The replacement of functions', () => inTransaction(connection, functions, version))
    await claimFunctions(connection, files.functions, version)
    const sweeps = missingSweeps(files, records)
    for (const file of sweeps) {
      await sweep(connection, file, { bounded, note })
      await record(connection, [file], version)
    }
    return {
      applied: [...migrations, ...functions, ...sweeps].map(({ name }) => name),
      newerVersion: newerVersion(records, version),
    }
  } finally {
    await connection`select pg_advisory_unlock(${MIGRATION_LOCK})`
    await connection`reset lock_timeout`
    connection.release()
  }
}

/** The index that a file builds or drops beside writers, as its only statement, outside of a transaction. */
export const concurrentIndexOf = (text: string): string | undefined => CONCURRENT_INDEX.exec(text)?.[1]

async function applyMigration(connection: Sql, file: SchemaFile, version: string): Promise<void> {
  const index = concurrentIndexOf(file.text)
  if (index === undefined) return inTransaction(connection, [file], version)
  // It waits for the end of older transactions, and only other changes of the table's definition wait for it.
  await connection`set lock_timeout = 0`
  const [invalid] = await connection`select from pg_index where indexrelid = to_regclass(${index}) and not indisvalid`
  // An attempt that was interrupted has left it.
  if (invalid) await connection`drop index concurrently ${connection(index)}`
  await connection.unsafe(file.text)
  await record(connection, [file], version)
}

/** The files and their records in one transaction. Functions may refer to later ones. */
async function inTransaction(connection: Sql, files: readonly SchemaFile[], version: string): Promise<void> {
  await connection`begin`
  await connection`set local check_function_bodies = off`
  await connection`set local client_min_messages = warning`
  for (const { text } of files) await connection.unsafe(text)
  // With what a baseline replaces, which the last release looks for.
  await record(
    connection,
    files.flatMap((file) => [file, ...file.replaces]),
    version,
  )
  await connection`commit`
}

async function record(connection: Sql, files: readonly NamedFile[], version: string): Promise<void> {
  const rows = files.map(({ name, checksum }) => ({ name, checksum, version }))
  if (rows.length === 0) return
  await connection`
    insert into schema_files ${connection(rows, 'name', 'checksum', 'version')}
    on conflict (name) do update set checksum = excluded.checksum, version = excluded.version, applied_at = now()`
}

/** Functions that two versions have in common belong to the newer one. */
async function claimFunctions(connection: Sql, functions: readonly SchemaFile[], version: string): Promise<void> {
  const records = await connection<{ name: string; checksum: string; version: string }[]>`
    select name, checksum, version from schema_files where name like 'functions/%'`
  const checksums = new Map(functions.map(({ name, checksum }) => [name, checksum]))
  const ours = records.filter((one) => checksums.get(one.name) === one.checksum && isNewer(version, one.version))
  if (ours.length > 0)
    await connection`update schema_files set version = ${version} where name in ${connection(ours.map(({ name }) => name))}`
}
