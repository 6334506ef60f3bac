// Partitions by time: what is past its age goes by DROP, nothing younger or unfinished goes, and no write needs a partition.
import { beforeEach, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { deleteOldRows, listOverdueTables } from '../../../../src/features/upkeep/retention/verbs.ts'
import { migrate } from '../../../../src/platform/postgres/migrate.ts'
import { SQL_FOLDER } from '../../../../src/platform/postgres/statement-files.ts'
import { errorCode } from '../../../../src/platform/store-error.ts'
import { insertAged } from '../../../support/aged-rows.ts'
import { openTestApp } from '../../../support/app.ts'
import { createEmptyDatabase, lockTable, testSql } from '../../../support/database.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const app = await opened(openTestApp('migrated'))

const clockAt = (instant: string) => ({ ...app.deps, clock: { now: () => new Date(instant) } })
const sweep = (table: string, instant: string) => deleteOldRows(ctxOf(clockAt(instant)), { table })

async function partitionsOf(table: string): Promise<string[]> {
  const rows = await app.sql<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table}::regclass order by 1`
  return rows.map(({ name }) => name.slice(table.length + 1))
}

async function count(table: string): Promise<number> {
  const [row] = await app.sql<{ n: number }[]>`select count(*)::int as n from ${app.sql(table)}`
  return row?.n ?? 0
}

/** An event with a delivery that was planned then and attempted once. Returns the partition of the attempt. */
async function deliver(at: string, values: object = { state: 'delivered', finished_at: at }) {
  const event = randomUUID()
  await insertAged(app.sql, 'webhook_events', [at], { id: event })
  await insertAged(app.sql, 'webhook_deliveries', [at], { event_id: event, attempts: 1, ...values })
  const [delivery] = await app.sql<{ id: number }[]>`select id from webhook_deliveries where event_id = ${event}`
  const [attempt] = await app.sql<{ partition: string }[]>`
    insert into webhook_attempts (delivery_id, number, at, duration_ms, status)
    values (${delivery?.id ?? 0}, 1, ${at}, 1, 200) returning tableoid::regclass::text as partition`
  return { event, partition: attempt?.partition.slice('webhook_attempts_'.length) }
}

/** Drops the weeks and begins with the ids of a new database. */
beforeEach(async () => {
  await app.sql`truncate key_usage, webhook_events cascade`
  for (const table of ['webhook_attempts', 'key_usage'])
    for (const name of await partitionsOf(table))
      if (/^\d/.test(name)) await app.sql`drop table ${app.sql(`${table}_${name}`)}`
  await app.sql`alter sequence webhook_deliveries_id_seq restart`
})

test('a table by month gets its coming months, and loses those whose last day is past its age, with their space', async () => {
  await sweep('key_usage', '2026-06-30T23:00:00Z')
  expect(await partitionsOf('key_usage')).toEqual(['2026_07', '2026_08', 'default'])
  await insertAged(
    app.sql,
    'key_usage',
    ['2026-06-30', '2026-07-01', '2026-07-31', '2026-08-01', '2026-12-01'].map((day) => `${day}T00:00:00Z`),
  )
  // The last of July is 400 days old on September 4, and its month ends with that of the day 400 days ago.
  expect(await sweep('key_usage', '2027-09-04T23:00:00Z')).toEqual({ deleted: 1, hasMore: false })
  expect(await partitionsOf('key_usage')).toEqual(['2026_07', '2026_08', '2027_10', '2027_11', 'default'])
  expect(await listOverdueTables(ctxOf(clockAt('2027-09-07T00:00:00Z')))).toContainEqual({
    table: 'key_usage',
    days: 2,
  })
  const after = '2027-09-05T00:00:00Z'
  expect(await listOverdueTables(ctxOf(clockAt(after)))).not.toContainEqual(
    expect.objectContaining({ table: 'key_usage' }),
  )
  const both = await Promise.all([sweep('key_usage', after), sweep('key_usage', after)])
  expect(both.reduce((sum, { deleted }) => sum + deleted, 0)).toBe(2)
  expect(await partitionsOf('key_usage')).toEqual(['2026_08', '2027_10', '2027_11', 'default'])
  expect(await count('key_usage')).toBe(2)
})

test('a week of attempts goes by DROP when its events are past their age, none is deleted by itself, and later ones stay', async () => {
  await sweep('webhook_events', '2026-06-03T12:00:00Z')
  expect(await partitionsOf('webhook_attempts')).toEqual(['2026_06_08', '2026_06_15', 'default', 'first'])
  expect((await deliver('2026-06-07T22:00:00Z')).partition).toBe('first')
  await sweep('webhook_events', '2026-06-07T23:30:00Z')
  for (const at of ['2026-06-08T00:00:00Z', '2026-06-14T22:59:59.999Z'])
    expect((await deliver(at)).partition).toBe('2026_06_08')
  await sweep('webhook_events', '2026-06-14T23:00:00Z')
  expect((await deliver('2026-06-15T00:00:00Z')).partition).toBe('2026_06_15')

  // June 14 ends 30 days before July 15 begins.
  expect(await sweep('webhook_events', '2026-07-14T23:59:59.999Z')).toEqual({ deleted: 1, hasMore: false })
  expect(await partitionsOf('webhook_attempts')).toContain('2026_06_08')
  expect(await count('webhook_attempts')).toBe(3)
  await app.sql`create sequence deletions_by_row`
  await app.sql`
    create function count_deletion() returns trigger language plpgsql as
      'begin perform nextval(''deletions_by_row''); return old; end'`
  await app.sql`create trigger by_row before delete on webhook_attempts for each row execute function count_deletion()`
  expect(await sweep('webhook_events', '2026-07-15T00:00:00Z')).toEqual({ deleted: 2, hasMore: false })
  await app.sql`drop trigger by_row on webhook_attempts`
  expect(await app.sql`select from deletions_by_row where is_called`).toHaveLength(0)
  expect(await partitionsOf('webhook_attempts')).not.toContain('2026_06_08')
  expect(await partitionsOf('webhook_attempts')).toContain('2026_06_15')
  expect(await Promise.all(['webhook_events', 'webhook_attempts'].map(count))).toEqual([1, 1])
})

test('attempts of a pending delivery stay at any age, and go with their week after its end', async () => {
  await sweep('webhook_events', '2026-06-03T12:00:00Z')
  await sweep('webhook_events', '2026-06-08T00:00:00Z')
  const at = '2026-06-10T12:00:00Z'
  await deliver(at)
  const { event, partition } = await deliver(at, { state: 'pending', next_attempt_at: at })
  expect(partition).toBe('2026_06_08')
  expect(await sweep('webhook_events', '2026-09-01T00:00:00Z')).toEqual({ deleted: 1, hasMore: false })
  expect(await Promise.all(['webhook_events', 'webhook_attempts'].map(count))).toEqual([1, 1])
  await app.sql`
    update webhook_deliveries set state = 'failed', next_attempt_at = null, finished_at = now() where event_id = ${event}`
  expect(await sweep('webhook_events', '2026-09-01T00:01:00Z')).toEqual({ deleted: 1, hasMore: false })
  expect(await partitionsOf('webhook_attempts')).not.toContain('2026_06_08')
})

test('a week keeps the attempts of later deliveries that were planned while no worker swept', async () => {
  await sweep('webhook_events', '2026-06-03T12:00:00Z')
  await sweep('webhook_events', '2026-06-08T00:00:00Z')
  await deliver('2026-06-10T12:00:00Z')
  expect((await deliver('2026-06-24T12:00:00Z')).partition).toBe('2026_06_08')
  expect(await sweep('webhook_events', '2026-07-16T00:00:00Z')).toEqual({ deleted: 1, hasMore: false })
  expect(await count('webhook_attempts')).toBe(1)
  expect(await sweep('webhook_events', '2026-08-01T00:00:00Z')).toEqual({ deleted: 1, hasMore: false })
  expect(await partitionsOf('webhook_attempts')).not.toContain('2026_06_08')
})

test('a write at a time without a partition succeeds, and that time goes on without one', async () => {
  await insertAged(app.sql, 'key_usage', ['2026-08-15T00:00:00Z'])
  const created = await sweep('key_usage', '2026-06-30T23:00:00Z').catch(String)
  expect(created).toEqual({ deleted: 0, hasMore: false })
  expect(await partitionsOf('key_usage')).toEqual(['2026_07', 'default'])
  expect(await count('key_usage_default')).toBe(1)
  expect(await sweep('key_usage', '2027-11-01T00:00:00Z')).toEqual({ deleted: 1, hasMore: false })

  await sweep('webhook_events', '2026-06-03T12:00:00Z')
  await sweep('webhook_events', '2026-06-08T00:00:00Z')
  await app.sql`drop table webhook_attempts_2026_06_08`
  const at = '2026-06-10T12:00:00Z'
  expect(await deliver(at).catch(String)).toMatchObject({ partition: 'default' })
  expect(await sweep('webhook_events', '2026-09-01T00:00:00Z')).toEqual({ deleted: 1, hasMore: false })
  expect(await count('webhook_attempts')).toBe(0)
})

test('sweeps at once move the ids of deliveries on once: none is given twice', async () => {
  await sweep('webhook_events', '2026-06-03T12:00:00Z')
  const take = async () => {
    const [row] = await app.sql<{ id: number }[]>`select nextval('webhook_deliveries_id_seq') as id`
    return Number(row?.id)
  }
  const ids = [await take()]
  for (const instant of ['2026-06-08T00:00:00Z', '2026-06-15T00:00:00Z', '2026-06-08T00:00:00Z']) {
    const sweeps = [sweep('webhook_events', instant), sweep('webhook_events', instant)]
    // Of two ids that are taken at once either may be answered first.
    const taken = await Promise.all([take(), take()])
    await Promise.all(sweeps)
    ids.push(...taken.toSorted((a, b) => a - b), await take())
  }
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  expect(ids.at(-1)).toBeGreaterThan(ids[0] ?? Number.NaN)
})

test('a partition that is in use is dropped by a later sweep, and the sweep does not wait for it', async () => {
  await sweep('webhook_events', '2026-06-03T12:00:00Z')
  await sweep('webhook_events', '2026-06-08T00:00:00Z')
  await deliver('2026-06-10T12:00:00Z')
  await using held = await lockTable(app.sql, 'webhook_attempts_2026_06_08')
  const outcome = await sweep('webhook_events', '2026-09-01T00:00:00Z').catch((error: unknown) => error)
  await held.release()
  // It gave up, before the time limit of the statement.
  expect(errorCode(outcome)).toBe('55P03')
  expect(await count('webhook_events')).toBe(1)
  expect(await sweep('webhook_events', '2026-09-01T00:00:00Z')).toEqual({ deleted: 1, hasMore: false })
  expect(await partitionsOf('webhook_attempts')).not.toContain('2026_06_08')
})

/** The functions of today need their tables, and types. */
const NEEDED = new Set([
  '0230_former_time_zones.sql',
  '0231_parameters_of_reservations.sql',
  '0233_files.sql',
  '0242_search_words.sql',
  '0266_plans.sql',
  '0267_plans_of_pros.sql',
  '0270_catalog_of_operators.sql',
  '0280_marketplace_versions.sql',
  '0290_opening.sql',
  '0291_accent.sql',
  '0380_status_of_pros.sql',
  '0410_closing.sql',
  '0340_marketplace_texts.sql',
  '0382_brand_pictures.sql',
  '0390_applications.sql',
  '0435_logins_of_members.sql',
  '0440_second_factors.sql',
  '0445_bookings_made_by_hand.sql',
  '0450_profiles_of_customers.sql',
  '0451_reports_of_reviews.sql',
  '0455_evidence_of_marks.sql',
  '0460_imports_by_upload.sql',
])

/** Migrates with the files before `next` only. */
async function migrateUpTo(sql: ReturnType<typeof testSql>, next: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-partitions-'))
  cpSync(join(SQL_FOLDER, 'functions'), join(folder, 'functions'), { recursive: true })
  for (const name of readdirSync(join(SQL_FOLDER, 'migrations')))
    if (name < next || NEEDED.has(name)) cpSync(join(SQL_FOLDER, 'migrations', name), join(folder, 'migrations', name))
  await migrate(sql, { folder })
  rmSync(folder, { recursive: true })
}

test('an upgrade keeps all attempts, does not read them while others wait, and those that run go on', async () => {
  const database = await createEmptyDatabase()
  const [sql, running] = [testSql(database.url, 1), testSql(database.url, 1)]
  try {
    await migrateUpTo(sql, '0194')
    const attempt = (id: number) => running`
      insert into webhook_attempts (delivery_id, number, at, duration_ms, status)
      values (${id}, 1, ${'2026-06-01T12:00:00Z'}, 1, 200)`
    await running`set session_replication_role = replica`
    for (let id = 1; id <= 20; id++) await attempt(id)
    await migrateUpTo(sql, '0196')
    const readsOf = async (table: string) => {
      await sql`select pg_stat_force_next_flush()`
      const [row] = await sql<{ scans: number }[]>`
        select seq_scan::int as scans from pg_stat_user_tables where relname = ${table}`
      return row?.scans
    }
    const before = await readsOf('webhook_attempts')
    expect(before).toBeGreaterThan(0)
    await migrate(sql)
    expect(await readsOf('webhook_attempts_first')).toBe(before)
    await attempt(21)
    const rows =
      await sql`select tableoid::regclass::text as partition, count(*)::int as n from webhook_attempts group by 1`
    expect([...rows]).toEqual([{ partition: 'webhook_attempts_first', n: 21 }])
  } finally {
    await Promise.all([sql.end(), running.end()])
    await database.drop()
  }
}, 60_000)
