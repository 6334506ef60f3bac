// Everything is killed, over and over, while people book: nothing committed is lost, nothing is done twice in effect.
import { expect, test } from 'bun:test'
import { randomInt, randomUUID } from 'node:crypto'

import type { WebhookWithSecret } from '../src/features/webhooks/model.ts'
import { publicEventId } from '../src/features/webhooks/events.ts'
import { verify } from '../src/features/webhooks/signature.ts'
import { until } from '../src/platform/local/processes.ts'
import { type BookingClient, openBookingClient } from './support/bookings.ts'
import { BLOWS, type World, makeWebhookKey, openWorld } from './support/chaos.ts'
import { testSql } from './support/database.ts'
import { type Receiver, openReceiver } from './support/receiver.ts'
import type { TestServer } from './support/server.ts'

/** `HEARTH_CHAOS_SECONDS=300 npm test -- chaos` is the long form. */
const SECONDS = Number(process.env['HEARTH_CHAOS_SECONDS'] ?? 60)
const PROS = 6
const PAUSE_MS = 250
const SETTLE_MS = 30_000
/** Whose keys the booking clients have. */
const DEVELOPER = 'dev@example.com'

interface Acknowledged {
  bookingId: string
  cancelled: boolean
}

/** Asks one server after another until one answers with less than 500. Undefined once the test is over. */
async function insist(
  world: World,
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
async function keepBooking(world: World, client: BookingClient, isOver: () => boolean, made: Acknowledged[]) {
  const signal = () => AbortSignal.timeout(5000)
  for (let hour = 0; !isOver(); hour++) {
    // Paced, so that an ordered endpoint, which gets one delivery at a time, can keep up with both cores busy dying.
    await Bun.sleep(PAUSE_MS)
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
async function subscribe(world: World, receiver: Receiver): Promise<WebhookWithSecret[]> {
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

test(
  `${SECONDS} s of kills under load: nothing committed is lost, nothing is invented, order holds`,
  async () => {
    const world = await openWorld(randomInt)
    const receiver = openReceiver()
    const clients: BookingClient[] = []
    for (let n = 0; n < PROS; n++) clients.push(await openBookingClient(world.databaseUrl))
    expect(await until(() => world.server() !== undefined, 60_000)).toBe(true)
    const webhooks = await subscribe(world, receiver)

    const endsAt = performance.now() + SECONDS * 1000
    const isOver = () => performance.now() > endsAt
    const made: Acknowledged[] = []
    const blows: Record<string, number> = {}
    const breaking = (async () => {
      while (!isOver()) {
        await Bun.sleep(randomInt(500, 4000))
        const blow = BLOWS[randomInt(BLOWS.length)] ?? 'worker'
        await world.strike(blow)
        blows[blow] = (blows[blow] ?? 0) + 1
      }
    })()
    await Promise.all([breaking, ...clients.map((client) => keepBooking(world, client, isOver, made))])

    const sql = testSql(world.databaseUrl, 2)
    const events = [
      ...(await sql<Event[]>`select id, aggregate_id, sequence from outbox_events order by position`),
    ].map((event) => ({ ...event, id: publicEventId(event.id) }))
    const committed = new Set(events.map(({ id }) => id))
    const missing = (path: string) => {
      const arrived = new Set(firstArrivals(receiver, path).map(({ id }) => id))
      return [...committed].filter((id) => !arrived.has(id))
    }
    await until(() => missing('/ordered').length + missing('/any').length === 0, SETTLE_MS, 200)
    expect({ ordered: missing('/ordered'), any: missing('/any') }).toEqual({ ordered: [], any: [] })

    const arrivals = firstArrivals(receiver, '/ordered')
    expect(arrivals.filter(({ id }) => !committed.has(id))).toEqual([])
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
    process.stdout.write(
      `${JSON.stringify(blows)}; ${made.length} bookings acknowledged of ${rows.length}; ` +
        `${events.length} events, ${receiver.received.length} deliveries to two endpoints\n`,
    )
    expect(made.length).toBeGreaterThan(20)
    await sql.end()
    await receiver.stop()
    await world.close()
  },
  (SECONDS + 180) * 1000,
)
