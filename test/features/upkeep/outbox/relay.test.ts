// The outbox relay relays every committed event once and in order per aggregate, even when relays die, and prunes old ones.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'

import { listDeadLetters, retryDeadLetter } from '../../../../src/features/upkeep/dead-letters/verbs.ts'
import { type EventPlanner, relayEventAgain, relayBatch } from '../../../../src/features/upkeep/outbox/verbs.ts'
import { deleteOldRows } from '../../../../src/features/upkeep/retention/verbs.ts'
import { readConfig } from '../../../../src/config.ts'
import { openDeps } from '../../../../src/deps.ts'
import type { Sql } from '../../../../src/platform/postgres/database.ts'
import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import { StoreUnavailable } from '../../../../src/platform/store-error.ts'
import { ROOT } from '../../../support/imports.ts'
import { cloneDatabase, testSql } from '../../../support/database.ts'
import { type TestWorker, startWorker } from '../../../support/workers.ts'
import { testRedisUrl } from '../../../support/stores.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import { opened } from '../../../support/fixture.ts'

const RECORDER = join(ROOT, 'test/support/recording-relay.ts')
let now = new Date()
const database = await opened(cloneDatabase('migrated'), 'drop')
const sql = await opened(testSql(database.url, 8), 'end')
await sql`
    create table planned (
      n bigint generated always as identity, event_id uuid, aggregate_id uuid, sequence integer)`
const config = readConfig({
  DATABASE_URL: database.url,
  REDIS_URL: testRedisUrl,
  LOG_LEVEL: 'silent',
})
const deps = await opened(openDeps(config, { clock: { now: () => now }, databaseLimitMs: 20_000 }))
// Stops the relays of a failed test.
afterEach(() => Promise.all(started.splice(0).map((relay) => relay.kill())))

const started: TestWorker[] = []
function startRelay(): TestWorker {
  const relay = startWorker(RECORDER, { databaseUrl: database.url })
  started.push(relay)
  return relay
}

const eventOf = (on: Sql, aggregateId: string, sequence: number, type = 'booking.created') => on`
  select emit_event(${randomUUID()}, ${type}, ${aggregateId}, 'booking', ${aggregateId}, ${sequence}, '{"n": 1}', null,
    ${now.toISOString()})`

/** Writes as a process that wakes no relay: it dies after the commit, or is of another release. */
const write = (aggregateId: string, sequence: number, type?: string) => eventOf(sql, aggregateId, sequence, type)

const count = async (table: 'planned' | 'outbox_events') =>
  (await sql<{ n: number }[]>`select count(*)::int as n from ${sql(table)}`)[0]?.n ?? 0

test('10,000 events are relayed once each and in order by two relays, one of which is killed repeatedly', async () => {
  const EVENTS = 10_000
  const AGGREGATES_PER_WRITER = 25
  const relays = [startRelay(), startRelay()]
  await Promise.all(relays.map((relay) => relay.waitForOutput('working')))
  const writer = async (share: number) => {
    const ids = Array.from({ length: AGGREGATES_PER_WRITER }, () => randomUUID())
    for (let n = 0; n < share; n++)
      await write(ids[n % AGGREGATES_PER_WRITER] ?? '', Math.floor(n / AGGREGATES_PER_WRITER) + 1)
  }
  let kills = 0
  const killRelays = (async () => {
    for (let next = 500; next < EVENTS; next += 1000) {
      expect(await waitUntil(async () => (await count('planned')) >= next, 30_000, 5)).toBe(true)
      await relays[kills % 2]?.kill()
      relays[kills % 2] = startRelay()
      kills++
    }
  })()
  await Promise.all([killRelays, ...Array.from({ length: 8 }, () => writer(EVENTS / 8))])
  expect(await waitUntil(async () => (await count('planned')) >= EVENTS, 30_000)).toBe(true)
  expect(kills).toBe(10)
  const [counts] = await sql`
    select count(*)::int as planned, count(distinct event_id)::int as events,
      (select count(*)::int from outbox_events where relayed_at is null) as waiting
    from planned`
  expect({ ...counts }).toEqual({ planned: EVENTS, events: EVENTS, waiting: 0 })
  const outOfOrder = await sql`
    select from (select sequence, row_number() over (partition by aggregate_id order by n) as expected from planned) p
    where sequence <> expected`
  expect(outOfOrder.length).toBe(0)
  await Promise.all(relays.map((relay) => relay.waitForOutput('working')))
  expect(await Promise.all(relays.map((relay) => relay.stop()))).toEqual([0, 0])
}, 120_000)

test('a commit wakes the relay, so that its event is relayed long before the next poll', async () => {
  const relay = startRelay()
  await relay.waitForOutput('working')
  const latencies: number[] = []
  for (let n = 0; n < 20; n++) {
    const before = await count('planned')
    const startedMs = performance.now()
    await deps.write.run('write', (on) => eventOf(on, randomUUID(), 1))
    expect(await waitUntil(async () => (await count('planned')) > before, 5000, 2)).toBe(true)
    latencies.push(performance.now() - startedMs)
  }
  await relay.stop()
  latencies.sort((a, b) => a - b)
  // The median, because the machine may be busy.
  expect(latencies[10]).toBeLessThan(500)
}, 60_000)

test('the relay finds within a second or two what no process announced', async () => {
  const relay = startRelay()
  await relay.waitForOutput('working')
  for (let n = 0; n < 3; n++) {
    const before = await count('planned')
    await write(randomUUID(), 1)
    expect(await waitUntil(async () => (await count('planned')) > before, 3000)).toBe(true)
  }
  await relay.stop()
}, 60_000)

test('an event that cannot be planned does not block others and can be retried', async () => {
  await sql`truncate planned`
  const [good, bad] = [randomUUID(), randomUUID()]
  await write(good, 1)
  await write(bad, 1, 'poison')
  await write(good, 2)
  let isFixed = false
  const planned: string[] = []
  const plan: EventPlanner = (_ctx, events) => {
    if (!isFixed && events.some(({ type }) => type === 'poison')) throw new Error('cannot be planned')
    planned.push(...events.map(({ aggregateId }) => aggregateId))
    return Promise.resolve([])
  }
  for (let partition = 0; partition < 8; partition++) await relayBatch(ctxOf(deps), { partition, plan })
  expect(planned).toEqual([good, good])
  const letters = await listDeadLetters(ctxOf(deps), { actor: 'relay-outbox', limit: 10 })
  expect(letters.map(({ error, attempts }) => ({ error, attempts }))).toEqual([
    { error: 'Error: cannot be planned', attempts: 1 },
  ])
  isFixed = true
  const letter = await retryDeadLetter(ctxOf(deps), { id: letters[0]?.id ?? '' })
  await relayEventAgain(ctxOf(deps), { eventId: (letter.data as { eventId: string }).eventId, plan })
  expect(planned).toEqual([good, good, bad])
})

test('events wait while the database refuses to plan them, and none becomes a dead letter', async () => {
  await sql`truncate planned, outbox_events`
  await sql`
    create function refuse(sqlstate text) returns void language plpgsql as $$
    begin
      raise exception 'no' using errcode = sqlstate;
    end $$`
  const letters = () => listDeadLetters(ctxOf(deps), { actor: 'relay-outbox', limit: 10 })
  const before = (await letters()).length
  await write(randomUUID(), 1)
  for (const sqlstate of ['25006', '40001', '53100', '53200', '57P03', '08006']) {
    const refuse: EventPlanner = async (ctx) => {
      await ctx.tx.run('refuse', (on) => on`select refuse(${sqlstate})`)
      return []
    }
    for (let partition = 0; partition < 8; partition++)
      expect(await relayBatch(ctxOf(deps), { partition, plan: refuse }).catch((error: unknown) => error)).toSatisfy(
        (result) => result instanceof StoreUnavailable || (result as { relayed: number }).relayed === 0,
      )
    expect([sqlstate, (await letters()).length]).toEqual([sqlstate, before])
  }
  const plan = () => Promise.resolve([])
  let relayed = 0
  for (let partition = 0; partition < 8; partition++)
    relayed += (await relayBatch(ctxOf(deps), { partition, plan })).relayed
  expect(relayed).toBe(1)
})

describe('one partition', () => {
  const PARTITION = 3
  let planned: { professionalId: string; sequence: number }[]

  /** Writes `count` events of one new aggregate of the pro. */
  async function writeAll(professionalId: string, count: number): Promise<void> {
    await sql`
      select emit_event(gen_random_uuid(), 'booking.created', ${professionalId}, 'booking', a.id, n, '{}', null,
        ${now.toISOString()})
      from (select id from (select gen_random_uuid() as id from generate_series(1, 1000)) ids
        where (uuid_hash(id) & 7) = ${PARTITION} limit 1) a, generate_series(1, ${count}::integer) n`
  }

  const relayOnce = (msPerStep = 0) =>
    relayBatch(ctxOf(deps), {
      partition: PARTITION,
      plan: async (_ctx, events) => {
        await Bun.sleep(msPerStep)
        planned.push(...events)
        return []
      },
    })

  const turnOf = (professionalId: string) => planned.findIndex((event) => event.professionalId === professionalId)
  const sequencesOf = (professionalId: string) =>
    planned.filter((event) => event.professionalId === professionalId).map(({ sequence }) => sequence)
  const oneTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

  beforeEach(async () => {
    await sql`truncate outbox_events`
    planned = []
  })

  test('relays the first event of every pro before the second of any, so that many events delay no other pro', async () => {
    const [busy, other] = [randomUUID(), randomUUID()]
    await writeAll(busy, 700)
    await writeAll(other, 2)
    expect((await relayOnce()).hasMore).toBe(true)
    expect(turnOf(other)).toBeLessThan(2)
    while ((await relayOnce()).hasMore);
    expect([sequencesOf(busy), sequencesOf(other)]).toEqual([oneTo(700), oneTo(2)])
  })

  test('is released while planning takes long, and goes on with the pros who had no turn', async () => {
    const pros = Array.from({ length: 40 }, () => randomUUID())
    for (const pro of pros) await writeAll(pro, 2)
    const first = await relayOnce(150)
    expect(first).toEqual({ relayed: 8, hasMore: true })
    await relayOnce(150)
    expect(new Set(planned.map(({ professionalId }) => professionalId)).size).toBe(16)
    while ((await relayOnce()).hasMore);
    expect(pros.map(sequencesOf)).toEqual(pros.map(() => [1, 2]))
    expect(planned).toHaveLength(80)
  })

  test('relays the events of more pros than one batch takes', async () => {
    const pros = Array.from({ length: 600 }, () => randomUUID())
    await Promise.all(pros.map((pro) => writeAll(pro, 2)))
    let batches = 1
    for (; (await relayOnce()).hasMore; batches++);
    expect(pros.map(sequencesOf)).toEqual(pros.map(() => [1, 2]))
    expect(batches).toBeLessThan(10)
  }, 60_000)
})

test('relayed events are deleted in batches after a week; unrelayed events are never deleted', async () => {
  await sql`truncate outbox_events`
  const relayedAt = new Date(now.getTime() - 8 * 86_400_000).toISOString()
  await sql`
    select emit_event(gen_random_uuid(), 'booking.created', gen_random_uuid(), 'booking', gen_random_uuid(), 1, '{}', null,
      ${relayedAt}) from generate_series(1, 6000)`
  await sql`update outbox_events set relayed_at = ${relayedAt}`
  const waiting = randomUUID()
  await write(waiting, 1)
  expect(await deleteOldRows(ctxOf(deps), { table: 'outbox_events' })).toEqual({ deleted: 5000, hasMore: true })
  expect(await count('outbox_events')).toBe(1001)
  expect(await deleteOldRows(ctxOf(deps), { table: 'outbox_events' })).toEqual({ deleted: 1000, hasMore: false })
  expect((await sql`select aggregate_id from outbox_events`).map((row) => row['aggregateId'])).toEqual([waiting])
  now = new Date()
  expect(await deleteOldRows(ctxOf(deps), { table: 'outbox_events' })).toEqual({ deleted: 0, hasMore: false })
  expect(await count('outbox_events')).toBe(1)
})
