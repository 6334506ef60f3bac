// Applies numbered migrations once, and replaceable SQL functions when they change.
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import type { Runner, Sql } from './database.ts'
import { SQL_FOLDER } from './statement-files.ts'

interface SqlFile {
  name: string
  text: string
  checksum: string
}

export interface MigrationReport {
  /** Files applied by this call, in order. */
  applied: string[]
}

/** An applied migration was edited or removed. The database is unchanged. */
export class MigrationChanged extends Error {
  override readonly name = 'MigrationChanged'
}

/** The advisory lock of Hearth's migrations. */
const MIGRATION_LOCK = 7_236_811

/**
 * Applies missing files. Several processes may start at once: the others wait for the lock and find nothing to apply.
 * Throws {@link MigrationChanged} if an applied migration differs from its file.
 */
export async function migrate(sql: Sql, folder = SQL_FOLDER): Promise<MigrationReport> {
  const migrations = sqlFiles(join(folder, 'migrations'))
  const functions = sqlFiles(join(folder, 'functions'))
  const connection = await sql.reserve()
  try {
    await connection`select pg_advisory_lock(${MIGRATION_LOCK})`
    await connection.unsafe(`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
    const recorded = new Map(
      (await connection<{ name: string; checksum: string }[]>`select name, checksum from schema_migrations`).map(
        (row) => [row.name, row.checksum],
      ),
    )
    checkUnchanged(migrations, recorded)
    const applied = []
    for (const file of [...migrations, ...functions]) {
      if (recorded.get(file.name) === file.checksum) continue
      await connection.unsafe(inTransaction(file))
      applied.push(file.name)
    }
    return { applied }
  } catch (error) {
    // The failed transaction is still open: the lock could not be released.
    await connection.unsafe('rollback')
    throw error
  } finally {
    await connection`select pg_advisory_unlock(${MIGRATION_LOCK})`
    connection.release()
  }
}

/** The migrations and functions of this build that the database lacks. */
export async function pendingMigrations(db: Runner): Promise<string[]> {
  const files = [...sqlFiles(join(SQL_FOLDER, 'migrations')), ...sqlFiles(join(SQL_FOLDER, 'functions'))]
  const [table] = await db.run<{ exists: boolean }>(
    'pendingMigrations',
    (sql) => sql`select to_regclass('schema_migrations') is not null as exists`,
  )
  if (!table?.exists) return files.map((file) => file.name)
  const rows = await db.run<{ name: string; checksum: string }>(
    'pendingMigrations',
    (sql) => sql`select name, checksum from schema_migrations`,
  )
  const recorded = new Map(rows.map((row) => [row.name, row.checksum]))
  return files.filter((file) => recorded.get(file.name) !== file.checksum).map((file) => file.name)
}

function checkUnchanged(migrations: SqlFile[], recorded: Map<string, string>) {
  for (const file of migrations) {
    const checksum = recorded.get(file.name)
    if (checksum !== undefined && checksum !== file.checksum)
      throw new MigrationChanged(`${file.name} has changed since it was applied. Restore it and add a new migration.`)
  }
  const names = new Set(migrations.map((file) => file.name))
  for (const name of recorded.keys())
    if (name.startsWith('migrations/') && !names.has(name))
      throw new MigrationChanged(`${name} was applied to this database, but this build does not contain it.`)
}

/** The file and its record in one transaction. Functions may refer to later ones. */
const inTransaction = (file: SqlFile) => `begin;
set local check_function_bodies = off;
set local client_min_messages = warning;
${file.text}
insert into schema_migrations (name, checksum) values ('${file.name}', '${file.checksum}')
  on conflict (name) do update set checksum = excluded.checksum, applied_at = now();
commit;`

function sqlFiles(folder: string): SqlFile[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      return {
        name: `${folder.split('/').at(-1)}/${name}`,
        text,
        checksum: createHash('sha256').update(text).digest('hex'),
      }
    })
}
