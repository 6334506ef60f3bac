// Webhooks for tests: an application, a receiver, a movable clock, and a dispatcher that delivers.
import { ctxOf } from '../../src/ctx.ts'
import { DeliveryDispatcher } from '../../src/webhooks/delivery/dispatcher.ts'
import type { NewWebhook, WebhookWithSecret } from '../../src/webhooks/endpoints/schemas.ts'
import { planDeliveries } from '../../src/webhooks/delivery/planning.ts'
import type { Transaction } from '../../src/platform/postgres/database.ts'
import { emit } from '../../src/platform/queue/outbox.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { type TestApp, openTestApp } from './app.ts'
import { SEEDED_AT } from './database.ts'
import { type Received, type Receiver, openReceiver } from './receiver.ts'

export interface MovableClock {
  now(): Date
  advance(ms: number): void
}

export interface WebhookFixture {
  readonly app: TestApp
  readonly receiver: Receiver
  readonly clock: MovableClock
  /** A developer's key to manage and verify webhooks. */
  readonly key: string
  readonly dispatcher: DeliveryDispatcher
  /** Creates an endpoint on a new path of the receiver. */
  create(changes?: Partial<NewWebhook>, key?: string): Promise<WebhookWithSecret>
  /** Sends a test event and returns what the receiver got. */
  test(webhook: WebhookWithSecret): Promise<Received>
  /** Creates an endpoint and sends it a test event. */
  deliverOne(): Promise<{ webhook: WebhookWithSecret; secret: string; got: Received }>
  /** The requests that an endpoint received. */
  at(webhook: WebhookWithSecret): Received[]
  /** Emits an event about `aggregateId`, by default a new object of the pro, and plans its deliveries. */
  emitAndPlan(event: TestEvent): Promise<string>
  /** Emits the event without planning deliveries. */
  emitOnly(event: TestEvent, tx: Transaction): Promise<string>
  /** Plans all events in the outbox. */
  planAll(): Promise<void>
  /** The deliveries of an endpoint, newest first. */
  deliveries(webhook: WebhookWithSecret): Promise<ShownDelivery[]>
  /** Moves the clock to the instant of the next retry. */
  advanceTo(instant: string | null): void
  close(): Promise<void>
}

export interface TestEvent {
  type: string
  professionalId: string
  aggregateId?: string
  sequence?: number
}

export interface ShownDelivery {
  eventId: string
  state: string
  attemptsMade: number
  nextAttemptAt: string | null
  attempts: { number: number; status: number | null; error: string | null }[]
}

export const WEBHOOK_SCOPES = ['webhooks:manage', 'webhook:sign'] as const

/** Opens the fixture. The dispatcher runs until `close`. */
export async function openWebhookFixture(env: Record<string, string> = {}): Promise<WebhookFixture> {
  let nowMs = Date.parse(SEEDED_AT)
  const clock: MovableClock = { now: () => new Date(nowMs), advance: (ms) => void (nowMs += ms) }
  const app = await openTestApp('seeded', { clock, env: { WEBHOOK_ALLOW_PRIVATE: '1', ...env } })
  const receiver = openReceiver()
  const key = await app.key(WEBHOOK_SCOPES)
  const dispatcher = new DeliveryDispatcher(app.deps)
  const stop = new AbortController()
  const running = dispatcher.run(stop.signal)
  let paths = 0
  const create = async (changes: Partial<NewWebhook> = {}, owner = key) => {
    const json = { name: 'test', url: `${receiver.url}/${++paths}`, events: ['availability.updated'], ...changes }
    const answer = await app.send('/api/v1/webhooks', { key: owner, json })
    if (answer.status !== 201) throw new Error(await answer.text())
    return (await answer.json()) as WebhookWithSecret
  }
  const at = (webhook: WebhookWithSecret) => {
    const path = new URL(webhook.url).pathname
    return receiver.received.filter((got) => got.path === path)
  }
  const test = async (webhook: WebhookWithSecret) => {
    const before = at(webhook).length
    await app.send(`/api/v1/webhooks/${webhook.id}/test`, { key, method: 'POST', json: {} })
    dispatcher.notify([webhook.id])
    await waitUntil(async () => at(webhook).length > before, 10_000)
    const got = at(webhook).at(-1)
    if (!got || at(webhook).length === before) throw new Error('No test event arrived.')
    return got
  }
  const emitOnly: WebhookFixture['emitOnly'] = async (event, tx) => {
    const { type, professionalId, aggregateId = crypto.randomUUID(), sequence = 1 } = event
    const id = app.deps.ids.uuid()
    const about = { aggregateType: 'professional', aggregateId, sequence, object: { professionalId, number: sequence } }
    await emit(tx, { id, type, professionalId, ...about, createdAt: clock.now() })
    return id
  }
  return {
    app,
    receiver,
    clock,
    key,
    dispatcher,
    create,
    test,
    deliverOne: async () => {
      const webhook = await create()
      return { webhook, secret: webhook.secret, got: await test(webhook) }
    },
    at,
    emitOnly,
    planAll: async () => {
      const events = await app.deps.read.run<{ id: string }>('outbox', (sql) => sql`select id from outbox_events`)
      const planned = await ctxOf(app.deps).transaction('planAll', (ctx) => planDeliveries(ctx, { events }))
      dispatcher.notify(endpointsOf(planned))
    },
    emitAndPlan: async (event) => {
      const { id, planned } = await ctxOf(app.deps).transaction('happen', async (ctx) => {
        const eventId = await emitOnly(event, ctx.tx)
        return { id: eventId, planned: await planDeliveries(ctx, { events: [{ id: eventId }] }) }
      })
      dispatcher.notify(endpointsOf(planned))
      return id
    },
    deliveries: async (webhook) => {
      const answer = await app.send(`/api/v1/webhooks/${webhook.id}/deliveries?limit=50`, { key })
      return ((await answer.json()) as { deliveries: ShownDelivery[] }).deliveries
    },
    advanceTo: (instant) => {
      if (!instant) throw new Error('No retry is due.')
      nowMs = Math.max(nowMs, Date.parse(instant))
    },
    close: async () => {
      stop.abort()
      await running
      await receiver.stop()
      await app.close()
    },
  }
}

const endpointsOf = (planned: readonly { endpointId: string }[]) => planned.map(({ endpointId }) => endpointId)
