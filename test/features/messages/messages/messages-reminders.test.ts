// Reminders and invitations to review: once, at the right time, and not for what was cancelled or moved meanwhile.
import { expect, test } from 'bun:test'

import { manageUrl } from '../../../../src/features/booking/bookings/verbs/manage-link.ts'
import { ANONYMOUS } from '../../../../src/auth/accounts/verbs.ts'
import { eraseCustomer } from '../../../../src/features/customers/privacy/verbs/erase-customer.ts'
import { declineQuote } from '../../../../src/features/quoting/quotes/verbs/customer-link.ts'
import { type CreatedBooking, book, bookingBody } from '../../../support/booking-fixture.ts'
import { newAddress } from '../../../support/customers.ts'
import { opened } from '../../../support/fixture.ts'
import { openMessageFixture } from '../../../support/messages.ts'
import { sentQuote } from '../../../support/quotes.ts'
import { Visitor } from '../../../support/visitor.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const at = await opened(openMessageFixture())

test('a reminder comes once, not for a cancelled visit, and for a moved one at its new time', async () => {
  const pro = await at.pro({ deposit: false })
  at.clock.set('2026-11-20T00:00:00.000Z')
  const bookings = [await book(at, pro, 0), await book(at, pro, 2), await book(at, pro, 4)]
  const [kept, cancelled, moved] = bookings.map(({ booking }) => booking.id)
  await at.settle()
  await at.app.send(`/api/v1/bookings/${cancelled}/cancel`, { key: at.key, json: {} })
  await at.app.send(`/api/v1/bookings/${moved}/reschedule`, {
    key: at.key,
    json: { date: '2026-11-25', time: '12:00' },
  })
  await at.settle()
  const remindersOf = async (id = '') =>
    (
      await at.sql<{ status: string }[]>`
        select status from messages where booking_id = ${id} and kind = 'booking-reminder' order by id`
    ).map(({ status }) => status)
  // Visits on Monday from 9:00 in Austin, 15:00 UTC.
  at.clock.set('2026-11-22T14:59:00.000Z')
  await at.settle()
  expect(await remindersOf(kept)).toEqual(['pending'])
  at.clock.set('2026-11-22T19:01:00.000Z')
  await at.settle()
  await at.settle()
  expect(await remindersOf(kept)).toEqual(['sent'])
  expect(await remindersOf(cancelled)).toEqual(['dropped'])
  expect(await remindersOf(moved)).toEqual(['dropped', 'pending'])
  at.clock.set('2026-11-24T18:01:00.000Z')
  await at.settle()
  expect(await remindersOf(moved)).toEqual(['dropped', 'sent'])
  const subjects = at.smtp.to('home@example.com').map(({ mail }) => mail.subject ?? '')
  expect(subjects.filter((subject) => /remind|tomorrow/i.test(subject))).toHaveLength(2)
})

test('a pro chooses when customers are reminded, or that they are not', async () => {
  const pro = await at.pro({ deposit: false })
  at.clock.set('2026-11-20T00:00:00.000Z')
  const { booking } = await book(at, pro, 6)
  await at.relay()
  const change = (reminderHours: number | null) =>
    at.app.send('/api/v1/pro/availability', { key: pro.key, method: 'PATCH', json: { reminderHours } })
  const reminders = async () =>
    (
      await at.sql<{ hours: number }[]>`
        select extract(epoch from b.starts_at - m.send_at)::float8 / 3600 as hours
        from messages m join bookings b on b.id = m.booking_id
        where m.booking_id = ${booking.id} and m.kind = 'booking-reminder'`
    ).map(({ hours }) => hours)
  expect(await reminders()).toEqual([24])
  expect((await change(48)).status).toBe(200)
  expect(await reminders()).toEqual([48])
  expect((await change(null)).status).toBe(200)
  expect(await reminders()).toEqual([])
  expect((await change(0)).status).toBe(400)
  expect((await change(2)).status).toBe(200)
  expect(await reminders()).toEqual([2])
})

test('a completed visit brings an invitation to review, once, with a link that proves the visit', async () => {
  const pro = await at.pro({ deposit: false })
  at.clock.set('2026-11-20T00:00:00.000Z')
  const { booking } = await book(at, pro, 8)
  const mailed = manageUrl(ctxOf(at.app.deps), { isMailed: true, bookingId: booking.id })
  await at.settle()
  at.clock.set('2026-11-24T00:00:00.000Z')
  const done = await at.app.send(`/api/v1/pro/bookings/${booking.id}`, { key: pro.key, json: { action: 'complete' } })
  expect(done.status).toBe(200)
  await at.settle()
  at.clock.advance(61)
  await at.settle()
  const texts = at.smtp.to('home@example.com').flatMap(({ mail }) => mail.text ?? [])
  expect(texts.filter((text) => text.includes(`${mailed}/review`))).toHaveLength(1)
  const log = await at.app.send(`/api/v1/pro/bookings/${booking.id}`, { key: pro.key })
  const { messages } = (await log.json()) as { messages: { kind: string; status: string; sentAt: string | null }[] }
  expect(messages.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
    'new-booking sent',
    'booking-confirmed sent',
    'booking-reminder dropped',
    'review-invitation sent',
  ])
  expect(messages.every(({ status, sentAt }) => (status === 'sent') === (sentAt !== null))).toBe(true)
})

test('the link in the invitation opens the page on which its reader reviews the visit, once', async () => {
  const pro = await at.pro({ deposit: false })
  at.clock.set('2026-11-20T00:00:00.000Z')
  const { booking } = await book(at, pro)
  at.clock.set('2026-11-24T00:00:00.000Z')
  await at.app.send(`/api/v1/pro/bookings/${booking.id}`, { key: pro.key, json: { action: 'complete' } })
  await at.settle()
  at.clock.advance(61)
  await at.settle()
  const text = at.smtp.to('home@example.com').at(-1)?.mail.text ?? ''
  const link = /^Write a review:\n(\S+)$/m.exec(text)?.[1] ?? ''
  expect(link).toBe(`${manageUrl(ctxOf(at.app.deps), { isMailed: true, bookingId: booking.id })}/review`)
  const path = new URL(link).pathname
  const reader = new Visitor(at.app)
  const page = await reader.get(path)
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('Drain cleaning, November 23, 2026')])
  const review = { rating: '5', content: 'On time, and the drain is clear.', name: 'Homeowner in Austin' }
  expect(await reader.postRaw(path, review)).toMatchObject({ status: 303, location: path })
  expect((await reader.get(path)).text).toContain('Thank you for your review')
  await reader.postRaw(path, review)
  const rows = await at.sql`
    select rating, content, customer_email, verified from reviews where booking_id = ${booking.id}`
  expect([...rows]).toEqual([{ rating: 5, content: review.content, customerEmail: 'home@example.com', verified: true }])
})

test('a visit that begins sooner than its reminder would come has none: the customer has just booked or moved it', async () => {
  const pro = await at.pro({ deposit: false })
  const remindersOf = async (id: string) =>
    (await at.sql`select from messages where booking_id = ${id} and kind = 'booking-reminder'`).length
  at.clock.set('2026-11-22T18:00:00.000Z')
  const { booking: soon } = await book(at, pro)
  const { booking: later } = await book(at, pro, 6)
  await at.settle()
  expect([await remindersOf(soon.id), await remindersOf(later.id)]).toEqual([0, 1])
  const move = { date: '2026-11-23', time: '10:00' }
  const moved = await at.app.send(`/api/v1/bookings/${soon.id}/reschedule`, { key: at.key, json: move })
  expect(moved.status).toBe(200)
  await at.settle()
  expect(await remindersOf(soon.id)).toBe(0)
})

test('a customer who has reviewed the visit already is not invited to', async () => {
  const pro = await at.pro({ deposit: false })
  at.clock.set('2026-11-20T00:00:00.000Z')
  const { booking } = await book(at, pro, 10)
  at.clock.set('2026-11-24T12:00:00.000Z')
  await at.app.send(`/api/v1/pro/bookings/${booking.id}`, { key: pro.key, json: { action: 'complete' } })
  await at.settle()
  const path = `${new URL(manageUrl(ctxOf(at.app.deps), { isMailed: true, bookingId: booking.id })).pathname}/review`
  const review = { rating: '5', content: 'On time, and the drain is clear.', name: 'Homeowner in Austin' }
  expect((await new Visitor(at.app).postRaw(path, review)).status).toBe(303)
  at.clock.advance(61)
  await at.settle()
  const invitations = await at.sql`
    select status from messages where booking_id = ${booking.id} and kind = 'review-invitation'`
  expect([...invitations]).toEqual([{ status: 'dropped' }])
})

test('a customer hears of an open quote before it ends, and not of one that they have answered', async () => {
  const pro = await at.pro({ deposit: false })
  const { deps } = at.app
  const email = newAddress()
  const quoting = { ...pro, professionalId: pro.id, slug: '' }
  const [open, declined] = [
    await sentQuote(deps, quoting, {}, { name: 'Homeowner in Austin', email }),
    await sentQuote(deps, quoting, {}, { name: 'Homeowner in Austin', email }),
  ]
  await at.settle()
  await declineQuote(ctxOf(deps, ANONYMOUS), { token: declined.token })
  at.clock.advance(29 * 24 * 60)
  await at.settle()
  const told = await at.sql<{ id: string; status: string }[]>`
    select data ->> 'quoteId' as id, status from messages where recipient = ${email} and kind = 'quote-expiring'`
  expect(Object.fromEntries(told.map(({ id, status }) => [id, status]))).toEqual({
    [open.quoteId]: 'sent',
    [declined.quoteId]: 'dropped',
  })
})

test('nothing is planned for a customer who was erased before the event was relayed', async () => {
  const pro = await at.pro({ deposit: false })
  at.clock.set('2026-11-20T00:00:00.000Z')
  const email = newAddress()
  const json = bookingBody(pro, 12, { customer: { name: 'Homeowner in Austin', email } })
  const booked = await at.app.send('/api/v1/bookings', { key: at.key, json })
  const { booking } = (await booked.json()) as CreatedBooking
  await at.settle()
  at.clock.set('2026-11-25T00:00:00.000Z')
  const done = await at.app.send(`/api/v1/pro/bookings/${booking.id}`, { key: pro.key, json: { action: 'complete' } })
  expect(done.status).toBe(200)
  const { outcome } = await eraseCustomer(ctxOf(at.app.deps), { email, requestedBy: 'a test' })
  expect(outcome).toBe('erased')
  await at.relay()
  const rows = await at.sql`select kind, recipient from messages where recipient like '%@erased.invalid'`
  expect([...rows]).toEqual([])
})
