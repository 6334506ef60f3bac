// Whatever temporary error PostgreSQL answers with, every kind of client is told to try again later, in Hearth's words.
import { expect, test } from 'bun:test'

import { CONDITIONS } from '../../src/platform/store-error.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { CUSTOMER, openBookingClient } from '../support/booking-client.ts'
import { cloneDatabase } from '../support/database.ts'
import { STORE_WORDS, openFailingPostgres } from '../support/failing-postgres.ts'
import { FakeStripe } from '../support/fake-stripe.ts'
import { startServer } from '../support/server.ts'
import { opened } from '../support/fixture.ts'

const SQLSTATES = CONDITIONS.flatMap(({ codes }) => codes).filter((code) => /^\d[\dA-Z]{4}$/.test(code))
const database = await opened(cloneDatabase('migrated'), 'drop')
const client = await openBookingClient(database.url, ['bookings:write', 'rfqs:write', 'mcp:read', 'mcp:write'])
const proxy = await opened(openFailingPostgres(database.url))
const stripe = await opened(new FakeStripe())
// Were listening to fail as well, the server would look up each key again, and fail there.
const env = { ...stripe.env, DATABASE_DIRECT_URL: database.url }
const server = await opened(startServer({ databaseUrl: proxy.url, env }), 'stop')

const JSON_TYPE = { 'content-type': 'application/json' }
let hours = 0

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) })
const withKey = () => ({ authorization: `Bearer ${client.key}` })

const callTool = (name: string, args: object) =>
  post(
    '/api/mcp/customer',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    { ...withKey(), accept: 'application/json, text/event-stream' },
  )

/** What a client of each kind sends. */
const REQUESTS: Record<string, () => Promise<Response>> = {
  'a read': () => fetch(`${server.url}/api/v1/pros/${client.pro.id}/availability`),
  'a booking': () => client.post(server.url, hours++),
  'a request for a quote': () =>
    post(
      '/api/v1/rfqs',
      { professionalId: client.pro.id, serviceId: client.pro.serviceId, customer: CUSTOMER, description: 'A drip.' },
      { ...withKey(), 'idempotency-key': crypto.randomUUID() },
    ),
  'a page': () => fetch(`${server.url}/pros/${client.pro.id}`, { headers: { accept: 'text/html' } }),
  'a reading tool': () => {
    const { id: professionalId, serviceId } = client.pro
    return callTool('query_availability', { professionalId, serviceId, days: 2 })
  },
  'a writing tool': () =>
    callTool('request_quote', {
      professionalId: client.pro.id,
      serviceId: client.pro.serviceId,
      customer: CUSTOMER,
      description: 'The gutter leaks at the corner.',
      idempotencyKey: crypto.randomUUID(),
    }),
  'a webhook': () => {
    const metadata = { payment_id: crypto.randomUUID() }
    const object = { id: `pi_${hours++}`, object: 'payment_intent', amount: 100, currency: 'usd', metadata }
    const event = { id: `evt_${hours++}`, object: 'event', type: 'payment_intent.succeeded', data: { object } }
    const signature = stripe.sign(JSON.stringify(event), new Date())
    return post('/webhooks/stripe', event, { 'stripe-signature': signature })
  },
}

const TYPES: Record<string, string> = {
  'a page': 'text/html; charset=utf-8',
  'a reading tool': 'application/json',
  'a writing tool': 'application/json',
}

test('each request succeeds while PostgreSQL does', async () => {
  for (const [kind, send] of Object.entries(REQUESTS)) {
    const response = await send()
    expect([kind, response.ok, await response.text()]).toEqual([
      kind,
      true,
      expect.not.stringContaining('"isError":true'),
    ])
  }
})

test('every SQLSTATE of the table is 503 with Retry-After for every client, without the words of the store', async () => {
  const seen: unknown[] = []
  const expected: unknown[] = []
  try {
    for (const sqlstate of SQLSTATES) {
      proxy.failWith(sqlstate)
      for (const [kind, send] of Object.entries(REQUESTS)) {
        const response = await send()
        const body = await response.text()
        const { headers } = response
        const leaks = [STORE_WORDS, 'secret_table', 'Postgres', sqlstate].filter((word) => body.includes(word))
        seen.push([sqlstate, kind, response.status, headers.get('retry-after'), headers.get('content-type'), leaks])
        expected.push([sqlstate, kind, 503, '2', TYPES[kind] ?? 'application/problem+json', []])
        if (kind.includes('tool')) expect(JSON.parse(body)).toMatchObject({ error: { code: -32_000 } })
      }
    }
  } finally {
    proxy.recover()
  }
  expect(seen).toEqual(expected)
})

test('requests succeed again at once when PostgreSQL does', async () => {
  for (const [kind, send] of Object.entries(REQUESTS)) expect([kind, (await send()).ok]).toEqual([kind, true])
})

test('an error that is not temporary stays 500', async () => {
  proxy.failWith('42P01')
  try {
    expect((await REQUESTS['a booking']?.())?.status).toBe(500)
  } finally {
    proxy.recover()
  }
})

test('work that lost a conflict runs once more, with a line in the log; after other errors it does not', async () => {
  const repeatedBy = async (kind: string, sqlstate: string) => {
    const lines = () => server.log().filter(({ msg }) => msg === 'lost a conflict; trying a second time')
    const before = lines().length
    // So that the server knows the key, and that this is no restored copy.
    expect((await REQUESTS[kind]?.())?.ok).toBe(true)
    proxy.failWith(sqlstate)
    expect((await REQUESTS[kind]?.())?.status).toBe(503)
    proxy.recover()
    return lines()
      .slice(before)
      .map(({ statement }) => statement)
  }
  for (const [kind, statement] of [
    ['a booking', 'reserve_slot'],
    ['a request for a quote', 'createRfq'],
  ] as const) {
    // What the server knows may grow old in between, and the conflict meets that question first.
    for (const conflict of ['40P01', '40001'])
      expect(await waitUntil(async () => (await repeatedBy(kind, conflict)).includes(statement), 5000)).toBe(true)
    expect(await repeatedBy(kind, '53200')).toEqual([])
  }
})
