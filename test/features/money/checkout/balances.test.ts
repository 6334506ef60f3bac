// One sum everywhere: after any sequence of payments, refunds and endings, every surface says of a booking or quote what was paid,
// what went back and what is due, to the cent.
import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import fc from 'fast-check'

import { ANONYMOUS, siteAccountOf } from '../../../../src/auth/accounts/verbs.ts'
import { manageUrl } from '../../../../src/features/booking/bookings/verbs/manage-link.ts'
import { getPaymentDetail, refundPaymentAsOperator } from '../../../../src/features/money/operator-refunds/verbs.ts'
import { bookVisit, listVisitTimes } from '../../../../src/features/quoting/quotes/verbs/visit.ts'
import type { Balance, PaymentUpdate } from '../../../../src/payments/schemas.ts'
import { money } from '../../../../src/platform/text/format.ts'
import {
  type Oracle,
  PRICE_CENTS,
  balanceOf,
  giveBack,
  leftOf,
  newOracle,
  revenueOf,
} from '../../../support/balance-oracle.ts'
import { type FixturePro, STARTED_AT, book, openBookingFixture, pay } from '../../../support/booking-fixture.ts'
import { countersAdrift } from '../../../support/counted.ts'
import { opened } from '../../../support/fixture.ts'
import { sentQuote } from '../../../support/quotes.ts'
import { Visitor, loggedInVisitor } from '../../../support/visitor.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const world = await opened(openBookingFixture())

type Step =
  | { do: 'refund fails' | 'dispute is lost' | 'cancel' | 'cancel late' | 'reject' | 'pro cancels' | 'complete' }
  | { do: 'refund'; percent: number }

const STEPS: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('refund' as const), percent: fc.integer({ min: 1, max: 120 }) }),
  },
  fc.record({
    do: fc.constantFrom(
      ...(['refund fails', 'dispute is lost', 'complete', 'cancel', 'cancel late', 'reject', 'pro cancels'] as const),
    ),
  }),
)

/** Lives that chance does not always find. */
const LIVES: [{ subject: 'booking' | 'quote'; steps: Step[] }][] = [
  [{ subject: 'booking', steps: [{ do: 'refund', percent: 50 }, { do: 'complete' }, { do: 'refund', percent: 30 }] }],
  [{ subject: 'quote', steps: [{ do: 'cancel late' }] }],
]

/** A booking or the visit of a quote. */
interface Subject {
  kind: 'booking' | 'quote'
  pro: FixturePro
  bookingId: string
  quoteToken: string | undefined
  paymentId: string
  oracle: Oracle
}

const COMPLETED_AT = '2026-11-24T12:00:00Z'

const paymentOf = async (column: 'booking_id' | 'quote_id', id: string) => {
  const [row] = await world.sql<{ id: string }[]>`select id from payments where ${world.sql(column)} = ${id}`
  return row?.id ?? ''
}

async function paidBooking(requiresApproval: boolean): Promise<Subject> {
  const pro = await world.pro({ requiresApproval })
  const { booking, payment } = await book(world, pro)
  await pay(world, payment?.clientSecret ?? '')
  const paymentId = await paymentOf('booking_id', booking.id)
  return { kind: 'booking', pro, bookingId: booking.id, quoteToken: undefined, paymentId, oracle: newOracle() }
}

async function paidVisit(): Promise<Subject> {
  const pro = await world.pro()
  const { deps } = world.app
  const quoting = { ...pro, professionalId: pro.id, slug: '' }
  const terms = { amount: PRICE_CENTS / 100, depositRequired: true, depositPercentage: 20 }
  const { quoteId, token } = await sentQuote(deps, quoting, terms)
  const answer = await world.app.send(`/api/v1/quotes/${token}/accept`, { json: {} })
  const { payment } = (await answer.json()) as { payment: { clientSecret: string } }
  await pay(world, payment.clientSecret)
  const { availability } = await listVisitTimes(ctxOf(deps), { date: '2026-11-23', days: 1, token })
  const slot = availability[0]?.slots.findLast(({ available }) => available)
  const customer = { site: await siteAccountOf(deps)(), actor: ANONYMOUS }
  const bookingId = await bookVisit(ctxOf(deps), { ...customer, date: '2026-11-23', time: slot?.start ?? '', token })
  const paymentId = await paymentOf('quote_id', quoteId)
  return { kind: 'quote', pro, bookingId, quoteToken: token, paymentId, oracle: newOracle() }
}

async function take(it: Subject, step: Step): Promise<void> {
  const { oracle } = it
  const left = leftOf(oracle)
  if (step.do === 'complete') return await completeVisit(it)
  if (step.do === 'refund fails') return await failRefund(it)
  if (step.do === 'dispute is lost') return await loseDispute(it)
  if (step.do === 'refund') {
    const amountCents = Math.max(1, Math.round((left * step.percent) / 100))
    const refund = { refundId: randomUUID(), paymentId: it.paymentId, amountCents, reason: 'It rained in.', by: null }
    const isDone = await refundPaymentAsOperator(ctxOf(world.app.deps), refund).catch(() => false)
    expect(isDone).toBe(amountCents <= left)
    if (isDone) giveBack(oracle, amountCents)
    return
  }
  if (step.do === 'cancel late') world.clock.set('2026-11-23T14:00:00Z')
  const isBefore = await statusOf(it)
  if (step.do === 'cancel' || step.do === 'cancel late')
    await new Visitor(world.app).postRaw(`${managePath(it)}/cancel`, {})
  else {
    const json = { action: step.do === 'reject' ? 'reject' : 'cancel', reason: 'The van broke down.' }
    await world.app.send(`/api/v1/pro/bookings/${it.bookingId}`, { key: it.pro.key, json })
  }
  if (isBefore === 'cancelled' || (await statusOf(it)) !== 'cancelled') return
  oracle.isOver = true
  if (step.do !== 'cancel late' || isBefore !== 'confirmed') oracle.refundedCents += left
}

/** The visit of a quote completes its job, whose revenue is another sum. */
async function completeVisit({ kind, bookingId, pro, oracle }: Subject): Promise<void> {
  if (kind === 'quote' || oracle.isOver) return
  world.clock.set(COMPLETED_AT)
  const json = { action: 'complete' }
  const { status } = await world.app.send(`/api/v1/pro/bookings/${bookingId}`, { key: pro.key, json })
  if (status === 200) Object.assign(oracle, { isOver: true, backSinceVisitCents: 0 })
}

/** The provider says later that it could not make a refund of a part. */
async function failRefund({ paymentId, oracle }: Subject): Promise<void> {
  const failed = await world.sql<{ cents: number; isSinceVisit: boolean }[]>`
    update payment_refunds r set status = 'failed', failed_at = ${world.clock.now().toISOString()}, done_at = null
    where r.id = (
      select d.id from payment_refunds d join payments y on y.id = d.payment_id
      where y.id = ${paymentId} and y.status = 'succeeded' and d.status = 'done' order by d.id limit 1)
    returning r.amount_cents as cents, r.created_at >= ${COMPLETED_AT} as "isSinceVisit"`
  for (const { cents, isSinceVisit } of failed) {
    oracle.refundedCents -= cents
    if (oracle.backSinceVisitCents !== null && isSinceVisit) oracle.backSinceVisitCents -= cents
    oracle.failedCents += cents
  }
}

/** The customer's bank takes a part of the payment back. */
async function loseDispute({ paymentId, pro, oracle }: Subject): Promise<void> {
  const cents = Math.floor(leftOf(oracle) / 2)
  if (cents === 0) return
  const now = world.clock.now().toISOString()
  await world.sql`
    insert into payment_disputes (id, payment_id, professional_id, provider_dispute_id, amount_cents, reason, state, is_inquiry,
      opened_at, closed_at, reading)
    values (${randomUUID()}, ${paymentId}, ${pro.id}, ${randomUUID()}, ${cents}, 'fraudulent', 'lost', false, ${now}, ${now}, 1)`
  giveBack(oracle, cents)
}

const managePath = ({ bookingId }: Subject) => new URL(manageUrl(ctxOf(world.app.deps), { bookingId })).pathname

const statusOf = async ({ bookingId }: Subject) => {
  const [row] = await world.sql<{ status: string }[]>`select status from bookings where id = ${bookingId}`
  return row?.status
}

async function shownTo(it: Subject): Promise<Record<string, unknown>> {
  const { app, sql } = world
  const { pro, bookingId, quoteToken, paymentId } = it
  const api = async <T>(path: string) => (await (await app.send(`/api/v1${path}`, { key: pro.key })).json()) as T
  type OfBooking = { id: string; balance: Balance }
  const lookUp = await api<{ booking: OfBooking }>(`/bookings/${bookingId}`)
  const list = await api<{ bookings: OfBooking[] }>('/pro/bookings')
  const analytics = await api<{ revenue: { total: number } }>('/pro/analytics?period=all')
  const [event] = await sql<{ object: PaymentUpdate }[]>`
    select data -> 'object' as object from outbox_events where aggregate_id = ${paymentId} order by sequence desc limit 1`
  const [message] = await sql<{ balance: Balance }[]>`
    select current_message_booking(${bookingId}, ${world.clock.now().toISOString()}) -> 'balance' as balance`
  const { refundedCents, refundableCents } = await getPaymentDetail(ctxOf(app.deps), { id: paymentId })
  const ofQuote = async () => (await api<{ quote: { balance: Balance } }>(`/quotes/${quoteToken}`)).quote.balance
  return {
    lookUp: lookUp.booking.balance,
    list: list.bookings.find(({ id }) => id === bookingId)?.balance,
    message: message?.balance,
    quote: quoteToken ? await ofQuote() : lookUp.booking.balance,
    operator: { refundedCents, refundableCents },
    webhook: event ? returnedIn(event.object) : 0,
    revenue: analytics.revenue.total,
  }
}

/** What went back, in dollars, by the event of the payment. */
const returnedIn = ({ refunds, disputes }: PaymentUpdate): number =>
  [...refunds, ...disputes]
    .filter(({ status }) => status === 'done' || status === 'lost')
    .reduce((cents, { amount }) => cents + Math.round(amount * 100), 0) / 100

function expectedOf({ oracle }: Subject): Record<string, unknown> {
  const balance = balanceOf(oracle)
  return {
    lookUp: balance,
    list: balance,
    message: balance,
    quote: balance,
    operator: { refundedCents: oracle.refundedCents, refundableCents: leftOf(oracle) },
    webhook: balance.refunded,
    revenue: undefined,
  }
}

/** What people read on the pages. */
async function expectPages(it: Subject): Promise<void> {
  const { oracle } = it
  const customer = new Visitor(world.app)
  const [paid, refunded, left] = [oracle.paidCents, oracle.refundedCents, oracle.paidCents - oracle.refundedCents].map(
    (cents) => money(cents / 100),
  )
  const expected = [`${paid} of $250.00 paid`, ...(oracle.refundedCents > 0 ? [`${refunded} refunded`] : [])].join(', ')
  const pro = await loggedInVisitor(world.app, 'pro', { pro: it.pro.id })
  const pages = [await customer.get(managePath(it)), await pro.get(`/console/bookings/${it.bookingId}`)]
  for (const { text } of pages) expect(text).toContain(expected)
  const receipt = (await customer.get(`${managePath(it)}/receipt`)).text.replaceAll(/\s+/g, ' ').replaceAll('> <', '><')
  expect(receipt).toMatch(new RegExp(`Paid( in the end)?</th><td>${left?.replaceAll(/[$.]/g, String.raw`\$&`)}</td>`))
  const delayed = `another way</td><td>${money(oracle.failedCents / 100)}</td>`
  expect(receipt.includes(delayed)).toBe(oracle.failedCents > 0)
  const { text } = await customer.get(`${managePath(it)}/cancel`)
  if (oracle.isOver || leftOf(oracle) === oracle.paidCents) return
  const short = leftOf(oracle) / 100
  if (world.clock.now().toISOString() <= '2026-11-22T15:00:00Z')
    expect(text).toContain(
      short === 0
        ? 'All that you paid went back'
        : `You get the other $${Number.isInteger(short) ? short : short.toFixed(2)} back`,
    )
}

test('every surface agrees with one oracle, whatever was paid, refunded, cancelled and rejected', async () => {
  const lives = fc.record({
    subject: fc.constantFrom('booking' as const, 'approved booking' as const, 'quote' as const),
    steps: fc.array(STEPS, { minLength: 1, maxLength: 4 }),
  })
  await fc.assert(
    fc.asyncProperty(lives, async ({ subject, steps }) => {
      world.clock.set(STARTED_AT)
      const it = subject === 'quote' ? await paidVisit() : await paidBooking(subject === 'approved booking')
      for (const step of steps) {
        await take(it, step)
        expect(await shownTo(it)).toEqual({ ...expectedOf(it), revenue: revenueOf(it.kind, it.oracle) })
        await expectPages(it)
      }
    }),
    { numRuns: 15, examples: LIVES },
  )
  expect(await countersAdrift(world.sql)).toEqual([])
}, 120_000)
