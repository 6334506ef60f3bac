// What a signed-in customer sees and does: their bookings, requests, quotes and reviews, and nothing of others.
import { describe, expect, spyOn, test } from 'bun:test'

import { siteAccountOf } from '../../../src/auth/accounts/verbs.ts'
import { createRfq } from '../../../src/features/quoting/rfqs/verbs/rfqs.ts'
import { sendQuote } from '../../../src/features/quoting/quotes/verbs/quotes.ts'
import { type FixturePro, eventsOf, openBookingFixture, rowsOf } from '../../support/booking-fixture.ts'
import { bookFor, complete, newAddress, signedInCustomer } from '../../support/customers.ts'
import { opened } from '../../support/fixture.ts'
import { ctxOf } from '../../../src/ctx.ts'

const fixture = await opened(openBookingFixture())

const freePro = () => fixture.pro({ deposit: false })
const pageOf = (booking: { id: string }) => `/my/bookings/${booking.id}`

describe('bookings', () => {
  test('made earlier with the address are the customer’s at once, the next one first', async () => {
    const [email, pro] = [newAddress(), await freePro()]
    const later = await bookFor(fixture, email, pro, 26)
    const next = await bookFor(fixture, email, pro, 2)
    const past = await bookFor(fixture, email, pro, 50)
    await complete(fixture, pro, past.booking)
    const visitor = await signedInCustomer(fixture.app, email)
    const { text } = await visitor.get('/my')
    const order = [next, later, past].map(({ booking }) => text.indexOf(pageOf(booking)))
    expect(order.every((at) => at > 0)).toBe(true)
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(text.indexOf('Coming up')).toBeLessThan(order[0] ?? 0)
    expect((await visitor.get('/my/earlier')).text).toContain(pageOf(past.booking))
  })

  test('that wait for payment are paid from the list, which takes as many statements for three as for one', async () => {
    const [email, pro] = [newAddress(), await fixture.pro()]
    const visitor = await signedInCustomer(fixture.app, email)
    const run = spyOn(fixture.app.deps.write, 'run')
    const statements: number[] = []
    const payPaths = new Set<string>()
    for (const hours of [2, 26, 50]) {
      await bookFor(fixture, email, pro, hours)
      run.mockClear()
      const { text } = await visitor.get('/my')
      statements.push(run.mock.calls.length)
      for (const [, href] of text.matchAll(/href="(\/pay\/[^"]+)">Pay \$/g)) payPaths.add(href ?? '')
    }
    run.mockRestore()
    expect(statements).toEqual(statements.map(() => statements[0] ?? 0))
    expect(payPaths.size).toBe(3)
    for (const href of payPaths) expect((await visitor.get(href)).text).toContain('Pay for your booking')
  })

  test('are seen, moved and cancelled without the manage link, with the same events and rules', async () => {
    const [email, pro] = [newAddress(), await freePro()]
    const { booking } = await bookFor(fixture, email, pro, 5)
    const visitor = await signedInCustomer(fixture.app, email)
    const shown = await visitor.get(pageOf(booking))
    expect(shown.text).toContain('Your booking is confirmed')
    expect(shown.text).not.toContain('Keep the link to this page private')
    const moved = await visitor.post(`${pageOf(booking)}/move`, { date: '2026-11-24', time: '15:00' })
    expect(moved.location).toBe(`${pageOf(booking)}?moved`)
    expect((await visitor.get(`${pageOf(booking)}?moved`)).text).toContain('Tuesday, November 24, 3:00 PM')
    expect((await visitor.post(`${pageOf(booking)}/cancel`)).location).toBe(pageOf(booking))
    expect((await rowsOf(fixture, booking.id)).booking).toBe('cancelled')
    expect(await eventsOf(fixture, booking.id)).toEqual([
      'booking.created',
      'booking.confirmed',
      'booking.rescheduled',
      'booking.cancelled',
    ])
  })

  test('with a time that the pro proposes are moved by agreeing', async () => {
    const [email, pro] = [newAddress(), await freePro()]
    const { booking } = await bookFor(fixture, email, pro, 8)
    const proposed = { action: 'propose', date: '2026-11-25', time: '11:00', message: 'The part arrives then.' }
    const answer = await fixture.app.send(`/api/v1/pro/bookings/${booking.id}`, { key: pro.key, json: proposed })
    expect(answer.status).toBe(200)
    const visitor = await signedInCustomer(fixture.app, email)
    expect((await visitor.get('/my')).text).toContain('New time proposed')
    await visitor.post(`${pageOf(booking)}/proposed-time`, { answer: 'agree' })
    expect((await visitor.get(pageOf(booking))).text).toContain('Wednesday, November 25, 11:00 AM')
  })

  test('of others are not found, shown or changed', async () => {
    const [email, pro] = [newAddress(), await freePro()]
    const { booking } = await bookFor(fixture, email, pro, 11)
    const stranger = await signedInCustomer(fixture.app)
    expect((await stranger.get('/my')).text).not.toContain(booking.id)
    for (const path of ['', '/move', '/review'])
      expect([path, (await stranger.get(pageOf(booking) + path)).status]).toEqual([path, 404])
    for (const path of ['/cancel', '/move', '/proposed-time', '/review']) {
      const fields = { date: '2026-11-24', time: '15:00', answer: 'agree', rating: '5', content: 'x', name: 'x' }
      expect([path, (await stranger.post(pageOf(booking) + path, fields)).status]).toEqual([path, 404])
    }
    expect((await rowsOf(fixture, booking.id)).booking).toBe('confirmed')
  })

  test('follow a corrected address: the earlier one sees them no more', async () => {
    const [wrong, right, pro] = [newAddress(), newAddress(), await freePro()]
    const { booking } = await bookFor(fixture, wrong, pro, 14)
    const [before, after] = [await signedInCustomer(fixture.app, wrong), await signedInCustomer(fixture.app, right)]
    expect((await before.get(pageOf(booking))).status).toBe(200)
    expect((await after.get(pageOf(booking))).status).toBe(404)
    await fixture.sql`update bookings set customer_email = ${right} where id = ${booking.id}`
    expect((await before.get(pageOf(booking))).status).toBe(404)
    expect((await before.get('/my')).text).not.toContain(booking.id)
    expect((await after.get('/my')).text).toContain(booking.id)
  })

  test('are the same customer’s whatever case the address was typed in', async () => {
    const [email, pro] = [newAddress(), await freePro()]
    const { booking } = await bookFor(fixture, email.toUpperCase(), pro, 17)
    expect((await (await signedInCustomer(fixture.app, email)).get('/my')).text).toContain(booking.id)
  })
})

/** A request with a quote. */
async function quoteFor(email: string, pro: FixturePro): Promise<{ rfqId: string; quoteId: string }> {
  const acting = { accountId: pro.accountId, professionalId: pro.id }
  const input = {
    professionalId: pro.id,
    customer: { name: 'Homeowner in Austin', email },
    description: 'The gutter leaks at the corner.',
  }
  // Of another account: work that the pro asked for proves nothing.
  const { id: accountId } = await siteAccountOf(fixture.app.deps)()
  const { rfq } = await createRfq(ctxOf(fixture.app.deps, { accountId }), input)
  const { quote } = await sendQuote(ctxOf(fixture.app.deps, acting), { rfqId: rfq.id, amount: 480 })
  return { rfqId: rfq.id, quoteId: quote.id }
}

const linkTo = (text: string, part: string) =>
  new RegExp(`href="([^"]*${part}[^"]*)"`).exec(text)?.[1]?.replace(/^https?:\/\/[^/]+/, '') ?? ''

test('requests show their quotes, which can be accepted from there', async () => {
  const [email, pro] = [newAddress(), await freePro()]
  await quoteFor(email, pro)
  const visitor = await signedInCustomer(fixture.app, email)
  const { text } = await visitor.get('/my')
  expect(text).toContain('quote of $480.00')
  expect((await visitor.get('/my/requests')).text).toContain('quote of $480.00')
  const request = await visitor.get(linkTo(text, '/requests/'))
  const quote = linkTo(request.text, '/quotes/')
  expect((await visitor.postRaw(`${quote}/accept`, {})).status).toBe(303)
  expect((await visitor.get('/my')).text).toContain('Accepted')
  expect((await (await signedInCustomer(fixture.app)).get('/my')).text).not.toContain('$480')
})

describe('reviews', () => {
  const REVIEW = {
    rating: '4',
    title: 'Good',
    content: 'On time, and the drain is clear.',
    name: 'Homeowner in Austin',
  }
  const reviewsOf = (email: string) => fixture.sql`
    select rating, verified, status, booking_id, job_id from reviews where customer_email = ${email}`

  test('of completed bookings wait to be written, once, and are verified', async () => {
    const [email, pro] = [newAddress(), await freePro()]
    const { booking } = await bookFor(fixture, email, pro, 20)
    const visitor = await signedInCustomer(fixture.app, email)
    expect((await visitor.get('/my')).text).not.toContain('Reviews to write')
    expect((await visitor.get(`${pageOf(booking)}/review`)).status).toBe(404)
    await complete(fixture, pro, booking)
    expect(linkTo((await visitor.get('/my')).text, '/review')).toBe(`${pageOf(booking)}/review`)
    const refused = await visitor.post(`${pageOf(booking)}/review`, { ...REVIEW, content: '' })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('id="review-error"')
    expect((await visitor.post(`${pageOf(booking)}/review`, REVIEW)).location).toBe('/my')
    const after = await visitor.get('/my')
    expect(after.text).toContain('A moderator reads the review')
    expect(after.text).not.toContain('Reviews to write')
    expect(await reviewsOf(email)).toMatchObject([
      { rating: 4, verified: true, status: 'pending', bookingId: booking.id },
    ])
    expect((await visitor.get(`${pageOf(booking)}/review`)).text).toContain('Thank you for your review')
    expect((await visitor.post(`${pageOf(booking)}/review`, REVIEW)).text).toContain('Thank you for your review')
    const page = (await visitor.get(pageOf(booking))).text
    expect([page.includes('You have reviewed'), page.includes(`href="${pageOf(booking)}/review"`)]).toEqual([
      true,
      false,
    ])
    expect(await reviewsOf(email)).toHaveLength(1)
  })

  test('of completed jobs as well', async () => {
    const [email, pro] = [newAddress(), await freePro()]
    await quoteFor(email, pro)
    const visitor = await signedInCustomer(fixture.app, email)
    const request = await visitor.get(linkTo((await visitor.get('/my')).text, '/requests/'))
    await visitor.postRaw(`${linkTo(request.text, '/quotes/')}/accept`, {})
    const [job] = await fixture.sql<{ id: string }[]>`select id from jobs where professional_id = ${pro.id}`
    for (const action of ['start', 'complete'])
      await fixture.app.send(`/api/v1/pro/jobs/${job?.id}`, { key: pro.key, json: { action } })
    const path = `/my/jobs/${job?.id}/review`
    expect(linkTo((await visitor.get('/my')).text, '/review')).toBe(path)
    expect((await visitor.get(path)).status).toBe(200)
    expect((await visitor.post(path, REVIEW)).location).toBe('/my')
    expect(await reviewsOf(email)).toMatchObject([{ verified: true, jobId: job?.id }])
  })

  test('are written through the manage link, too, without signing in', async () => {
    const [email, pro] = [newAddress(), await freePro()]
    const { booking, manageUrl } = await bookFor(fixture, email, pro, 23)
    await complete(fixture, pro, booking)
    const path = `${new URL(manageUrl).pathname}/review`
    expect(path).toStartWith('/bookings/manage/')
    const visitor = await signedInCustomer(fixture.app)
    expect((await visitor.get(new URL(manageUrl).pathname)).text).toContain(`href="${path}"`)
    expect((await visitor.postRaw(path, REVIEW)).location).toBe(path)
    expect((await visitor.get(path)).text).toContain('Thank you for your review')
    const page = (await visitor.get(new URL(manageUrl).pathname)).text
    expect([page.includes('You have reviewed'), page.includes(`href="${path}"`)]).toEqual([true, false])
    // The link is that of the answer to a key, so that its holder confirms by mail.
    const [review] = await reviewsOf(email)
    expect(review).toMatchObject({ verified: false, bookingId: booking.id })
  })
})
