// A pro with a customer on the phone books by thumb, on a phone of 390 px.
import { expect, test } from 'bun:test'

import { findFreePort } from '../../../src/local/ports.ts'
import { instrumentedApp } from '../../support/app.ts'
import { VISIT_ADDRESS, openBookingFixture } from '../../support/booking-fixture.ts'
import { openBrowser, watchPage } from '../../support/browser.ts'
import { opened } from '../../support/fixture.ts'
import { thumb } from '../../support/hands.ts'
import { TOUCHED_PHONE, cutOff } from '../../support/page-faults.ts'
import { PASSWORD, createTestUser } from '../../support/visitor.ts'

const port = await findFreePort()
const url = `http://127.0.0.1:${port}`
const fixture = await opened(openBookingFixture({ BASE_URL: url, PORT: String(port) }))
const { app, sql } = fixture
const server = Bun.serve({ hostname: '127.0.0.1', port, fetch: instrumentedApp(app.deps).fetch })
await opened({ stop: () => server.stop(true) }, 'stop')
const browser = await opened(openBrowser())

test('a booking by hand takes three taps and the caller’s details; a wrong number loses nothing', async () => {
  const pro = await fixture.pro({ deposit: false })
  const { page, errors } = await watchPage(browser, TOUCHED_PHONE)
  const { use, enter } = thumb(page)
  const main = page.getByRole('main')
  await page.goto(`${url}/console`)
  await page.getByLabel('E-mail address').fill(await createTestUser(app, 'pro', { pro: pro.id }))
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).tap()
  await page.waitForURL(`${url}/console`)

  await page.goto(`${url}/console/bookings`)
  await use(main.getByRole('link', { name: 'New booking' }).first())
  await page.waitForURL('**/console/bookings/new*')
  if ((await main.locator('ul.offers a').count()) > 0) await use(main.locator('ul.offers a').first())
  await main.locator('ul.slots a').first().waitFor()
  expect(await cutOff(page)).toEqual([])
  await use(main.locator('ul.slots a').first())
  await main.getByRole('button', { name: 'Book for the customer' }).waitFor()
  expect(await cutOff(page)).toEqual([])

  await enter(main.getByLabel('Customer’s name'), 'Homeowner in Austin')
  await enter(main.getByLabel('Phone'), '12')
  await enter(main.getByLabel('E-mail'), 'caller@byhand.test.example')
  await enter(main.getByLabel('Street'), VISIT_ADDRESS.street)
  await enter(main.getByLabel('ZIP code'), VISIT_ADDRESS.zipCode)
  await enter(main.getByLabel('City'), VISIT_ADDRESS.city)
  await enter(main.getByLabel('State'), VISIT_ADDRESS.state)
  await use(main.getByRole('button', { name: 'Book for the customer' }))
  await main.locator('.fault').first().waitFor()
  expect(errors.splice(0)).toEqual([expect.stringContaining('400') as string])
  expect(await main.getByLabel('Customer’s name').inputValue()).toBe('Homeowner in Austin')
  expect(await main.getByLabel('Street').inputValue()).toBe(VISIT_ADDRESS.street)
  await enter(main.getByLabel('Phone'), '(512) 555-0142')
  await use(main.getByRole('button', { name: 'Book for the customer' }))
  await page.waitForURL(/\/console\/bookings\/[0-9a-f-]{36}$/)
  const booked = await sql<{ madeBy: string; street: string }[]>`
    select made_by, address ->> 'street' as street from bookings where professional_id = ${pro.id}`
  expect(booked.map(({ madeBy, street }) => [madeBy, street])).toEqual([['pro', VISIT_ADDRESS.street]])
  expect(errors).toEqual([])
})
