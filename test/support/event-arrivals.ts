// Subscriptions to the events of bookings, and what must be true of what arrives, whatever fails meanwhile.
import { expect } from 'bun:test'

import type { WebhookWithSecret } from '../../src/webhooks/endpoints/schemas.ts'
import { publicEventId } from '../../src/webhooks/endpoints/events.ts'
import { verify } from '../../src/webhooks/delivery/signature.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { type Target, requestUntilAnswered } from './acknowledged-bookings.ts'
import { createWebhookKey } from './chaos.ts'
import type { Receiver } from './receiver.ts'

/** The developer who owns the keys of the booking clients. */
const DEVELOPER = 'dev@example.com'

/** Creates two endpoints: one with ordered deliveries and one without. */
export async function subscribe(target: Target, databaseUrl: string, receiver: Receiver): Promise<WebhookWithSecret[]> {
  const key = await createWebhookKey(databaseUrl, DEVELOPER)
  const created: WebhookWithSecret[] = []
  for (const ordered of [true, false]) {
    const answer = await requestUntilAnswered(
      target,
      () => false,
      (url) =>
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

/** Each committed event reached both endpoints in time, no other event did, order holds, and all signatures are valid. */
export async function checkDeliveries(
  sql: Sql,
  receiver: Receiver,
  webhooks: WebhookWithSecret[],
  settleMs: number,
): Promise<number> {
  const rows = await sql<Event[]>`select id, aggregate_id, sequence from outbox_events order by position`
  const committed = new Set(rows.map(({ id }) => publicEventId(id)))
  const missing = (path: string) => {
    const arrived = new Set(firstArrivals(receiver, path).map(({ id }) => id))
    return [...committed].filter((id) => !arrived.has(id))
  }
  await waitUntil(() => missing('/ordered').length + missing('/any').length === 0, settleMs, 200)
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
