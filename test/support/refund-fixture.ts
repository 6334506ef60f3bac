// The fixture of tests of refunds and disputes: paid bookings at a fake Stripe, and its notifications.
import { randomUUID } from 'node:crypto'

import { expect } from 'bun:test'

import { refundPaymentAsOperator } from '../../src/features/money/operator-refunds/verbs.ts'
import { settleRefunds } from '../../src/payments/verbs/refunds.ts'
import { book, openBookingFixture } from './booking-fixture.ts'
import { type FakeEvent, FakeStripe } from './fake-stripe.ts'
import { ctxOf } from '../../src/ctx.ts'

export async function openRefundFixture() {
  const stripe = new FakeStripe()
  const world = await openBookingFixture({ ...stripe.env, LOG_LEVEL: 'silent' })
  const deliver = async (body: string): Promise<number> => {
    const signature = stripe.sign(body, world.clock.now())
    const request = new Request(`${world.app.deps.config.baseUrl}/webhooks/stripe`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    })
    return (await world.app.app.handle(request)).status
  }
  /** Delivers all notifications that wait, and returns them. */
  const notify = async (order = (events: FakeEvent[]) => events): Promise<FakeEvent[]> => {
    const events = stripe.outbox.splice(0)
    for (const { body } of order(events)) expect(await deliver(body)).toBe(200)
    return events
  }
  const settle = async () => {
    world.clock.advance(240)
    return await settleRefunds(ctxOf(world.app.deps))
  }

  /** A paid booking and what becomes of it. */
  const paidBooking = async () => {
    const pro = await world.pro()
    const { booking, payment } = await book(world, pro)
    const intent = stripe.pay(payment?.clientSecret ?? '')
    const [row] = await world.sql<{ id: string }[]>`select id from payments where booking_id = ${booking.id}`
    const paymentId = row?.id ?? ''
    await notify()
    return {
      pro,
      intent,
      paymentId,
      bookingId: booking.id,
      cancel: async () => {
        const answer = await world.app.send(`/api/v1/bookings/${booking.id}/cancel`, { key: world.key, json: {} })
        expect(answer.status).toBe(200)
      },
      refund: (cents: number, refundId: string = randomUUID()) =>
        refundPaymentAsOperator(ctxOf(world.app.deps), {
          refundId,
          paymentId,
          amountCents: cents,
          reason: 'Rain.',
          by: null,
        }),
      /** The payment's state and its refunds, oldest first: `done 5000`. */
      states: async () => {
        const [paid] = await world.sql<{ status: string }[]>`select status from payments where id = ${paymentId}`
        const refunds = await world.sql<{ state: string }[]>`
          select status || ' ' || amount_cents as state from payment_refunds where payment_id = ${paymentId}
          order by created_at, id`
        return [paid?.status, ...refunds.map(({ state }) => state)]
      },
      disputes: async () => {
        const rows = await world.sql<{ state: string }[]>`
          select state || ' ' || amount_cents as state from payment_disputes where payment_id = ${paymentId} order by opened_at`
        return rows.map(({ state }) => state)
      },
      refundInApi: async () => {
        const answer = await world.app.send(`/api/v1/bookings/${booking.id}`, { key: world.key })
        const body = (await answer.json()) as { booking: { payment: { refund: unknown } } }
        return body.booking.payment.refund
      },
      messages: async (kind = 'booking-refunded') => {
        const rows = await world.sql<{ kind: string }[]>`
          select kind from messages where booking_id = ${booking.id} and kind = ${kind}`
        return rows.length
      },
    }
  }

  const close = async () => {
    await world.close()
    await stripe.close()
  }
  return { stripe, world, deliver, notify, settle, paidBooking, close }
}

export type RefundFixture = Awaited<ReturnType<typeof openRefundFixture>>
