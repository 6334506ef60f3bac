// Agents that pay for book_appointment by the Machine Payments Protocol, with the sandbox's wallet: an open amount is a
// challenge, a credential pays it once, and a credential that cannot pay is refused with the reason.
import { describe, expect, test } from 'bun:test'

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Challenge } from 'mppx'
import { Mppx } from 'mppx/client'
import { McpClient } from 'mppx/mcp/client'

import { systemClock } from '../../src/platform/clock/clock.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { CUSTOMER_SERVER, type RpcReply } from '../support/agents.ts'
import { openTestApp } from '../support/app.ts'
import { startServer } from '../support/server.ts'
import { CUSTOMER_CALLS, createToolFixture } from '../support/tool-fixture.ts'
import { credentialMeta, walletOf } from '../support/wallet.ts'
import { opened } from '../support/fixture.ts'
const app = await opened(openTestApp('seeded', { clock: systemClock }))
const server = await opened(startServer({ ...app, env: { MACHINE_PAYMENTS: 'true' } }), 'stop')
const world = await createToolFixture(app)

interface Booked {
  bookingId: string
  status: string
  amount: number
  confirmationCode: string
  payUrl: string | null
}

interface Result {
  structuredContent: Booked
  isError?: boolean
  _meta?: {
    'org.paymentauth/payment-required'?: { httpStatus: number; challenges: Challenge.Challenge[] }
    'org.paymentauth/receipt'?: { status: string; reference: string; challengeId: string }
  }
}

const bookingInput = async () => (await CUSTOMER_CALLS['book_appointment']?.(world)) as { idempotencyKey?: string }

/** Calls book_appointment as a plain client does. */
async function call(
  args: object,
  { meta, headers = {}, url = server.url }: { meta?: object; headers?: Record<string, string>; url?: string } = {},
) {
  const params = { name: 'book_appointment', arguments: args, ...(meta ? { _meta: meta } : {}) }
  const response = await fetch(url + CUSTOMER_SERVER, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.keys.customer}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const { result, error } = (await response.json()) as RpcReply & { result?: Result }
  return { status: response.status, headers: response.headers, result: result as Result | undefined, error }
}

/** An unpaid booking and its challenge. */
async function unpaidBooking() {
  const args = await bookingInput()
  const { result } = await call(args)
  const challenge = result?.['_meta']?.['org.paymentauth/payment-required']?.challenges[0]
  if (!result || !challenge) throw new Error('The booking has no challenge.')
  return { args, booked: result.structuredContent, challenge }
}

/** The stored states of the booking and its payment, and the number of confirmations. */
async function statesOf(bookingId: string) {
  const [row] = await app.deps.write.run<{ booking: string; payment: string; confirmed: number }>(
    'paymentOf',
    (sql) => sql`
      select b.status as booking, p.status as payment,
        (select count(*)::int from outbox_events e where e.aggregate_id = b.id and e.type = 'booking.confirmed') as confirmed
      from bookings b join payments p on p.booking_id = b.id where b.id = ${bookingId}`,
  )
  return row
}

const PAID = { booking: 'confirmed', payment: 'succeeded', confirmed: 1 }
const UNPAID = { booking: 'pending', confirmed: 0 }

describe('a wallet', () => {
  test.each(['legacy', '2026-07-28'])('of the protocol’s own client pays for a tool call (%s)', async (era) => {
    const client = new Client(
      { name: 'test', version: '1.0.0' },
      { versionNegotiation: { mode: era === 'legacy' ? era : { pin: era } } },
    )
    const requestInit = { headers: { authorization: `Bearer ${world.keys.customer}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url + CUSTOMER_SERVER), { requestInit }))
    const challenges: Challenge.Challenge[] = []
    const paying = McpClient.wrap(client as unknown as Parameters<typeof McpClient.wrap>[0], {
      methods: [walletOf()],
      onPaymentRequired: (challenge) => challenges.push(challenge) > 0,
    })
    const result = await paying.callTool({ name: 'book_appointment', arguments: { ...(await bookingInput()) } })
    const booked = result['structuredContent'] as Booked
    expect(challenges).toMatchObject([
      { method: 'sandbox', intent: 'charge', request: { amount: '500', currency: 'USD' } },
    ])
    expect([booked, result.receipt]).toMatchObject([
      { status: 'confirmed', amount: 5, payUrl: null },
      { status: 'success', method: 'sandbox', challengeId: challenges[0]?.id },
    ])
    expect(await statesOf(booked.bookingId)).toEqual(expect.objectContaining(PAID))
    await client.close()
  })

  test('over HTTP gets 402, pays, and gets its receipt in a header', async () => {
    const args = await bookingInput()
    const first = await call(args, { headers: { 'accept-payment': 'sandbox/charge' } })
    expect([first.status, first.headers.get('www-authenticate'), first.headers.get('cache-control')]).toEqual([
      402,
      expect.stringMatching(/^Payment .*method="sandbox"/),
      'no-store',
    ])
    expect(first.result?.structuredContent).toMatchObject({ status: 'pending', payUrl: expect.any(String) })
    const { fetch: payingFetch } = Mppx.create({ methods: [walletOf()], polyfill: false })
    const params = { name: 'book_appointment', arguments: args }
    const response = await payingFetch(server.url + CUSTOMER_SERVER, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.keys.customer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
    expect([response.status, response.headers.has('payment-receipt')]).toEqual([200, true])
    const { result } = (await response.json()) as { result: Result }
    expect(result.structuredContent.status).toBe('confirmed')
    expect(await statesOf(result.structuredContent.bookingId)).toEqual(expect.objectContaining(PAID))
  })

  test('that retries with the same key and credential pays once and gets the same result', async () => {
    const { args, booked, challenge } = await unpaidBooking()
    const meta = credentialMeta(challenge)
    const all = await Promise.all(Array.from({ length: 10 }, () => call(args, { meta })))
    const later = await call(args, { meta })
    const receipts = [...all, later].map(({ result }) => JSON.stringify(result?.['_meta']?.['org.paymentauth/receipt']))
    expect([new Set(receipts).size, receipts[0]]).toEqual([1, expect.stringContaining('success')])
    expect(later.result?.structuredContent).toMatchObject({ bookingId: booked.bookingId, status: 'confirmed' })
    expect(await statesOf(booked.bookingId)).toEqual(expect.objectContaining(PAID))
    // Without a credential the call returns the paid booking.
    const plain = await call(args)
    expect([
      plain.result?.structuredContent.status,
      plain.result?.['_meta']?.['org.paymentauth/payment-required'],
    ]).toEqual(['confirmed', undefined])
  })
})

describe('a credential is refused without a charge', () => {
  type UnpaidBooking = Awaited<ReturnType<typeof unpaidBooking>>
  const BAD: Record<string, (mine: UnpaidBooking, other: UnpaidBooking) => object | Promise<object>> = {
    'when it is of another booking': (_, other) => credentialMeta(other.challenge),
    'when its amount was changed': ({ challenge }) =>
      credentialMeta({ ...challenge, request: { ...challenge.request, amount: '1' } }),
    'when its expiry was changed': ({ challenge }) =>
      credentialMeta({ ...challenge, expires: '2099-01-01T00:00:00.000Z' }),
    'when the challenge is not ours': ({ challenge }) => credentialMeta({ ...challenge, id: 'made-up' }),
    'when the bank does not know the token': ({ challenge }) => credentialMeta(challenge, { token: 'sandbox_wins' }),
    'when the bank declines': ({ challenge }) => credentialMeta(challenge, { token: 'sandbox_fails' }),
    'when it holds no token': ({ challenge }) => credentialMeta(challenge, 'free, please'),
    'when it cannot be read': () => ({ 'org.paymentauth/credential': { challenge: 'none' } }),
  }

  test.each(Object.keys(BAD))('%s, and the challenge can still be paid', async (name) => {
    const [mine, other] = [await unpaidBooking(), await unpaidBooking()]
    const meta = (await BAD[name]?.(mine, other)) ?? {}
    const { status, error } = await call(mine.args, { meta })
    const data = { code: 'payment_refused', httpStatus: 402, challenges: [{ id: mine.challenge.id }] }
    expect([status, error]).toMatchObject([200, { code: -32043, data }])
    for (const { booked } of [mine, other]) expect(await statesOf(booked.bookingId)).toMatchObject(UNPAID)
    const byHttp = await call(mine.args, { meta, headers: { 'accept-payment': 'sandbox/charge' } })
    expect(byHttp.status).toBe(402)
    const paid = await call(mine.args, { meta: credentialMeta(mine.challenge) })
    expect(paid.result?.structuredContent.status).toBe('confirmed')
    expect(await statesOf(mine.booked.bookingId)).toEqual(expect.objectContaining(PAID))
  })

  test('when it was used before, for another booking', async () => {
    const [first, second] = [await unpaidBooking(), await unpaidBooking()]
    await call(first.args, { meta: credentialMeta(first.challenge) })
    const { error } = await call(second.args, { meta: credentialMeta(first.challenge) })
    expect(error).toMatchObject({ code: -32043, data: { challenges: [{ id: second.challenge.id }] } })
    expect(await statesOf(second.booked.bookingId)).toMatchObject(UNPAID)
  })

  test('when the call has no idempotency key', async () => {
    const { args, booked, challenge } = await unpaidBooking()
    const { idempotencyKey: _left, ...rest } = args
    const { error } = await call(rest, { meta: credentialMeta(challenge) })
    expect(error).toMatchObject({ code: -32043, data: { code: 'payment_refused' } })
    expect(await statesOf(booked.bookingId)).toMatchObject(UNPAID)
  })

  test('when the hold has expired', async () => {
    const shortHolds = await startServer({ ...app, env: { MACHINE_PAYMENTS: 'true', BOOKING_HOLD_SECONDS: '1' } })
    const args = await bookingInput()
    const { result } = await call(args, { url: shortHolds.url })
    const challenge = result?.['_meta']?.['org.paymentauth/payment-required']?.challenges[0]
    if (!result || !challenge) throw new Error('The booking has no challenge.')
    const { confirmationCode, bookingId } = result.structuredContent
    const isOver = async () => {
      const response = await app.send(`/api/v1/bookings?code=${confirmationCode}`)
      return ((await response.json()) as { booking: Booked }).booking.status === 'cancelled'
    }
    expect(await waitUntil(isOver, 10_000)).toBe(true)
    const late = await call(args, { url: shortHolds.url, meta: credentialMeta(challenge) })
    expect([late.result?.isError, JSON.stringify(late.result)]).toEqual([true, expect.stringContaining('hold_expired')])
    expect(await statesOf(bookingId)).not.toMatchObject({ payment: 'succeeded' })
    await shortHolds.stop()
  })
})

test('with machine payments off, results have no challenge and credentials are ignored', async () => {
  const off = await startServer(app)
  const args = await bookingInput()
  const headers = { 'accept-payment': 'sandbox/charge' }
  const first = await call(args, { url: off.url, headers })
  expect([first.status, first.headers.has('www-authenticate'), first.result?.['_meta']]).toEqual([
    200,
    false,
    undefined,
  ])
  const { challenge } = await unpaidBooking()
  const ignored = await call(args, { url: off.url, meta: credentialMeta(challenge), headers })
  expect([ignored.status, ignored.result?.structuredContent]).toEqual([200, first.result?.structuredContent])
  expect(ignored.result?.['_meta']).toEqual({ 'hearth/idempotentReplayed': true } as Result['_meta'])
  await off.stop()
})

test('a call without an idempotency key gets no challenge, and a person can pay on the page', async () => {
  const { idempotencyKey: _left, ...args } = await bookingInput()
  const { result } = await call(args)
  expect([result?.structuredContent.payUrl, result?.['_meta']]).toEqual([expect.any(String), undefined])
})
