// Everything is killed, over and over, while people book and tasks are counted: nothing committed is lost, nothing is done
// twice in effect.
import { expect, test } from 'bun:test'
import { randomInt, randomUUID } from 'node:crypto'

import type { WebhookWithSecret } from '../../src/webhooks/endpoints/schemas.ts'
import { publicEventId } from '../../src/webhooks/endpoints/events.ts'
import { verify } from '../../src/webhooks/delivery/signature.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { type BookingClient, openBookingClient } from '../support/booking-client.ts'
import { FAILURES, type ChaosStack, makeWebhookKey, openChaosStack } from '../support/chaos.ts'
import { openMeteredLoad } from '../support/chaos-metering.ts'
import { testSql } from '../support/database.ts'
import { type Receiver, openReceiver } from '../support/receiver.ts'
import type { TestServer } from '../support/server.ts'
import { longForm } from '../support/long-form.ts'

const SECONDS = longForm(30, 300)
const PROS = 6
const SETTLE_MS = 30_000
/** Whose keys the booking clients have. */
const DEVELOPER = 'dev@example.com'

interface Acknowledged {
  bookingId: string
  cancelled: boolean
}

/** Asks one server after another until one answers with less than 500. Undefined once the test is over. */
async function insist(
  world: ChaosStack,
  isOver: () => boolean,
  ask: (server: TestServer) => Promise<Response>,
): Promise<{ status: number; body: unknown } | undefined> {
  while (!isOver()) {
    const server = world.server()
    const answer = server && (await ask(server).catch(() => undefined))
    if (answer && answer.status < 500 && answer.status !== 429) {
      const body: unknown = await answer.json().catch(() => undefined)
      if (body !== undefined) return { status: answer.status, body }
    }
    await Bun.sleep(20)
  }
  return undefined
}

/** Books hour after hour with one pro, and cancels some; every request has a key of its own and is repeated until answered. */
async function keepBooking(world: ChaosStack, client: BookingClient, isOver: () => boolean, made: Acknowledged[]) {
  const signal = () => AbortSignal.timeout(5000)
  for (let hour = 0; !isOver(); hour++) {
    const headers = { 'idempotency-key': randomUUID() }
    const booked = await insist(world, isOver, ({ url }) => client.post(url, hour, { headers, signal: signal() }))
    if (booked?.status !== 201) continue
    const { booking } = booked.body as { booking: { id: string } }
    const acknowledged = { bookingId: booking.id, cancelled: false }
    made.push(acknowledged)
    if (randomInt(10) < 6) continue
    const cancelled = await insist(world, isOver, ({ url }) =>
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

/** Makes the endpoints, one that wants order and one that does not care. */
async function subscribe(world: ChaosStack, receiver: Receiver): Promise<WebhookWithSecret[]> {
  const key = await makeWebhookKey(world.databaseUrl, DEVELOPER)
  const made: WebhookWithSecret[] = []
  for (const ordered of [true, false]) {
    const answer = await insist(
      world,
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
    if (answer) made.push(answer.body as WebhookWithSecret)
  }
  return made
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

/** Strikes until the load is over; gives how often each kind was struck. */
async function keepBreaking(world: ChaosStack, strikeRunner: () => void, isOver: () => boolean) {
  const blows: Record<string, number> = {}
  while (!isOver()) {
    await Bun.sleep(randomInt(500, 4000))
    const blow = [...FAILURES, 'runner' as const][randomInt(FAILURES.length + 1)] ?? 'worker'
    if (blow === 'runner') strikeRunner()
    else await world.inflict(blow)
    blows[blow] = (blows[blow] ?? 0) + 1
  }
  return blows
}

/** Each committed event arrived at both endpoints within the time, nothing else did, order held, and signatures are good. */
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

/** Every acknowledged booking is there as it was acknowledged, and no two overlap. */
async function checkBookings(sql: Sql, made: Acknowledged[]): Promise<number> {
  const rows = await sql<{ id: string; status: string }[]>`select id, status from bookings`
  const statuses = new Map(rows.map(({ id, status }) => [id, status]))
  for (const { bookingId, cancelled } of made)
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
  `${SECONDS} s of kills under load: nothing committed is lost, nothing is invented, order holds, the ledger adds up`,
  async () => {
    const world = await openChaosStack(randomInt)
    const receiver = openReceiver()
    const clients: BookingClient[] = []
    for (let n = 0; n < PROS; n++) clients.push(await openBookingClient(world.databaseUrl))
    expect(await waitUntil(() => world.server() !== undefined, 60_000)).toBe(true)
    const webhooks = await subscribe(world, receiver)

    const endsAt = performance.now() + SECONDS * 1000
    const isOver = () => performance.now() > endsAt
    const made: Acknowledged[] = []
    const metered = await openMeteredLoad(world.databaseUrl, isOver)
    const [blows] = await Promise.all([
      keepBreaking(world, () => metered.killRunner(), isOver),
      ...clients.map((client) => keepBooking(world, client, isOver, made)),
    ])
    const sql = testSql(world.databaseUrl, 2)
    const overAt = performance.now()
    const events = await checkDeliveries(sql, receiver, webhooks)
    const settledMs = Math.round(performance.now() - overAt)
    const bookings = await checkBookings(sql, made)
    await metered.ended
    const tasks = await metered.check(SETTLE_MS)
    process.stdout.write(
      `${JSON.stringify(blows)}; ${made.length} bookings acknowledged of ${bookings}; ${events} events, ` +
        `${receiver.received.length} deliveries to two endpoints, all there ${settledMs} ms after the end; ` +
        `agent tasks ${JSON.stringify(tasks)}\n`,
    )
    expect(made.length).toBeGreaterThan(20)
    expect(tasks['settled']).toBeGreaterThan(100)
    await sql.end()
    await receiver.stop()
    await world.close()
  },
  (SECONDS + 180) * 1000,
)
