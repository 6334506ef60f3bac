// Webhooks of an account: subscriptions, the retry schedule, disabled endpoints, replays.
import { afterEach, describe, expect, test } from 'bun:test'

import { publicEventId } from '../../src/webhooks/endpoints/events.ts'
import { nextStep, retryDelayMs } from '../../src/webhooks/delivery/retry-schedule.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { findPros } from '../support/reviews.ts'
import { WEBHOOK_SCOPES, type ShownDelivery, type WebhookFixture, openWebhookFixture } from '../support/webhooks.ts'
import { opened } from '../support/fixture.ts'

const hooks = await opened(openWebhookFixture())
const ok = () => new Response('ok')
const [first] = await findPros(hooks.app, 1)
if (!first) throw new Error('The seed has no pro.')
/** A pro, and a key of theirs that manages webhooks. */
const pro: { id: string; key: string } = { id: first.id, key: await hooks.app.key(WEBHOOK_SCOPES, first.email) }
afterEach(() => void (hooks.receiver.answer = ok))

type CreatedWebhook = Awaited<ReturnType<WebhookFixture['create']>>
/** Creates an endpoint of the pro that receives all their events. */
const createProWebhook = (changes: Parameters<WebhookFixture['create']>[0] = {}) => hooks.create(changes, pro.key)
const send = async (path: string, method: string, json?: object, key = pro.key) => {
  const response = await hooks.app.send(`/api/v1/webhooks${path}`, { method, key, ...(json ? { json } : {}) })
  return {
    status: response.status,
    body: response.status === 204 ? {} : ((await response.json()) as Record<string, unknown>),
  }
}
const deliveriesOf = async ({ id }: CreatedWebhook) =>
  (await send(`/${id}/deliveries?limit=50`, 'GET')).body['deliveries'] as ShownDelivery[]
/** Waits until the newest delivery has the expected fields. */
const newestIs = async (webhook: CreatedWebhook, expected: Partial<ShownDelivery>): Promise<ShownDelivery> => {
  let newest: ShownDelivery | undefined
  await waitUntil(async () => {
    newest = (await deliveriesOf(webhook))[0]
    return newest !== undefined && Bun.deepEquals({ ...newest, ...expected }, newest)
  }, 15_000)
  expect(newest).toMatchObject(expected)
  return newest as ShownDelivery
}
const emitEvent = (aggregateId?: string, sequence?: number) =>
  hooks.emitAndPlan({
    type: 'availability.updated',
    professionalId: pro.id,
    ...(aggregateId ? { aggregateId } : {}),
    ...(sequence ? { sequence } : {}),
  })
const remove = ({ id }: CreatedWebhook) => send(`/${id}`, 'DELETE')

describe('an event is sent', () => {
  test('to the pro it is about and to the account that created its subject, if they subscribe to it', async () => {
    const mine = await createProWebhook()
    const others = await createProWebhook({ events: ['booking.created'] })
    const otherWebhook = await hooks.create()
    const customerWebhook = await hooks.create({ events: ['rfq.created'] }, hooks.key)
    const fullKey = await hooks.app.key(['rfqs:write'])
    const customer = { name: 'Homeowner', email: 'homeowner@test.example' }
    const rfq = { professionalId: pro.id, customer, description: 'The gutter leaks.' }
    expect((await hooks.app.send('/api/v1/rfqs', { key: fullKey, json: rfq })).status).toBe(201)
    await emitEvent()
    // Plans the application's own events, as the relay does.
    await hooks.planAll()
    expect(
      await waitUntil(async () => hooks.at(mine).length === 1 && hooks.at(customerWebhook).length === 1, 10_000),
    ).toBe(true)
    expect(hooks.at(others)).toEqual([])
    expect(hooks.at(otherWebhook)).toEqual([])
    expect(JSON.parse(hooks.at(customerWebhook)[0]?.body ?? '')).toMatchObject({
      type: 'rfq.created',
      sequence: 1,
      data: { object: { customer } },
    })
    await hooks.planAll()
    expect(await deliveriesOf(mine)).toHaveLength(1)
    for (const webhook of [mine, others]) await remove(webhook)
  })
})

describe('the retry schedule', () => {
  const failed = { kind: 'failed', reason: 'timeout' } as const
  const answered = (status: number, retryAfter?: string) =>
    ({ kind: 'answered', status, snippet: '', retryAfter }) as const
  const now = new Date('2026-06-01T12:00:00Z')
  const fresh = { round: 0, maxRetries: 8, failingSince: null }
  const waits = (...args: Parameters<typeof nextStep>) =>
    (nextStep(...args).nextAttemptAt?.getTime() ?? NaN) - now.getTime()

  test('is 5 s, 1 min, 5 min, 30 min, 2 h, 6 h, 12 h, 24 h, each ±10 %, and then ends', () => {
    const seconds = [5, 60, 300, 1800, 7200, 21_600, 43_200, 86_400]
    for (const [round, wait] of seconds.entries()) {
      expect(waits({ ...fresh, round }, failed, now, 0.5)).toBe(wait * 1000)
      expect(retryDelayMs(round, 0)).toBe(wait * 900)
      expect(retryDelayMs(round, 0.999_999_999)).toBe(wait * 1100)
    }
    expect(nextStep({ ...fresh, round: 8 }, failed, now, 0.5)).toEqual({ state: 'failed', nextAttemptAt: null })
    expect(nextStep({ ...fresh, maxRetries: 0 }, failed, now, 0.5)).toEqual({ state: 'failed', nextAttemptAt: null })
  })

  test('waits as long as Retry-After requires, in seconds or as a date, up to a day', () => {
    expect(waits(fresh, answered(503, '120'), now, 0.5)).toBe(120_000)
    expect(waits(fresh, answered(429, 'Mon, 01 Jun 2026 12:10:00 GMT'), now, 0.5)).toBe(600_000)
    expect(waits(fresh, answered(503, '999999999'), now, 0.5)).toBe(86_400_000)
    for (const text of ['1', '0', '-5', 'soon', '', 'Mon, 01 Jun 2020 12:00:00 GMT'])
      expect(waits(fresh, answered(503, text), now, 0.5)).toBe(5000)
  })

  test('treats every response but 2xx as a failure, and disables the endpoint after five days of failures', () => {
    for (const status of [200, 201, 204, 299])
      expect(nextStep(fresh, answered(status), now, 0.5).state).toBe('delivered')
    for (const status of [301, 307, 400, 404, 500, 503])
      expect(nextStep(fresh, answered(status), now, 0.5).state).toBe('pending')
    const failingSince = new Date(now.getTime() - 5 * 86_400_000 - 1).toISOString()
    expect(nextStep({ ...fresh, failingSince }, answered(500), now, 0.5)).toMatchObject({ disable: 'failing' })
    expect(nextStep({ ...fresh, failingSince }, answered(200), now, 0.5)).toEqual({
      state: 'delivered',
      nextAttemptAt: null,
    })
  })
})

describe('a delivery', () => {
  test('that fails is retried with the same id and bytes, and every attempt is recorded', async () => {
    const webhook = await createProWebhook()
    hooks.receiver.answer = () => new Response('x'.repeat(10_000), { status: 500 })
    await emitEvent()
    const first = await newestIs(webhook, { state: 'pending', attemptsMade: 1 })
    const waitMs = Date.parse(first.nextAttemptAt ?? '') - hooks.clock.now().getTime()
    expect(waitMs).toBeWithin(4500, 5501)
    expect((await send(`/${webhook.id}`, 'GET')).body['failingSince']).not.toBeNull()
    hooks.receiver.answer = ok
    hooks.advanceTo(first.nextAttemptAt)
    const second = await newestIs(webhook, { state: 'delivered', attemptsMade: 2 })
    expect(second.attempts.map(({ status }) => status)).toEqual([500, 200])
    const [one, two] = hooks.at(webhook)
    expect(two?.body).toBe(one?.body ?? '')
    expect(two?.headers['x-webhook-id']).toBe(one?.headers['x-webhook-id'] ?? '')
    const detail = (await send(`/${webhook.id}/deliveries/${second.eventId}`, 'GET')).body as {
      body: string
      attempts: { response: string }[]
    }
    expect(detail.body).toBe(one?.body ?? '')
    expect(detail.attempts[0]?.response).toHaveLength(4096)
    expect((await send(`/${webhook.id}`, 'GET')).body['failingSince']).toBeNull()
    await remove(webhook)
  })

  test('fails for good after maxRetries, and can be replayed, alone or with others of its period', async () => {
    const webhook = await createProWebhook({ maxRetries: 1 })
    hooks.receiver.answer = () => new Response('', { status: 302, headers: { location: 'http://127.0.0.1:1/' } })
    const from = hooks.clock.now().toISOString()
    await emitEvent()
    hooks.advanceTo((await newestIs(webhook, { attemptsMade: 1 })).nextAttemptAt)
    const lost = await newestIs(webhook, { state: 'failed', attemptsMade: 2, nextAttemptAt: null })
    hooks.receiver.answer = ok
    const replay = `/${webhook.id}/deliveries/${lost.eventId}/replay`
    expect((await send(replay, 'POST', {})).status).toBe(200)
    await newestIs(webhook, { state: 'delivered', attemptsMade: 3 })
    hooks.clock.advance(1)
    const to = hooks.clock.now().toISOString()
    const range = (state: string, end = to) => send(`/${webhook.id}/replay`, 'POST', { from, to: end, state })
    expect((await range('failed')).body).toEqual({ replayed: 0, continueFrom: null })
    expect((await range('delivered', from)).status).toBe(400)
    expect((await range('delivered')).body).toEqual({ replayed: 1, continueFrom: null })
    await newestIs(webhook, { state: 'delivered', attemptsMade: 4 })
    const ids = hooks.at(webhook).map(({ headers }) => headers['x-webhook-id'])
    expect(new Set(ids).size).toBe(1)
    await remove(webhook)
  })

  test('without a response is recorded with the reason', async () => {
    const closed = await createProWebhook({ url: 'http://127.0.0.1:1999/' })
    await emitEvent()
    const { attempts } = await newestIs(closed, { state: 'pending', attemptsMade: 1 })
    expect(attempts[0]).toMatchObject({ status: null, error: 'ECONNREFUSED' })
    await remove(closed)
  })

  test('carries the trace of the request that caused it', async () => {
    const webhook = await createProWebhook()
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    const id = await hooks.app.deps.write.begin('traced', async (tx) => {
      const emitted = await hooks.emitOnly({ type: 'availability.updated', professionalId: pro.id }, tx)
      await tx.run('trace', (sql) => sql`update outbox_events set traceparent = ${traceparent} where id = ${emitted}`)
      return emitted
    })
    await hooks.planAll()
    const delivery = () => hooks.at(webhook).find(({ headers }) => headers['x-webhook-id'] === publicEventId(id))
    expect(await waitUntil(() => delivery() !== undefined, 10_000)).toBe(true)
    expect(delivery()?.headers['traceparent']).toStartWith(traceparent.slice(0, 35))
    await remove(webhook)
  })
})

describe('an endpoint', () => {
  test('that responds with 410 is disabled at once and receives nothing until it is enabled again', async () => {
    const webhook = await createProWebhook()
    hooks.receiver.answer = () => new Response('', { status: 410 })
    await emitEvent()
    await newestIs(webhook, { state: 'failed', attemptsMade: 1 })
    const disabled = async () => (await send(`/${webhook.id}`, 'GET')).body['disabledReason']
    expect(await waitUntil(async () => (await disabled()) === 'gone', 5000)).toBe(true)
    const [notice] = await hooks.app.deps.read.run<{ data: unknown }>(
      'notice',
      (sql) => sql`select data from notices where kind = 'webhook_disabled' order by id desc limit 1`,
    )
    expect(notice?.data).toEqual({ webhookId: webhook.id, name: 'test', reason: 'gone' })
    hooks.receiver.answer = ok
    await emitEvent()
    expect(await deliveriesOf(webhook)).toHaveLength(1)
    expect((await send(`/${webhook.id}/test`, 'POST', {})).status).toBe(409)
    const enabled = await send(`/${webhook.id}`, 'PATCH', { status: 'enabled' })
    expect(enabled.body).toMatchObject({ status: 'enabled', disabledReason: null, disabledAt: null })
    await emitEvent()
    await newestIs(webhook, { state: 'delivered' })
    await remove(webhook)
  })

  test('that has failed for five days is disabled', async () => {
    const webhook = await createProWebhook()
    hooks.receiver.answer = () => new Response('', { status: 500 })
    await emitEvent()
    await newestIs(webhook, { attemptsMade: 1 })
    hooks.clock.advance(5 * 86_400_000 + 1000)
    await newestIs(webhook, { state: 'failed' })
    expect(
      await waitUntil(async () => (await send(`/${webhook.id}`, 'GET')).body['disabledReason'] === 'failing', 5000),
    ).toBe(true)
    await remove(webhook)
  })

  test('that is ordered receives each event after the previous one has succeeded or failed for good', async () => {
    const webhook = await createProWebhook({ ordered: true, maxRetries: 1 })
    const order: string[] = []
    let inProgress = 0
    hooks.receiver.answer = async (request) => {
      const { sequence } = JSON.parse(request.body) as { sequence: number }
      expect(++inProgress).toBe(1)
      await Bun.sleep(5)
      inProgress--
      order.push(`${sequence}`)
      // The second succeeds when it is retried, the fourth never does.
      const fails = sequence === 4 || (sequence === 2 && order.filter((seen) => seen === '2').length === 1)
      return new Response('', { status: fails ? 500 : 200 })
    }
    const aggregate = crypto.randomUUID()
    for (let sequence = 1; sequence <= 6; sequence++) await emitEvent(aggregate, sequence)
    const done = async () => {
      const all = await deliveriesOf(webhook)
      const next = all.find(({ state, attemptsMade }) => state === 'pending' && attemptsMade === 1)
      if (next) hooks.advanceTo(next.nextAttemptAt)
      return all.every(({ state }) => state !== 'pending')
    }
    expect(await waitUntil(done, 20_000)).toBe(true)
    expect(order).toEqual(['1', '2', '2', '3', '4', '4', '5', '6'])
    await remove(webhook)
  })

  test('is created once per idempotency key, with the same secret, which the database holds only encrypted', async () => {
    const json = { name: 'once', url: 'https://hooks.test.example/once', events: ['quote.sent'] }
    const create = async () =>
      await hooks.app.send('/api/v1/webhooks', { key: pro.key, json, headers: { 'idempotency-key': 'one' } })
    const [first, replay] = [await create(), await create()]
    expect([first.status, replay.status]).toEqual([201, 201])
    const created = (await first.json()) as CreatedWebhook
    expect(await replay.json()).toEqual(created)
    expect(created.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
    const dump = await hooks.app.deps.read.run<{ text: string }>(
      'dump',
      (sql) => sql`
      select t::text as text from webhook_endpoints t union all select t::text from idempotency_records t`,
    )
    expect(dump.filter(({ text }) => text.includes(created.secret.slice(6)))).toEqual([])
    expect(JSON.stringify((await send(`/${created.id}`, 'GET')).body)).not.toContain(created.secret)
    await remove(created)
  })
})
