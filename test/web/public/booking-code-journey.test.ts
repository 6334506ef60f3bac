// The step with the code in a browser: by keyboard, without scripts, on a phone; and from a widget.
import { expect, test } from 'bun:test'

import type { Page } from 'playwright-core'

import { networkDigestOf } from '../../../src/rate-limit/network.ts'
import { requestContextOf } from '../../../src/auth/request-context.ts'
import { randomAddress } from '../../support/app.ts'
import { VISIT_ADDRESS } from '../../support/booking-fixture.ts'
import { fillAddress, watchPage } from '../../support/browser.ts'
import { checkPage, useConsole } from '../../support/console.ts'
import { codeFor, newAddress } from '../../support/customers.ts'
import { findFreePro } from '../../support/free-pro.ts'

const PHONE = { width: 390, height: 844 }
const world = await useConsole()
const pro = await findFreePro(world.app)
// A customer has booked from the network of these browsers.
world.network = randomAddress()
const request = new Request(world.url)
requestContextOf(request).peer = () => world.network
await world.app.sql`
    insert into network_bookings (network_digest, booked_at, free_at)
    select ${networkDigestOf(world.app.deps, request)}, now, now
    from (select ${world.app.deps.clock.now().toISOString()}::timestamptz as now) clock`

/** Chooses the first time and fills in the form. */
async function fillIn(page: Page, email: string): Promise<void> {
  await page.goto(`${world.url}/pros/${pro.slug}/book?service=${pro.service}`)
  await page.locator('.slots a').first().click()
  await page.getByLabel('Your name').fill('Demo Customer')
  await page.getByLabel('E-mail address').fill(email)
  await fillAddress(page)
}

test('a customer books with the code, by keyboard and without scripts on a phone', async () => {
  const context = await world.browser.newContext({ javaScriptEnabled: false, viewport: PHONE })
  const page = await context.newPage()
  const email = newAddress()
  await fillIn(page, email)
  await page.getByRole('button', { name: 'Book', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
  await page.getByLabel('Code').fill('1')
  await page.keyboard.press('Enter')
  await page.getByText('Wrong code. You can try 4 more times.').waitFor()
  const early = await codeFor(world.app, email)
  await page.getByRole('button', { name: 'Send another code' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('We sent another code.').waitFor()
  const code = await codeFor(world.app, email)
  expect(code).not.toBe(early)
  await page.getByRole('button', { name: 'Change the details' }).click()
  expect(await page.getByLabel('Street').inputValue()).toBe(VISIT_ADDRESS.street)
  await page.getByRole('button', { name: 'Book', exact: true }).click()
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
  await page.getByLabel('Code').fill(await codeFor(world.app, email))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Your booking is confirmed' }).waitFor()
  expect(await page.getByRole('main').innerText()).toContain(VISIT_ADDRESS.street)
  await context.close()
}, 60_000)

test('the step passes the page check', async () => {
  const visit = await watchPage(world.browser)
  await fillIn(visit.page, newAddress())
  await visit.page.getByRole('button', { name: 'Book', exact: true }).click()
  await visit.page.getByRole('heading', { name: 'Enter your code' }).waitFor()
  await checkPage(visit, 'booking-code')
  await visit.page.context().close()
}, 60_000)
