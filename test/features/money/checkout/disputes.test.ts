// A dispute is what the provider says of it: it is shown, holds refunds while it is open, and a lost one has returned its money.
import { beforeEach, describe, expect, test } from 'bun:test'

import type { Booking } from '../../../../src/features/booking/bookings/schemas.ts'
import { saveDispute } from '../../../../src/payments/queries/disputes.ts'
import { DEPOSIT, STARTED_AT } from '../../../support/booking-fixture.ts'
import { openRefundFixture } from '../../../support/refund-fixture.ts'
import { loggedInVisitor } from '../../../support/visitor.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import { opened } from '../../../support/fixture.ts'

const CENTS = DEPOSIT * 100

const { stripe, world, notify, settle, paidBooking } = await opened(openRefundFixture())
beforeEach(() => {
  world.clock.set(STARTED_AT)
  stripe.refundStatus = 'succeeded'
  stripe.outbox.length = 0
})

const byText = (one = '', other = '') => one.localeCompare(other)

describe('a dispute', () => {
  test('holds refunds while it is open; when it is won, they go on', async () => {
    const paid = await paidBooking()
    const dispute = stripe.dispute(paid.intent.id, CENTS)
    await notify()
    await paid.cancel()
    for (let n = 0; n < 3; n++) await settle()
    expect([await paid.disputes(), await paid.states()]).toEqual([[`open ${CENTS}`], ['refunding', `pending ${CENTS}`]])
    stripe.moveDispute(dispute, 'won')
    await notify((events) => events.toReversed())
    await settle()
    expect([await paid.disputes(), await paid.states()]).toEqual([[`won ${CENTS}`], ['refunded', `done ${CENTS}`]])
  })

  test('is not changed by an older reading of the provider that arrives late', async () => {
    const { deps } = world.app
    const paid = await paidBooking()
    const dispute = stripe.dispute(paid.intent.id, CENTS)
    await notify()
    const payment = { id: paid.paymentId, professionalId: paid.pro.id }
    const late = {
      id: dispute.id,
      amountCents: CENTS,
      reason: 'fraudulent',
      state: 'open' as const,
      isInquiry: false,
      openedAt: STARTED_AT,
    }
    const [stored] = await world.sql<{ reading: number }[]>`
      select reading::int from payment_disputes where payment_id = ${paid.paymentId}`
    stripe.moveDispute(dispute, 'won')
    await notify()
    await ctxOf(deps).transaction('saveDispute', (ctx) =>
      saveDispute(ctx, {
        id: crypto.randomUUID(),
        dispute: late,
        reading: stored?.reading ?? 0,
        now: world.clock.now(),
        payment,
      }),
    )
    expect(await paid.disputes()).toEqual([`won ${CENTS}`])
  })

  test('that is lost counts as returned: the money is never refunded again', async () => {
    for (const lost of [CENTS, 2000]) {
      const paid = await paidBooking()
      const dispute = stripe.dispute(paid.intent.id, lost)
      // No notification told of it: the refusal of the refund does.
      stripe.outbox.length = 0
      await paid.cancel()
      expect(await paid.states()).toEqual(['refunding', `pending ${CENTS}`])
      stripe.moveDispute(dispute, 'lost')
      await notify()
      await settle()
      // Stripe refuses to refund what is left of most charges that were charged back: an operator returns it in another way.
      const rest = lost === CENTS ? ['refunded'] : ['refunding', `failed ${CENTS - lost}`]
      expect([lost, (await paid.states()).toSorted(byText)]).toEqual([
        lost,
        [...rest, `replaced ${CENTS}`].toSorted(byText),
      ])
      expect(paid.intent.refunded).toBe(0)
    }
  })

  test('that is lost in part leaves the rest to Stripe: it is refunded where Stripe allows that', async () => {
    const paid = await paidBooking()
    const dispute = stripe.dispute(paid.intent.id, 2000)
    await notify()
    await paid.cancel()
    stripe.refusesRefund = ['needs_response']
    stripe.moveDispute(dispute, 'lost')
    await notify()
    await settle()
    stripe.refusesRefund = ['needs_response', 'lost']
    expect((await paid.states()).toSorted(byText)).toEqual(
      ['refunded', `replaced ${CENTS}`, `done ${CENTS - 2000}`].toSorted(byText),
    )
    expect(paid.intent.refunded).toBe(CENTS - 2000)
  })

  test('that is lost leaves to several refunds what is left, and no more', async () => {
    const paid = await paidBooking()
    const dispute = stripe.dispute(paid.intent.id, 3000)
    await notify()
    await paid.refund(3000)
    world.clock.advance(1)
    await paid.refund(1500)
    stripe.moveDispute(dispute, 'lost')
    await notify()
    expect((await paid.states()).toSorted(byText)).toEqual(
      ['part 2000', 'refunding', 'replaced 1500', 'replaced 3000'].toSorted(byText),
    )
  })

  test('is shown to the pro by API and on the page of the booking, and to the operator, and its inquiry is not', async () => {
    const { app } = world
    const paid = await paidBooking()
    const pro = await loggedInVisitor(app, 'pro', { pro: paid.pro.id })
    const operator = await loggedInVisitor(app, 'operator')
    const seen = async () => {
      const answer = await app.send(`/api/v1/pro/bookings/${paid.bookingId}`, { key: paid.pro.key })
      const booking = (await answer.json()) as Booking
      const page = await pro.get(`/console/bookings/${paid.bookingId}`)
      return { dispute: booking.payment?.dispute, page: page.text }
    }
    const inquiry = stripe.dispute(paid.intent.id, CENTS, 'warning_needs_response')
    stripe.moveDispute(inquiry, 'warning_closed')
    await notify()
    const quiet = await seen()
    expect([quiet.dispute, quiet.page.includes('dispute')]).toEqual([null, false])
    world.clock.advance(1)
    const dispute = stripe.dispute(paid.intent.id, 2000)
    const openedAt = new Date(Math.floor(dispute.createdMs / 1000) * 1000).toISOString()
    for (const [status, shown, text] of [
      ['needs_response', 'open', '$20.00 of it is disputed: the bank that issued the card has not decided yet'],
      ['lost', 'lost', 'After a dispute, the bank returned $20.00 to the card'],
      ['won', 'won', 'A dispute over $20.00 is closed, and the payment stays'],
    ] as const) {
      stripe.moveDispute(dispute, status)
      await notify()
      const { dispute: inApi, page } = await seen()
      expect(inApi).toEqual({ amount: 20, currency: 'USD', status: shown, openedAt })
      expect(page).toContain(`paid on November 20, 2026. ${text}`)
      const shownToOperator = (await operator.get(`/console/payments/${paid.paymentId}`)).text
      expect(shownToOperator).toContain('Disputes')
      expect(shownToOperator.toLowerCase()).toContain(`>${shown}<`)
    }
  })

  test('of several, one that is open or lost is shown before later ones that were won', async () => {
    const paid = await paidBooking()
    const shown = async () => {
      const answer = await world.app.send(`/api/v1/bookings/${paid.bookingId}`, { key: world.key })
      const { booking } = (await answer.json()) as { booking: Booking }
      return booking.payment?.dispute
    }
    const [first, second] = [stripe.dispute(paid.intent.id, 1000), stripe.dispute(paid.intent.id, 2000)]
    stripe.moveDispute(second, 'lost')
    await notify()
    expect(await shown()).toMatchObject({ amount: 10, status: 'open' })
    stripe.moveDispute(first, 'won')
    await notify()
    expect(await shown()).toMatchObject({ amount: 20, status: 'lost' })
  })

  test('of the whole payment after a part went back returns what was left: no pro owes more than was paid', async () => {
    const paid = await paidBooking()
    await paid.refund(2000)
    stripe.moveDispute(stripe.dispute(paid.intent.id, CENTS), 'lost')
    await notify()
    const answer = await world.app.send(`/api/v1/bookings/${paid.bookingId}`, { key: world.key })
    const { booking } = (await answer.json()) as { booking: Booking }
    expect(booking.balance).toMatchObject({ paid: 50, refunded: 50, netPaid: 0, refundable: 0, dueAtVisit: 250 })
  })

  test('of a payment that is kept returns it', async () => {
    const paid = await paidBooking()
    const dispute = stripe.dispute(paid.intent.id, CENTS)
    stripe.moveDispute(dispute, 'lost')
    await notify((events) => [...events.toReversed(), ...events])
    expect([await paid.disputes(), await paid.states()]).toEqual([[`lost ${CENTS}`], ['refunded']])
    expect(await paid.refund(100).catch((error: unknown) => error)).toMatchObject({ code: 'invalid_transition' })
    stripe.moveDispute(dispute, 'won')
    await notify()
    expect([await paid.disputes(), await paid.states()]).toEqual([[`won ${CENTS}`], ['succeeded']])
  })

  test('that only asks a question holds no refund', async () => {
    const paid = await paidBooking()
    stripe.dispute(paid.intent.id, CENTS, 'warning_needs_response')
    await notify()
    await paid.cancel()
    expect([await paid.disputes(), await paid.states()]).toEqual([[`open ${CENTS}`], ['refunded', `done ${CENTS}`]])
  })
})
