// An operator refunds all or a part of a payment: once per form, never more than was paid, with a reason, through the provider.
import { beforeEach, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { listActions } from '../../../../src/features/upkeep/audit/verbs.ts'
import {
  findPayments,
  getPaymentDetail,
  refundPaymentAsOperator,
} from '../../../../src/features/money/operator-refunds/verbs.ts'
import { settleRefunds } from '../../../../src/payments/verbs/refunds.ts'
import { processNotification } from '../../../../src/features/money/checkout/verbs/notifications.ts'
import { STARTED_AT, book, openBookingFixture, rowsOf } from '../../../support/booking-fixture.ts'
import { FakeStripe } from '../../../support/fake-stripe.ts'
import { loggedInVisitor } from '../../../support/visitor.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import { opened } from '../../../support/fixture.ts'
const stripe = await opened(new FakeStripe())
const world = await opened(openBookingFixture({ ...stripe.env, LOG_LEVEL: 'silent' }))
beforeEach(() => {
  world.clock.set(STARTED_AT)
  stripe.nextLostResponse = () => undefined
  stripe.refundStatus = 'succeeded'
})

/** A paid booking, its payment and the provider's intent. */
async function paidBooking() {
  const pro = await world.pro()
  const { booking, payment } = await book(world, pro)
  const intent = stripe.pay(payment?.clientSecret ?? '')
  const [row] = await world.sql<{ id: string }[]>`select id from payments where booking_id = ${booking.id}`
  const paymentId = row?.id ?? ''
  const { amount: amountCents } = intent
  const notification = { id: randomUUID(), paymentId, intentId: intent.id, amountCents, currency: 'USD' }
  await processNotification(ctxOf(world.app.deps), {
    provider: 'stripe',
    notification: { kind: 'captured', ...notification },
  })
  const refund = (cents: number, refundId: string = randomUUID()) =>
    refundPaymentAsOperator(ctxOf(world.app.deps), {
      refundId,
      paymentId,
      amountCents: cents,
      reason: 'It rained in.',
      by: null,
    })
  return { pro, booking, intent, paymentId, refund }
}

test('parts are refunded at the provider until nothing is left, each with its reason and audit entry', async () => {
  const { booking, intent, paymentId, refund } = await paidBooking()
  const { deps } = world.app
  await refund(100)
  expect([intent.refunded, await rowsOf(world, booking.id)]).toMatchObject([
    100,
    { booking: 'confirmed', payment: 'succeeded', refund: 'done' },
  ])
  const payment = await getPaymentDetail(ctxOf(deps), { id: paymentId })
  expect(payment.refunds).toMatchObject([
    { amountCents: 100, reason: 'operator', note: 'It rained in.', status: 'done' },
  ])
  expect(await refund(intent.amount - 99).catch((error: unknown) => error)).toMatchObject({ code: 'validation_failed' })
  await refund(intent.amount - 100)
  expect(intent.refunded).toBe(intent.amount)
  expect((await getPaymentDetail(ctxOf(deps), { id: paymentId })).status).toBe('refunded')
  expect(await refund(1).catch((error: unknown) => error)).toMatchObject({ code: 'invalid_transition' })
  expect(await listActions(ctxOf(deps), { subjectId: paymentId })).toMatchObject([
    { action: 'payment.refunded', reason: 'It rained in.', details: { amountCents: intent.amount - 100 }, by: null },
    { details: { amountCents: 100 } },
  ])
  const messages = await world.sql<{ amount: number; note: string }[]>`
    select (data->'refund'->>'amount')::float8 as amount, data->'refund'->>'note' as note from messages
    where booking_id = ${booking.id} and kind = 'booking-refunded' order by id`
  expect([...messages]).toEqual([
    { amount: 1, note: 'It rained in.' },
    { amount: (intent.amount - 100) / 100, note: 'It rained in.' },
  ])
})

test('a form that is sent twice refunds once, at the same time or after a lost response', async () => {
  const { intent, paymentId, refund } = await paidBooking()
  const id = randomUUID()
  stripe.nextLostResponse = () => 'after'
  const results = await Promise.all([refund(200, id), refund(200, id), refund(200, id)])
  expect(results.filter(Boolean)).toEqual([true])
  stripe.nextLostResponse = () => undefined
  world.clock.advance(60)
  await settleRefunds(ctxOf(world.app.deps))
  expect([intent.refunded, (await getPaymentDetail(ctxOf(world.app.deps), { id: paymentId })).refundedCents]).toEqual([
    200, 200,
  ])
})

test('the form of one payment refunds no other, and says so', async () => {
  const [first, other] = [await paidBooking(), await paidBooking()]
  const id = randomUUID()
  await first.refund(200, id)
  expect(await other.refund(200, id).catch((error: unknown) => error)).toMatchObject({ code: 'validation_failed' })
  expect([first.intent.refunded, other.intent.refunded]).toEqual([200, 0])
})

test('a payment is refunded once every part was returned: until the last one is, it is being refunded', async () => {
  const { booking, intent, paymentId, refund } = await paidBooking()
  const shown = async () => {
    const { status } = await getPaymentDetail(ctxOf(world.app.deps), { id: paymentId })
    const answer = await world.app.send(`/api/v1/bookings/${booking.id}`, { key: world.key })
    const found = (await answer.json()) as { booking: { payment: { refund: { status: string } } } }
    return [status, found.booking.payment.refund.status]
  }
  await refund(100)
  stripe.refundStatus = 'pending'
  await refund(intent.amount - 100)
  expect(await shown()).toEqual(['refunding', 'pending'])
  for (const made of stripe.refunds.filter(({ intent: of }) => of === intent.id)) stripe.moveRefund(made, 'succeeded')
  await processNotification(ctxOf(world.app.deps), {
    provider: 'stripe',
    notification: { kind: 'changed', id: 'evt_returned', intentId: intent.id },
  })
  expect(await shown()).toEqual(['refunded', 'done'])
})

test('concurrent refunds of different forms never exceed what was paid, and the database refuses it by itself', async () => {
  const { intent, paymentId, pro, refund } = await paidBooking()
  const most = Math.ceil(intent.amount / 2) + 1
  const results = await Promise.allSettled([refund(most), refund(most), refund(most)])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(intent.refunded).toBe(most)
  const more = world.sql`
    insert into payment_refunds (id, payment_id, professional_id, reason, status, amount_cents, next_attempt_at, created_at)
    values (${randomUUID()}, ${paymentId}, ${pro.id}, 'operator', 'part', ${intent.amount}, now(), now())`
  expect(await more.catch((error: unknown) => error)).toMatchObject({
    constraint_name: 'payment_refunds_within_payment',
  })
})

test('cancelling the booking after a partial refund returns the rest', async () => {
  const { booking, intent, pro, refund } = await paidBooking()
  await refund(100)
  const answer = await world.app.send(`/api/v1/pro/bookings/${booking.id}`, {
    key: pro.key,
    json: { action: 'cancel', reason: 'The van broke down.' },
  })
  expect(answer.status).toBe(200)
  await settleRefunds(ctxOf(world.app.deps))
  expect([intent.refunded, (await rowsOf(world, booking.id)).booking]).toEqual([intent.amount, 'cancelled'])
})

test('payments are found by code, e-mail address and ids, also of the provider', async () => {
  const { booking, intent, paymentId, refund } = await paidBooking()
  const refundId = randomUUID()
  await refund(100, refundId)
  const { refunds } = await getPaymentDetail(ctxOf(world.app.deps), { id: paymentId })
  const texts = [
    booking.confirmationCode.toLowerCase(),
    booking.id,
    paymentId,
    intent.id,
    refundId,
    refunds[0]?.providerRefundId,
  ]
  for (const text of texts)
    expect([text, (await findPayments(ctxOf(world.app.deps), { text: ` ${text} ` })).map(({ id }) => id)]).toEqual([
      text,
      [paymentId],
    ])
  expect(await findPayments(ctxOf(world.app.deps), { text: 'HOME@example.com' })).toContainEqual(
    expect.objectContaining({ id: paymentId, refundedCents: 100 }),
  )
  expect(await findPayments(ctxOf(world.app.deps), { text: '%' })).toEqual([])
})

test('an operator refunds on the payment’s page; a wrong amount keeps what was typed, and other roles are refused', async () => {
  const { booking, intent, paymentId } = await paidBooking()
  const operator = await loggedInVisitor(world.app, 'operator')
  const { text: list } = await operator.get(`/console/payments?q=${booking.confirmationCode}`)
  expect(list).toContain(`/console/payments/${paymentId}`)
  const { text: page } = await operator.get(`/console/payments/${paymentId}`)
  expect(page).toContain('Left to refund')
  const refundId = /name="refundId" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const send = (amount: string) =>
    operator.post(`/console/payments/${paymentId}/refund`, { refundId, amount, reason: 'The tap drips again.' })
  for (const amount of ['0', 'all', '1.234', '99999']) {
    const { status, text } = await send(amount)
    expect([amount, status, text.includes('The tap drips again.')]).toEqual([amount, 400, true])
  }
  for (const _ of [1, 2]) expect((await send('$1.50')).status).toBe(303)
  expect(intent.refunded).toBe(150)
  expect((await operator.get(`/console/payments/${paymentId}`)).text).toContain('Partly refunded')
  const developer = await loggedInVisitor(world.app, 'developer')
  const refused = await developer.post(`/console/payments/${paymentId}/refund`, { refundId, amount: '1', reason: 'x' })
  expect([refused.status, (await developer.get(`/console/payments/${paymentId}`)).status]).toEqual([403, 403])
})

const byText = (one: string, other: string) => one.localeCompare(other)

test('a failed refund waits for an operator, who sends it again or records how the money was returned', async () => {
  const operator = await loggedInVisitor(world.app, 'operator')
  for (const act of ['resend', 'returned'] as const) {
    const { intent, paymentId, refund } = await paidBooking()
    stripe.refundStatus = 'failed'
    await refund(300)
    stripe.refundStatus = 'succeeded'
    expect((await operator.get('/console/payments')).text).toContain(`/console/payments/${paymentId}`)
    expect((await operator.get('/console/payments')).text).toContain('Failed refunds')
    const { text: page } = await operator.get(`/console/payments/${paymentId}`)
    expect(page).toContain('expired_or_canceled_card')
    const refundId = /resend"[^]*?name="refundId" value="([^"]+)"/.exec(page)?.[1] ?? ''
    const send = () => operator.post(`/console/payments/${paymentId}/${act}`, { refundId, note: 'By bank transfer.' })
    expect((await send()).status).toBe(303)
    // The button leads back to the page, which says why; the form is shown again.
    const again = await send()
    const { text } = act === 'resend' ? await operator.get(again.location ?? '') : again
    expect([again.status, /role="alert"/.test(text)]).toEqual([act === 'resend' ? 303 : 409, true])
    const { refunds } = await getPaymentDetail(ctxOf(world.app.deps), { id: paymentId })
    const states = refunds.map(({ status, returnedOtherwise }) => `${status} ${returnedOtherwise}`).toSorted(byText)
    expect([act, intent.refunded, states]).toEqual(
      act === 'resend' ? [act, 300, ['done null', 'replaced null']] : [act, 0, ['done By bank transfer.']],
    )
    expect(await listActions(ctxOf(world.app.deps), { subjectId: paymentId })).toMatchObject([
      act === 'resend' ? { action: 'refund.resent' } : { action: 'refund.returned', reason: 'By bank transfer.' },
      { action: 'payment.refunded' },
    ])
    expect((await operator.get('/console/payments')).text).not.toContain('Failed refunds')
  }
})

test('operators see the disputes of a payment, and that a refund waits for them', async () => {
  const { intent, paymentId, refund } = await paidBooking()
  stripe.dispute(intent.id, intent.amount)
  await processNotification(ctxOf(world.app.deps), {
    provider: 'stripe',
    notification: { kind: 'changed', id: 'evt_dispute', intentId: intent.id },
  })
  await refund(300)
  const operator = await loggedInVisitor(world.app, 'operator')
  const { text } = await operator.get(`/console/payments/${paymentId}`)
  for (const part of ['Disputes', 'fraudulent', 'Waits for the dispute']) expect(text).toContain(part)
})
