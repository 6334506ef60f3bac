// Bookings that are made until each is answered, whatever fails meanwhile, and what must be true of the acknowledged ones.
import { expect } from 'bun:test'
import { randomInt, randomUUID } from 'node:crypto'

import type { Sql } from '../../src/platform/postgres/database.ts'
import type { BookingClient } from './booking-client.ts'

/** Where requests go. */
export interface Target {
  /** The base URL of a server that may be running; undefined when all are known to be down. */
  url(): string | undefined
  onAnswer?: (status: number) => void
}

export interface Acknowledged {
  bookingId: string
  cancelled: boolean
}

/** Retries on any running server until a response is neither 5xx nor 429. Undefined once the load is over. */
export async function requestUntilAnswered(
  target: Target,
  isOver: () => boolean,
  ask: (url: string) => Promise<Response>,
): Promise<{ status: number; body: unknown } | undefined> {
  while (!isOver()) {
    const url = target.url()
    const answer = url === undefined ? undefined : await ask(url).catch(() => undefined)
    if (answer) target.onAnswer?.(answer.status)
    if (answer && answer.status < 500 && answer.status !== 429) {
      const body: unknown = await answer.json().catch(() => undefined)
      if (body !== undefined) return { status: answer.status, body }
    }
    await Bun.sleep(20)
  }
  return undefined
}

/** Books the hours of one pro and cancels some bookings. Each booking has its own idempotency key and is retried until answered. */
export async function keepBooking(
  target: Target,
  client: BookingClient,
  isOver: () => boolean,
  created: Acknowledged[],
): Promise<void> {
  const signal = () => AbortSignal.timeout(5000)
  for (let hour = 0; !isOver(); hour++) {
    const headers = { 'idempotency-key': randomUUID() }
    const booked = await requestUntilAnswered(target, isOver, (url) =>
      client.post(url, hour, { headers, signal: signal() }),
    )
    if (booked?.status !== 201) continue
    const { booking } = booked.body as { booking: { id: string } }
    const acknowledged = { bookingId: booking.id, cancelled: false }
    created.push(acknowledged)
    if (randomInt(10) < 6) continue
    const cancelled = await requestUntilAnswered(target, isOver, (url) =>
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

/** Every acknowledged booking is stored as acknowledged, and no two overlap. */
export async function checkBookings(sql: Sql, created: Acknowledged[]): Promise<number> {
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
