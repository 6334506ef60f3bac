// payment.updated follows each change of a payment and its refunds, for those who subscribe to it.
import { beforeEach, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { Value } from '@sinclair/typebox/value'

import { Booking } from '../../../../src/features/booking/bookings/schemas.ts'
import { lapseHolds } from '../../../../src/features/booking/bookings/verbs/holds.ts'
import { refundPaymentAsOperator } from '../../../../src/features/money/operator-refunds/verbs.ts'
import { PaymentUpdate } from '../../../../src/payments/schemas.ts'
import { planDeliveries } from '../../../../src/webhooks/delivery/planning.ts'
import { DEFAULT_EVENT_KINDS, EVENT_KINDS } from '../../../../src/webhooks/endpoints/events.ts'
import { type CreatedBooking, STARTED_AT, book, openBookingFixture, pay } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { loggedInVisitor } from '../../../support/visitor.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const world = await opened(openBookingFixture({ WEBHOOK_ALLOW_PRIVATE: '1' }))
beforeEach(() => world.clock.set(STARTED_AT))

interface StoredEvent {
  id: string
  type: string
  sequence: number
  createdAt: string
  object: PaymentUpdate
}

const paymentIdOf = async (bookingId: string) => {
  const [row] = await world.sql<{ id: string }[]>`select id from payments where booking_id = ${bookingId}`
  return row?.id ?? ''
}

const eventsAbout = (id: string) =>
  world.sql<StoredEvent[]>`
    select id, type, sequence, created_at, data -> 'object' as object from outbox_events where aggregate_id = ${id} order by sequence`

const statesOf = async (bookingId: string) =>
  (await eventsAbout(await paymentIdOf(bookingId))).map(({ object }) => [
    object.status,
    ...object.refunds.map(({ amount, status }) => `${amount} ${status}`),
  ])

async function lookUp({ booking }: CreatedBooking): Promise<Booking> {
  const answer = await world.app.send(`/api/v1/bookings/${booking.id}`, { key: world.key })
  return ((await answer.json()) as { booking: Booking }).booking
}

const cancel = ({ booking }: CreatedBooking) =>
  world.app.send(`/api/v1/bookings/${booking.id}/cancel`, { key: world.key, json: {} })

async function paidBooking() {
  const pro = await world.pro()
  const made = await book(world, pro)
  await pay(world, made.payment?.clientSecret ?? '')
  const paymentId = await paymentIdOf(made.booking.id)
  const refund = (amountCents: number) =>
    refundPaymentAsOperator(ctxOf(world.app.deps), {
      refundId: randomUUID(),
      paymentId,
      amountCents,
      reason: 'It rained in.',
      by: null,
    })
  return { pro, made, paymentId, refund }
}

describe('payment.updated', () => {
  test('tells of each step once and in order, an operator’s refunds included, and agrees with the look-up', async () => {
    const made = await book(world, await world.pro())
    await pay(world, made.payment?.clientSecret ?? '', 'fails')
    await pay(world, made.payment?.clientSecret ?? '', 'fails')
    await pay(world, made.payment?.clientSecret ?? '')
    const paymentId = await paymentIdOf(made.booking.id)
    const reason = 'It rained in.'
    await refundPaymentAsOperator(ctxOf(world.app.deps), {
      refundId: randomUUID(),
      paymentId,
      amountCents: 1_000,
      reason,
      by: null,
    })
    world.clock.advance(1)
    await cancel(made)
    const events = await eventsAbout(paymentId)
    expect(events.map(({ createdAt }) => new Date(createdAt).toISOString())).toEqual([
      ...Array.from({ length: 4 }, () => STARTED_AT),
      ...Array.from({ length: 2 }, () => '2026-11-20T00:01:00.000Z'),
    ])
    expect(events.map(({ type, sequence }) => [type, sequence])).toEqual(
      events.map((_, n) => ['payment.updated', n + 1]),
    )
    expect(await statesOf(made.booking.id)).toEqual([
      ['failed'],
      ['succeeded'],
      ['succeeded', '10 requested'],
      ['succeeded', '10 done'],
      ['refunding', '10 done', '40 requested'],
      ['refunded', '10 done', '40 done'],
    ])
    for (const { object } of events) expect([...Value.Errors(PaymentUpdate, object)]).toEqual([])
    const { object } = events.at(-1) as StoredEvent
    expect(object).toMatchObject({ id: paymentId, bookingId: made.booking.id, quoteId: null, kept: false })
    expect(object).toMatchObject({ ...(await lookUp(made)).payment })
    expect(JSON.stringify(object)).not.toContain(reason)
  })

  test('tells of a payment that is kept and of one that was never made', async () => {
    const { made, paymentId } = await paidBooking()
    world.clock.set('2026-11-23T14:00:00Z')
    await cancel(made)
    expect((await eventsAbout(paymentId)).at(-1)?.object).toMatchObject({
      status: 'succeeded',
      kept: true,
      refunds: [],
    })
    world.clock.set(STARTED_AT)
    const held = await book(world, await world.pro())
    world.clock.advance(60)
    await lapseHolds(ctxOf(world.app.deps), { limit: 1000 })
    expect(await statesOf(held.booking.id)).toEqual([['expired']])
  })

  test('follows every change of the tables, once for each transaction, and not what looks the same', async () => {
    const { pro, paymentId, refund } = await paidBooking()
    await refund(500)
    const before = (await eventsAbout(paymentId)).length
    await world.sql.begin(async (sql) => {
      await sql`update payments set retained = true where id = ${paymentId}`
      await sql`update payment_refunds set amount_cents = 600 where payment_id = ${paymentId}`
      await sql`update payment_refunds set amount_cents = 700 where payment_id = ${paymentId}`
    })
    await world.sql`
      insert into payment_disputes (id, payment_id, professional_id, provider_dispute_id, amount_cents, reason, state, is_inquiry,
        opened_at, reading)
      values (${randomUUID()}, ${paymentId}, ${pro.id}, ${randomUUID()}, 900, 'fraudulent', 'open', false, now(), 1)`
    await world.sql`update payment_disputes set state = 'lost', closed_at = now() where payment_id = ${paymentId}`
    await world.sql`update payments set retained = true where id = ${paymentId}`
    await world.sql`update payment_refunds set status = status where payment_id = ${paymentId}`
    const undone = world.sql.begin(async (sql) => {
      await sql`update payments set retained = false where id = ${paymentId}`
      throw new Error('rolled back')
    })
    expect(await undone.catch((error: unknown) => error)).toEqual(new Error('rolled back'))
    const events = await eventsAbout(paymentId)
    expect(events.slice(before).map(({ object }) => object.disputes.map(({ status }) => status))).toEqual([
      [],
      ['open'],
      ['lost'],
    ])
    expect(events.at(-1)?.object).toMatchObject({ kept: true, refunds: [{ amount: 7 }] })
  })

  test('reaches the endpoints of the booking’s account and of the pro that subscribe to it, and no others', async () => {
    const { pro, paymentId } = await paidBooking()
    const stranger = await world.pro()
    const { deps } = world.app
    const subscribe = async (email: string | undefined, events: readonly string[]) => {
      const key = await world.app.key(['webhooks:manage', 'bookings:write'], email)
      const json = { name: 'test', url: 'http://127.0.0.1:8080/hook', events }
      const answer = await world.app.send('/api/v1/webhooks', { key, json })
      if (answer.status !== 201) throw new Error(await answer.text())
      return ((await answer.json()) as { id: string }).id
    }
    const ofPro = await subscribe(pro.email, ['payment.updated'])
    const ofAccount = await subscribe(undefined, EVENT_KINDS)
    await subscribe(pro.email, DEFAULT_EVENT_KINDS)
    await subscribe(stranger.email, EVENT_KINDS)
    const events = await eventsAbout(paymentId)
    const ids = events.map(({ id }) => id)
    await ctxOf(deps).transaction('plan', (ctx) => planDeliveries(ctx, { events }))
    const receivers = await world.sql<{ id: string }[]>`
      select distinct endpoint_id as id from webhook_deliveries where event_id = any (${ids}::uuid[])`
    expect(receivers.map(({ id }) => id).toSorted()).toEqual([ofPro, ofAccount].toSorted())
  })

  test('is offered to new endpoints, and not chosen for them', async () => {
    const developer = await loggedInVisitor(world.app, 'developer')
    const { text } = await developer.get('/console/webhooks')
    const chosen = [...text.matchAll(/<input[^>]*name="events"[^>]*>/g)].map(([input]) => [
      /value="([^"]+)"/.exec(input)?.[1],
      / checked/.test(input),
    ])
    expect(chosen).toEqual(EVENT_KINDS.map((kind) => [kind, kind !== 'payment.updated']))
  })
})

test('every event of a booking shows it in the shape of its look-up', async () => {
  const seen = new Set<string>()
  const pro = await world.pro({ requiresApproval: true })
  const act = (id: string, json: object) => world.app.send(`/api/v1/pro/bookings/${id}`, { key: pro.key, json })
  const ends = ['complete', 'no_show', 'cancel'] as const
  for (const [n, end] of ends.entries()) {
    world.clock.set(STARTED_AT)
    const made = await book(world, pro, n * 2)
    await pay(world, made.payment?.clientSecret ?? '')
    await act(made.booking.id, { action: 'confirm' })
    const json = { date: '2026-11-24', time: `${String(9 + n * 2).padStart(2, '0')}:00` }
    await world.app.send(`/api/v1/bookings/${made.booking.id}/reschedule`, { key: world.key, json })
    if (end === 'cancel') await cancel(made)
    else {
      world.clock.set('2026-11-25T00:00:00Z')
      await act(made.booking.id, { action: end })
    }
    const shape = Object.keys(await lookUp(made)).toSorted()
    for (const { type, object } of await eventsAbout(made.booking.id)) {
      expect([type, Object.keys(object).toSorted()]).toEqual([type, shape])
      expect([type, ...Value.Errors(Booking, object)]).toEqual([type])
      seen.add(type)
    }
  }
  expect([...seen].toSorted()).toEqual(EVENT_KINDS.filter((kind) => kind.startsWith('booking.')).toSorted())
})
