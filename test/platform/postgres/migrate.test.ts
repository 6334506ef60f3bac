// Migrations: each is applied once, completely or not at all, by any number of concurrent processes and by two versions.
import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { LocksNotFree } from '../../../src/platform/postgres/bounded-locks.ts'
import { migrate } from '../../../src/platform/postgres/migrate.ts'
import { planMigration } from '../../../src/platform/postgres/migration-plan.ts'
import { MigrationChanged } from '../../../src/platform/postgres/schema-files.ts'
import { cloneDatabase, countLockWaits, lockTable, testSql } from '../../support/database.ts'
import { opened } from '../../support/fixture.ts'
const folder = mkdtempSync(join(tmpdir(), 'hearth-migrate-'))
const [older, newer] = [
  { folder, version: '1.0.0' },
  { folder, version: '1.1.0' },
]

const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
const writeFunction = (result: number) =>
  write('functions/one.sql', `create or replace function one() returns integer language sql as 'select ${result}';`)
const appliedBy = async (options: typeof older) => (await migrate(sql, options)).applied
const callOne = async () => (await sql<{ one: number }[]>`select one()`)[0]?.one
const database = await opened(cloneDatabase('migrated'), 'drop')
const sql = await opened(testSql(database.url), 'end')
// The test has its own migrations, so it forgets that Hearth's were applied.
await sql`drop table schema_files`
for (const kind of ['migrations', 'functions', 'sweeps']) mkdirSync(join(folder, kind))
write('migrations/0001_first.sql', 'create table first (n integer);')
writeFunction(1)
afterAll(() => rmSync(folder, { recursive: true }))

test('concurrent processes apply each file once', async () => {
  const applied = await Promise.all([appliedBy(older), appliedBy(older), appliedBy(older)])
  expect(applied.flat()).toEqual(['migrations/0001_first.sql', 'functions/one.sql'])
})

test('a failed migration reports the reason and changes nothing, and a later attempt can succeed', async () => {
  write('migrations/0002_second.sql', 'create table second (n integer); insert into second values (1 / 0);')
  expect(await migrate(sql, older).catch(String)).toContain('division by zero')
  expect(await sql`select to_regclass('second') as relation`).toMatchObject([{ relation: null }])
  write('migrations/0002_second.sql', 'create table second (n integer);')
  expect(await appliedBy(older)).toEqual(['migrations/0002_second.sql'])
})

test('a changed function is replaced; a changed migration is refused', async () => {
  writeFunction(2)
  expect(await appliedBy(older)).toEqual(['functions/one.sql'])
  write('migrations/0001_first.sql', 'create table first (n bigint);')
  expect(await migrate(sql, older).catch((error: unknown) => error)).toBeInstanceOf(MigrationChanged)
  write('migrations/0001_first.sql', 'create table first (n integer);')
})

test('functions change together or not at all', async () => {
  writeFunction(3)
  write('functions/two.sql', 'this is no SQL;')
  expect(await migrate(sql, older).catch(String)).toContain('syntax error')
  expect(await callOne()).toBe(2)
  rmSync(join(folder, 'functions/two.sql'))
  expect(await appliedBy(older)).toEqual(['functions/one.sql'])
})

test('an older version leaves the functions and migrations of a newer one', async () => {
  writeFunction(4)
  write('migrations/0003_third.sql', 'create table third (n integer);')
  expect(await appliedBy(newer)).toEqual(['migrations/0003_third.sql', 'functions/one.sql'])
  writeFunction(3)
  rmSync(join(folder, 'migrations/0003_third.sql'))
  expect(await migrate(sql, older)).toEqual({ applied: [], newerVersion: '1.1.0' })
  expect(await callOne()).toBe(4)
  expect(await planMigration(sql, folder, older.version)).toEqual([
    'The database has functions of the newer version 1.1.0, which stay.',
    'The database is up to date.',
  ])
  // Of the same version, it is an edited history.
  expect(await migrate(sql, newer).catch((error: unknown) => error)).toBeInstanceOf(MigrationChanged)
  write('migrations/0003_third.sql', 'create table third (n integer);')
  writeFunction(4)
})

test('a function that two versions have in common stays that of the newer one', async () => {
  expect(await appliedBy({ folder, version: '1.2.0' })).toEqual([])
  writeFunction(5)
  expect(await appliedBy(newer)).toEqual([])
  expect(await callOne()).toBe(4)
  writeFunction(4)
})

test('a migration waits for a lock only briefly, so that readers behind it go on, and tries again', async () => {
  write('migrations/0004_fourth.sql', 'alter table first add column m integer;')
  const notes: string[] = []
  const [report, reader] = [await sql.reserve(), testSql(database.url, 1)]
  await report`begin`
  await report`select from first`
  const migrating = migrate(sql, { ...newer, lockTimeoutMs: 300, note: (line) => notes.push(line) })
  expect(await waitUntil(async () => (await countLockWaits(sql)) > 0, 10_000)).toBe(true)
  // Behind the migration, which waits for the report.
  await reader`select from first`
  expect(await waitUntil(() => notes.length > 0, 10_000)).toBe(true)
  expect(notes[0]).toMatch(
    /^migrations\/0004_fourth.sql did not get its locks within 300 ms\. The oldest transaction is that of process \d+ \(hearth-test, idle in transaction\), /,
  )
  await report`commit`
  report.release()
  expect((await migrating).applied).toEqual(['migrations/0004_fourth.sql'])
  await reader.end()
})

test('a migration that gets no lock is given up, and leaves the database as it was', async () => {
  write('migrations/0005_fifth.sql', 'create table fifth (n integer); alter table first drop column m;')
  await using held = await lockTable(sql, 'first')
  const result = await migrate(sql, { ...newer, lockTimeoutMs: 50, patienceMs: 0 }).catch((error: unknown) => error)
  expect(result).toBeInstanceOf(LocksNotFree)
  await held.release()
  expect(await sql`select to_regclass('fifth') as relation`).toMatchObject([{ relation: null }])
  expect(await appliedBy(newer)).toEqual(['migrations/0005_fifth.sql'])
})

test('an index is built beside writers, and again after an attempt that was interrupted', async () => {
  write(
    'migrations/0006_sixth.sql',
    '-- Why.\ncreate unique index concurrently if not exists first_n_key on first (n);\n',
  )
  await sql`insert into first values (1), (1)`
  expect(await migrate(sql, newer).catch(String)).toContain('could not create unique index')
  const isValid = async () =>
    (
      await sql<
        { valid: boolean }[]
      >`select indisvalid as valid from pg_index where indexrelid = to_regclass('first_n_key')`
    )[0]?.valid
  expect(await isValid()).toBe(false)
  await sql`delete from first`
  const writing = await sql.reserve()
  await writing`begin`
  await writing`insert into first values (2)`
  const migrating = migrate(sql, newer)
  // It waits for the open transaction, and others write meanwhile.
  expect(await waitUntil(async () => (await countLockWaits(sql)) > 0, 10_000)).toBe(true)
  await sql`insert into first values (3)`
  await writing`commit`
  writing.release()
  expect((await migrating).applied).toEqual(['migrations/0006_sixth.sql'])
  expect(await isValid()).toBe(true)
})

test('two processes that build an index at once do not wait for each other', async () => {
  write('migrations/0007_seventh.sql', 'create index concurrently if not exists first_n on first (n);')
  expect((await Promise.all([appliedBy(newer), appliedBy(newer)])).flat()).toEqual(['migrations/0007_seventh.sql'])
})

test('a plan names files, locks and sizes, and changes nothing', async () => {
  write('migrations/0008_eighth.sql', 'alter table first add column k integer; alter table first alter n type bigint;')
  writeFunction(6)
  await sql`insert into first select generate_series(10, 2000)`
  await sql`analyze first`
  expect(await planMigration(sql, folder, '1.2.0')).toEqual([
    'would apply migrations/0008_eighth.sql',
    '  ACCESS EXCLUSIVE on first (reads and writes wait): changes no rows',
    expect.stringMatching(
      /^ {2}ACCESS EXCLUSIVE on first \(reads and writes wait\): rewrites all rows, up to 1 MB and about 1,99\d rows: 1 s at 100 MB\/s$/,
    ),
    'would replace these functions in one transaction',
    '  functions/one.sql',
    'Nothing was changed.',
  ])
  expect(await appliedBy({ folder, version: '1.2.0' })).toEqual(['migrations/0008_eighth.sql', 'functions/one.sql'])
})

test('a sweep goes through a table in parts, waits for no writer for long, goes on after an interruption, and runs once', async () => {
  await sql`create table swept (n integer primary key, done integer not null default 0)`
  await sql`insert into swept select generate_series(1, 100)`
  write(
    'sweeps/0001_swept.sql',
    `with part as (select n from swept where n > coalesce($1::integer, 0) order by n limit 10),
     changed as (update swept s set done = s.done + 1 from part where part.n = s.n returning s.n)
     select max(n)::text as last from changed having max(n) is not null`,
  )
  expect(await planMigration(sql, folder, '1.2.0')).toContain(
    'would write rows anew by sweeps/0001_swept.sql, in parts that readers and other writers need not wait for',
  )
  const notes: string[] = []
  const writer = await sql.reserve()
  await writer`begin`
  await writer`update swept set done = 0 where n = 55`
  const options = { folder, version: '1.2.0', lockTimeoutMs: 50, note: (line: string) => notes.push(line) }
  const given = await migrate(sql, { ...options, patienceMs: 0 }).catch((error: unknown) => error)
  expect(given).toBeInstanceOf(LocksNotFree)
  const swept = () =>
    sql<
      { done: number; n: number }[]
    >`select count(*) filter (where done > 0)::integer as done, count(*)::integer as n from swept`
  // The parts before the locked row are written, and stay so.
  expect([...(await swept())]).toEqual([{ done: 50, n: 100 }])
  await writer`rollback`
  writer.release()
  expect((await migrate(sql, options)).applied).toEqual(['sweeps/0001_swept.sql'])
  expect([...(await swept())]).toEqual([{ done: 100, n: 100 }])
  expect((await migrate(sql, options)).applied).toEqual([])
})
