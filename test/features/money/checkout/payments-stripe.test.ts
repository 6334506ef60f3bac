// Payments by Stripe, with its own library against a fake of its API. Notifications may be repeated, late, out of order,
// forged, or of another amount.
import { beforeEach, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { settleRefunds } from '../../../../src/payments/verbs/refunds.ts'
import { FakeStripe, type FakeEvent } from '../../../support/fake-stripe.ts'
import {
  DEPOSIT,
  type CreatedBooking,
  type BookingFixture,
  STARTED_AT,
  book,
  bookingBody,
  eventsOf,
  openBookingFixture,
  pay,
  rowsOf,
} from '../../../support/booking-fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import { opened } from '../../../support/fixture.ts'
const stripe = await opened(new FakeStripe())
const world = await opened(openBookingFixture({ ...stripe.env, LOG_LEVEL: 'silent' }))
beforeEach(() => {
  world.clock.set(STARTED_AT)
  stripe.nextLostResponse = () => undefined
  stripe.outbox.length = 0
})

/** Posts a signed notification. */
const deliver = (body: string, signature = stripe.sign(body, world.clock.now())) =>
  world.app.app.handle(
    new Request(`${world.app.deps.config.baseUrl}/webhooks/stripe`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
    }),
  )
/** The next notification about a payment; those about refunds have tests of their own. */
const next = (): FakeEvent => {
  const at = stripe.outbox.findIndex(({ body }) => body.includes('"type":"payment_intent.'))
  const event = stripe.outbox.splice(0, at + 1).at(-1)
  if (!event) throw new Error('Stripe has nothing to tell.')
  return event
}
const secretOf = ({ payment }: CreatedBooking) => payment?.clientSecret ?? ''

test('an intent carries the amount, our ids and an idempotency key, and its notification confirms the booking', async () => {
  const created = await book(world, await world.pro())
  const intent = stripe.pay(secretOf(created))
  const [payment] = await world.sql<{ id: string; intentId: string }[]>`
    select id, intent_id from payments where booking_id = ${created.booking.id}`
  expect(intent).toMatchObject({
    id: payment?.intentId,
    amount: DEPOSIT * 100,
    currency: 'usd',
    metadata: { payment_id: payment?.id, booking_id: created.booking.id },
  })
  expect(stripe.requests).toContain(`POST /v1/payment_intents hearth-intent-${payment?.id}`)
  expect((await rowsOf(world, created.booking.id)).booking).toBe('pending')
  expect((await deliver(next().body)).status).toBe(200)
  expect(await rowsOf(world, created.booking.id)).toMatchObject({ booking: 'confirmed', payment: 'succeeded' })
})

test('repeated and out-of-order notifications change nothing', async () => {
  const created = await book(world, await world.pro())
  stripe.fail(secretOf(created))
  stripe.pay(secretOf(created))
  const [failed, succeeded] = [next(), next()]
  const responses = await Promise.all(
    [succeeded, failed, succeeded, succeeded, failed].map(({ body }) => deliver(body)),
  )
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(await rowsOf(world, created.booking.id)).toMatchObject({
    booking: 'confirmed',
    payment: 'succeeded',
    refund: null,
  })
  expect(await eventsOf(world, created.booking.id)).toEqual(['booking.created', 'booking.confirmed'])
})

describe('a request that is not Stripe’s is refused', () => {
  test('if it is forged, changed, old or unsigned', async () => {
    const created = await book(world, await world.pro())
    stripe.pay(secretOf(created))
    const { body } = next()
    const now = world.clock.now()
    const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
    for (const signature of [
      '',
      'nonsense',
      stripe.sign(body, now, 'whsec_other'),
      stripe.sign(`${body} `, now),
      stripe.sign(body, minutesAgo(6)),
    ]) {
      const response = await deliver(body, signature)
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([400, 'invalid_signature'])
    }
    expect((await rowsOf(world, created.booking.id)).booking).toBe('pending')
    expect((await deliver(body, stripe.sign(body, minutesAgo(4)))).status).toBe(200)
  })

  test('if it is not JSON or too long, and ignored if it concerns no payment', async () => {
    expect((await deliver('not json')).status).toBe(400)
    expect((await deliver(JSON.stringify({ filler: 'x'.repeat(300_000) }))).status).toBe(413)
    for (const event of [
      { id: 'evt_1', object: 'event', type: 'customer.created', data: { object: {} } },
      intentEvent('evt_2', {}),
      intentEvent('evt_3', { payment_id: randomUUID() }),
      intentEvent('evt_4', { payment_id: 'of another system' }),
    ])
      expect((await deliver(JSON.stringify(event))).status).toBe(200)
  })

  const intentEvent = (id: string, metadata: object) => ({
    id,
    object: 'event',
    type: 'payment_intent.succeeded',
    data: { object: { id: 'pi_other', amount_received: 100, currency: 'usd', metadata } },
  })
})

test('a payment of another amount or currency is refunded, and the time is free again', async () => {
  for (const other of [{ amount: 4999 }, { amount: 5001 }, { currency: 'eur' }]) {
    const pro = await world.pro()
    const created = await book(world, pro)
    const intent = stripe.pay(secretOf(created), other)
    await deliver(next().body)
    expect(await rowsOf(world, created.booking.id)).toMatchObject({
      booking: 'cancelled',
      reason: 'wrong_amount',
      payment: 'refunded',
    })
    expect(intent.refunded).toBe(intent.captured)
    expect((await book(world, pro)).booking.status).toBe('pending')
  }
})

test('a payment that arrives after the hold is refunded, whether or not the time was booked again', async () => {
  for (const isTaken of [false, true]) {
    world.clock.set(STARTED_AT)
    const pro = await world.pro()
    const late = await book(world, pro)
    const intent = stripe.pay(secretOf(late))
    world.clock.advance(15)
    const other = isTaken ? await book(world, pro) : undefined
    expect((await deliver(next().body)).status).toBe(200)
    expect(await rowsOf(world, late.booking.id)).toMatchObject({ booking: 'cancelled', payment: 'refunded' })
    expect(intent.refunded).toBe(DEPOSIT * 100)
    if (other) expect((await rowsOf(world, other.booking.id)).booking).toBe('pending')
  }
})

describe('while Stripe is unavailable', () => {
  const post = (pro: Awaited<ReturnType<BookingFixture['pro']>>, headers = {}) =>
    world.app.send('/api/v1/bookings', { key: world.key, json: bookingBody(pro), headers })

  test('a retry with the same key gives the same booking and one intent, whichever response was lost', async () => {
    for (const loss of ['before', 'after'] as const) {
      const pro = await world.pro()
      const headers = { 'idempotency-key': randomUUID() }
      stripe.nextLostResponse = () => loss
      const intentsBefore = stripe.intents.size
      const broken = await post(pro, headers)
      expect([broken.status, broken.headers.get('retry-after')]).toEqual([503, '5'])
      stripe.nextLostResponse = () => undefined
      const [first, second] = await Promise.all([post(pro, headers), post(pro, headers)])
      expect([first.status, second.status]).toEqual([201, 201])
      expect(await first.text()).toBe(await second.text())
      expect(stripe.intents.size - intentsBefore).toBe(1)
    }
  })

  test('until the hold ends, the booking is cancelled, and a retry with its key reports the expired hold', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const pro = await world.pro()
    stripe.nextLostResponse = () => 'before'
    await post(pro, headers)
    stripe.nextLostResponse = () => undefined
    world.clock.advance(15)
    const response = await post(pro, headers)
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([409, 'hold_expired'])
  })

  test('a request without a key frees the time at once', async () => {
    const pro = await world.pro()
    stripe.nextLostResponse = () => 'after'
    expect((await post(pro)).status).toBe(503)
    stripe.nextLostResponse = () => undefined
    expect((await post(pro)).status).toBe(201)
  })

  test('a refund stays due and is made once when Stripe is back', async () => {
    const created = await book(world, await world.pro())
    const intent = stripe.pay(secretOf(created))
    await deliver(next().body)
    for (const loss of ['before', 'after'] as const) {
      stripe.nextLostResponse = () => loss
      if (loss === 'before') await cancel(created.booking.id)
      else await settleRefunds(ctxOf(world.app.deps))
      expect(await rowsOf(world, created.booking.id)).toMatchObject({ payment: 'refunding', refund: 'pending' })
      expect(await settleRefunds(ctxOf(world.app.deps))).toEqual({ settled: 0, failed: 0 })
      world.clock.advance(60)
    }
    stripe.nextLostResponse = () => undefined
    expect(await settleRefunds(ctxOf(world.app.deps))).toEqual({ settled: 1, failed: 0 })
    expect(await rowsOf(world, created.booking.id)).toMatchObject({ payment: 'refunded', refund: 'done' })
    expect([intent.captured, intent.refunded]).toEqual([DEPOSIT * 100, DEPOSIT * 100])
  })

  const cancel = async (id: string) => {
    const response = await world.app.send(`/api/v1/bookings/${id}/cancel`, { key: world.key, json: {} })
    expect(await response.json()).toMatchObject({ refund: { amount: DEPOSIT, status: 'pending' } })
  }
})

test('the sandbox takes no payment of Stripe', async () => {
  const created = await book(world, await world.pro(), 8)
  const { baseUrl } = world.app.deps.config
  const paid = await pay(world, secretOf(created))
  expect(paid.status).toBe(404)
  const page = await world.app.app.handle(new Request(`${baseUrl}/pay/${secretOf(created)}`))
  expect([page.status, (await page.text()).includes('<form')]).toEqual([200, false])
})
