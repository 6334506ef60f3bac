// The delivering process itself: what it holds when it is told to stop is finished, what it held when it was killed comes up again.
import { afterAll, beforeAll, expect, test } from 'bun:test'

import { ensureAccount } from '../src/features/accounts/service.ts'
import { sendTest } from '../src/features/webhooks/deliveries.ts'
import { createWebhook } from '../src/features/webhooks/service.ts'
import { until } from '../src/platform/local/processes.ts'
import { type TestApp, openTestApp } from './support/app.ts'
import { type Receiver, openReceiver } from './support/receiver.ts'
import { type TestWorker, startWorker } from './support/workers.ts'

let app: TestApp
let receiver: Receiver
let accountId: string

beforeAll(async () => {
  app = await openTestApp('migrated', { env: { WEBHOOK_ALLOW_PRIVATE: '1' }, clock: { now: () => new Date() } })
  receiver = openReceiver()
  accountId = (await ensureAccount(app.deps, app.deps.write, 'developer@test.example')).id
}, 60_000)
afterAll(async () => {
  await receiver.stop()
  await app.close()
})

const startDelivering = async (): Promise<TestWorker> => {
  const env = { WEBHOOK_ALLOW_PRIVATE: '1', LOG_LEVEL: 'info' }
  const worker = startWorker('workers/deliver-webhooks.ts', { databaseUrl: app.databaseUrl, env })
  await worker.said('working')
  return worker
}
const stateOf = async (webhookId: string) => {
  const [row] = await app.deps.write.run<{ state: string; attempts: number }>(
    'stateOf',
    (sql) => sql`select state, attempts from webhook_deliveries where endpoint_id = ${webhookId}`,
  )
  return row
}
const makeEndpoint = (path: string) =>
  createWebhook(app.deps, accountId, { name: 'worker', url: `${receiver.url}${path}`, events: ['quote.sent'] })
const at = (path: string) => receiver.received.filter((got) => got.path === path)

test('told to stop, it lets the attempt under way end and writes down what came of it', async () => {
  const answer = Promise.withResolvers<Response>()
  receiver.answer = () => answer.promise
  const worker = await startDelivering()
  const { id } = await makeEndpoint('/stopped')
  await sendTest(app.deps, accountId, id)
  expect(await until(() => at('/stopped').length === 1, 10_000)).toBe(true)
  const stopped = worker.stop()
  await worker.said('draining')
  answer.resolve(new Response('ok'))
  expect(await stopped).toBe(0)
  expect(await stateOf(id)).toEqual({ state: 'delivered', attempts: 1 })
}, 60_000)

test('killed, what it held is delivered by another when its time is over, under the same id', async () => {
  receiver.answer = () => new Promise<Response>(() => undefined)
  const worker = await startDelivering()
  const { id } = await makeEndpoint('/killed')
  await sendTest(app.deps, accountId, id)
  expect(await until(() => at('/killed').length === 1, 10_000)).toBe(true)
  await worker.kill()
  receiver.answer = () => new Response('ok')
  const another = await startDelivering()
  expect(await until(async () => (await stateOf(id))?.state === 'delivered', 40_000)).toBe(true)
  const [first, second] = at('/killed').map(({ headers }) => headers['x-webhook-id'])
  expect(second).toBe(first ?? '')
  expect(await stateOf(id)).toEqual({ state: 'delivered', attempts: 1 })
  expect(await another.stop()).toBe(0)
}, 90_000)
