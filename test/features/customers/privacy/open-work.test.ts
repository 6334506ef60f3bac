// A customer is not erased while the pro or the bank still needs their data: for money that is on its way, or for work that goes on.
import { beforeEach, expect, test } from 'bun:test'

import { ANONYMOUS } from '../../../../src/auth/accounts/verbs.ts'
import { progressJob } from '../../../../src/features/booking/jobs/verbs/progress-job.ts'
import { eraseCustomer } from '../../../../src/features/customers/privacy/verbs/erase-customer.ts'
import { acceptQuote } from '../../../../src/features/quoting/quotes/verbs/customer-link.ts'
import { STARTED_AT } from '../../../support/booking-fixture.ts'
import { newAddress } from '../../../support/customers.ts'
import { opened } from '../../../support/fixture.ts'
import { sentQuote } from '../../../support/quotes.ts'
import { openRefundFixture } from '../../../support/refund-fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const money = await opened(openRefundFixture())
beforeEach(() => {
  money.world.clock.set(STARTED_AT)
  money.stripe.refundStatus = 'succeeded'
})

const openWorkOf = async (email: string) => {
  const result = await eraseCustomer(ctxOf(money.world.app.deps), { email, requestedBy: 'a test' })
  return result.outcome === 'open_work' ? result.open : result.outcome
}

/** A paid booking of a customer of its own, which the pro has cancelled or completed. */
async function endedBooking(action: 'cancel' | 'complete') {
  const paid = await money.paidBooking()
  const email = newAddress()
  const [booking] = await money.world.sql<{ code: string }[]>`
    update bookings set customer_email = ${email} where id = ${paid.bookingId} returning confirmation_code as code`
  if (action === 'complete') money.world.clock.set('2026-11-24T12:00:00Z')
  const json = action === 'cancel' ? { action, reason: 'The van broke down.' } : { action }
  const answer = await money.world.app.send(`/api/v1/pro/bookings/${paid.bookingId}`, { key: paid.pro.key, json })
  expect(answer.status).toBe(200)
  return { ...paid, email, waits: { bookings: [], jobs: [], refunds: [booking?.code ?? ''], runs: [] } }
}

test('a customer is erased once their refund was made, not while it is on its way or has failed', async () => {
  money.stripe.refundStatus = 'pending'
  const { email, intent, states, waits } = await endedBooking('cancel')
  await money.settle()
  expect(await states()).toEqual(['refunding', `submitted ${intent.amount}`])
  expect(await openWorkOf(email)).toEqual(waits)
  const made = money.stripe.refunds.filter(({ intent: of }) => of === intent.id)
  for (const refund of made) money.stripe.moveRefund(refund, 'failed')
  await money.notify()
  expect(await states()).toEqual(['refunding', `failed ${intent.amount}`])
  expect(await openWorkOf(email)).toEqual(waits)
  await money.world.sql`
    update payment_refunds set status = 'done', done_at = now(), failed_at = null, returned_otherwise = 'In cash.'
    where payment_id in (select id from payments where intent_id = ${intent.id})`
  await money.world.sql`update payments set status = 'refunded' where intent_id = ${intent.id}`
  expect(await openWorkOf(email)).toBe('erased')
})

test('a customer is not erased while a part of a payment that is kept goes back to them, and gets no message afterwards', async () => {
  money.stripe.refundStatus = 'pending'
  const { email, intent, refund, states, waits } = await endedBooking('complete')
  await refund(100)
  expect(await states()).toEqual(['succeeded', 'submitted 100'])
  expect(await openWorkOf(email)).toEqual(waits)
  const made = money.stripe.refunds.filter(({ intent: of }) => of === intent.id)
  for (const one of made) money.stripe.moveRefund(one, 'succeeded')
  await money.notify()
  expect(await openWorkOf(email)).toBe('erased')
  // The customer's bank returns the money.
  for (const one of made) money.stripe.moveRefund(one, 'failed')
  await money.notify()
  expect(await states()).toEqual(['succeeded', 'failed 100'])
  expect(await money.world.sql`select kind from messages where recipient like '%@erased.invalid'`).toHaveLength(0)
})

test('a customer is not erased while their bank asks the money back', async () => {
  const { email, intent, disputes, waits } = await endedBooking('complete')
  const dispute = money.stripe.dispute(intent.id, 2000)
  await money.notify()
  expect(await disputes()).toEqual(['open 2000'])
  expect(await openWorkOf(email)).toEqual(waits)
  money.stripe.moveDispute(dispute, 'won')
  await money.notify()
  expect(await openWorkOf(email)).toBe('erased')
})

test('a customer is not erased before the work that they agreed to is done, also while it goes on', async () => {
  const { app } = money.world
  const pro = await money.world.pro({ deposit: false })
  const acting = { ...pro, professionalId: pro.id, slug: '' }
  const email = newAddress()
  const { token } = await sentQuote(app.deps, acting, {}, { name: 'Homeowner in Austin', email })
  const { quote } = await acceptQuote(ctxOf(app.deps, ANONYMOUS), { token })
  const jobId = quote.jobId ?? ''
  const waits = { bookings: [], jobs: [jobId], refunds: [], runs: [] }
  expect(await openWorkOf(email)).toEqual(waits)
  await progressJob(ctxOf(app.deps, acting), { id: jobId, progress: { action: 'start' } })
  expect(await openWorkOf(email)).toEqual(waits)
  await progressJob(ctxOf(app.deps, acting), { id: jobId, progress: { action: 'complete' } })
  expect(await openWorkOf(email)).toBe('erased')
})

test('an erased customer is not told that the bank returned the refund of a quote’s deposit', async () => {
  const { app, sql } = money.world
  const pro = await money.world.pro({ deposit: false })
  const acting = { ...pro, professionalId: pro.id, slug: '' }
  const email = newAddress()
  const terms = { depositRequired: true, depositPercentage: 30 }
  const { quoteId, token } = await sentQuote(app.deps, acting, terms, { name: 'Homeowner in Austin', email })
  const accepted = await app.send(`/api/v1/quotes/${token}/accept`, { json: {} })
  const { payment } = (await accepted.json()) as { payment: { clientSecret: string } }
  const { id: intentId } = money.stripe.pay(payment.clientSecret)
  await money.notify()
  expect((await app.send(`/api/v1/quotes/${token}/cancel`, { json: {} })).status).toBe(200)
  await money.settle()
  await money.notify()
  const refundOf = async () => {
    const [refund] = await sql<{ status: string }[]>`
      select r.status from payment_refunds r join payments p on p.id = r.payment_id where p.quote_id = ${quoteId}`
    return refund?.status
  }
  expect(await refundOf()).toBe('done')
  expect(await openWorkOf(email)).toBe('erased')
  for (const made of money.stripe.refunds.filter(({ intent: of }) => of === intentId))
    money.stripe.moveRefund(made, 'failed')
  await money.notify()
  expect(await refundOf()).toBe('failed')
  expect(await sql`select kind from messages where recipient like '%@erased.invalid'`).toHaveLength(0)
})
