// Work that PostgreSQL rolls back because of a concurrent transaction runs once more, and only once.
import { expect, test } from 'bun:test'

import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import type { Transaction } from '../../../src/platform/postgres/database.ts'
import { openDatabase } from '../../../src/platform/postgres/open-database.ts'
import { StoreUnavailable } from '../../../src/platform/store-error.ts'
import { cloneDatabase, testSql } from '../../support/database.ts'
import { opened } from '../../support/fixture.ts'
const retries: string[] = []
const clone = await opened(cloneDatabase('migrated'), 'drop')
const sql = await opened(testSql(clone.url, 2), 'end')
await sql`create table counters (id integer primary key, n integer not null default 0)`
await sql`insert into counters (id) values (1), (2)`
await sql`
    create function count_both(first int, second int) returns int language plpgsql as $$
    begin
      perform set_config('deadlock_timeout', '50ms', true);
      update counters set n = n + 1 where id = first;
      update counters set n = n + 1 where id = second;
      return (select n from counters where id = second);
    end $$`
const database = await opened(
  openDatabase({
    url: clone.url,
    readConnections: 1,
    writeConnections: 2,
    statementTimeoutMs: 9000,
    waitLimitMs: 10_000,
    applicationName: 'hearth-test',
    onRetry: (name) => retries.push(name),
  }),
)

const addTo = (tx: Transaction, id: number) =>
  tx.run('addTo', (on) => on`update counters set n = n + 1 where id = ${id}`)

const total = async () => (await sql<{ sum: number }[]>`select sum(n)::int as sum from counters`)[0]?.sum ?? 0

/**
 * Holds row 2 in another transaction, which asks for row 1 after `firstTaken`. Work that holds row 1 and asks for row 2 is
 * then in a deadlock, and notices it first.
 */
async function holdSecondRow() {
  const holding = Promise.withResolvers<void>()
  const firstTaken = Promise.withResolvers<void>()
  const done = sql.begin(async (tx) => {
    await tx`set local deadlock_timeout = '10s'`
    await tx`update counters set n = n + 1 where id = 2`
    holding.resolve()
    await firstTaken.promise
    await tx`update counters set n = n + 1 where id = 1`
  })
  await holding.promise
  return { firstTaken: () => firstTaken.resolve(), done }
}

test('a transaction that is the victim of a deadlock runs a second time and commits', async () => {
  const before = await total()
  const other = await holdSecondRow()
  let runs = 0
  await database.write.begin('addToBoth', async (tx) => {
    runs++
    await tx.run('hurry', (on) => on`set local deadlock_timeout = '50ms'`)
    await addTo(tx, 1)
    other.firstTaken()
    await addTo(tx, 2)
  })
  await other.done
  expect([runs, await total(), retries.splice(0)]).toEqual([2, before + 4, ['addToBoth']])
})

test('a single statement that is the victim of a deadlock runs a second time', async () => {
  const before = await total()
  const other = await holdSecondRow()
  const counting = database.write.run('count_both', (on) => on`select count_both(1, 2)`)
  // It holds row 1 when it waits for row 2, or when it has given up once.
  const isWaiting = async () =>
    (await sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%count_both(1%'`).length > 0
  expect(await waitUntil(async () => retries.length > 0 || (await isWaiting()), 5000, 1)).toBe(true)
  other.firstTaken()
  await Promise.all([counting, other.done])
  expect([await total(), retries.splice(0)]).toEqual([before + 4, ['count_both']])
})

test('a transaction that cannot be serialized runs a second time and sees the other change', async () => {
  const seen: number[] = []
  await database.write.begin('double', async (tx) => {
    await tx.run('repeatable', (on) => on`set transaction isolation level repeatable read`)
    const [row] = await tx.run<{ n: number }>('read', (on) => on`select n from counters where id = 1`)
    seen.push(row?.n ?? 0)
    if (seen.length === 1) await sql`update counters set n = n + 100 where id = 1`
    await addTo(tx, 1)
  })
  expect([seen.length, (seen[1] ?? 0) - (seen[0] ?? 0), retries.splice(0)]).toEqual([2, 100, ['double']])
})

test('a transaction that conflicts twice is reported as unavailable, and nothing of it remains', async () => {
  let runs = 0
  const before = await total()
  const work = database.write.begin('always', async (tx) => {
    runs++
    await tx.run('repeatable', (on) => on`set transaction isolation level repeatable read`)
    await tx.run('read', (on) => on`select n from counters`)
    await sql`update counters set n = n + 1 where id = 1`
    await addTo(tx, 1)
  })
  const error = await work.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(StoreUnavailable)
  expect([(error as StoreUnavailable).code, runs, await total()]).toEqual(['40001', 2, before + 2])
})

test('a statement of a transaction is not repeated by itself', async () => {
  retries.splice(0)
  let statements = 0
  const work = database.write.begin('failing', (tx) =>
    tx.run('fail', (on) => {
      statements++
      return on`do 'begin raise exception ''x'' using errcode = ''40001''; end'`
    }),
  )
  expect(await work.catch((thrown: unknown) => thrown)).toBeInstanceOf(StoreUnavailable)
  expect([statements, retries.splice(0)]).toEqual([2, ['failing']])
})
