// Migrations: each is applied once, completely or not at all, by any number of concurrent processes.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Sql } from '../../../src/platform/postgres/database.ts'
import { MigrationChanged, migrate } from '../../../src/platform/postgres/migrate.ts'
import { cloneDatabase, testSql } from '../../support/database.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let sql: Sql
const folder = mkdtempSync(join(tmpdir(), 'hearth-migrate-'))

const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

beforeAll(async () => {
  database = await cloneDatabase('migrated')
  sql = testSql(database.url)
  // The test has its own migrations, so it forgets that Hearth's were applied.
  await sql`drop table schema_migrations`
  for (const kind of ['migrations', 'functions']) mkdirSync(join(folder, kind))
  write('migrations/0001_first.sql', 'create table first (n integer);')
  write('functions/one.sql', `create or replace function one() returns integer language sql as 'select 1';`)
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await sql.end()
  await database.drop()
})

test('concurrent processes apply each file once', async () => {
  const reports = await Promise.all([migrate(sql, folder), migrate(sql, folder), migrate(sql, folder)])
  expect(reports.flatMap(({ applied }) => applied)).toEqual(['migrations/0001_first.sql', 'functions/one.sql'])
})

test('a failed migration reports the reason and changes nothing, and a later attempt can succeed', async () => {
  write('migrations/0002_second.sql', 'create table second (n integer); insert into second values (1 / 0);')
  expect(await migrate(sql, folder).catch((error: unknown) => String(error))).toContain('division by zero')
  expect(await sql`select to_regclass('second') as relation`).toMatchObject([{ relation: null }])
  write('migrations/0002_second.sql', 'create table second (n integer);')
  expect(await migrate(sql, folder)).toEqual({ applied: ['migrations/0002_second.sql'] })
})

test('a changed function is replaced; a changed migration is refused', async () => {
  write('functions/one.sql', `create or replace function one() returns integer language sql as 'select 2 - 1';`)
  expect(await migrate(sql, folder)).toEqual({ applied: ['functions/one.sql'] })
  write('migrations/0001_first.sql', 'create table first (n bigint);')
  expect(await migrate(sql, folder).catch((error: unknown) => error)).toBeInstanceOf(MigrationChanged)
})
