// An endpoint with some errors and slow responses gets its events as they happen. Measured with the real relay and worker.
import { afterAll, beforeAll, expect, test } from 'bun:test'

import { ensureAccount } from '../../src/auth/accounts/verbs.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { emit } from '../../src/platform/queue/outbox.ts'
import { createWebhook } from '../../src/webhooks/endpoints/verbs/endpoints.ts'
import { type TestApp, openTestApp } from '../support/app.ts'
import { longForm } from '../support/long-form.ts'
import { type Receiver, openReceiver } from '../support/receiver.ts'
import { findPros } from '../support/reviews.ts'
import { type TestWorker, startWorker } from '../support/workers.ts'
import { ctxOf } from '../../src/ctx.ts'

const EVENTS_PER_SECOND = 67
const SECONDS = longForm(12, 120)
const FAILS_EVERY = 5
const SLOW_EVERY = 10
const SLOW_MS = 5000
const WORKERS = ['workers/actors/relay-outbox.ts', 'workers/actors/deliver-webhooks.ts']

let app: TestApp
let receiver: Receiver
let workers: TestWorker[]
let pro: { id: string; email: string }

beforeAll(async () => {
  app = await openTestApp('seeded', { env: { WEBHOOK_ALLOW_PRIVATE: '1' }, clock: { now: () => new Date() } })
  receiver = openReceiver()
  const [found] = await findPros(app, 1)
  if (!found) throw new Error('The seed has no pro.')
  pro = found
  const { id } = await ensureAccount(ctxOf(app.deps), { email: pro.email, kind: 'pro' })
  await createWebhook(ctxOf(app.deps, { accountId: id }), {
    name: 'flaky',
    url: `${receiver.url}/flaky`,
    events: ['availability.updated'],
  })
  const env = { WEBHOOK_ALLOW_PRIVATE: '1', LOG_LEVEL: 'info' }
  workers = WORKERS.map((script) => startWorker(script, { databaseUrl: app.databaseUrl, env }))
  await Promise.all(workers.map((worker) => worker.waitForOutput('working')))
}, 90_000)

afterAll(async () => {
  await receiver.stop()
  await Promise.all(workers.map((worker) => worker.stop()))
  await app.close()
}, 30_000)

const emitOne = () =>
  app.deps.write.begin('happen', (tx) =>
    emit(tx, {
      id: app.deps.ids.uuid(),
      type: 'availability.updated',
      professionalId: pro.id,
      aggregateType: 'professional',
      aggregateId: app.deps.ids.uuid(),
      sequence: 1,
      object: { professionalId: pro.id },
      createdAt: new Date(),
    }),
  )

/** The number of events with an attempt. */
const attempted = () => new Set(receiver.received.map(({ headers }) => headers['x-webhook-id'])).size

test('an endpoint with a fifth of errors and a tenth of slow responses does not fall behind', async () => {
  let requests = 0
  receiver.answer = async () => {
    const request = requests++
    if (request % FAILS_EVERY === 0) return new Response('', { status: 500 })
    if (request % SLOW_EVERY === 1) await Bun.sleep(SLOW_MS)
    return new Response('ok')
  }
  const started = performance.now()
  let written = 0
  const dueNow = () => Math.floor(((performance.now() - started) / 1000) * EVENTS_PER_SECOND)
  while (performance.now() - started < SECONDS * 1000) {
    await waitUntil(() => dueNow() > written, 1000, 5)
    const due = dueNow()
    const batch = Array.from({ length: due - written }, () => emitOne())
    written = due
    await Promise.all(batch)
  }
  const atEnd = attempted()
  await waitUntil(() => attempted() >= written, 60_000)
  const seconds = (performance.now() - started) / 1000
  process.stdout.write(
    `${written} events in ${SECONDS} s, ${atEnd} attempted by then, all after ${seconds.toFixed(1)} s: ${(attempted() / seconds).toFixed(0)}/s\n`,
  )
  expect(atEnd).toBeGreaterThan(written * 0.8)
}, 240_000)
