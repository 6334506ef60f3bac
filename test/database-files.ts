// Compares the files that a migrated database describes with what it says: sql/schema.sql, and the TypeScript of statements in
// `.sql` files. `--write` (`npm run schema`) writes them.
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { connect } from '../src/platform/postgres/open-database.ts'
import { openPostgres } from '../src/local/postgres.ts'
import { LocalSetupError } from '../src/local/setup-error.ts'
import { migrate } from '../src/platform/postgres/migrate.ts'
import { StatementError, statementTypes } from './statement-types.ts'
import { schemaDump } from './support/schema-dump.ts'

const ROOT = join(import.meta.dir, '..')
const SCHEMA = 'sql/schema.sql'
const HEADER =
  '-- The schema as the migrations make it, without the bodies of functions, which stand in sql/functions. Written by\n' +
  '-- `npm run schema`; `npm run check` compares it. Do not edit.\n\n'

/** The files by path, of a database that has just been migrated, in a cluster of the check's own (or the one tests are given). */
async function describedFiles(): Promise<Map<string, string>> {
  const postgres = await openPostgres({
    dir: join(ROOT, '.hearth/check'),
    profile: 'test',
    note: (line) => process.stderr.write(`${line}\n`),
    url: process.env['HEARTH_TEST_DATABASE_URL'],
  })
  try {
    return await withDatabase(postgres.url, async (url) => {
      const sql = connect(url, 1, { applicationName: 'hearth-schema' })
      try {
        await migrate(sql)
        return new Map([[SCHEMA, HEADER + withoutBodies(await schemaDump(url))], ...(await statementTypes(sql))])
      } finally {
        await sql.end()
      }
    })
  } finally {
    await postgres.stop()
  }
}

/** `test/platform/postgres/function-files.test.ts` proves that the files have all functions. */
const withoutBodies = (dump: string): string =>
  dump.replace(
    /(^CREATE FUNCTION (?:(?!^CREATE )[\s\S])*?\n {4}AS )(\$\w*\$)[\s\S]*?\2;$/gm,
    (_, declaration: string) => `${declaration}'';`,
  )

async function withDatabase<T>(adminUrl: string, work: (url: string) => Promise<T>): Promise<T> {
  const name = `test_schema_${randomUUID().replaceAll('-', '')}`
  const admin = connect(adminUrl, 1, { applicationName: 'hearth-schema' })
  try {
    await admin.unsafe(`create database ${name} template template0`)
    const url = new URL(adminUrl)
    url.pathname = `/${name}`
    return await work(url.href)
  } finally {
    await admin.unsafe(`drop database if exists ${name} with (force)`)
    await admin.end()
  }
}

async function main(): Promise<number> {
  const files = await describedFiles()
  const stale = Array.from(files).filter(([path, text]) => textOf(path) !== text)
  for (const [path, text] of stale)
    if (process.argv.includes('--write')) {
      writeFileSync(join(ROOT, path), text)
      process.stdout.write(`Wrote ${path}.\n`)
    } else await showDifference(path, text)
  if (stale.length === 0 || process.argv.includes('--write')) return 0
  process.stdout.write('These files differ from what a migrated database says: run `npm run schema`.\n')
  return 1
}

const textOf = (path: string) => (existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : '')

async function showDifference(path: string, text: string): Promise<void> {
  const diff = Bun.spawn(['diff', '-uN', '--label', path, '--label', 'described', join(ROOT, path), '-'], {
    stdin: new Blob([text]),
  })
  process.stdout.write(await diff.stdout.text())
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof LocalSetupError || error instanceof StatementError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
