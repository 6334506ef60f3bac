// Databases for tests: each test file has its own, cloned from a template that is made once per schema.
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { type Sql, connect } from '../../src/platform/postgres/database.ts'
import { migrate } from '../../src/platform/postgres/migrate.ts'
import { SQL_FOLDER } from '../../src/platform/postgres/statement-files.ts'
import { adminUrl } from './stores.ts'

/** `migrated`: the schema, no rows. `seeded`: 2,000 pros in real cities with their history, seed 1. */
export type Template = 'migrated' | 'seeded'

/** The moment the seeded template was made, for clocks and dates in tests: a Monday noon in UTC. */
export const SEEDED_AT = '2026-06-01T12:00:00.000Z'

const TEMPLATE_LOCK = 7_236_812

/** A database of one's own, as a copy of the template. Call `drop` when done. */
export async function cloneDatabase(template: Template): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await withAdmin(async (admin) => {
    const source = await ensureTemplate(admin, template)
    await admin.unsafe(`create database ${name} template ${source}`)
  })
  return {
    url: databaseUrl(name),
    drop: () => withAdmin(async (admin) => void (await admin.unsafe(`drop database if exists ${name} with (force)`))),
  }
}

/** The URL of database `name` in the test cluster. */
export function databaseUrl(name: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

/** The URL of a store over TCP, without its socket: for whoever does not see our files. */
export function withoutSocket(text: string): string {
  const url = new URL(text)
  url.search = ''
  return url.href
}

/** One plain pool on a database for a test's own statements. */
export const testSql = (url: string, max = 4): Sql => connect(url, max, { applicationName: 'hearth-test' })

async function ensureTemplate(admin: Sql, template: Template): Promise<string> {
  const name = `template_${template}_${fingerprint(template)}`
  const connection = await admin.reserve()
  try {
    await connection`select pg_advisory_lock(${TEMPLATE_LOCK})`
    const [found] = await connection`select 1 from pg_database where datname = ${name}`
    if (!found) await makeTemplate(admin, name, template)
    return name
  } finally {
    await connection`select pg_advisory_unlock(${TEMPLATE_LOCK})`
    connection.release()
  }
}

/** Made under a passing name first: an interrupted run leaves no half-made template behind. */
async function makeTemplate(admin: Sql, name: string, template: Template) {
  const draft = `${name}_draft`
  await admin.unsafe(`drop database if exists ${draft} with (force)`)
  await admin.unsafe(`create database ${draft}`)
  const sql = testSql(databaseUrl(draft))
  try {
    await migrate(sql)
    if (template === 'seeded') {
      // Loaded here alone: the schema's own tests need no seed code.
      const { seed } = await import('../../src/local/seed/seed.ts')
      await seed(sql, { pros: 2000, seed: 1, now: new Date(SEEDED_AT), note: () => undefined })
    }
  } finally {
    await sql.end()
  }
  await admin.unsafe(`alter database ${draft} rename to ${name}`)
}

/** Changes with everything the template is made from. */
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
