// Databases for tests: each test file clones its own from a template, which is created once per schema.
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import type { Deps } from '../../src/deps.ts'
import { systemClock, systemIds } from '../../src/platform/clock/clock.ts'
import type { Database, Sql } from '../../src/platform/postgres/database.ts'
import { connect, openDatabase } from '../../src/platform/postgres/open-database.ts'
import { migrate } from '../../src/platform/postgres/migrate.ts'
import { SQL_FOLDER } from '../../src/platform/postgres/statement-files.ts'
import { adminUrl } from './stores.ts'

/** `migrated`: the schema, no rows. `seeded`: 2,000 pros in real cities with their history, seed 1. */
export type Template = 'migrated' | 'seeded'

/** The time of the seeded template, for clocks and dates in tests: a Monday noon in UTC. */
export const SEEDED_AT = '2026-06-01T12:00:00.000Z'

/**
 * Templates of an almost equal schema, as JSON by kind: `npm run mutants` changes one function at a time, and only that one is
 * then replaced.
 */
const BASE_TEMPLATES_VARIABLE = 'HEARTH_TEST_BASE_TEMPLATES'

const TEMPLATE_LOCK = 7_236_812

/** Creates a database as a copy of the template. Call `drop` when done. */
export async function cloneDatabase(template: Template): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await withAdmin(async (admin) => {
    const source = await ensureTemplate(admin, template)
    // Without its strategy, PostgreSQL writes each page of the copy to the WAL.
    await admin`create database ${admin(name)} template ${admin(source)} strategy file_copy`
  })
  return { url: databaseUrl(name), drop: () => dropDatabase(name) }
}

/** Creates a database without a schema. Call `drop` when done. */
export async function createEmptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await withAdmin(async (admin) => void (await admin`create database ${admin(name)} template template0`))
  return { url: databaseUrl(name), drop: () => dropDatabase(name) }
}

const dropDatabase = (name: string) =>
  withAdmin(async (admin) => void (await admin`drop database if exists ${admin(name)} with (force)`))

export interface TestDatabase extends Database {
  readonly url: string
  /** A connection for a test's own statements. */
  readonly sql: Sql
}

/** A migrated database with the pools of the application, each of one connection. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const clone = await cloneDatabase('migrated')
  const sql = testSql(clone.url, 1)
  const database = openDatabase({
    url: clone.url,
    readConnections: 1,
    writeConnections: 1,
    statementTimeoutMs: 10_000,
    waitLimitMs: 10_000,
    applicationName: 'hearth-test',
  })
  const close = async () => {
    await Promise.all([database.close(), sql.end()])
    await clone.drop()
  }
  return { ...database, url: clone.url, sql, close }
}

/** Runs `work` with what a verb that only writes needs, on one connection. */
export async function withWriter<T>(url: string, work: (deps: Deps) => Promise<T>, limitMs = 10_000): Promise<T> {
  const options = { readConnections: 1, writeConnections: 1, statementTimeoutMs: limitMs, waitLimitMs: limitMs }
  const database = openDatabase({ url, ...options, applicationName: 'hearth-test' })
  try {
    return await work({ write: database.write, clock: systemClock, ids: systemIds } as Deps)
  } finally {
    await database.close()
  }
}

/**
 * Locks a table against everything until `release`, which resolves when the lock is gone; at the latest until the block that declares
 * it ends, so that a test that fails leaves no open transaction for which `sql.end()` would wait.
 */
export async function lockTable(sql: Sql, table: string): Promise<{ release: () => Promise<void> } & AsyncDisposable> {
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = sql.begin(async (tx) => {
    await tx`lock table ${tx(table)} in access exclusive mode`
    locked.resolve()
    await released.promise
  })
  await Promise.race([locked.promise, holding])
  const release = async () => {
    released.resolve()
    await holding
  }
  return { release, [Symbol.asyncDispose]: release }
}

/** The number of statements in this database that wait for a lock. */
export async function countLockWaits(sql: Sql): Promise<number> {
  const waiting = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return waiting.length
}

/** The URL of database `name` in the test cluster. */
export function databaseUrl(name: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

/** The URL of a store over TCP, for processes that cannot reach its socket. */
export function withoutSocket(text: string): string {
  const url = new URL(text)
  url.search = ''
  return url.href
}

/** A plain pool for a test's own statements. A test may hold a lock for as long as what it waits for takes. */
export const testSql = (url: string, max = 4): Sql =>
  connect(url, max, { applicationName: 'hearth-test', settings: { idle_in_transaction_session_timeout: '0' } })

async function ensureTemplate(admin: Sql, template: Template): Promise<string> {
  const name = `template_${template}_${fingerprint(template)}`
  const connection = await admin.reserve()
  try {
    await connection`select pg_advisory_lock(${TEMPLATE_LOCK})`
    const [existing] = await connection`select 1 from pg_database where datname = ${name}`
    if (!existing) await createTemplate(admin, name, template)
    return name
  } finally {
    await connection`select pg_advisory_unlock(${TEMPLATE_LOCK})`
    connection.release()
  }
}

/** Creates the template under a draft name first, so that an interrupted run leaves no unfinished template behind. */
async function createTemplate(admin: Sql, name: string, template: Template) {
  const draft = `${name}_draft`
  const bases = JSON.parse(process.env[BASE_TEMPLATES_VARIABLE] ?? '{}') as Partial<Record<Template, string>>
  const base = bases[template]
  await admin`drop database if exists ${admin(draft)} with (force)`
  await admin`create database ${admin(draft)} ${base ? admin`template ${admin(base)}` : admin``}`
  const sql = testSql(databaseUrl(draft))
  try {
    await migrate(sql)
    if (template === 'seeded' && !base) {
      // Imported here only, because tests of the schema need no seed code.
      const { seed } = await import('../../src/local/seed/seed.ts')
      await seed(sql, { pros: 2000, seed: 1, now: new Date(SEEDED_AT), note: () => undefined })
    }
  } finally {
    await sql.end()
  }
  await admin`alter database ${admin(draft)} rename to ${admin(name)}`
}

/** A hash of the files from which the template is created. */
function fingerprint(template: Template): string {
  const hash = createHash('sha256')
  const folders = [join(SQL_FOLDER, 'migrations'), join(SQL_FOLDER, 'functions')]
  if (template === 'seeded') folders.push(join(SQL_FOLDER, '../src/local/seed'))
  for (const folder of folders)
    for (const file of readdirSync(folder).sort()) hash.update(file).update(readFileSync(join(folder, file)))
  return hash.digest('hex').slice(0, 16)
}

async function withAdmin<T>(work: (admin: Sql) => Promise<T>): Promise<T> {
  const admin = connect(adminUrl, 2, { applicationName: 'hearth-test-admin' })
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}
