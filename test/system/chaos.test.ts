// Every kind of process is killed repeatedly under load: no committed change is lost, and no work takes effect twice.
import { expect, test } from 'bun:test'
import { randomInt, randomUUID } from 'node:crypto'

import type { WebhookWithSecret } from '../../src/webhooks/endpoints/schemas.ts'
import { publicEventId } from '../../src/webhooks/endpoints/events.ts'
import { verify } from '../../src/webhooks/delivery/signature.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { type BookingClient, openBookingClient } from '../support/booking-client.ts'
import { FAILURES, type ChaosStack, createWebhookKey, openChaosStack } from '../support/chaos.ts'
import { openMeteredLoad } from '../support/chaos-metering.ts'
import { testSql } from '../support/database.ts'
import { type Receiver, openReceiver } from '../support/receiver.ts'
import type { TestServer } from '../support/server.ts'
import { longForm } from '../support/long-form.ts'

const SECONDS = longForm(30, 300)
const PROS = 6
const SETTLE_MS = 30_000
/** The developer who owns the keys of the booking clients. */
const DEVELOPER = 'dev@example.com'

interface Acknowledged {
  bookingId: string
  cancelled: boolean
}

/** Retries on any running server until a response is neither 5xx nor 429. Undefined once the load is over. */
async function requestUntilAnswered(
  stack: ChaosStack,
  isOver: () => boolean,
  ask: (server: TestServer) => Promise<Response>,
): Promise<{ status: number; body: unknown } | undefined> {
  while (!isOver()) {
    const server = stack.server()
    const answer = server && (await ask(server).catch(() => undefined))
    if (answer && answer.status < 500 && answer.status !== 429) {
      const body: unknown = await answer.json().catch(() => undefined)
      if (body !== undefined) return { status: answer.status, body }
    }
    await Bun.sleep(20)
  }
  return undefined
}

/** Books the hours of one pro and cancels some bookings. Each booking has its own idempotency key and is retried until answered. */
async function keepBooking(stack: ChaosStack, client: BookingClient, isOver: () => boolean, created: Acknowledged[]) {
  const signal = () => AbortSignal.timeout(5000)
  for (let hour = 0; !isOver(); hour++) {
    const headers = { 'idempotency-key': randomUUID() }
    const booked = await requestUntilAnswered(stack, isOver, ({ url }) =>
      client.post(url, hour, { headers, signal: signal() }),
    )
    if (booked?.status !== 201) continue
    const { booking } = booked.body as { booking: { id: string } }
    const acknowledged = { bookingId: booking.id, cancelled: false }
    created.push(acknowledged)
    if (randomInt(10) < 6) continue
    const cancelled = await requestUntilAnswered(stack, isOver, ({ url }) =>
      fetch(`${url}/api/v1/bookings/${booking.id}/cancel`, {
        method: 'POST',
        headers: { authorization: `Bearer ${client.key}`, 'content-type': 'application/json' },
        body: '{}',
        signal: signal(),
      }),
    )
    acknowledged.cancelled = cancelled?.status === 200
  }
}

/** Creates two endpoints: one with ordered deliveries and one without. */
async function subscribe(stack: ChaosStack, receiver: Receiver): Promise<WebhookWithSecret[]> {
  const key = await createWebhookKey(stack.databaseUrl, DEVELOPER)
  const created: WebhookWithSecret[] = []
  for (const ordered of [true, false]) {
    const answer = await requestUntilAnswered(
      stack,
      () => false,
      ({ url }) =>
        fetch(`${url}/api/v1/webhooks`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            'idempotency-key': `ordered-${ordered}`,
          },
          body: JSON.stringify({
            name: ordered ? 'ordered' : 'any order',
            url: `${receiver.url}/${ordered ? 'ordered' : 'any'}`,
            events: ['booking.created', 'booking.confirmed', 'booking.cancelled'],
            ordered,
            maxRetries: 15,
          }),
        }),
    )
    expect(answer?.status).toBe(201)
    if (answer) created.push(answer.body as WebhookWithSecret)
  }
  return created
}

interface Event {
  id: string
  aggregateId: string
  sequence: number
}

const firstArrivals = (receiver: Receiver, path: string): { id: string; aggregateId: string; sequence: number }[] => {
  const seen = new Set<string>()
  return receiver.received.flatMap((got) => {
    const event = JSON.parse(got.body) as { id: string; sequence: number; data: { object: { id: string } } }
    if (got.path !== path || seen.has(event.id)) return []
    seen.add(event.id)
    return [{ id: event.id, aggregateId: event.data.object.id, sequence: event.sequence }]
  })
}

/** Injects failures until the load is over. Returns the number of failures by kind. */
async function injectFailures(stack: ChaosStack, killRunner: () => void, isOver: () => boolean) {
  const counts: Record<string, number> = {}
  while (!isOver()) {
    await Bun.sleep(randomInt(500, 4000))
    const failure = [...FAILURES, 'runner' as const][randomInt(FAILURES.length + 1)] ?? 'worker'
    if (failure === 'runner') killRunner()
    else await stack.inflict(failure)
    counts[failure] = (counts[failure] ?? 0) + 1
  }
  return counts
}

/** Each committed event reached both endpoints in time, no other event did, order holds, and all signatures are valid. */
async function checkDeliveries(sql: Sql, receiver: Receiver, webhooks: WebhookWithSecret[]): Promise<number> {
  const rows = await sql<Event[]>`select id, aggregate_id, sequence from outbox_events order by position`
  const committed = new Set(rows.map(({ id }) => publicEventId(id)))
  const missing = (path: string) => {
    const arrived = new Set(firstArrivals(receiver, path).map(({ id }) => id))
    return [...committed].filter((id) => !arrived.has(id))
  }
  await waitUntil(() => missing('/ordered').length + missing('/any').length === 0, SETTLE_MS, 200)
  expect({ ordered: missing('/ordered'), any: missing('/any') }).toEqual({ ordered: [], any: [] })

  const arrivals = firstArrivals(receiver, '/ordered')
  for (const path of ['/ordered', '/any'])
    expect(firstArrivals(receiver, path).filter(({ id }) => !committed.has(id))).toEqual([])
  for (const [aggregateId, own] of Map.groupBy(arrivals, (event) => event.aggregateId))
    expect([aggregateId, own.map(({ sequence }) => sequence)]).toEqual([
      aggregateId,
      own.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
    ])

  const secrets = new Map(webhooks.map(({ url, secret }) => [new URL(url).pathname, secret]))
  for (const { path, headers, body, atMs } of receiver.received)
    expect(verify(headers['x-webhook-signature'] ?? '', body, [secrets.get(path) ?? ''], new Date(atMs)).valid).toBe(
      true,
    )
  return committed.size
}

/** Every acknowledged booking is stored as acknowledged, and no two overlap. */
async function checkBookings(sql: Sql, created: Acknowledged[]): Promise<number> {
  const rows = await sql<{ id: string; status: string }[]>`select id, status from bookings`
  const statuses = new Map(rows.map(({ id, status }) => [id, status]))
  for (const { bookingId, cancelled } of created)
    expect([bookingId, statuses.get(bookingId)]).toEqual([
      bookingId,
      cancelled ? 'cancelled' : (expect.stringMatching(/^(confirmed|cancelled)$/) as never),
    ])
  const [overlaps] = await sql<{ count: number }[]>`
    select count(*) from bookings a join bookings b on a.professional_id = b.professional_id and a.id < b.id
      and a.holds && b.holds and a.status in ('pending', 'confirmed') and b.status in ('pending', 'confirmed')`
  expect(overlaps?.count).toBe(0)
  return rows.length
}

test(
  `${SECONDS} s of kills under load lose no committed change, invent no event, keep the order and leave balanced ledgers`,
  async () => {
    const stack = await openChaosStack(randomInt)
    const receiver = openReceiver()
    const clients: BookingClient[] = []
    for (let n = 0; n < PROS; n++) clients.push(await openBookingClient(stack.databaseUrl))
    expect(await waitUntil(() => stack.server() !== undefined, 60_000)).toBe(true)
    const webhooks = await subscribe(stack, receiver)

    const endsAt = performance.now() + SECONDS * 1000
    const isOver = () => performance.now() > endsAt
    const created: Acknowledged[] = []
    const metered = await openMeteredLoad(stack.databaseUrl, isOver)
    const [counts] = await Promise.all([
      injectFailures(stack, () => metered.killRunner(), isOver),
      ...clients.map((client) => keepBooking(stack, client, isOver, created)),
    ])
    const sql = testSql(stack.databaseUrl, 2)
    const overAt = performance.now()
    const events = await checkDeliveries(sql, receiver, webhooks)
    const settledMs = Math.round(performance.now() - overAt)
    const bookings = await checkBookings(sql, created)
    await metered.ended
    const tasks = await metered.check(SETTLE_MS)
    process.stdout.write(
      `${JSON.stringify(counts)}; ${created.length} bookings acknowledged of ${bookings}; ${events} events, ` +
        `${receiver.received.length} deliveries to two endpoints, all arrived ${settledMs} ms after the end; ` +
        `agent tasks ${JSON.stringify(tasks)}\n`,
    )
    expect(created.length).toBeGreaterThan(20)
    expect(tasks['settled']).toBeGreaterThan(100)
    await sql.end()
    await receiver.stop()
    await stack.close()
  },
  (SECONDS + 180) * 1000,
)
