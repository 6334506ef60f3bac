// What a worker may claim, and which of two results of an attempt counts.
import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { ensureAccount } from '../../../src/auth/accounts/verbs.ts'
import { claimDeliveries, finishAttempts } from '../../../src/webhooks/delivery/queries.ts'
import { insertLease } from '../../../src/webhooks/delivery/queries.sql.ts'
import { replayMany, replayOne, sendTest } from '../../../src/webhooks/endpoints/verbs/deliveries.ts'
import { createWebhook } from '../../../src/webhooks/endpoints/verbs/endpoints.ts'
import { openTestApp } from '../../support/app.ts'
import { opened } from '../../support/fixture.ts'
import { ctxOf } from '../../../src/ctx.ts'

const app = await opened(openTestApp('migrated', { env: { WEBHOOK_ALLOW_PRIVATE: '1' } }))
let accountId = ''
accountId = (await ensureAccount(ctxOf(app.deps), { email: 'claims@test.example' })).id

const createEndpoint = async (events = 3) => {
  const input = { name: 'claims', url: 'http://127.0.0.1:9999/', events: ['quote.sent' as const] }
  const { id } = await createWebhook(ctxOf(app.deps, { accountId }), input)
  const eventIds: string[] = []
  for (let n = 0; n < events; n++) eventIds.push((await sendTest(ctxOf(app.deps, { accountId }), { id })).eventId)
  return { id, eventIds }
}
const claim = (workerId: string, slots: [string, number][]) => {
  const now = app.deps.clock.now()
  const leaseUntil = new Date(now.getTime() + 20_000)
  return claimDeliveries(ctxOf(app.deps), { workerId, slots: new Map(slots), now, leaseUntil })
}
const newWorker = async () => {
  const workerId = randomUUID()
  await insertLease(ctxOf(app.deps), { workerId, now: app.deps.clock.now() })
  return workerId
}

test('a worker claims as many deliveries of an endpoint as it has room for, and none without a lease', async () => {
  const [first, second] = [await createEndpoint(), await createEndpoint()]
  expect(await claim(randomUUID(), [[first.id, 10]])).toEqual([])
  const [one, other] = [await newWorker(), await newWorker()]
  const claimed = await claim(one, [
    [first.id, 2],
    [second.id, 1],
  ])
  const countOf = (id: string) => claimed.filter(({ endpointId }) => endpointId === id).length
  expect([countOf(first.id), countOf(second.id)]).toEqual([2, 1])
  const rest = await claim(other, [
    [first.id, 10],
    [second.id, 10],
  ])
  expect(rest.map(({ endpointId }) => endpointId).sort()).toEqual([first.id, second.id, second.id].sort())
  expect(await claim(one, [[first.id, 10]])).toEqual([])
})

test('of two results of one attempt the first counts', async () => {
  const { id } = await createEndpoint(1)
  const [delivery] = await claim(await newWorker(), [[id, 1]])
  const result = { id: delivery?.id ?? 0, endpointId: id, attempts: 0, at: app.deps.clock.now(), durationMs: 1 }
  const rest = { nextAttemptAt: app.deps.clock.now(), error: null, response: null, requestHeaders: null }
  await finishAttempts(ctxOf(app.deps), { results: [{ ...result, ...rest, state: 'pending', status: 500 }] })
  await finishAttempts(ctxOf(app.deps), { results: [{ ...result, ...rest, state: 'delivered', status: 200 }] })
  const [row] = await app.sql`select state, attempts from webhook_deliveries where endpoint_id = ${id}`
  expect({ ...row }).toEqual({ state: 'pending', attempts: 1 })
})

test('a delivery that is pending is not replayed: its claim and its retries stay', async () => {
  const { id, eventIds } = await createEndpoint(1)
  const worker = await newWorker()
  expect(await claim(worker, [[id, 1]])).toHaveLength(1)
  await replayOne(ctxOf(app.deps, { accountId }), { id, eventId: eventIds[0] ?? '' })
  expect(await claim(worker, [[id, 1]])).toEqual([])
})

test('a delivery that waits for its retry is not claimed before', async () => {
  const { id } = await createEndpoint(1)
  const [delivery] = await claim(await newWorker(), [[id, 1]])
  const now = app.deps.clock.now()
  const result = { id: delivery?.id ?? 0, endpointId: id, attempts: 0, at: now, durationMs: 1, status: 500 }
  const nextAttemptAt = new Date(now.getTime() + 1)
  await finishAttempts(ctxOf(app.deps), {
    results: [{ ...result, state: 'pending', nextAttemptAt, error: null, response: null, requestHeaders: null }],
  })
  expect(await claim(await newWorker(), [[id, 1]])).toEqual([])
  await app.sql`update webhook_deliveries set next_attempt_at = ${now.toISOString()} where endpoint_id = ${id}`
  expect(await claim(await newWorker(), [[id, 1]])).toHaveLength(1)
})

test('a replayed delivery has all its retries again, alone and with others of its period', async () => {
  const { id, eventIds } = await createEndpoint(1)
  const fail = () =>
    app.sql`
      update webhook_deliveries set state = 'failed', round = 8, attempts = 9, next_attempt_at = null, finished_at = now()
      where endpoint_id = ${id}`
  await fail()
  await replayOne(ctxOf(app.deps, { accountId }), { id, eventId: eventIds[0] ?? '' })
  expect(await claim(await newWorker(), [[id, 1]])).toMatchObject([{ round: 0, attempts: 9 }])
  await fail()
  const at = app.deps.clock.now().getTime()
  const replay = async (fromMs: number, toMs: number) => {
    const period = { from: new Date(at + fromMs).toISOString(), to: new Date(at + toMs).toISOString() }
    return (await replayMany(ctxOf(app.deps, { accountId }), { ...period, id })).replayed
  }
  // The period includes its start and not its end.
  expect([await replay(-1000, 0), await replay(1, 1000)]).toEqual([0, 0])
  expect(await replay(0, 1)).toBe(1)
  expect(await claim(await newWorker(), [[id, 1]])).toMatchObject([{ round: 0 }])
})
