// Once a day the payment provider and our rows are compared: what notifications missed is applied, what differs is recorded.
import { beforeEach, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import {
  getPaymentHealth,
  listDifferences,
  reconcile,
} from '../../../../src/features/money/checkout/verbs/reconciliation.ts'
import { DEPOSIT, STARTED_AT, book } from '../../../support/booking-fixture.ts'
import { openRefundFixture } from '../../../support/refund-fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import { opened } from '../../../support/fixture.ts'

const CENTS = DEPOSIT * 100

const { stripe, world, paidBooking } = await opened(openRefundFixture())
stripe.clockMs = () => world.clock.now().getTime()
beforeEach(async () => {
  world.clock.set(STARTED_AT)
  await world.sql`delete from payment_reconciliations`
  stripe.nextLostResponse = () => undefined
  stripe.refundStatus = 'succeeded'
  stripe.outbox.length = 0
})

/** Runs a whole comparison, a day later. */
const compare = async (): Promise<number> => {
  world.clock.advance(25 * 60)
  let parts = 1
  while ((await reconcile(ctxOf(world.app.deps), { limit: 3 })) > 0) parts++
  return parts
}

test('what notifications missed is applied: payments, refunds, failures and disputes', async () => {
  const { booking, payment } = await book(world, await world.pro())
  const late = stripe.pay(payment?.clientSecret ?? '')
  stripe.outbox.length = 0
  const [dashboard, returned, disputed] = [await paidBooking(), await paidBooking(), await paidBooking()]
  stripe.refund(dashboard.intent.id, 700)
  await returned.cancel()
  stripe.moveRefund(stripe.refunds.at(-1) ?? stripe.refund('', 0), 'failed')
  const dispute = stripe.dispute(disputed.intent.id, CENTS)
  stripe.outbox.length = 0
  await compare()
  const [row] = await world.sql<{ status: string }[]>`select status from payments where intent_id = ${late.id}`
  expect([row?.status, booking.status]).toEqual(['refunded', 'pending'])
  expect(await dashboard.states()).toEqual(['succeeded', 'done 700'])
  expect(await returned.states()).toEqual(['refunding', `failed ${CENTS}`])
  expect(await disputed.disputes()).toEqual([`open ${CENTS}`])
  stripe.moveDispute(dispute, 'lost')
  stripe.outbox.length = 0
  await compare()
  expect([await disputed.disputes(), await disputed.states()]).toEqual([[`lost ${CENTS}`], ['refunded']])
  expect([
    await listDifferences(ctxOf(world.app.deps)),
    (await getPaymentHealth(ctxOf(world.app.deps))).failedRefunds,
  ]).toEqual([[], 1])
})

test('an intent that was paid without a payment of ours is a difference until it is refunded', async () => {
  const paid = await paidBooking()
  const unknown = stripe.createIntent(CENTS, 'usd', { payment_id: randomUUID() })
  // As after a restored backup: the customer paid the intent of before and a new one.
  const second = stripe.createIntent(CENTS, 'usd', { payment_id: paid.paymentId })
  const other = stripe.createIntent(CENTS, 'usd', { order: '17' })
  for (const intent of [unknown, second, other]) stripe.pay(intent.clientSecret)
  stripe.outbox.length = 0
  await compare()
  const found = await listDifferences(ctxOf(world.app.deps))
  expect(found.toSorted((one, another) => one.intentId.localeCompare(another.intentId))).toEqual(
    [unknown, second]
      .toSorted((one, another) => one.id.localeCompare(another.id))
      .map(({ id, metadata }) => ({
        intentId: id,
        paymentId: metadata['payment_id'] ?? null,
        providerCents: CENTS,
        ourCents: 0,
      })),
  )
  expect(await paid.states()).toEqual(['succeeded'])
  for (const intent of [unknown, second]) stripe.refund(intent.id, CENTS)
  stripe.outbox.length = 0
  await compare()
  expect(await listDifferences(ctxOf(world.app.deps))).toEqual([])
})

test('a refund that our rows call done and Stripe does not know is a difference', async () => {
  const paid = await paidBooking()
  await world.sql`
    insert into payment_refunds (id, payment_id, professional_id, reason, status, amount_cents, next_attempt_at, created_at,
      done_at, provider_refund_id)
    values (${randomUUID()}, ${paid.paymentId}, ${paid.pro.id}, 'operator', 'done', 500, now(), now(),
      ${world.clock.now().toISOString()}, 'sandbox_refund_1')`
  await compare()
  expect(await listDifferences(ctxOf(world.app.deps))).toMatchObject([
    { intentId: paid.intent.id, providerCents: CENTS, ourCents: CENTS - 500 },
  ])
  await world.sql`delete from payment_differences`
})

test('the comparison goes in pages, goes on where it stopped, and is made once a day', async () => {
  const many = await paidBooking()
  for (let n = 0; n < 7; n++) stripe.refund(many.intent.id, 1)
  stripe.outbox.length = 0
  stripe.maxPage = 2
  world.clock.advance(25 * 60)
  expect(await reconcile(ctxOf(world.app.deps), { limit: 3 })).toBe(3)
  stripe.nextLostResponse = () => 'before'
  expect(await reconcile(ctxOf(world.app.deps), { limit: 3 })).toBe(0)
  stripe.nextLostResponse = () => undefined
  // Another process may not go on at once, but some minutes later.
  expect(await reconcile(ctxOf(world.app.deps), { limit: 3 })).toBe(0)
  world.clock.advance(6)
  let parts = 1
  while ((await reconcile(ctxOf(world.app.deps), { limit: 3 })) > 0) parts++
  stripe.maxPage = 100
  expect(parts).toBeGreaterThan(5)
  expect(await many.states()).toEqual(['succeeded', ...Array<string>(7).fill('done 1')])
  const requests = stripe.requests.length
  for (let n = 0; n < 3; n++) expect(await reconcile(ctxOf(world.app.deps), { limit: 3 })).toBe(0)
  expect(stripe.requests.length).toBe(requests)
  expect((await getPaymentHealth(ctxOf(world.app.deps))).comparedSeconds).toBeLessThan(3600)
})
