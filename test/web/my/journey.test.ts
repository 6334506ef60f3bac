// A customer's journey in a browser, with and without scripts: book, sign in with the code in the mail, see, move, review,
// cancel, copy and erase.
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'

import type { Page } from 'playwright-core'

import { eraseRequested } from '../../../src/features/customers/customers/verbs/erasure.ts'
import { fillAddress, watchPage } from '../../support/browser.ts'
import { checkPage, useConsole } from '../../support/console.ts'
import { mailTo, newAddress } from '../../support/customers.ts'
import { ctxOf } from '../../../src/ctx.ts'

const world = await useConsole()
const [found] = await world.app.sql<{ id: string; slug: string }[]>`
    select p.id, p.slug from professionals p
    where p.active and p.instant_booking_enabled and not p.requires_approval and not p.deposit_required
      and exists (select from professional_services o where o.professional_id = p.id and o.instant_book_enabled)
      and not exists (select from professional_services o where o.professional_id = p.id and o.duration_minutes > 120)
    order by p.id limit 1`
if (!found) throw new Error('The seed has no such pro.')
const pro = found

async function book(page: Page, email: string): Promise<void> {
  await page.goto(`${world.url}/pros/${pro.slug}/book`)
  await page.locator('.offers a').first().click()
  await page.locator('.slots a').first().click()
  await page.getByLabel('Your name').fill('Demo Customer')
  await page.getByLabel('E-mail address').fill(email)
  await fillAddress(page)
  await page.getByRole('button', { name: 'Book' }).click()
  await page.getByText('Your booking is confirmed').waitFor()
}

/** Signs in from the header, with the code in the mail. */
async function signIn(page: Page, email: string, check: (name: string) => Promise<void>): Promise<void> {
  await page.getByRole('banner').getByRole('link', { name: 'My bookings' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await check('sign-in')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
  await check('sign-in-code')
  const { code } = await mailTo(world.app, email)
  await page.getByLabel('Code').fill(code)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText(`Signed in as ${email}`).waitFor()
}

/** The pro completes the latest visit of the customer. */
async function complete(email: string): Promise<void> {
  await world.app.sql`
    update bookings set status = 'completed', completed_at = ends_at
    where id = (select id from bookings where customer_email = ${email} order by created_at desc, id desc limit 1)`
}

async function journey(page: Page, check: (name: string) => Promise<void>): Promise<void> {
  const email = newAddress()
  await book(page, email)
  await book(page, email)
  await complete(email)
  await signIn(page, email, check)
  await check('my')

  await page.getByRole('link', { name: /^Write a review/ }).click()
  await page.getByRole('heading', { name: /^Review / }).waitFor()
  await check('my-review')
  await page.getByLabel('5 stars').check({ force: true })
  await page.getByLabel('Your review').fill('On time, and the drain is clear.')
  await page.getByLabel('Your name').fill('Demo Customer')
  await page.getByRole('button', { name: 'Send the review' }).click()
  await page.getByText('A moderator reads the review').waitFor()

  await page.locator('.offers a').first().click()
  await page.getByRole('heading', { name: 'Your booking is confirmed' }).waitFor()
  await check('my-booking')
  await page.getByRole('link', { name: 'Move to another time' }).click()
  await page.locator('.slots a').last().click()
  await page.getByRole('button', { name: 'Move the booking' }).click()
  await page.getByText('Your booking was moved to').waitFor()
  await page.getByRole('link', { name: 'Cancel the booking' }).click()
  await page.getByRole('button', { name: 'Cancel the booking' }).click()
  await page.getByRole('heading', { name: 'The booking was cancelled' }).waitFor()

  await page.getByRole('link', { name: '← My bookings' }).click()
  await page.getByRole('link', { name: 'Get a copy of your data' }).click()
  await page.getByRole('heading', { name: 'Your data' }).waitFor()
  await check('my-data')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download a copy' }).click()
  const file = await (await downloading).path()
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    email,
    bookings: [{ status: 'cancelled' }, { status: 'completed' }],
    reviews: [{ rating: 5 }],
  })
  await page.getByLabel('Type your e-mail address to confirm').fill(email)
  await page.getByRole('button', { name: 'Erase my data' }).click()
  await page.getByText('Your data is being erased').waitFor()
  await check('my-erasure')
  expect(await eraseRequested(ctxOf(world.app.deps))).toBe(1)
  await page.reload()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  const [left] = await world.app.sql`select count(*)::int as n from bookings where customer_email = ${email}`
  expect(left).toEqual({ n: 0 })
}

describe('a customer', () => {
  test('goes the whole way with scripts, on pages that pass the page check', async () => {
    const visit = await watchPage(world.browser)
    await journey(visit.page, (name) => checkPage(visit, name))
    await visit.page.context().close()
  }, 120_000)

  test('goes the whole way without scripts, on a phone', async () => {
    const viewport = { width: 390, height: 844 }
    const context = await world.browser.newContext({ javaScriptEnabled: false, viewport })
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    await journey(page, () => Promise.resolve())
    await page.getByLabel('E-mail address').fill(newAddress())
    await page.getByRole('button', { name: 'Send me a code' }).click()
    await page.getByLabel('Code').fill('1')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Wrong code. You can try 4 more times.').waitFor()
    await context.close()
  }, 120_000)

  test('opens the link in the mail: it fills the code in in the same browser, and tells another one to type it', async () => {
    const email = newAddress()
    const [mine, other] = [await watchPage(world.browser), await watchPage(world.browser)]
    await mine.page.goto(`${world.url}/my/sign-in`)
    await mine.page.getByLabel('E-mail address').fill(email)
    await mine.page.getByRole('button', { name: 'Send me a code' }).click()
    await mine.page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    const { link } = await mailTo(world.app, email)
    await other.page.goto(link)
    await other.page.getByText('Go back to the browser').waitFor()
    await checkPage(other, 'sign-in-elsewhere')
    await mine.page.goto(link)
    await mine.page.getByRole('button', { name: 'Sign in' }).click()
    await mine.page.getByText(`Signed in as ${email}`).waitFor()
    await mine.page.getByRole('button', { name: 'Sign out' }).click()
    await mine.page.waitForURL(`${world.url}/`)
    await mine.page.goto(`${world.url}/my`)
    await mine.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    for (const { page } of [mine, other]) await page.context().close()
  }, 60_000)
})
