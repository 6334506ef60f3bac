// The events and pages of a booking show its payment as it is after the change.
import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { cancelUnanswered, lapseHolds, releaseHold } from '../../../../src/features/booking/bookings/verbs/holds.ts'
import type { Balance } from '../../../../src/payments/schemas.ts'
import { processNotification } from '../../../../src/features/money/checkout/verbs/notifications.ts'
import { type CreatedBooking, STARTED_AT, book, openBookingFixture, pay } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const world = await opened(openBookingFixture())

interface Shown {
  booking: {
    status: string
    cancelledBy: string | null
    cancellationReason: string | null
    payment: { status: string; refund: { amount: number; status: string } | null } | null
    balance: Balance
  }
}

const lookUp = async ({ booking }: CreatedBooking) => {
  const response = await world.app.send(`/api/v1/bookings/${booking.id}`, { key: world.key })
  return ((await response.json()) as Shown).booking
}

const pageOf = async (path: string) =>
  await (await world.app.app.handle(new Request(`${world.app.deps.config.baseUrl}${path}`))).text()

const lastEventOf = async ({ booking }: CreatedBooking) => {
  const [event] = await world.sql<{ object: Shown['booking'] }[]>`
    select data -> 'object' as object from outbox_events where aggregate_id = ${booking.id} order by sequence desc limit 1`
  return event?.object
}

const paid = async (it: CreatedBooking) => void (await pay(world, it.payment?.clientSecret ?? ''))
const cancel = ({ booking }: CreatedBooking) =>
  world.app.send(`/api/v1/bookings/${booking.id}/cancel`, { key: world.key, json: { reason: 'Sold the house' } })

/** Pays another amount than the one due. */
async function payWrongly({ booking }: CreatedBooking) {
  const [payment] = await world.sql<{ id: string; intentId: string }[]>`
    select id, intent_id from payments where booking_id = ${booking.id}`
  if (!payment) throw new Error('There is no payment.')
  const { id: paymentId, intentId } = payment
  const capture = { kind: 'captured', id: randomUUID(), paymentId, intentId, amountCents: 1, currency: 'USD' } as const
  await processNotification(ctxOf(world.app.deps), { provider: 'sandbox', notification: capture })
}

type Ending = [
  way: string,
  end: (it: CreatedBooking, proKey: string) => Promise<unknown>,
  shown: [payment: string, refund: string | undefined, by: string | null, reason: string | null],
  page: string[],
]

const ENDINGS: Ending[] = [
  ['a payment', paid, ['succeeded', undefined, null, null], ['$50.00, paid on November 20, 2026']],
  [
    'a customer who cancels unpaid',
    cancel,
    ['expired', undefined, 'customer', 'Sold the house'],
    ['You cancelled it: Sold the house', '$50.00, not paid in time'],
  ],
  [
    'a customer who cancels in time',
    async (it) => {
      await paid(it)
      await cancel(it)
    },
    ['refunded', 'done', 'customer', 'Sold the house'],
    ['$50.00. $50.00 was refunded'],
  ],
  [
    'a customer who cancels too late',
    async (it) => {
      await paid(it)
      world.clock.set('2026-11-23T14:00:00Z')
      await cancel(it)
    },
    ['succeeded', undefined, 'customer', 'Sold the house'],
    ['and not refunded because of the late cancellation'],
  ],
  [
    'a pro who rejects',
    async (it, key) => {
      await world.sql`update professionals set requires_approval = true`
      await paid(it)
      await world.app.send(`/api/v1/pro/bookings/${it.booking.id}`, { key, json: { action: 'reject', reason: 'Ill' } })
    },
    ['refunded', 'done', 'pro', 'Ill'],
    ['The pro cancelled it: Ill'],
  ],
  [
    'a pro who never answers',
    async (it) => {
      await world.sql`update professionals set requires_approval = true`
      await paid(it)
      world.clock.set('2026-11-23T15:00:00Z')
      await cancelUnanswered(ctxOf(world.app.deps), { limit: 1000 })
    },
    ['refunded', 'done', 'hearth', 'not_answered'],
    ['The pro did not confirm it before its start.'],
  ],
  [
    'the end of the hold',
    async () => {
      world.clock.advance(15)
      await lapseHolds(ctxOf(world.app.deps), { limit: 1000 })
    },
    ['expired', undefined, 'hearth', 'payment_expired'],
    ['It was not paid in time.'],
  ],
  [
    'a provider that does not answer',
    ({ booking }) => releaseHold(ctxOf(world.app.deps), { bookingId: booking.id }),
    ['expired', undefined, 'hearth', 'payment_unavailable'],
    ['because the payment provider did not answer'],
  ],
  [
    'a payment of the wrong amount',
    payWrongly,
    ['refunded', 'done', 'hearth', 'wrong_amount'],
    ['The payment was not of the agreed amount.'],
  ],
  [
    'a payment after the hold',
    async (it) => {
      world.clock.advance(15)
      await paid(it)
    },
    ['refunded', 'done', 'hearth', 'payment_expired'],
    ['It was not paid in time.', '$50.00 was refunded'],
  ],
]

for (const [way, end, [payment, refund, by, reason], texts] of ENDINGS)
  test(`after ${way}, the event, the look-up and the page show the same payment`, async () => {
    world.clock.set(STARTED_AT)
    const pro = await world.pro()
    const booked = await book(world, pro)
    await end(booked, pro.key)
    const shown = await lookUp(booked)
    expect([shown.payment?.status, shown.payment?.refund?.status, shown.cancelledBy, shown.cancellationReason]).toEqual(
      [payment, refund, by, reason],
    )
    // The provider confirms a refund after the event.
    const atTheEvent =
      refund === undefined
        ? shown
        : {
            ...shown,
            payment: { ...shown.payment, status: 'refunding', refund: { ...shown.payment?.refund, status: 'pending' } },
            balance: { ...shown.balance, refunding: shown.balance.refunded, refunded: 0 },
          }
    expect(await lastEventOf(booked)).toEqual(atTheEvent as Shown['booking'])
    const page = await pageOf(`/bookings/${booked.booking.confirmationCode}`)
    for (const text of ['Drain cleaning', '$250 per visit', ...texts]) expect(page).toContain(text)
    world.clock.set(STARTED_AT)
  })

test('cancelling again a booking whose payment is kept is refused and keeps it', async () => {
  world.clock.set(STARTED_AT)
  const booked = await book(world, await world.pro())
  await paid(booked)
  world.clock.set('2026-11-23T14:00:00Z')
  expect([(await cancel(booked)).status, (await cancel(booked)).status]).toEqual([200, 409])
  expect((await lookUp(booked)).payment).toMatchObject({ status: 'succeeded', refund: null })
  world.clock.set(STARTED_AT)
})
