// What a caller was told has failed is not committed. Where a commit was sent and not confirmed, the error says so.
import { afterEach, beforeEach, expect, test } from 'bun:test'

import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import type { Database, Sql } from '../../../src/platform/postgres/database.ts'
import { openDatabase } from '../../../src/platform/postgres/open-database.ts'
import { hasCommitted, rememberCommits } from '../../../src/platform/postgres/effects.ts'
import { StoreUnavailable } from '../../../src/platform/store-error.ts'
import { type BlockedProxy, openBlockedProxy } from '../../support/blocked-proxy.ts'
import { cloneDatabase, testSql, withoutSocket } from '../../support/database.ts'
import { opened } from '../../support/fixture.ts'

const LIMIT_MS = 600
let proxy: BlockedProxy
let database: Database
const clone = await opened(cloneDatabase('migrated'), 'drop')
const sql = await opened(testSql(clone.url, 2), 'end')
await sql`create table changes (name text)`
beforeEach(async () => {
  await sql`truncate changes`
  proxy = await openBlockedProxy(withoutSocket(clone.url))
  proxy.open()
  database = openDatabase({
    url: proxy.url,
    readConnections: 1,
    writeConnections: 1,
    statementTimeoutMs: LIMIT_MS - 100,
    waitLimitMs: LIMIT_MS,
    applicationName: 'hearth-given-up',
  })
  // On a busy machine the connections of the first attempt may take longer than the limit.
  const isWarm = () =>
    database.warmUp().then(
      () => true,
      () => false,
    )
  expect(await waitUntil(isWarm, 20_000)).toBe(true)
}, 30_000)
afterEach(async () => {
  await database.close()
  proxy.stop()
})

const change = (name: string) => (on: Sql) => on`insert into changes select ${name} from pg_sleep(0.35)`
const failureOf = async (work: Promise<unknown>): Promise<StoreUnavailable> => {
  const failure = await work.then(
    () => 'nothing failed',
    (error: unknown) => error,
  )
  expect(failure).toBeInstanceOf(StoreUnavailable)
  return failure as StoreUnavailable
}

/** The changes that are there when PostgreSQL runs nothing of the program any more. */
async function committed(): Promise<string[]> {
  const isQuiet = async () => {
    const busy = await sql`
      select from pg_stat_activity where application_name = 'hearth-given-up' and xact_start is not null`
    return busy.length === 0
  }
  expect(await waitUntil(isQuiet, 5000)).toBe(true)
  return (await sql<{ name: string }[]>`select name from changes order by name`).map(({ name }) => name)
}

test('a transaction that takes longer than its caller waits is rolled back, whichever statement runs then', async () => {
  const failure = await failureOf(
    database.write.begin('slow', async (tx) => {
      for (const name of ['first', 'second', 'third']) await tx.run('change', change(name))
    }),
  )
  expect(failure.isOutcomeUnknown).toBe(false)
  expect(await committed()).toEqual([])
})

test('a transaction whose work outside of PostgreSQL takes too long is rolled back', async () => {
  const outside = Promise.withResolvers<void>()
  const begun = database.write.begin('slow', async (tx) => {
    await tx.run('change', (on) => on`insert into changes values ('first')`)
    await outside.promise
  })
  const failure = await failureOf(begun)
  outside.resolve()
  expect(failure.isOutcomeUnknown).toBe(false)
  expect(await committed()).toEqual([])
})

test('work that waited for a connection for too long does not begin', async () => {
  const holding = database.write.begin('holds', (tx) => tx.run('change', change('holder')))
  const waiting = [1, 2, 3].map(() =>
    failureOf(database.write.begin('waits', (tx) => tx.run('change', change('waiter')))),
  )
  await holding
  for (const failure of await Promise.all(waiting)) expect(failure.isOutcomeUnknown).toBe(false)
  expect(await committed()).toEqual(['holder'])
})

test('a commit without an answer has an unknown outcome', async () => {
  const failure = await failureOf(
    database.write.begin('commits', async (tx) => {
      await tx.run('change', (on) => on`insert into changes values ('in doubt')`)
      proxy.mute()
    }),
  )
  expect(failure.isOutcomeUnknown).toBe(true)
  expect(await committed()).toEqual(['in doubt'])
})

test('a single statement that was sent and not answered has an unknown outcome, and one that was not sent none', async () => {
  proxy.mute()
  const insert = () => failureOf(database.write.run('insert', (on) => on`insert into changes values ('sent')`))
  const failures = await Promise.all(Array.from({ length: 8 }, insert))
  const unknown = failures.filter(({ isOutcomeUnknown }) => isOutcomeUnknown)
  // A connection takes a few statements at once.
  expect(unknown.length).toBeGreaterThan(0)
  expect(unknown.length).toBeLessThan(5)
  expect((await committed()).length).toBeLessThanOrEqual(unknown.length)
})

test('a read that was sent and not answered has changed nothing', async () => {
  proxy.mute()
  const read = () => failureOf(database.write.run('read', (on) => on`select count(*)::int from changes`))
  for (const { isOutcomeUnknown } of await Promise.all([read(), read()])) expect(isOutcomeUnknown).toBe(false)
})

test('a statement that PostgreSQL cancelled has changed nothing, and its error says no more', async () => {
  const failure = await failureOf(
    database.write.run('slow', (on) => on`insert into changes select 'slow' from pg_sleep(5)`),
  )
  expect(failure).toMatchObject({ code: '57014', isOutcomeUnknown: false })
  expect(await committed()).toEqual([])
})

test('a request knows whether it has committed something, and others do not', async () => {
  const none = () => rememberCommits(() => Promise.resolve(hasCommitted()))
  const rolledBack = () =>
    rememberCommits(async () => {
      await failureOf(database.write.begin('fails', () => Promise.reject(new StoreUnavailable('postgres'))))
      return hasCommitted()
    })
  const one = () =>
    rememberCommits(async () => {
      await database.write.begin('commits', (tx) => tx.run('change', (on) => on`insert into changes values ('one')`))
      return hasCommitted()
    })
  expect(await Promise.all([none(), rolledBack(), one()])).toEqual([false, false, true])
})
