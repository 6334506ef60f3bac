// The deposit of a quote follows the visit: the terms of cancelling are those of bookings, and stand on every page before one pays.
import { beforeEach, expect, test } from 'bun:test'

import { ANONYMOUS, siteAccountOf } from '../../../../src/auth/accounts/verbs.ts'
import { manageUrl } from '../../../../src/features/booking/bookings/verbs/manage-link.ts'
import { bookVisit, listVisitTimes } from '../../../../src/features/quoting/quotes/verbs/visit.ts'
import type { Quote } from '../../../../src/features/quoting/quotes/schemas.ts'
import type { Balance } from '../../../../src/payments/schemas.ts'
import { STARTED_AT, openBookingFixture, pay } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { type QuotingPro, sentQuote } from '../../../support/quotes.ts'
import { Visitor, loggedInVisitor } from '../../../support/visitor.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const world = await opened(openBookingFixture())
beforeEach(() => world.clock.set(STARTED_AT))

async function newPro(): Promise<QuotingPro> {
  const { id: professionalId, serviceId, key, email } = await world.pro()
  const [account] = await world.sql<{ id: string }[]>`select id from accounts where email = ${email}`
  return { accountId: account?.id ?? '', professionalId, serviceId, key, email, slug: '' }
}

/** What the API's responses hold. */
interface Body {
  quote: Quote
  payment: { clientSecret: string; payUrl: string }
  job: { balance: Balance }
  booking: { balance: Balance }
}

/** A quote of $320 with a deposit of $80, and what its people do with it. */
async function quoted() {
  const pro = await newPro()
  const { deps } = world.app
  const { quoteId, token } = await sentQuote(deps, pro, { amount: 320, depositRequired: true, depositPercentage: 25 })
  const api = async (path: string, options: { key?: string; json?: object } = {}) => {
    const answer = await world.app.send(`/api/v1${path}`, options)
    return { status: answer.status, body: (await answer.json()) as Body }
  }
  const customer = new Visitor(world.app)
  const page = async (path = '') => (await customer.get(`/quotes/${token}${path}`)).text
  const accept = async () => (await api(`/quotes/${token}/accept`, { json: {} })).body
  const quote = async () => (await api(`/quotes/${token}`)).body.quote
  const accepted = async () => void (await pay(world, (await accept()).payment.clientSecret))
  const chooseTime = async (n = 0) => {
    const { availability } = await listVisitTimes(ctxOf(deps), { date: '2026-11-24', days: 3, token })
    const slot = availability
      .flatMap(({ date, slots }) =>
        slots.filter(({ available }) => available).map(({ start }) => ({ date, time: start })),
      )
      .at(n)
    if (!slot) throw new Error('The pro has no open times.')
    const bookingId = await bookVisit(ctxOf(deps), {
      site: await siteAccountOf(deps)(),
      actor: ANONYMOUS,
      ...slot,
      token,
    })
    const managePath = new URL(manageUrl(ctxOf(deps), { bookingId })).pathname
    return { bookingId, managePath, manage: async (path = '') => (await customer.get(`${managePath}${path}`)).text }
  }
  const rows = async () => {
    const [row] = await world.sql<
      { job: string; by: string | null; payment: string; retained: boolean; refunded: number }[]
    >`
      select j.status as job, j.cancelled_by as by, y.status as payment, y.retained,
        (select coalesce(sum(amount_cents), 0)::integer from payment_refunds r where r.payment_id = y.id and r.status = 'done')
          as refunded
      from jobs j join payments y on y.quote_id = j.quote_id where j.quote_id = ${quoteId}`
    return { ...row }
  }
  return { pro, quoteId, token, api, customer, page, accept, quote, accepted, chooseTime, rows }
}

const balance = (changes: Partial<Balance>): Balance => ({
  currency: 'USD',
  agreed: 320,
  paid: 80,
  refunded: 0,
  refunding: 0,
  netPaid: 80,
  refundable: 80,
  dueNow: 0,
  dueAtVisit: 240,
  ...changes,
})
const REFUNDED = balance({ refunded: 80, netPaid: 0, refundable: 0, dueAtVisit: 0 })
const KEPT = { job: 'cancelled', by: 'customer', payment: 'succeeded', retained: true, refunded: 0 }
const RETURNED = { job: 'cancelled', payment: 'refunded', retained: false, refunded: 8000 }

test('the terms of cancelling stand on the quote’s page and on its payment’s, before anything is paid', async () => {
  const it = await quoted()
  const terms = 'comes back in full if you cancel before you choose a time, and then until 24 hours before the start'
  expect(await it.page()).toContain(terms)
  const { payment } = await it.accept()
  expect((await it.customer.get(new URL(payment.payUrl).pathname)).text).toContain(terms)
  expect((await it.quote()).balance).toEqual(
    balance({ paid: 0, netPaid: 0, refundable: 0, dueNow: 80, dueAtVisit: 240 }),
  )
})

test('cancelling the visit in time returns the deposit and ends the work', async () => {
  const it = await quoted()
  await it.accepted()
  const visit = await it.chooseTime()
  expect(await visit.manage()).toContain('$80.00 of $320.00 paid, $240.00 due at the visit')
  const question = await visit.manage('/cancel')
  expect(question).toContain('You get all of the $80 back that you paid.')
  expect(question).toContain('The work of your quote ends with it.')
  await it.customer.postRaw(`${visit.managePath}/cancel`, {})
  expect(await it.rows()).toMatchObject({ ...RETURNED, by: 'customer' })
  expect((await it.quote()).balance).toEqual(REFUNDED)
  expect(await it.page()).toContain('You cancelled the work. The deposit went back to you.')
  expect(await visit.manage('/receipt')).toContain('Refunded')
})

test('cancelling the visit too late keeps the deposit, as the page says before', async () => {
  const it = await quoted()
  await it.accepted()
  const visit = await it.chooseTime()
  world.clock.set('2026-11-24T02:00:00Z')
  expect(await visit.manage('/cancel')).toContain('Your payment of $80 is not refundable.')
  await it.customer.postRaw(`${visit.managePath}/cancel`, {})
  expect(await it.rows()).toMatchObject(KEPT)
  expect(await it.page()).toContain('$80.00 of the deposit is kept')
  const pro = await loggedInVisitor(world.app, 'pro', { pro: it.pro.professionalId })
  const { jobId } = await it.quote()
  expect((await pro.get(`/console/jobs/${jobId}`)).text).toContain('not refunded because of the late cancellation')
})

test('a visit that the customer misses keeps the deposit and ends the work', async () => {
  const it = await quoted()
  await it.accepted()
  const { bookingId } = await it.chooseTime()
  world.clock.set('2026-11-28T00:00:00Z')
  const json = { action: 'no_show' }
  expect((await it.api(`/pro/bookings/${bookingId}`, { key: it.pro.key, json })).status).toBe(200)
  expect(await it.rows()).toMatchObject(KEPT)
  expect(await it.page('/cancel')).not.toContain('Cancel the work?')
})

test('until a time is chosen, the whole deposit comes back from the quote’s page and by the API, and the pro is told', async () => {
  for (const way of ['page', 'api'] as const) {
    const it = await quoted()
    await it.accepted()
    expect(await it.page()).toContain('Cancel the work')
    expect(await it.page('/cancel')).toContain('You get $80 back')
    if (way === 'page') await it.customer.postRaw(`/quotes/${it.token}/cancel`, { reason: 'We sold the house.' })
    else {
      const { status, body } = await it.api(`/quotes/${it.token}/cancel`, { json: { reason: 'We sold the house.' } })
      expect([status, body]).toMatchObject([200, { success: true, refund: { amount: 80, status: 'done' } }])
    }
    expect(await it.rows()).toMatchObject({ ...RETURNED, by: 'customer' })
    const [message] = await world.sql<{ recipient: string; reason: string }[]>`
      select recipient, data ->> 'reason' as reason from messages
      where kind = 'job-cancelled-for-pro' and professional_id = ${it.pro.professionalId}`
    expect({ ...message }).toEqual({ recipient: it.pro.email, reason: 'We sold the house.' })
    expect((await it.api(`/quotes/${it.token}/cancel`, { json: {} })).status).toBe(409)
  }
})

test('work that has a time or has begun is not cancelled from the quote’s page', async () => {
  const it = await quoted()
  expect((await it.api(`/quotes/${it.token}/cancel`, { json: {} })).status).toBe(409)
  await it.accepted()
  await it.chooseTime()
  expect((await it.api(`/quotes/${it.token}/cancel`, { json: {} })).status).toBe(409)
  const begun = await quoted()
  await begun.accepted()
  const { jobId } = await begun.quote()
  await begun.api(`/pro/jobs/${jobId}`, { key: begun.pro.key, json: { action: 'start' } })
  expect((await begun.api(`/quotes/${begun.token}/cancel`, { json: {} })).status).toBe(409)
  expect((await begun.rows()).refunded).toBe(0)
})

test('a pro who cancels the visit or the job returns the whole deposit, however late, and both end', async () => {
  for (const what of ['visit', 'job'] as const) {
    const it = await quoted()
    await it.accepted()
    const { bookingId } = await it.chooseTime()
    const { jobId } = await it.quote()
    world.clock.set('2026-11-24T02:00:00Z')
    const path = what === 'visit' ? `/pro/bookings/${bookingId}` : `/pro/jobs/${jobId}`
    const json = { action: 'cancel', reason: 'The van broke down.' }
    expect((await it.api(path, { key: it.pro.key, json })).status).toBe(200)
    expect(await it.rows()).toMatchObject({ ...RETURNED, by: 'pro' })
    const [visit] = await world.sql<{ status: string }[]>`select status from bookings where id = ${bookingId}`
    expect(visit?.status).toBe('cancelled')
    world.clock.set(STARTED_AT)
  }
})

test('the customer and the pro cancelling at once end the work and refund the deposit once', async () => {
  const it = await quoted()
  await it.accepted()
  const { bookingId, managePath } = await it.chooseTime()
  const { jobId } = await it.quote()
  const json = { action: 'cancel', reason: 'The van broke down.' }
  const statuses = await Promise.all([
    it.api(`/pro/jobs/${jobId}`, { key: it.pro.key, json }),
    it.api(`/pro/bookings/${bookingId}`, { key: it.pro.key, json }),
    it.customer.postRaw(`${managePath}/cancel`, {}),
  ])
  expect(statuses.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
  expect(await it.rows()).toMatchObject(RETURNED)
})

test('the pro sees what is paid and due on the pages of the job, the lead and the visit', async () => {
  const it = await quoted()
  await it.accepted()
  const { bookingId } = await it.chooseTime()
  const pro = await loggedInVisitor(world.app, 'pro', { pro: it.pro.professionalId })
  const { jobId, rfqId } = await it.quote()
  const text = '$80.00 of $320.00 paid, $240.00 due at the visit'
  for (const path of [
    `/console/jobs/${jobId}`,
    `/console/leads/${rfqId}`,
    `/console/bookings/${bookingId}`,
    '/console/bookings',
  ])
    expect([path, (await pro.get(path)).text.includes(text)]).toEqual([path, true])
  const { key } = it.pro
  const job = await it.api(`/pro/jobs/${jobId}`, { key })
  const visit = await it.api(`/bookings/${bookingId}`, { key })
  expect([job.body.job.balance, visit.body.booking.balance]).toEqual([balance({}), balance({})])
})
