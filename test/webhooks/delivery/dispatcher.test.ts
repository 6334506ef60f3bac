// The delivery worker: it finishes its attempts on SIGTERM, and others reclaim its deliveries when it is killed.
import { expect, test } from 'bun:test'

import { ensureAccount } from '../../../src/auth/accounts/verbs.ts'
import { DeliveryDispatcher } from '../../../src/webhooks/delivery/dispatcher.ts'
import type { NewWebhook } from '../../../src/webhooks/endpoints/schemas.ts'
import { sendTest } from '../../../src/webhooks/endpoints/verbs/deliveries.ts'
import { createWebhook } from '../../../src/webhooks/endpoints/verbs/endpoints.ts'
import type { Runner } from '../../../src/platform/postgres/database.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { openDirectSession } from '../../../src/platform/postgres/direct-session.ts'
import { StoreUnavailable } from '../../../src/platform/store-error.ts'
import { openTestApp } from '../../support/app.ts'
import { openReceiver } from '../../support/receiver.ts'
import { type TestWorker, startWorker } from '../../support/workers.ts'
import { ctxOf } from '../../../src/ctx.ts'
import { opened } from '../../support/fixture.ts'
const app = await opened(
  openTestApp('migrated', { env: { WEBHOOK_ALLOW_PRIVATE: '1' }, clock: { now: () => new Date() } }),
)
const receiver = await opened(openReceiver(), 'stop')
const accountId = (await ensureAccount(ctxOf(app.deps), { email: 'developer@test.example' })).id

const startDelivering = async (): Promise<TestWorker> => {
  const env = { WEBHOOK_ALLOW_PRIVATE: '1', LOG_LEVEL: 'info' }
  const worker = startWorker('workers/actors/deliver-webhooks.ts', { databaseUrl: app.databaseUrl, env })
  await worker.waitForOutput('working')
  return worker
}
const statesOf = (webhookId: string) =>
  app.deps.write.run<{ state: string; attempts: number }>(
    'statesOf',
    (sql) => sql`select state, attempts from webhook_deliveries where endpoint_id = ${webhookId} order by id`,
  )
const createEndpoint = (path: string, changes: Partial<NewWebhook> = {}) =>
  createWebhook(ctxOf(app.deps, { accountId }), {
    name: 'worker',
    url: `${receiver.url}${path}`,
    events: ['quote.sent'],
    ...changes,
  })
const at = (path: string) => receiver.received.filter((request) => request.path === path)
const delivered = { state: 'delivered', attempts: 1 }

test('a worker that receives SIGTERM finishes the attempt under way and writes its result', async () => {
  const response = Promise.withResolvers<Response>()
  receiver.answer = () => response.promise
  const worker = await startDelivering()
  const { id } = await createEndpoint('/stopped')
  await sendTest(ctxOf(app.deps, { accountId }), { id })
  expect(await waitUntil(() => at('/stopped').length === 1, 10_000)).toBe(true)
  const stopped = worker.stop()
  await worker.waitForOutput('draining')
  response.resolve(new Response('ok'))
  expect(await stopped).toBe(0)
  expect(await statesOf(id)).toEqual([delivered])
  expect(await app.deps.write.run('leases', (sql) => sql`select from webhook_couriers`)).toEqual([])
}, 60_000)

test('deliveries of a killed worker are resumed by another within two seconds, in order', async () => {
  receiver.answer = () => new Promise<Response>(() => undefined)
  const { id } = await createEndpoint('/killed', { ordered: true })
  const worker = await startDelivering()
  for (let n = 0; n < 3; n++) await sendTest(ctxOf(app.deps, { accountId }), { id })
  expect(await waitUntil(() => at('/killed').length === 1, 10_000)).toBe(true)
  const another = await startDelivering()
  receiver.answer = () => new Response('ok')
  const killedAt = Date.now()
  await worker.kill()
  expect(await waitUntil(() => at('/killed').length > 1, 40_000)).toBe(true)
  const waitedMs = (at('/killed')[1]?.atMs ?? Infinity) - killedAt
  process.stdout.write(`taken over ${waitedMs} ms after the kill\n`)
  expect(waitedMs).toBeLessThan(2000)
  expect(await waitUntil(async () => (await statesOf(id)).every(({ state }) => state === 'delivered'), 10_000)).toBe(
    true,
  )
  const [first, ...others] = at('/killed').map(({ headers }) => headers['x-webhook-id'])
  expect(others[0]).toBe(first ?? '')
  expect(others).toEqual(
    (
      await app.deps.write.run<{ id: string }>(
        'inOrder',
        (sql) =>
          sql`select public_event_id(event_id) as id from webhook_deliveries where endpoint_id = ${id} order by id`,
      )
    ).map((delivery) => delivery.id),
  )
  expect(await statesOf(id)).toEqual([delivered, delivered, delivered])
  expect(await another.stop()).toBe(0)
}, 90_000)

/** Claims a due delivery of the endpoint for a worker that the test controls, until `leaseUntil`. */
const claim = (db: Runner, webhookId: string, workerId: string, now: string, leaseUntil: string) =>
  db.run(
    'claim',
    (sql) => sql`select from claim_deliveries(array[${webhookId}::uuid], array[1], ${workerId}, ${now}, ${leaseUntil})`,
  )
const takeLease = (db: Runner, workerId: string, now: string) =>
  db.run('takeLease', (sql) => sql`insert into webhook_couriers values (${workerId}, ${now})`)

test('a delivery of a hung worker stays claimed for the longest attempt, then another worker claims it', async () => {
  const { write } = app.deps
  const { id } = await createEndpoint('/hung')
  const workerId = crypto.randomUUID()
  const session = openDirectSession(app.databaseUrl)
  expect(await session.tryLock(`webhook courier ${workerId}`)).toBeDefined()
  await sendTest(ctxOf(app.deps, { accountId }), { id })
  const now = Date.now()
  await takeLease(write, workerId, new Date(now).toISOString())
  const leaseUntil = now + 3000
  expect(
    await claim(write, id, workerId, new Date(now).toISOString(), new Date(leaseUntil).toISOString()),
  ).toHaveLength(1)
  const worker = await startDelivering()
  expect(await waitUntil(() => at('/hung').length === 1, 20_000)).toBe(true)
  expect(at('/hung')[0]?.atMs).toBeGreaterThanOrEqual(leaseUntil)
  expect(await worker.stop()).toBe(0)
  expect(await statesOf(id)).toEqual([delivered])
  await session.close()
}, 60_000)

test('a claim that was committed but whose result was lost is released at once', async () => {
  receiver.answer = () => new Response('ok')
  const { id } = await createEndpoint('/unheard', { ordered: true })
  await sendTest(ctxOf(app.deps, { accountId }), { id })
  let lost = 0
  const write: typeof app.deps.write = {
    ...app.deps.write,
    run: async (name, statement) => {
      const rows = await app.deps.write.run(name, statement)
      if (name === 'claim_deliveries' && rows.length > 0 && lost++ === 0) throw new StoreUnavailable('postgres')
      return rows
    },
  }
  const dispatcher = new DeliveryDispatcher({ ...app.deps, write })
  const stop = new AbortController()
  const running = dispatcher.run(stop.signal)
  expect(await waitUntil(() => at('/unheard').length === 1, 10_000)).toBe(true)
  stop.abort()
  await running
  expect(lost).toBeGreaterThan(1)
  expect(await statesOf(id)).toEqual([delivered])
})

test('a delivery that kills one worker after another is due at once, then later each time, and at the latest when its lease ends', async () => {
  const { write } = app.deps
  const { id } = await createEndpoint('/deadly')
  await sendTest(ctxOf(app.deps, { accountId }), { id })
  const now = Date.now() + 1000
  const instant = (ms: number) => new Date(now + ms).toISOString()
  const restMs: number[] = []
  for (let death = 0; death < 8; death++) {
    const workerId = crypto.randomUUID()
    await write.run(
      'due',
      (sql) => sql`update webhook_deliveries set next_attempt_at = ${instant(0)} where endpoint_id = ${id}`,
    )
    await takeLease(write, workerId, instant(0))
    expect(await claim(write, id, workerId, instant(0), instant(20_000))).toHaveLength(1)
    await write.run('free', (sql) => sql`select free_deliveries(${instant(0)})`)
    const [row] = await write.run<{ rest: number }>(
      'rest',
      (sql) => sql`
        select extract(epoch from next_attempt_at - ${instant(0)}::timestamptz)::float8 * 1000 as rest
        from webhook_deliveries where endpoint_id = ${id}`,
    )
    restMs.push(row?.rest ?? Number.NaN)
    // Without its lease the dead worker makes no more claims.
    expect(await claim(write, id, workerId, instant(60_000), instant(80_000))).toEqual([])
  }
  expect(restMs).toEqual([0, 4000, 8000, 12_000, 16_000, 20_000, 20_000, 20_000])
})
