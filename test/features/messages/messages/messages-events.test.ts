// Every event that concerns a person brings one message per person, over real SMTP.
import { expect, test } from 'bun:test'

import { ANONYMOUS, siteAccountOf } from '../../../../src/auth/accounts/verbs.ts'
import { manageUrl } from '../../../../src/features/booking/bookings/verbs/manage-link.ts'
import { bookVisit } from '../../../../src/features/quoting/quotes/verbs/visit.ts'
import { book, pay } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { openMessageFixture } from '../../../support/messages.ts'
import { sentQuote } from '../../../support/quotes.ts'
import { addressesOf } from '../../../support/smtp-receiver.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const at = await opened(openMessageFixture())
const CUSTOMER = 'home@example.com'

/** What happened to an address since the last call: the kinds that were planned. */
async function kindsOf(recipient: string): Promise<string[]> {
  const lines = await at.planned(recipient)
  await at.sql`delete from messages where recipient = ${recipient}`
  return lines
}

const act = async (id: string, key: string, json: object) => {
  const answer = await at.app.send(`/api/v1/pro/bookings/${id}`, { key, json })
  if (answer.status !== 200) throw new Error(await answer.text())
}

const emailOf = async (proId: string) => {
  const [row] = await at.sql<{ email: string }[]>`
    select a.email from professionals p join accounts a on a.id = p.account_id where p.id = ${proId}`
  return row?.email ?? ''
}

test('a booking at once is told to the customer and the pro, once each, however often it is relayed', async () => {
  const pro = await at.pro({ deposit: false })
  const { booking } = await book(at, pro)
  const mailed = manageUrl(ctxOf(at.app.deps), { isMailed: true, bookingId: booking.id })
  await at.settle()
  await at.sql`update outbox_events set relayed_at = null`
  await at.settle()
  const [toPro, ...others] = at.smtp.to(await emailOf(pro.id))
  expect(others).toEqual([])
  expect(await kindsOf(await emailOf(pro.id))).toEqual(['new-booking sent'])
  expect(await kindsOf(CUSTOMER)).toEqual(['booking-confirmed sent', 'booking-reminder pending'])
  const [toCustomer, ...more] = at.smtp.to(CUSTOMER)
  expect(more).toEqual([])
  expect(toCustomer?.mail.text).toContain(mailed)
  expect(toCustomer?.mail.text).toContain('9:00')
  expect(toPro?.mail.text).not.toContain('/bookings/manage/')
  expect(toPro?.mail.text).toContain(`/console/bookings/`)
})

test('a message has the headers that mail programs and servers need, and the calendar entry', async () => {
  const pro = await at.pro({ deposit: false })
  await book(at, pro)
  await at.settle()
  const { mail, source } = at.smtp.to(CUSTOMER).at(-1) ?? {}
  expect(mail?.messageId).toMatch(/^<\d+\.[0-9a-z]+@hearth\.example>$/)
  expect(addressesOf(mail?.from)).toEqual(['hello@hearth.example'])
  expect(addressesOf(mail?.to)).toEqual([CUSTOMER])
  expect(mail?.headers.get('auto-submitted')).toBe('auto-generated')
  expect(mail?.headers.has('list-unsubscribe')).toBe(false)
  expect(mail?.html).toContain('<html')
  expect(mail?.attachments.map(({ contentType }) => contentType)).toContain('application/ics')
  // Mail programs show an invitation by the alternative, and offer the file by the attachment.
  expect(source).toMatch(/content-type: text\/calendar; charset=utf-8; method=REQUEST/i)
  await kindsOf(CUSTOMER)
})

test('a held booking is told to the pro once it is paid, and asks the customer to pay', async () => {
  const pro = await at.pro()
  const { payment } = await book(at, pro)
  await at.settle()
  expect(await at.planned(await emailOf(pro.id))).toEqual([])
  expect(await kindsOf(CUSTOMER)).toEqual(['booking-held sent', 'hold-expiring pending'])
  expect(at.smtp.to(CUSTOMER).at(-1)?.mail.text).toContain(payment?.payUrl ?? '-')
  await pay(at, payment?.clientSecret ?? '')
  await at.settle()
  expect(await kindsOf(await emailOf(pro.id))).toEqual(['new-booking sent', 'payment-received sent'])
  expect(await kindsOf(CUSTOMER)).toEqual(['booking-confirmed sent', 'booking-reminder pending'])
})

test('an unpaid booking is cancelled for the customer, and the pro hears nothing of it', async () => {
  const pro = await at.pro()
  const { booking } = await book(at, pro, 2)
  await at.settle()
  at.clock.advance(11)
  await at.send()
  expect(await at.planned(CUSTOMER)).toEqual(['booking-held sent', 'hold-expiring sent'])
  at.clock.advance(10)
  await at.sql`select lapse_holds(${at.clock.now().toISOString()}, 10)`
  await at.settle()
  expect(await kindsOf(CUSTOMER)).toEqual(['booking-held sent', 'hold-expiring sent', 'booking-cancelled sent'])
  expect(await at.planned(await emailOf(pro.id))).toEqual([])
  expect(booking.status).toBe('pending')
})

test('a booking that waits for its pro is received first, then confirmed', async () => {
  const pro = await at.pro({ deposit: false, requiresApproval: true })
  const { booking } = await book(at, pro, 3)
  await at.settle()
  expect(await kindsOf(CUSTOMER)).toEqual(['booking-received sent'])
  await act(booking.id, pro.key, { action: 'confirm' })
  await at.settle()
  expect(await kindsOf(CUSTOMER)).toEqual(['booking-confirmed sent', 'booking-reminder pending'])
  expect(await kindsOf(await emailOf(pro.id))).toEqual(['new-booking sent'])
})

test('a move, a proposed time and a cancellation are told to those who did not make them', async () => {
  const pro = await at.pro({ deposit: false })
  const { booking } = await book(at, pro)
  await at.settle()
  await kindsOf(await emailOf(pro.id))
  const moved = await at.app.send(`/api/v1/bookings/${booking.id}/reschedule`, {
    key: at.key,
    json: { date: '2026-11-24', time: '10:00' },
  })
  expect(moved.status).toBe(200)
  await at.settle()
  const [told] = await at.sql<{ data: { previousStartsAt: string; booking: { startsAt: string } } }[]>`
    select data from messages where kind = 'booking-moved' and booking_id = ${booking.id}`
  expect(told?.data.previousStartsAt).toBe('2026-11-23T15:00:00.000Z')
  expect(told?.data.booking.startsAt).toBe('2026-11-24T16:00:00.000Z')
  await act(booking.id, pro.key, { action: 'propose', date: '2026-11-25', time: '10:00', reason: 'Traffic' })
  await act(booking.id, pro.key, { action: 'cancel', reason: 'The van broke down' })
  await at.settle()
  expect(await kindsOf(CUSTOMER)).toEqual([
    'booking-confirmed sent',
    'booking-reminder pending',
    'booking-moved sent',
    'booking-reminder pending',
    'booking-time-proposed sent',
    'booking-cancelled sent',
  ])
  expect(await kindsOf(await emailOf(pro.id))).toEqual(['booking-moved-for-pro sent'])
})

test('a customer who cancels a paid booking hears of the cancellation, then of the refund', async () => {
  const pro = await at.pro()
  const { booking, payment } = await book(at, pro, 4)
  await pay(at, payment?.clientSecret ?? '')
  await at.settle()
  await kindsOf(CUSTOMER)
  await kindsOf(await emailOf(pro.id))
  const cancelled = await at.app.send(`/api/v1/bookings/${booking.id}/cancel`, { key: at.key, json: {} })
  expect(cancelled.status).toBe(200)
  await at.settle()
  at.clock.advance(1)
  await at.send()
  expect((await kindsOf(CUSTOMER)).toSorted()).toEqual(['booking-cancelled sent', 'booking-refunded sent'])
  const subjects = at.smtp.to(CUSTOMER).map(({ mail }) => mail.subject)
  expect(subjects.at(-2)).toMatch(/cancel/i)
  expect(subjects.at(-1)).toMatch(/refund/i)
  expect(await kindsOf(await emailOf(pro.id))).toEqual(['booking-cancelled-for-pro sent'])
})

test('a change that is rolled back sends nothing', async () => {
  const pro = await at.pro({ deposit: false })
  const { deps } = at.app
  await book(at, pro, 6)
  const rollback = new Error('rolled back')
  const failed = deps.write.begin('rolledBack', async (tx) => {
    await tx.run(
      'touch',
      (sql) =>
        sql`select plan_booking_message('k', 'booking-cancelled', (select id from bookings limit 1), '{}', now(), now())`,
    )
    throw rollback
  })
  expect(await failed.catch((error: unknown) => error)).toBe(rollback)
  expect(await at.sql`select from messages where key = 'k'`).toHaveLength(0)
})

test('a hold that was paid brings no warning that it ends', async () => {
  const pro = await at.pro()
  at.clock.set('2026-11-20T00:00:00.000Z')
  const [paid, unpaid] = [await book(at, pro, 24), await book(at, pro, 26)]
  await at.settle()
  await pay(at, paid.payment?.clientSecret ?? '')
  at.clock.advance(11)
  await at.settle()
  const warnings = await at.sql<{ id: string; status: string }[]>`
    select booking_id as id, status from messages where kind = 'hold-expiring' and professional_id = ${pro.id}`
  expect(Object.fromEntries(warnings.map(({ id, status }) => [id, status]))).toEqual({
    [paid.booking.id]: 'dropped',
    [unpaid.booking.id]: 'sent',
  })
  await kindsOf(CUSTOMER)
})

test('the deposit of a quote is told to its pro when the quote is accepted, and not again when the time is chosen', async () => {
  const { app } = at
  const pro = await at.pro({ deposit: false })
  at.clock.set('2026-11-20T00:00:00.000Z')
  const quoting = { ...pro, professionalId: pro.id, slug: '' }
  const { quoteId, token } = await sentQuote(app.deps, quoting, { depositRequired: true, depositPercentage: 30 })
  const due = (await (await app.send(`/api/v1/quotes/${token}/accept`, { json: {} })).json()) as {
    payment: { clientSecret: string }
  }
  await pay(at, due.payment.clientSecret)
  await at.settle()
  const site = await siteAccountOf(app.deps)()
  await bookVisit(ctxOf(app.deps), { site, actor: ANONYMOUS, date: '2026-11-25', time: '09:00', token })
  await at.settle()
  const told = ['new-booking sent', 'new-request sent', 'payment-received sent', 'quote-accepted sent']
  expect((await at.planned(pro.email)).toSorted((one, other) => one.localeCompare(other))).toEqual(told)
  expect(await at.sql`select from jobs where quote_id = ${quoteId}`).toHaveLength(1)
})
