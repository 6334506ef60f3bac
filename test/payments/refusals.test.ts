// What the provider refuses is not an outage: the answer says what happened, and the time is free again.
import { afterEach, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { Stripe } from 'stripe'

import { kindOfStripeError } from '../../src/payments/stripe-errors.ts'
import { bookingBody, openBookingFixture } from '../support/booking-fixture.ts'
import { FakeStripe } from '../support/fake-stripe.ts'
import { opened } from '../support/fixture.ts'
const stripe = await opened(new FakeStripe())
const world = await opened(openBookingFixture({ ...stripe.env, LOG_LEVEL: 'silent' }))
afterEach(() => void (stripe.nextError = () => undefined))

const INVALID = 'invalid_request_error'
const ERRORS: { error: { status: number; type: string; code?: string }; answer: [number, string]; isFree: boolean }[] =
  [
    {
      error: { status: 402, type: 'card_error', code: 'card_declined' },
      answer: [402, 'payment_refused'],
      isFree: true,
    },
    { error: { status: 400, type: INVALID, code: 'amount_too_small' }, answer: [402, 'payment_refused'], isFree: true },
    { error: { status: 400, type: INVALID, code: 'amount_too_large' }, answer: [402, 'payment_refused'], isFree: true },
    { error: { status: 401, type: INVALID }, answer: [503, 'unavailable'], isFree: false },
    { error: { status: 403, type: INVALID }, answer: [503, 'unavailable'], isFree: false },
    { error: { status: 429, type: INVALID, code: 'rate_limit' }, answer: [503, 'unavailable'], isFree: false },
    {
      error: { status: 409, type: INVALID, code: 'idempotency_key_in_use' },
      answer: [503, 'unavailable'],
      isFree: false,
    },
    { error: { status: 500, type: 'api_error' }, answer: [503, 'unavailable'], isFree: false },
  ]

for (const { error, answer, isFree } of ERRORS)
  test(`Stripe’s ${error.status} ${error.code ?? error.type} is ${answer.join(' ')}, ${isFree ? 'and the time is free' : 'and a retry with the key books'}`, async () => {
    const pro = await world.pro()
    const headers = { 'idempotency-key': randomUUID() }
    const post = (init = {}) => world.app.send('/api/v1/bookings', { key: world.key, json: bookingBody(pro), ...init })
    stripe.nextError = () => error
    const refused = await post({ headers })
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual(answer)
    stripe.nextError = () => undefined
    const again = isFree ? await post() : await post({ headers })
    expect(again.status).toBe(201)
  })

test('wrong keys alert the operator, and no customer reads of them', async () => {
  const pro = await world.pro()
  stripe.nextError = () => ({ status: 401, type: INVALID })
  const response = await world.app.send('/api/v1/bookings', { key: world.key, json: bookingBody(pro) })
  const text = await response.text()
  expect(text).toContain('Payments are not possible at the moment. Try again later.')
  expect(text).not.toContain('STRIPE')
})

test('an error that Stripe’s library does not know is an outage', () => {
  expect(kindOfStripeError(new Error('socket closed'))).toBe('temporary')
  expect(kindOfStripeError(new Stripe.errors.StripeConnectionError({ type: 'api_error' }))).toBe('temporary')
})
