// A retry has no second effect, over tools or REST: both share one namespace of keys.
import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { VISIT } from '../support/booking-fixture.ts'
import { CUSTOMER_SERVER, type ToolReply, callTool, rpc } from '../support/agents.ts'
import { findBookableSlot, openTestApp } from '../support/app.ts'
import { opened } from '../support/fixture.ts'

const ATTEMPTS = 50

const app = await opened(openTestApp())
const slot = await findBookableSlot(app)
/** Two keys of one owner. */
const restKey = await app.key(['bookings:write', 'rfqs:write'], 'owner@test.example')
const agentKey = await app.key(['mcp:read', 'mcp:write'], 'owner@test.example')

const byTool = async (name: string, args: object) => await callTool(app, CUSTOMER_SERVER, agentKey, name, args)
const byRest = async (path: string, json: object, idempotencyKey: string) => {
  const response = await app.send(path, { key: restKey, json, headers: { 'idempotency-key': idempotencyKey } })
  return { status: response.status, body: (await response.json()) as Record<string, { id: string }> }
}

async function eventsAbout(id: string): Promise<string[]> {
  const rows = await app.deps.read.run<{ type: string }>(
    'eventsAbout',
    (sql) => sql`select type from outbox_events where aggregate_id = ${id} order by sequence`,
  )
  return rows.map(({ type }) => type)
}

/** Sends all attempts concurrently, alternating between tool and REST, and returns the ids of the responses. */
const manyTimes = (byTool: () => Promise<unknown>, byRest: () => Promise<unknown>) =>
  Promise.all(Array.from({ length: ATTEMPTS }, (_, index) => (index % 2 === 0 ? byTool() : byRest())))

const bookingInput = (startDateTime: string) => ({
  professionalId: slot.professionalId,
  serviceId: slot.serviceId,
  startDateTime,
  guestName: 'Homeowner in Austin',
  guestEmail: 'homeowner@test.example',
  ...VISIT,
})

async function openTime(index: number): Promise<string> {
  const { professionalId, serviceId } = slot
  const { structured } = await byTool('query_availability', { professionalId, serviceId, days: 7 })
  const { days } = structured as { days: { open: { startDateTime: string }[] }[] }
  return days.flatMap(({ open }) => open)[index]?.startDateTime ?? ''
}

describe(`${ATTEMPTS} concurrent attempts under one key, by tool and REST,`, () => {
  test('create one booking, one payment and one event', async () => {
    const [key, booking] = [randomUUID(), bookingInput(await openTime(0))]
    const ids = await manyTimes(
      async () => (await byTool('book_appointment', { ...booking, idempotencyKey: key })).structured['bookingId'],
      async () => (await byRest('/api/v1/bookings/create', booking, key)).body['booking']?.id,
    )
    expect(new Set(ids).size).toBe(1)
    const [id = ''] = ids as string[]
    const [row] = await app.deps.read.run<{ bookings: number; payments: number }>(
      'countBookings',
      (sql) => sql`
        select (select count(*)::int from bookings where starts_at = ${booking.startDateTime}
            and professional_id = ${slot.professionalId}) as bookings,
          (select count(*)::int from payments where booking_id = ${id}) as payments`,
    )
    expect(row).toEqual({ bookings: 1, payments: 1 })
    expect(await eventsAbout(id)).toEqual(['booking.created'])
  })

  test('create one request for a quote', async () => {
    const key = randomUUID()
    const { professionalId, serviceId } = slot
    const customer = { name: 'Homeowner in Austin', email: 'homeowner@test.example' }
    const request = { professionalId, serviceId, customer, description: 'The gutter leaks at the corner.' }
    const ids = await manyTimes(
      async () =>
        ((await byTool('request_quote', { ...request, idempotencyKey: key })).structured['rfq'] as { id: string }).id,
      async () => (await byRest('/api/v1/rfqs', request, key)).body['rfq']?.id,
    )
    expect([...new Set(ids)]).toHaveLength(1)
    expect(await eventsAbout(String(ids[0]))).toEqual(['rfq.created'])
  })

  test('get the same stored refusal for a time that is already booked', async () => {
    const startDateTime = await openTime(0)
    await byTool('book_appointment', bookingInput(startDateTime))
    const [key, booking] = [randomUUID(), bookingInput(startDateTime)]
    const results = await manyTimes(
      async () => (await byTool('book_appointment', { ...booking, idempotencyKey: key })).problem?.code,
      async () => (await byRest('/api/v1/bookings/create', booking, key)).body['code'],
    )
    expect(new Set(results)).toEqual(new Set(['slot_unavailable']))
  })
})

test('a replayed call is marked as a replay', async () => {
  const args = { ...bookingInput(await openTime(2)), idempotencyKey: randomUUID() }
  const ask = () => rpc(app, CUSTOMER_SERVER, agentKey, 'tools/call', { name: 'book_appointment', arguments: args })
  const [first, second] = [await ask(), await ask()]
  expect(second.reply.result?.['_meta']).toEqual({ 'hearth/idempotentReplayed': true })
  expect(second.reply.result?.['structuredContent']).toEqual(first.reply.result?.['structuredContent'])
})

test('the same key for another request is refused on both interfaces', async () => {
  const key = randomUUID()
  const codeOf = ({ problem }: ToolReply) => problem?.code
  await byTool('book_appointment', { ...bookingInput(await openTime(3)), idempotencyKey: key })
  const other = bookingInput(await openTime(5))
  expect(codeOf(await byTool('book_appointment', { ...other, idempotencyKey: key }))).toBe('idempotency_mismatch')
  expect((await byRest('/api/v1/bookings/create', other, key)).status).toBe(422)
})

test('a call with an invalid argument does not consume its key', async () => {
  const key = randomUUID()
  const booking = bookingInput(await openTime(4))
  const wrong = await byTool('book_appointment', { ...booking, durationMinutes: 7, idempotencyKey: key })
  expect(wrong.problem?.code).toBe('validation_failed')
  expect((await byTool('book_appointment', { ...booking, idempotencyKey: key })).isError).toBe(false)
})
