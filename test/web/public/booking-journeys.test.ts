// The turns of booking, paying and quotes: each ends on a page with a next step.
import { describe, expect, test } from 'bun:test'

import type { Page } from 'playwright-core'

import { siteAccountOf } from '../../../src/auth/accounts/verbs.ts'
import type { AddressProof } from '../../../src/auth/address-proof.ts'
import { createBooking } from '../../../src/features/booking/bookings/verbs/create-booking.ts'
import { readManageToken } from '../../../src/features/booking/bookings/verbs/manage-link.ts'
import { progressJob } from '../../../src/features/booking/jobs/verbs/progress-job.ts'
import { requestUrl } from '../../../src/features/quoting/rfqs/verbs/follow-link.ts'
import { VISIT_ADDRESS, VISIT_PHONE } from '../../support/booking-fixture.ts'
import { fillAddress, watchPage } from '../../support/browser.ts'
import { checkPage, useConsole } from '../../support/console.ts'
import { newAddress, signedInCustomer } from '../../support/customers.ts'
import { quotingPro, sentQuote } from '../../support/quotes.ts'
import { visitorFromNewAddress } from '../../support/visitor.ts'
import { ctxOf } from '../../../src/ctx.ts'

const PHONE = { width: 390, height: 844 }
const world = await useConsole()
const { sql } = world.app
const [found] = await sql<{ id: string; slug: string; service: string }[]>`
    select p.id, p.slug, o.service_id as service from professionals p
      join professional_services o on o.professional_id = p.id and o.instant_book_enabled and o.price_type = 'flat'
      join services s on s.id = o.service_id
    where p.active and p.instant_booking_enabled and not p.requires_approval
      and coalesce(o.duration_minutes, s.duration_minutes) <= 120
    order by p.id, o.service_id limit 1`
if (!found) throw new Error('The seed has no such pro.')
/** Takes a deposit of $50. */
const pro = found
await sql`update professional_services set base_price_cents = 25000, min_price_cents = null, max_price_cents = null
    where professional_id = ${pro.id} and service_id = ${pro.service}`
await sql`update professionals set deposit_required = true, deposit_percentage = 20 where id = ${pro.id}`
const quoting = await quotingPro(world.app, 1)

const bookPath = (query: Record<string, string> = {}) =>
  `/pros/${pro.slug}/book?${new URLSearchParams({ service: pro.service, ...query }).toString()}`

/** Books for another customer: its time is taken. */
async function take(date: string, time: string, email = newAddress(), addressProof: AddressProof = 'typed') {
  const { id: accountId } = await siteAccountOf(world.app.deps)()
  const value = await createBooking(ctxOf(world.app.deps, { accountId, addressProof }), {
    professionalId: pro.id,
    serviceId: pro.service,
    date,
    time,
    customer: { name: 'Pat Brown', email },
    defaultLength: 'service',
  })
  return value
}

/** The first open times of the pro's month. */
async function openTimes(): Promise<{ date: string; time: string }[]> {
  const { text } = await visitorFromNewAddress(world.app).get(bookPath())
  return [...text.matchAll(/date=([\d-]+)&amp;time=(\d\d)%3A(\d\d)#who/g)].map(([, date = '', hours, minutes]) => ({
    date,
    time: `${hours}:${minutes}`,
  }))
}

const valuesOf = async (page: Page) =>
  await Promise.all(['Your name', 'E-mail address', 'ZIP code'].map((label) => page.getByLabel(label).inputValue()))

describe('booking with a deposit', () => {
  test('keeps typed details on every turn, shows the price before and a receipt after, without scripts on a phone', async () => {
    const context = await world.browser.newContext({ javaScriptEnabled: false, viewport: PHONE })
    const page = await context.newPage()
    page.setDefaultTimeout(10_000)
    const email = newAddress()
    const typed = ['Demo Customer', email, VISIT_ADDRESS.zipCode]
    await page.goto(world.url + bookPath())
    await page.getByRole('table', { name: /^Days in / }).waitFor()
    const month = await page.locator('.month-bar h2').innerText()
    await page.locator('.month-bar a[rel=next]').click()
    expect(await page.locator('.month-bar h2').innerText()).not.toBe(month)
    await page.locator('.month-bar a[rel=prev]').click()
    await page.locator('.month-bar a[rel=next]').click()
    await page.locator('.slots a').first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Book and pay the deposit of $50' }).waitFor()
    const summary = await page.locator('.summary').innerText()
    expect(summary).toMatch(/^[A-Z]\w+day, [A-Z]\w+ \d+, \d+:\d\d [AP]M [A-Z]\w+ Time, \d+ (hour|minute)/)
    for (const text of ['Price', '$250', '$200', 'To pay now', '$50', 'you get all of the $50 back'])
      expect(summary.toLowerCase()).toContain(text.toLowerCase())

    await page.getByLabel('Your name').fill('Demo Customer')
    await page.getByLabel('E-mail address').fill(email)
    await fillAddress(page)
    await page.getByRole('button', { name: 'Choose another time' }).click()
    await page.locator('.slots a').last().click()
    expect(await valuesOf(page)).toEqual(typed)
    expect(page.url()).not.toContain('Demo')
    expect(page.url()).not.toContain(email.slice(0, 8))

    const { searchParams } = new URL(page.url())
    await take(searchParams.get('date') ?? '', searchParams.get('time') ?? '')
    await page.getByRole('button', { name: /^Book and pay/ }).click()
    await page.getByText('This time is no longer available.').waitFor()
    await page.locator('.slots a').first().click()
    expect(await valuesOf(page)).toEqual(typed)
    await page.getByRole('button', { name: /^Book and pay/ }).click()

    await page.getByRole('heading', { name: 'Pay for your booking' }).waitFor()
    const sum = await page.locator('.terms').innerText()
    for (const text of ['$250', 'Deposit, a part of the price', '$200', 'To pay now']) expect(sum).toContain(text)
    await page.getByRole('button', { name: 'Simulate a failed payment' }).click()
    await page.getByRole('heading', { name: 'The payment failed. Try again' }).waitFor()
    await page.goto(world.url + bookPath())
    await page.locator('.slots a').last().click()
    expect(await valuesOf(page)).toEqual(typed)
    await page.goBack()
    await page.goBack()
    await page.getByRole('link', { name: 'See, move or cancel your booking' }).click()
    await page.getByRole('heading', { name: 'Your booking is waiting for your payment' }).waitFor()
    await page.getByRole('link', { name: 'Pay $50 now' }).click()
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.getByText('Payment received. Thank you').waitFor()

    const calendar = await page.getByRole('link', { name: 'Add to calendar' }).getAttribute('href')
    const file = await context.request.get(`${world.url}${calendar}`)
    expect(file.headers()['content-type']).toStartWith('text/calendar')
    await page.getByRole('link', { name: 'Receipt' }).click()
    const receipt = await page.getByRole('main').innerText()
    for (const text of ['Number', 'Paid on', 'Method', 'Test payment', 'Deposit, a part of the price', '$50.00'])
      expect(receipt).toContain(text)
    await page.getByRole('link', { name: '← Your booking' }).click()
    await page.getByRole('button', { name: 'Book again' }).click()
    await page.locator('.slots a').first().click()
    expect(await valuesOf(page)).toEqual(typed)
    expect(page.url()).not.toContain(email.slice(0, 8))
    await page.goBack()
    await page.goBack()
    await page.getByRole('link', { name: 'Cancel the booking' }).click()
    await page.getByText('You get all of the $50 back that you paid.').waitFor()
    await page.getByRole('link', { name: 'Keep the booking' }).click()
    await page.getByRole('link', { name: 'Cancel the booking' }).click()
    await page.getByRole('button', { name: 'Cancel the booking' }).click()
    await page.getByRole('heading', { name: 'The booking was cancelled' }).waitFor()
    expect(await page.getByRole('main').innerText()).toContain('Your money went back.')
    await page.getByRole('button', { name: 'Book again' }).waitFor()
    await context.close()
  }, 60_000)

  test('fills in what a signed-in customer last typed, and offers to pay in the list of bookings', async () => {
    const email = newAddress()
    const visitor = await signedInCustomer(world.app, email)
    const [slot] = await openTimes()
    if (!slot) throw new Error('The pro has no open times.')
    expect((await visitor.get(bookPath(slot))).text).toContain(`value="${email}"`)
    const { booking, payment } = await take(slot.date, slot.time, email, 'proven')
    await world.app.sql`update bookings set customer_phone = ${VISIT_PHONE},
      address = ${world.app.sql.json(VISIT_ADDRESS)} where id = ${booking.id}`
    const [later] = await openTimes()
    const { text } = await visitor.get(bookPath(later))
    for (const value of ['Pat Brown', email, VISIT_PHONE, VISIT_ADDRESS.street, VISIT_ADDRESS.zipCode])
      expect(text).toContain(`value="${value}"`)
    const payPath = new URL(payment?.payUrl ?? '').pathname
    expect((await visitor.get('/my')).text).toContain(`href="${payPath}">Pay $50 now</a>`)
    expect((await visitor.get(`/pros/${pro.slug}/quote`)).text).toContain(`value="${VISIT_ADDRESS.street}"`)
  }, 30_000)
})

describe('a wrong turn', () => {
  /** What a person can do on the page, besides the frame's links. */
  const waysOn = (text: string) =>
    [...(text.split('<main')[1]?.split('</main>')[0] ?? '').matchAll(/<a [^>]*href="([^"]+)"|<button/g)].length

  test('leads to a page that says what happened and what to do', async () => {
    const visitor = visitorFromNewAddress(world.app)
    const [slot] = await openTimes()
    if (!slot) throw new Error('The pro has no open times.')
    const { booking, manageUrl, payment } = await take(slot.date, slot.time)
    const managePath = new URL(manageUrl ?? '').pathname
    const turns: [path: string, text: string, status: number][] = [
      ['/bookings/HTH-WRONG', 'There is no letter O, I, L or U in it', 404],
      ...['', '/cancel', '/receipt', '/move', '/review'].map((page): [string, string, number] => [
        `/bookings/manage/nowhere${page}`,
        'This link does not lead to a booking',
        404,
      ]),
      ['/pay/nowhere', 'This link does not lead to a payment', 404],
      ['/quotes/nowhere', 'Quote not found', 404],
      ['/quotes/nowhere/time', 'Quote not found', 404],
      ['/requests/nowhere', 'This link does not lead to a request', 404],
      [bookPath({ date: '2020-01-01', time: '10:00' }), 'That day is over.', 200],
      [bookPath({ date: '2099-01-01' }), 'more than a year ahead', 200],
      [bookPath({ month: '2099-13' }), 'Days in', 200],
      [bookPath({ month: '2020-01' }), 'Days in', 200],
      [bookPath({ ...slot }), 'is not open for', 200],
      [`${managePath}/review`, 'You can write the review after the visit', 200],
      [`${managePath}/receipt`, 'There is no receipt yet', 200],
      [managePath, 'Pay $50 now', 200],
      [`${managePath}/move`, 'This booking cannot be moved', 200],
    ]
    for (const [path, text, status] of turns) {
      const page = await visitor.get(path)
      expect([path, page.status, page.text.includes(text), waysOn(page.text) > 0]).toEqual([path, status, true, true])
    }
    const { location } = await visitor.get(`/bookings?code=${booking.confirmationCode.slice(4).toLowerCase()}`)
    expect(location).toBe(`/bookings/${booking.confirmationCode}`)

    // The hold ends unpaid.
    await world.app.sql`update bookings set hold_expires_at = created_at where id = ${booking.id}`
    await world.app.sql`update payments set expires_at = created_at where booking_id = ${booking.id}`
    const expired = await visitor.get(new URL(payment?.payUrl ?? '').pathname)
    expect(expired.text).toContain('The time to pay has run out')
    expect(expired.text).toContain('Choose a time again')
    const lapsed = await visitor.get(managePath)
    expect(lapsed.text).toContain('It was not paid in time.')
    expect(lapsed.text).toContain('Book again')
  })
})

describe('after the quote', () => {
  test('its customer pays the deposit, chooses a time and manages the visit', async () => {
    const { deps, sql } = world.app
    const { token, quoteId, rfqId } = await sentQuote(deps, quoting, {
      amount: 480,
      depositRequired: true,
      depositPercentage: 25,
      estimatedDays: 2,
    })
    const visit = await watchPage(world.browser)
    const { page } = visit
    await page.goto(`${world.url}/quotes/${token}`)
    const business = (await page.getByRole('heading', { level: 1 }).innerText()).replace('Quote from ', '')
    await page.getByRole('button', { name: 'Accept and pay the deposit of $120.00' }).click()
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await checkPage(visit, 'deposit-paid')
    await page.getByRole('link', { name: 'Choose a time' }).click()
    await page.getByRole('heading', { name: 'When should the work begin?' }).waitFor()
    await checkPage(visit, 'visit-times')
    await page.locator('.slots a').first().click()
    await page.getByRole('button', { name: 'Book this time' }).click()
    await page.getByRole('heading', { name: 'Your booking is confirmed' }).waitFor()
    expect(await page.getByRole('main').innerText()).toContain('$480')
    await page.getByRole('link', { name: 'The quote that you accepted' }).click()
    await page.getByRole('link', { name: 'Receipt' }).click()
    const receipt = (await page.getByRole('main').innerText()).replaceAll(/\s+/g, ' ')
    for (const text of [`Pro ${business}`, 'Paid by Homeowner in Austin', 'Deposit of the quote for', 'Paid $120.00'])
      expect(receipt).toContain(text)
    expect(await page.title()).toMatch(/^Receipt \S+ · Hearth$/)
    await page.getByRole('link', { name: '← Your quote' }).click()
    await page.getByRole('link', { name: 'See, move or cancel the visit' }).waitFor()
    await page.goto(`${world.url}/quotes/${token}/time`)
    await page.getByRole('link', { name: 'See, move or cancel the visit' }).click()
    const managed = () => readManageToken(ctxOf(deps), { token: page.url().split('/').at(-1) ?? '' }).id
    const booking = managed()
    await page.goto(new URL(requestUrl(ctxOf(deps), { rfqId })).pathname.replace(/^/, world.url))
    await page.getByRole('link', { name: 'See, move or cancel the visit' }).click()
    await page.getByRole('link', { name: 'Cancel the booking' }).click()
    await page.getByText('The work of your quote ends with it.').waitFor()
    await page.getByRole('link', { name: 'Keep the booking' }).click()
    expect(managed()).toBe(booking)

    // The work is done: one review, of the visit.
    const [job] = await sql<{ id: string }[]>`select id from jobs where quote_id = ${quoteId}`
    await sql`update bookings set starts_at = starts_at - interval '200 days', ends_at = ends_at - interval '200 days',
      holds = tstzrange(lower(holds) - interval '200 days', upper(holds) - interval '200 days')
      where job_id = ${job?.id ?? ''} and status = 'confirmed'`
    await progressJob(ctxOf(deps, quoting), { id: job?.id ?? '', progress: { action: 'complete' } })
    await page.reload()
    await page.getByRole('link', { name: /^Review / }).click()
    await page.getByRole('radio', { name: '1 star' }).focus()
    for (let star = 2; star <= 5; star++) await page.keyboard.press('ArrowRight')
    expect(await page.getByRole('radio', { name: '5 stars' }).isChecked()).toBe(true)
    await checkPage(visit, 'review')
    await page.getByLabel('Your review').fill('A tidy fence.')
    await page.getByLabel('Your name').fill('Homeowner in Austin')
    await page.getByRole('button', { name: 'Send the review' }).click()
    await page.getByText('Thank you for your review').waitFor()
    await page.getByRole('link', { name: /^See the reviews of/ }).waitFor()
    await page.context().close()
  }, 60_000)

  test('answered, replaced and expired quotes lead on, too', async () => {
    const { deps, sql } = world.app
    const visitor = visitorFromNewAddress(world.app)
    const [declined, expired] = [await sentQuote(deps, quoting), await sentQuote(deps, quoting)]
    await visitor.postRaw(`/quotes/${declined.token}/decline`, {})
    await sql`update quotes set valid_until = sent_at + interval '1 second' where id = ${expired.quoteId}`
    await sql`update quotes set sent_at = sent_at - interval '2 days', valid_until = sent_at - interval '1 day'
      where id = ${expired.quoteId}`
    for (const { token } of [declined, expired]) {
      expect((await visitor.get(`/quotes/${token}`)).text).toContain('Ask for a new quote')
      expect((await visitor.get(`/quotes/${token}/time`)).location).toBe(`/quotes/${token}`)
      expect((await visitor.get(`/quotes/${token}/receipt`)).text).toContain('There is no receipt yet')
    }
    const { pathname } = new URL(requestUrl(ctxOf(deps), declined))
    expect((await visitor.get(pathname)).text).toContain('Find another pro')
  })
})
