// A change whose confirmation is lost: its answer says that the outcome is unknown, and the same Idempotency-Key tells it.
import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { PRESETS } from '../../src/auth/scopes.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { CUSTOMER_SERVER } from '../support/agents.ts'
import { findBookableSlot, openTestApp } from '../support/app.ts'
import { openBlockedProxy } from '../support/blocked-proxy.ts'
import { VISIT_ADDRESS } from '../support/booking-fixture.ts'
import { withoutSocket } from '../support/database.ts'
import { opened } from '../support/fixture.ts'
import { startServer } from '../support/server.ts'

const app = await opened(openTestApp())
const key = await app.key()
const clientKey = await app.key(PRESETS['agent-tools'], await app.client())
await app.sql`
    create function test_slow_commit() returns trigger language plpgsql as $$
    begin perform pg_sleep(0.6); return null; end $$`
await app.sql`
    create constraint trigger test_slow_commit after insert or update on bookings deferrable initially deferred
    for each row execute function test_slow_commit()`
const proxy = await opened(openBlockedProxy(withoutSocket(app.databaseUrl)), 'stop')
proxy.open()
const server = await opened(startServer({ databaseUrl: proxy.url }), 'stop')

/** An open time of the server, whose clock is the machine's. */
async function findSlot() {
  const { professionalId, serviceId, slug } = await findBookableSlot(app)
  const response = await fetch(`${server.url}/api/v1/pros/${slug}/availability`)
  const { nextAvailable } = (await response.json()) as { nextAvailable: { date: string; time: string } }
  return { professionalId, serviceId, date: nextAvailable.date, time: nextAvailable.time }
}

interface Answer {
  status: number
  code: string | undefined
  replayed: boolean
  text: string
}

async function send(path: string, json: object, headers: Record<string, string>): Promise<Answer> {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(json),
  })
  const text = await response.text()
  return {
    status: response.status,
    // Tools have their errors in a text, too.
    code: /\\?"code\\?":\\?"(\w+)/.exec(text)?.[1],
    replayed: response.headers.get('idempotent-replayed') === 'true',
    text,
  }
}

/** Sends a request and loses the connections to PostgreSQL while its change is being committed. */
async function loseConfirmation(request: () => Promise<Answer>): Promise<Answer> {
  const answer = request()
  const isCommitting = async () => {
    const rows = await app.sql`
      select from pg_stat_activity
      where datname = current_database() and application_name = 'hearth' and wait_event = 'PgSleep'`
    return rows.length > 0
  }
  const seen = waitUntil(isCommitting, 10_000, 10).then((isSeen) => ({ isSeen }))
  expect(await Promise.race([seen, answer])).toEqual({ isSeen: true })
  proxy.mute()
  return await answer
}

/** Repeats a request as clients are told to, until PostgreSQL is reached again. */
async function repeat(request: () => Promise<Answer>): Promise<Answer> {
  let answer: Answer | undefined
  await waitUntil(
    async () => !['unavailable', 'outcome_unknown'].includes((answer = await request()).code ?? ''),
    30_000,
    200,
  )
  return answer as Answer
}

const headersFor = (secret: string) => ({ authorization: `Bearer ${secret}`, 'idempotency-key': randomUUID() })

/** How many events of bookings have this type. */
async function countEvents(type: string): Promise<number> {
  const [row] = await app.sql<{ count: number }[]>`
    select count(*)::int as count from outbox_events where type = ${type}`
  return row?.count ?? 0
}

/** Loses the confirmation of a request, repeats it, and returns the answer of the repetition. */
async function expectFoundOut(type: string, request: () => Promise<Answer>): Promise<Answer> {
  const before = await countEvents(type)
  const lost = await loseConfirmation(request)
  expect(lost.code).toBe('outcome_unknown')
  const found = await repeat(request)
  expect(await countEvents(type)).toBe(before + 1)
  return found
}

test('a booking or cancellation whose confirmation was lost is found by its Idempotency-Key, and was made once', async () => {
  const json = { ...(await findSlot()), customer: { name: 'Customer', email: 'lost@test.example' } }
  // One statement that is its own transaction.
  const headers = headersFor(key)
  const booked = await expectFoundOut('booking.created', () => send('/api/v1/bookings', json, headers))
  expect(booked).toMatchObject({ status: 201, replayed: true })
  // A transaction of several statements.
  const { booking } = JSON.parse(booked.text) as { booking: { id: string } }
  const cancelHeaders = headersFor(key)
  const cancel = () => send(`/api/v1/bookings/${booking.id}/cancel`, {}, cancelHeaders)
  expect(await expectFoundOut('booking.cancelled', cancel)).toMatchObject({ status: 200, replayed: true })
}, 90_000)

test('an agent finds out by the idempotencyKey of its call', async () => {
  const { professionalId, serviceId, date, time } = await findSlot()
  const [start] = await app.sql<{ at: string }[]>`
    select iso_instant((${date} || ' ' || ${time})::timestamp at time zone time_zone) as at
    from professionals where id = ${professionalId}`
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'book_appointment',
      arguments: {
        idempotencyKey: randomUUID(),
        professionalId,
        serviceId,
        startDateTime: start?.at,
        guestName: 'Customer',
        guestEmail: 'agent@test.example',
        guestPhone: '+1 512 555 0142',
        address: VISIT_ADDRESS,
      },
    },
  }
  const headers = { authorization: `Bearer ${clientKey}` }
  const found = await expectFoundOut('booking.created', () => send(CUSTOMER_SERVER, call, headers))
  expect(found.text).not.toContain('"isError":true')
  expect(found.text).toContain('"hearth/idempotentReplayed":true')
}, 60_000)
