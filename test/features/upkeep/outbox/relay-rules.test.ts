// A relay takes the events of a partition in order, alone, and marks no others.
import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { type EventPlanner, listWaitingPartitions, relayBatch } from '../../../../src/features/upkeep/outbox/verbs.ts'
import { settlesWithin } from '../../../../src/platform/clock/deadlines.ts'
import { openTestApp } from '../../../support/app.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const app = await opened(openTestApp('migrated'))

const write = (aggregateId: string, sequence: number) => app.sql`
  select emit_event(${randomUUID()}, 'booking.created', ${aggregateId}, 'booking', ${aggregateId}, ${sequence}, '{"n": 1}',
    null, ${app.deps.clock.now().toISOString()})`
const waiting = async () =>
  (await app.sql<{ n: number }[]>`select count(*)::int as n from outbox_events where relayed_at is null`)[0]?.n

test('events of one aggregate are relayed in order, once', async () => {
  const aggregate = randomUUID()
  for (let n = 1; n <= 5; n++) await write(aggregate, n)
  const [partition = -1] = await listWaitingPartitions(ctxOf(app.deps))
  const sequences: number[] = []
  const plan: EventPlanner = (_ctx, events) => {
    sequences.push(...events.map((event) => event.sequence))
    return Promise.resolve([])
  }
  expect(await relayBatch(ctxOf(app.deps), { partition, plan })).toEqual({ relayed: 5, hasMore: false })
  expect(await relayBatch(ctxOf(app.deps), { partition, plan })).toEqual({ relayed: 0, hasMore: false })
  expect(sequences).toEqual([1, 2, 3, 4, 5])
})

test('one relay at a time has a partition; another takes nothing meanwhile', async () => {
  await write(randomUUID(), 1)
  const [partition = -1] = await listWaitingPartitions(ctxOf(app.deps))
  const [started, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = relayBatch(ctxOf(app.deps), {
    partition,
    plan: async () => {
      started.resolve()
      await release.promise
      return []
    },
  })
  await started.promise
  const planned: string[] = []
  const second = relayBatch(ctxOf(app.deps), {
    partition,
    plan: (_ctx, events) => {
      planned.push(...events.map(({ id }) => id))
      return Promise.resolve([])
    },
  })
  expect(await settlesWithin(second, 5000)).toBe(true)
  expect([planned, await second]).toEqual([[], { relayed: 0, hasMore: false }])
  release.resolve()
  expect(await first).toEqual({ relayed: 1, hasMore: false })
})

test('an event that is committed while others are relayed is relayed by the next batch', async () => {
  const aggregate = randomUUID()
  // A position between two others: its transaction began before them and is committed while they are relayed.
  const late = Promise.withResolvers<void>()
  const written = Promise.withResolvers<void>()
  const writing = app.sql.begin(async (tx) => {
    await tx`
      select emit_event(${randomUUID()}, 'booking.created', ${aggregate}, 'booking', ${aggregate}, 1, '{"n": 1}', null,
        ${app.deps.clock.now().toISOString()})`
    written.resolve()
    await late.promise
  })
  await written.promise
  await write(aggregate, 2)
  const [partition = -1] = await listWaitingPartitions(ctxOf(app.deps))
  await relayBatch(ctxOf(app.deps), {
    partition,
    plan: async () => {
      late.resolve()
      await writing
      return []
    },
  })
  expect(await waiting()).toBe(1)
  expect(await relayBatch(ctxOf(app.deps), { partition, plan: () => Promise.resolve([]) })).toMatchObject({
    relayed: 1,
  })
})
