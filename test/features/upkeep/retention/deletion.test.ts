// Rows past their age are deleted, younger ones stay, and what belongs to them goes or stays with them.
import { afterAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { AGING_TABLES, deleteOldRows, listOverdueTables } from '../../../../src/features/upkeep/retention/verbs.ts'
import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import { openMetrics } from '../../../../src/platform/telemetry/metrics.ts'
import { startActor } from '../../../../workers/runtime/process.ts'
import { sweepExpired } from '../../../../workers/actors/sweep-expired.ts'
import { insertAged } from '../../../support/aged-rows.ts'
import { openTestApp } from '../../../support/app.ts'
import { Crash, type CrashPoint, withCrashes } from '../../../support/crashing-pool.ts'
import { SEEDED_AT } from '../../../support/database.ts'
import { opened } from '../../../support/fixture.ts'
import { type TestWorker, startWorker } from '../../../support/workers.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const DAY_MS = 86_400_000
const ACTOR = new URL('../../../../workers/actors/sweep-expired.ts', import.meta.url).pathname

const app = await opened(openTestApp('migrated'))

const daysAgo = (days: number, from = Date.parse(SEEDED_AT)) => new Date(from - days * DAY_MS).toISOString()
const ageOf = (table: string): number => {
  const days = AGING_TABLES.get(table)?.days ?? Number.NaN
  return typeof days === 'number' ? days : app.deps.config.historyDays[days]
}
const count = async (table: string): Promise<number> =>
  (await app.sql<{ n: number }[]>`select count(*)::int as n from ${app.sql(table)}`)[0]?.n ?? 0

/** When the week of an instant began. */
function mondayOf(instant: string): string {
  const week = 7 * DAY_MS
  const firstMonday = Date.parse('1970-01-05T00:00:00Z')
  return new Date(Math.floor((Date.parse(instant) - firstMonday) / week) * week + firstMonday).toISOString()
}

/** The first instant that a row may have, and the step to the one before it. */
function oldestKept(table: string): { instant: string; stepMs: number } {
  const { since = '', partitions } = AGING_TABLES.get(table) ?? {}
  const instant = daysAgo(ageOf(table))
  if (partitions?.by === 'month') return { instant: `${instant.slice(0, 7)}-01T00:00:00.000Z`, stepMs: DAY_MS }
  if (partitions?.by === 'week') return { instant: mondayOf(instant), stepMs: 1 }
  if (since !== 'day') return { instant, stepMs: 1 }
  // A day is past its age when its beginning is.
  return { instant: `${daysAgo(ageOf(table) - 1).slice(0, 10)}T00:00:00.000Z`, stepMs: DAY_MS }
}

test.each(Array.from(AGING_TABLES.keys()))('a row of %s is deleted at its age, and not before', async (table) => {
  const { since = '' } = AGING_TABLES.get(table) ?? {}
  const { instant, stepMs } = oldestKept(table)
  const older = new Date(Date.parse(instant) - stepMs).toISOString()
  await insertAged(app.sql, table, [older, instant])
  expect(await deleteOldRows(ctxOf(app.deps), { table })).toEqual({ deleted: 1, hasMore: false })
  const left = await app.sql<{ isKept: boolean }[]>`
    select ${app.sql(since)} >= ${instant}::timestamptz as is_kept from ${app.sql(table)}`
  expect(left.map(({ isKept }) => isKept)).toEqual([true])
  expect(await deleteOldRows(ctxOf(app.deps), { table })).toEqual({ deleted: 0, hasMore: false })
})

test('a table falls behind when its oldest row is more than a day past its age', async () => {
  await insertAged(app.sql, 'notices', [daysAgo(ageOf('notices') + 0.9)])
  await insertAged(app.sql, 'payment_notifications', [daysAgo(ageOf('payment_notifications') + 3)])
  await insertAged(app.sql, 'outbox_events', [daysAgo(ageOf('outbox_events') + 2)])
  expect(await listOverdueTables(ctxOf(app.deps))).toEqual([
    { table: 'payment_notifications', days: 3 },
    { table: 'outbox_events', days: 2 },
  ])
})

test('an event stays while a delivery is pending, and then goes with its deliveries and attempts', async () => {
  const [old, endpoint] = [daysAgo(ageOf('webhook_events') + 7), randomUUID()]
  const [pending, done] = [randomUUID(), randomUUID()]
  await app.sql`truncate webhook_events cascade`
  for (const id of [pending, done]) await insertAged(app.sql, 'webhook_events', [old], { id })
  const delivery = (event: string, values: object) =>
    insertAged(app.sql, 'webhook_deliveries', [old], { event_id: event, endpoint_id: endpoint, attempts: 1, ...values })
  await delivery(pending, { state: 'pending', next_attempt_at: old })
  await delivery(done, { state: 'delivered', finished_at: old })
  const [first] = await app.sql<{ id: number }[]>`select id from webhook_deliveries where event_id = ${done}`
  await insertAged(app.sql, 'webhook_attempts', [old], { delivery_id: first?.id, number: 1, status: 200 })
  expect(await deleteOldRows(ctxOf(app.deps), { table: 'webhook_events' })).toEqual({ deleted: 1, hasMore: false })
  const tables = ['webhook_events', 'webhook_deliveries', 'webhook_attempts']
  expect(await Promise.all(tables.map(count))).toEqual([1, 1, 0])
})

test('a revoked key stays while a proposal or a later key refers to it, and goes with its usage', async () => {
  const old = daysAgo(ageOf('api_keys') + 1)
  const [proposing, replaced, unused, later] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  await app.sql`truncate api_keys, proposals cascade`
  for (const id of [proposing, replaced, unused]) await insertAged(app.sql, 'api_keys', [old], { id })
  await insertAged(app.sql, 'api_keys', [old], { id: later, revoked_at: null, replaced_by: replaced })
  await insertAged(app.sql, 'proposals', [daysAgo(1)], { key_id: proposing })
  await insertAged(app.sql, 'key_usage', [daysAgo(1)], { key_id: unused })
  expect(await deleteOldRows(ctxOf(app.deps), { table: 'api_keys' })).toEqual({ deleted: 1, hasMore: false })
  const left = await app.sql<{ id: string }[]>`select id from api_keys`
  expect(left.map(({ id }) => id).sort()).toEqual([proposing, replaced, later].sort())
  expect(await count('key_usage')).toBe(0)
})

test('an app stays while a person is asked about it, and goes without', async () => {
  const [asking, idle] = [randomUUID(), randomUUID()]
  await app.sql`truncate oauth_clients, oauth_requests cascade`
  for (const id of [asking, idle]) await insertAged(app.sql, 'oauth_clients', [daysAgo(4000)], { id })
  await insertAged(app.sql, 'oauth_requests', [daysAgo(-1)], { client_id: asking })
  expect((await deleteOldRows(ctxOf(app.deps), { table: 'oauth_clients' })).deleted).toBe(1)
  expect((await app.sql<{ id: string }[]>`select id from oauth_clients`).map(({ id }) => id)).toEqual([asking])
  expect(await count('oauth_requests')).toBe(1)
})

test('open proposals, approved and pending reviews and messages that are still to be sent stay at any age', async () => {
  await app.sql`truncate proposals, reviews, messages cascade`
  await insertAged(app.sql, 'proposals', [daysAgo(4000)], { status: 'open', dismissed_at: null })
  const approved = { status: 'approved', rejected_at: null, rejection_reason: null }
  await insertAged(app.sql, 'reviews', [daysAgo(4000)], { ...approved, approved_at: daysAgo(4000) })
  await insertAged(app.sql, 'reviews', [daysAgo(4000)], { ...approved, status: 'pending' })
  await insertAged(app.sql, 'messages', [daysAgo(4000)], {
    status: 'pending',
    data: {},
    finished_at: null,
    next_attempt_at: daysAgo(4000),
  })
  for (const table of ['proposals', 'reviews', 'messages'])
    expect((await deleteOldRows(ctxOf(app.deps), { table })).deleted).toBe(0)
})

test('a deletion that crashes at any point goes on where it stopped, and deletes nothing twice or too early', async () => {
  await app.sql`truncate notices`
  const instants = Array.from({ length: 95 }, (_, n) => daysAgo(ageOf('notices') + 10 - n / 10 + 0.05))
  await insertAged(app.sql, 'notices', [...instants, daysAgo(ageOf('notices') - 1)])
  const points: (CrashPoint | undefined)[] = ['before', 'after', undefined]
  let attempt = 0
  const deps = { ...app.deps, write: withCrashes(app.deps.write, () => points[attempt++ % points.length]) }
  const left: number[] = []
  for (let hasMore = true; hasMore; left.push(await count('notices')))
    hasMore = await deleteOldRows(ctxOf(deps), { table: 'notices', limit: 20 }).then(
      (outcome) => outcome.hasMore,
      (error: unknown) => error instanceof Crash,
    )
  expect(left).toEqual([96, 76, 56, 56, 36, 16, 16, 1, 1])
})

let worker: TestWorker | undefined
afterAll(async () => worker?.kill())

test('a worker that is killed while it deletes is replaced by one that finishes', async () => {
  const old = daysAgo(100, Date.now())
  await app.sql`
    insert into payment_notifications (provider, id, received_at)
    select 'stripe', n::text, ${old}::timestamptz from generate_series(1, 100000) n`
  await app.sql`insert into payment_notifications (provider, id, received_at) values ('stripe', 'new', ${daysAgo(1, Date.now())})`
  worker = startWorker(ACTOR, { databaseUrl: app.databaseUrl })
  expect(await waitUntil(async () => (await count('payment_notifications')) < 95_000, 30_000)).toBe(true)
  await worker.kill()
  expect(await count('payment_notifications')).toBeGreaterThan(1)
  worker = startWorker(ACTOR, { databaseUrl: app.databaseUrl })
  expect(await waitUntil(async () => (await count('payment_notifications')) === 1, 60_000)).toBe(true)
  await worker.waitForOutput('deleted rows past their age')
  expect(await worker.stop()).toBe(0)
}, 120_000)

test('the metrics count the rows that a worker deleted, by table', async () => {
  await app.sql`truncate dead_letters`
  await insertAged(app.sql, 'dead_letters', [daysAgo(ageOf('dead_letters') + 1), daysAgo(ageOf('dead_letters') + 2)])
  const metrics = openMetrics('test')
  const actor = await startActor(app.deps, sweepExpired, { metrics, crash: () => undefined })
  const isCounted = async () =>
    /^hearth_deleted_rows_total\{[^}]*table="dead_letters"[^}]*\} 2\b/m.test(await metrics.render())
  expect(await waitUntil(isCounted, 20_000)).toBe(true)
  expect(
    await waitUntil(async () => /^hearth_old_rows_overdue_seconds\S* [\d.]+/m.test(await metrics.render()), 20_000),
  ).toBe(true)
  await actor.stop()
  await metrics.close()
})
