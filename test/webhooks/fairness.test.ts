// A slow or dead endpoint among fifty does not hold up the others. Measured with the real relay and worker, from commit to arrival.
import { afterAll, beforeAll, expect, test } from 'bun:test'

import { ensureAccount } from '../../src/auth/accounts/verbs.ts'
import { createWebhook } from '../../src/webhooks/endpoints/verbs/endpoints.ts'
import { emit } from '../../src/platform/queue/outbox.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { type TestApp, openTestApp } from '../support/app.ts'
import { type Received, type Receiver, openReceiver } from '../support/receiver.ts'
import { findPros } from '../support/reviews.ts'
import { type TestWorker, startWorker } from '../support/workers.ts'
import { ctxOf } from '../../src/ctx.ts'

const ENDPOINTS = 50
const ROUNDS = 20
const ROUND_MS = 150
/** The allowed ratio of medians. A bad endpoint that holds up the others multiplies the median by a hundred. */
const MAX_RATIO = 5
/** Endpoints and events of the account with the large fan-out. */
const FAN_OUT = 99
const FAN_OUT_EVENTS = 100
/** The longest wait of another account’s event, as a share of the time of the whole fan-out. Seen: 0.21 to 0.35. */
const MAX_FAN_OUT_SHARE = 0.45
/** The responses of bad endpoints, by path. A bad endpoint stays bad. */
const bad = new Map<string, () => Response | Promise<Response>>()
const isBad = ({ path }: Received) => bad.has(path)
const WORKERS = ['workers/actors/relay-outbox.ts', 'workers/actors/deliver-webhooks.ts']

let app: TestApp
let receiver: Receiver
let workers: TestWorker[]
/** Pros whose account has one endpoint each, at `/<place>` of the receiver. */
let pros: { id: string; email: string }[]

beforeAll(async () => {
  app = await openTestApp('seeded', { env: { WEBHOOK_ALLOW_PRIVATE: '1' }, clock: { now: () => new Date() } })
  receiver = openReceiver()
  pros = await findPros(app, ENDPOINTS)
  for (const [place, { email }] of pros.entries()) {
    const { id } = await ensureAccount(ctxOf(app.deps), { email, kind: 'pro' })
    const input = { name: 'one of fifty', url: `${receiver.url}/${place}`, events: ['availability.updated' as const] }
    await createWebhook(ctxOf(app.deps, { accountId: id }), input)
  }
  const env = { WEBHOOK_ALLOW_PRIVATE: '1', LOG_LEVEL: 'info' }
  workers = WORKERS.map((script) => startWorker(script, { databaseUrl: app.databaseUrl, env }))
  await Promise.all(workers.map((worker) => worker.waitForOutput('working')))
}, 90_000)

afterAll(async () => {
  await receiver.stop()
  await Promise.all(workers.map((worker) => worker.stop()))
  await app.close()
}, 30_000)

const ok = () => new Response('ok')
const never = () => new Promise<Response>(() => undefined)
const slow = async () => {
  await Bun.sleep(12_000)
  return ok()
}
const wrong = () => new Response('', { status: 503 })

/** Emits one event of each of the pros, each in its own transaction, as requests do. */
async function round(aggregates: string[], sequence: number, from: readonly { id: string }[] = pros): Promise<void> {
  await Promise.all(
    from.map(async ({ id: professionalId }, place) =>
      app.deps.write.begin('happen', (tx) =>
        emit(tx, {
          id: app.deps.ids.uuid(),
          type: 'availability.updated',
          professionalId,
          aggregateType: 'professional',
          aggregateId: aggregates[place] ?? '',
          sequence,
          object: { professionalId },
          createdAt: new Date(),
        }),
      ),
    ),
  )
}

const latencyMs = ({ body, atMs }: Received) => atMs - Date.parse((JSON.parse(body) as { createdAt: string }).createdAt)

/** Emits events at a steady rate and returns the median of their latency at good endpoints, in milliseconds. */
async function medianLatencyMs(label: string): Promise<number> {
  receiver.answer = (request) => (bad.get(request.path) ?? ok)()
  receiver.received.length = 0
  const aggregates = pros.map(() => crypto.randomUUID())
  for (let sequence = 1; sequence <= ROUNDS; sequence++) {
    const started = performance.now()
    await round(aggregates, sequence)
    await Bun.sleep(Math.max(0, ROUND_MS - (performance.now() - started)))
  }
  const others = () => receiver.received.filter((request) => !isBad(request))
  const expected = (ENDPOINTS - bad.size) * ROUNDS
  expect(await waitUntil(() => others().length >= expected, 30_000)).toBe(true)
  const sorted = others()
    .map(latencyMs)
    .toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Infinity
  process.stdout.write(`${label}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms of ${sorted.length}\n`)
  return at(0.5)
}

/** The median latency without bad endpoints, measured in this run. */
let baselineMs = 0

test('with fifty good endpoints every event arrives', async () => {
  await medianLatencyMs('warm-up')
  baselineMs = await medianLatencyMs('none bad')
}, 90_000)

test.each([
  ['dead', '/7', never],
  ['slow', '/8', slow],
])(
  `with one %s endpoint the others receive every event before a request to it has ended, in at most ${MAX_RATIO} times the median without it`,
  async (what, badPath, response) => {
    bad.set(badPath, response)
    expect(await medianLatencyMs(`one ${what}`)).toBeLessThan(MAX_RATIO * baselineMs)
    const requests = receiver.received.filter(({ path }) => path === badPath)
    expect(requests.length).toBeGreaterThan(0)
    expect(requests.filter(({ hasEnded }) => hasEnded)).toEqual([])
  },
  90_000,
)

test(`with one broken endpoint the others receive every event in at most ${MAX_RATIO} times the median without it`, async () => {
  bad.set('/9', wrong)
  expect(await medianLatencyMs('one broken')).toBeLessThan(MAX_RATIO * baselineMs)
  expect(receiver.received.some(({ path }) => path === '/9')).toBe(true)
}, 90_000)

test('while one account’s events go to 99 endpoints, each of the others arrives in less than half of the time of all of them', async () => {
  bad.clear()
  receiver.received.length = 0
  const [busy, ...others] = pros
  if (!busy) throw new Error('There are fifty pros.')
  const { id: account } = await ensureAccount(ctxOf(app.deps), { email: busy.email, kind: 'pro' })
  for (let n = 0; n < FAN_OUT; n++)
    await createWebhook(ctxOf(app.deps, { accountId: account }), {
      name: 'one of a hundred',
      url: `${receiver.url}/fan-out/${n}`,
      events: ['availability.updated'],
    })
  const uncounted = new Set(['/0', '/7', '/8', '/9'])
  const isFanOut = ({ path }: Received) => path.startsWith('/fan-out/')
  const fanOut = () => receiver.received.filter(isFanOut)
  const startedMs = Date.now()
  for (let n = 0; n < FAN_OUT_EVENTS; n++) await round([crypto.randomUUID()], 1, [busy])
  const aggregates = others.map(() => crypto.randomUUID())
  for (let sequence = 1; sequence <= ROUNDS; sequence++) await round(aggregates, sequence, others)
  expect(await waitUntil(() => fanOut().length >= FAN_OUT * FAN_OUT_EVENTS, 60_000)).toBe(true)
  const fanOutMs = Date.now() - startedMs
  const latencies = receiver.received
    .filter(({ path }) => !uncounted.has(path) && !path.startsWith('/fan-out/'))
    .map(latencyMs)
  process.stdout.write(
    `fan-out in ${fanOutMs} ms; the others' longest ${Math.max(...latencies)} ms of ${latencies.length}\n`,
  )
  expect(latencies).toHaveLength((others.length - 3) * ROUNDS)
  expect(Math.max(...latencies) / fanOutMs).toBeLessThan(MAX_FAN_OUT_SHARE)
}, 120_000)
