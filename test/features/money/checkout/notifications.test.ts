// Notifications of the payment provider are applied once, to payments of that provider, and refunds are retried at growing
// intervals.
import { beforeEach, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { processNotification } from '../../../../src/features/money/checkout/verbs/notifications.ts'
import { attachIntent } from '../../../../src/payments/queries/payments.sql.ts'
import { settleRefunds } from '../../../../src/payments/verbs/refunds.ts'
import { type CreatedBooking, STARTED_AT, book, openBookingFixture, rowsOf } from '../../../support/booking-fixture.ts'
import { FakeStripe } from '../../../support/fake-stripe.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import { opened } from '../../../support/fixture.ts'
const stripe = await opened(new FakeStripe())
const world = await opened(openBookingFixture({ ...stripe.env, LOG_LEVEL: 'silent' }))
beforeEach(() => {
  world.clock.set(STARTED_AT)
  stripe.nextLostResponse = () => undefined
  stripe.refundStatus = 'succeeded'
})

/** What the provider says about the payment of a booking. */
async function aboutPayment({ booking, payment }: CreatedBooking) {
  const [row] = await world.sql<{ id: string }[]>`select id from payments where booking_id = ${booking.id}`
  const intent = stripe.intentOf(payment?.clientSecret ?? '')
  const paymentId = row?.id ?? ''
  const failed = (id: string = randomUUID()) => ({ kind: 'failed', id, paymentId }) as const
  const captured = (amountCents = intent.amount) =>
    ({ kind: 'captured', id: randomUUID(), paymentId, intentId: intent.id, amountCents, currency: 'USD' }) as const
  return { failed, captured, intent }
}

test('a notification counts once, by its id', async () => {
  const created = await book(world, await world.pro())
  const { failed } = await aboutPayment(created)
  const notification = failed()
  const outcomes = []
  for (const _ of [1, 2, 3])
    outcomes.push(await processNotification(ctxOf(world.app.deps), { provider: 'stripe', notification }))
  expect(outcomes).toEqual(['failed', 'ignored', 'ignored'])
})

test('a notification of one provider does not pay at another', async () => {
  const created = await book(world, await world.pro())
  const { captured } = await aboutPayment(created)
  expect(await processNotification(ctxOf(world.app.deps), { provider: 'sandbox', notification: captured() })).toBe(
    'ignored',
  )
  expect(await rowsOf(world, created.booking.id)).toMatchObject({ booking: 'pending', payment: 'requires_payment' })
})

test('a failed attempt after the deadline changes nothing', async () => {
  const created = await book(world, await world.pro())
  const { failed } = await aboutPayment(created)
  world.clock.advance(15)
  expect(await processNotification(ctxOf(world.app.deps), { provider: 'stripe', notification: failed() })).toBe(
    'ignored',
  )
  expect(await rowsOf(world, created.booking.id)).toMatchObject({ payment: 'requires_payment' })
})

test('a refund that the provider does not take is due again after 15 seconds, then twice as long, at most an hour', async () => {
  const created = await book(world, await world.pro())
  const { captured, intent } = await aboutPayment(created)
  stripe.pay(created.payment?.clientSecret ?? '')
  stripe.nextLostResponse = () => 'before'
  // A wrong amount is refunded at once, which is the first attempt.
  expect(
    await processNotification(ctxOf(world.app.deps), { provider: 'stripe', notification: captured(intent.amount - 1) }),
  ).toBe('refunded')
  const delays: number[] = []
  for (let attempt = 1; attempt <= 11; attempt++) {
    const [row] = await world.sql<{ at: string; attempts: number }[]>`
      select next_attempt_at as at, attempts from payment_refunds where status = 'pending'`
    expect(row?.attempts).toBe(attempt)
    const dueMs = new Date(row?.at ?? '').getTime()
    delays.push((dueMs - world.clock.now().getTime()) / 1000)
    world.clock.set(new Date(dueMs - 1).toISOString())
    expect(await settleRefunds(ctxOf(world.app.deps))).toEqual({ settled: 0, failed: 0 })
    world.clock.set(new Date(dueMs).toISOString())
    if (attempt < 11) expect(await settleRefunds(ctxOf(world.app.deps))).toEqual({ settled: 0, failed: 1 })
  }
  expect(delays).toEqual([15, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
  stripe.nextLostResponse = () => undefined
  expect(await settleRefunds(ctxOf(world.app.deps))).toEqual({ settled: 1, failed: 0 })
  expect(await rowsOf(world, created.booking.id)).toMatchObject({ payment: 'refunded', refund: 'done' })
  // What was captured, not what was due.
  expect(stripe.intentOf(intent.clientSecret).refunded).toBe(intent.amount - 1)
})

test('a refund is done, on its way or failed as the provider says', async () => {
  for (const [status, refund] of [
    ['failed', 'failed'],
    ['canceled', 'failed'],
    ['pending', 'submitted'],
    ['requires_action', 'submitted'],
    ['succeeded', 'done'],
  ] as const) {
    const created = await book(world, await world.pro())
    const { captured, intent } = await aboutPayment(created)
    stripe.pay(intent.clientSecret)
    stripe.refundStatus = status
    expect(
      await processNotification(ctxOf(world.app.deps), {
        provider: 'stripe',
        notification: captured(intent.amount - 1),
      }),
    ).toBe('refunded')
    expect([status, (await rowsOf(world, created.booking.id)).refund]).toEqual([status, refund])
  }
})

test('of two intents for one payment the first is kept', async () => {
  const created = await book(world, await world.pro())
  const [row] = await world.sql<{ id: string }[]>`select id from payments where booking_id = ${created.booking.id}`
  const second = { intentId: 'pi_second', clientSecret: 'pi_second_secret' }
  const kept = await attachIntent(ctxOf(world.app.deps), { ...second, paymentId: row?.id ?? '' })
  expect(kept?.clientSecret).toBe(created.payment?.clientSecret ?? '')
  expect(kept?.intentId).not.toBe(second.intentId)
})
