// A refund is what the provider says of it: notifications only cause a look at the provider.
import { beforeEach, describe, expect, test } from 'bun:test'

import { processNotification } from '../../../../src/features/money/checkout/verbs/notifications.ts'
import { DEPOSIT, STARTED_AT, book } from '../../../support/booking-fixture.ts'
import type { FakeEvent, FakeRefund } from '../../../support/fake-stripe.ts'
import { Refusal } from '../../../support/fake-stripe-ledger.ts'
import { openRefundFixture } from '../../../support/refund-fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import { opened } from '../../../support/fixture.ts'

const CENTS = DEPOSIT * 100

const { stripe, world, deliver, notify, settle, paidBooking } = await opened(openRefundFixture())
beforeEach(() => {
  world.clock.set(STARTED_AT)
  stripe.nextLostResponse = () => undefined
  stripe.refundStatus = 'succeeded'
  stripe.maxPage = 100
  stripe.outbox.length = 0
})

const byText = (one = '', other = '') => one.localeCompare(other)
const last = (): FakeRefund => {
  const refund = stripe.refunds.at(-1)
  if (!refund) throw new Error('Stripe has no refund.')
  return refund
}

describe('a refund', () => {
  test('that Stripe accepted is on its way, and the customer is told that it was made when Stripe made it', async () => {
    const paid = await paidBooking()
    stripe.refundStatus = 'pending'
    await paid.cancel()
    await notify()
    expect(await paid.states()).toEqual(['refunding', `submitted ${CENTS}`])
    expect([await paid.refundInApi(), await paid.messages()]).toMatchObject([{ status: 'pending' }, 0])
    stripe.moveRefund(last(), 'succeeded')
    await notify()
    expect(await paid.states()).toEqual(['refunded', `done ${CENTS}`])
    expect([await paid.refundInApi(), await paid.messages()]).toMatchObject([{ status: 'done' }, 1])
  })

  test('that was made and then returned by the bank failed, in whatever order and number Stripe says so', async () => {
    for (const order of [
      (events: FakeEvent[]) => events.toReversed(),
      (events: FakeEvent[]) => [...events, ...events.toReversed(), ...events],
    ]) {
      const paid = await paidBooking()
      stripe.refundStatus = 'pending'
      await paid.cancel()
      stripe.moveRefund(last(), 'succeeded')
      const [first] = stripe.outbox
      await notify((events) => events.slice(0, 1))
      expect(await paid.states()).toEqual(['refunded', `done ${CENTS}`])
      stripe.moveRefund(last(), 'failed')
      if (first) stripe.outbox.push(first)
      await notify(order)
      expect(await paid.states()).toEqual(['refunding', `failed ${CENTS}`])
      expect(await paid.refundInApi()).toMatchObject({ status: 'failed', amount: DEPOSIT })
      expect(await paid.messages('booking-refund-failed')).toBe(1)
      expect(await settle()).toEqual({ settled: 0, failed: 0 })
      expect(paid.intent.refunded).toBe(0)
    }
  })

  test('whose answer was lost is made once, also after Stripe forgot its key', async () => {
    for (const isWhole of [true, false]) {
      const paid = await paidBooking()
      stripe.nextLostResponse = () => 'after'
      if (isWhole) await paid.cancel()
      else await paid.refund(1000)
      stripe.nextLostResponse = () => undefined
      stripe.advance(25)
      await settle()
      const cents = isWhole ? CENTS : 1000
      expect([isWhole, paid.intent.refunded, await paid.states()]).toEqual([
        isWhole,
        cents,
        [isWhole ? 'refunded' : 'succeeded', `done ${cents}`],
      ])
      // The key keeps two processes from making it at the same time.
      const { refund_id: refundId } = last().metadata
      expect(stripe.requests).toContain(`POST /v1/refunds hearth-refund-${refundId}`)
    }
  })

  test('is found among many refunds of its payment, which come in pages', async () => {
    const paid = await paidBooking()
    stripe.nextLostResponse = () => 'after'
    await paid.refund(1000)
    stripe.nextLostResponse = () => undefined
    for (let n = 0; n < 7; n++) stripe.refund(paid.intent.id, 1)
    stripe.maxPage = 2
    stripe.advance(25)
    await settle()
    expect(paid.intent.refunded).toBe(1007)
    expect((await paid.states()).toSorted(byText)).toEqual([
      ...Array<string>(7).fill('done 1'),
      'done 1000',
      'succeeded',
    ])
  })

  test('that Stripe refuses fails, and is not sent again by itself', async () => {
    const paid = await paidBooking()
    stripe.refund = () => {
      throw new Refusal('balance_insufficient', 'Insufficient funds in your Stripe account.')
    }
    await paid.cancel()
    // The method of the class again.
    Reflect.deleteProperty(stripe, 'refund')
    expect(await paid.states()).toEqual(['refunding', `failed ${CENTS}`])
    expect(await settle()).toEqual({ settled: 0, failed: 0 })
    expect(await paid.messages('booking-refund-failed')).toBe(0)
  })
})

describe('a refund made in Stripe’s dashboard', () => {
  test('is a refund of the payment, once, and the customer is told', async () => {
    const paid = await paidBooking()
    stripe.refund(paid.intent.id, 1500)
    await notify((events) => [...events, ...events])
    expect(await paid.states()).toEqual(['succeeded', 'done 1500'])
    expect([await paid.refundInApi(), await paid.messages()]).toMatchObject([{ amount: 15, status: 'done' }, 1])
    await paid.cancel()
    await notify()
    expect([await paid.states(), paid.intent.refunded]).toEqual([
      ['refunded', 'done 1500', `done ${CENTS - 1500}`],
      CENTS,
    ])
  })

  test('counts before its notification arrives: what is left is refunded, never more, and nothing waits for ever', async () => {
    for (const made of [1500, CENTS]) {
      const paid = await paidBooking()
      stripe.refund(paid.intent.id, made)
      stripe.outbox.length = 0
      await paid.cancel()
      await settle()
      await notify()
      const rest = made === CENTS ? [] : [`done ${CENTS - made}`]
      expect([paid.intent.refunded, (await paid.states()).toSorted(byText)]).toEqual([
        CENTS,
        [`done ${made}`, ...rest, 'refunded', `replaced ${CENTS}`].toSorted(byText),
      ])
      expect(await paid.refundInApi()).toMatchObject({ amount: DEPOSIT, status: 'done' })
    }
  })

  test('replaces one that failed', async () => {
    const paid = await paidBooking()
    stripe.refundStatus = 'failed'
    await paid.cancel()
    stripe.refundStatus = 'succeeded'
    stripe.refund(paid.intent.id, CENTS)
    await notify()
    expect(await paid.states()).toEqual(['refunded', `replaced ${CENTS}`, `done ${CENTS}`])
  })

  test('of a payment whose own notification was lost comes after the payment', async () => {
    const { booking, payment } = await book(world, await world.pro())
    const intent = stripe.pay(payment?.clientSecret ?? '')
    stripe.refund(intent.id, 100)
    stripe.outbox.splice(0, 1)
    await notify()
    const answer = await world.app.send(`/api/v1/bookings/${booking.id}`, { key: world.key })
    expect(await answer.json()).toMatchObject({
      booking: { status: 'confirmed', payment: { status: 'succeeded', refund: { amount: 1, status: 'done' } } },
    })
  })
})

test('a notification is refused while Stripe does not answer, and ignored for what is not ours', async () => {
  const paid = await paidBooking()
  stripe.refund(paid.intent.id, 100)
  stripe.nextLostResponse = () => 'before'
  const [event] = stripe.outbox
  expect(await deliver(event?.body ?? '')).toBe(503)
  stripe.nextLostResponse = () => undefined
  expect(await deliver(event?.body ?? '')).toBe(200)
  expect(await paid.states()).toEqual(['succeeded', 'done 100'])
  expect(
    await processNotification(ctxOf(world.app.deps), {
      provider: 'stripe',
      notification: { kind: 'changed', id: 'evt_1', intentId: 'pi_of_others' },
    }),
  ).toBe('ignored')
})
