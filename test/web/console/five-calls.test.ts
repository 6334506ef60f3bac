// An operator with a caller on the phone: from what is said to what helps in two clicks, on a wide screen and by thumb on a phone.
import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'

import { ctxOf } from '../../../src/ctx.ts'
import { reportReview } from '../../../src/features/reviews/reviews/verbs/reports.ts'
import { approveReview, submitReview } from '../../../src/features/reviews/reviews/verbs/reviews.ts'
import { findFreePort } from '../../../src/local/ports.ts'
import { instrumentedApp } from '../../support/app.ts'
import { type CreatedBooking, bookingBody, openBookingFixture, pay } from '../../support/booking-fixture.ts'
import { openBrowser, watchPage } from '../../support/browser.ts'
import { opened } from '../../support/fixture.ts'
import { TOUCHED_PHONE } from '../../support/page-faults.ts'
import { createAuthor, newReview } from '../../support/reviews.ts'
import { PASSWORD, createTestUser } from '../../support/visitor.ts'

const port = await findFreePort()
const url = `http://127.0.0.1:${port}`
const fixture = await opened(openBookingFixture({ BASE_URL: url, PORT: String(port) }))
const { app, sql } = fixture
const server = Bun.serve({ hostname: '127.0.0.1', port, fetch: instrumentedApp(app.deps).fetch })
await opened({ stop: () => server.stop(true) }, 'stop')
const browser = await opened(openBrowser())

const SCREENS = { 'a screen of 1280 px': {}, 'a phone of 390 px': TOUCHED_PHONE } as const

/** Counts what the operator presses after the words of the caller are typed. */
class Caller {
  clicks = 0
  constructor(readonly page: Page) {}

  /** Types what the caller says into the search, and sends it by the keyboard. */
  async say(words: string): Promise<void> {
    await this.page.goto(`${url}/console/search`)
    const field = this.page.getByRole('main').getByRole('searchbox')
    await field.fill(words)
    await field.press('Enter')
    await this.page.waitForURL(/q=/)
    this.clicks = 0
  }

  async press(role: 'link' | 'button', name: string | RegExp): Promise<void> {
    this.clicks++
    await this.page.getByRole('main').getByRole(role, { name }).first().click()
  }

  /** Opens what a page keeps folded. */
  async unfold(label: string): Promise<void> {
    this.clicks++
    await this.page.locator('main summary').filter({ hasText: label }).first().click()
  }

  async reads(...texts: (string | RegExp)[]): Promise<void> {
    for (const text of texts) await this.page.getByText(text).first().waitFor()
  }
}

async function callerOn(options: (typeof SCREENS)[keyof typeof SCREENS]) {
  const watched = await watchPage(browser, options)
  const { page } = watched
  await page.goto(`${url}/console`)
  await page.getByLabel('E-mail address').fill(await createTestUser(app, 'operator', { operatorRole: 'administrator' }))
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL(`${url}/console`)
  return { call: new Caller(page), watched }
}

async function paidBooking(email: string, hours: number) {
  const pro = await fixture.pro()
  const answer = await app.send('/api/v1/bookings', {
    key: fixture.key,
    json: bookingBody(pro, hours, { customer: { name: 'Caller of Maple Street', email } }),
  })
  const made = (await answer.json()) as CreatedBooking
  await pay(fixture, made.payment?.clientSecret ?? '')
  return { pro, ...made }
}

test.each(Object.entries(SCREENS))('“Where is my plumber?” on %s', async (_screen, options) => {
  const { call, watched } = await callerOn(options)
  const { booking, pro } = await paidBooking('where@calls.test.example', 0)
  await sql`update professionals set phone = '+15125550177' where id = ${pro.id}`
  await call.say(booking.confirmationCode.toLowerCase().replaceAll('-', ' '))
  await call.press('link', booking.confirmationCode)
  await call.reads(/Nov\w* 23/, 'Booked')
  await call.page.locator('a[href="tel:+15125550177"]').first().waitFor()
  expect(call.clicks).toBeLessThanOrEqual(2)
  await watched.page.context().close()
})

test.each(Object.entries(SCREENS))('“I paid twice” on %s', async (screen, options) => {
  const { call, watched } = await callerOn(options)
  const email = `twice-${screen.length}@calls.test.example`
  for (const hours of [0, 2]) await paidBooking(email, hours)
  await call.say(email)
  expect(await call.page.getByRole('table', { name: 'Payments' }).getByRole('row').count()).toBe(3)
  await call.page.getByRole('table', { name: 'Payments' }).scrollIntoViewIfNeeded()
  call.clicks++
  await call.page.getByRole('table', { name: 'Payments' }).getByRole('link').first().click()
  await call.unfold('Refund')
  expect(call.clicks).toBe(2)
  expect(await call.page.getByLabel('Amount in dollars').inputValue()).toBe('50.00')
  await call.page.getByLabel('Reason').fill('It was paid twice.')
  await call.page.getByRole('button', { name: 'Refund', exact: true }).click()
  await call.reads('It was paid twice.')
  await watched.page.context().close()
})

test.each(Object.entries(SCREENS))('“Take my page down” on %s', async (_screen, options) => {
  const { call, watched } = await callerOn(options)
  const pro = await fixture.pro()
  await call.say(pro.email)
  await call.press('link', /./)
  await call.unfold('Pause the pro')
  expect(call.clicks).toBe(2)
  const form = call.page.locator('form[action$="/status"]')
  await form.getByLabel('Reason').fill('The owner asked on the phone.')
  await form.getByRole('button', { name: 'Pause the pro' }).click()
  await call.reads('Customers do not find the pro any more.')
  expect((await app.send(`/api/v1/pros/${pro.id}`)).status).toBe(404)
  await watched.page.context().close()
})

test.each(Object.entries(SCREENS))('“I never got the code” on %s', async (screen, options) => {
  const { call, watched } = await callerOn(options)
  const email = `code-${screen.length}@calls.test.example`
  const { booking } = await paidBooking(email, 0)
  await sql`
    insert into messages (key, kind, recipient, data, booking_id, status, outcome, send_at, created_at, finished_at)
    values (${booking.id}, 'booking-confirmed', ${email}, '{}', ${booking.id}, 'suppressed', 'bounced', now(), now(), now())`
  await sql`insert into message_suppressions (email, reason, created_at) values (${email}, 'bounced', now())`
  await call.say(email)
  call.clicks++
  await call.page.getByRole('table', { name: 'Messages' }).getByRole('link').first().click()
  await call.press('button', 'The address works again')
  expect(call.clicks).toBe(2)
  await call.reads(`Messages to ${email} are sent again.`)
  await watched.page.context().close()
})

test.each(Object.entries(SCREENS))('“This review is a lie” on %s', async (_screen, options) => {
  const { call, watched } = await callerOn(options)
  const pro = await fixture.pro()
  const ctx = ctxOf(app.deps)
  const content = 'They never came, and kept the deposit.'
  const { review } = await submitReview(
    ctxOf(app.deps, { ...(await createAuthor(app)), isProven: true }),
    newReview(pro.id, { content, rating: 1 }),
  )
  await approveReview(ctx, { id: review.id })
  const words = 'We were never at this house.'
  await reportReview(ctx.as({ professionalId: pro.id }), { id: review.id, reason: 'untrue', words, by: null })
  await call.say(pro.email)
  await call.press('link', 'Reviews')
  await call.reads(content, words)
  await call.unfold('Take down')
  expect(call.clicks).toBe(2)
  await call.page.getByLabel('Reason').fill('No visit of this pro belongs to it.')
  await call.page.getByRole('button', { name: 'Take review down' }).click()
  await call.reads('The review is taken down.')
  expect(await (await app.send(`/api/v1/reviews?professionalId=${pro.id}`)).text()).not.toContain(content)
  await watched.page.context().close()
})
