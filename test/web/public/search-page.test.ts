// The search page in a browser: it suggests places while a person types, and works without scripts.
import { afterAll, beforeAll, expect, test } from 'bun:test'

import type { Browser } from 'playwright-core'

import { type TestApp, openTestApp } from '../../support/app.ts'
import { BROWSER_START_MS, openBrowser, watchPage } from '../../support/browser.ts'
import { type TestServer, startServer } from '../../support/server.ts'

let app: TestApp
let server: TestServer
let browser: Browser

beforeAll(async () => {
  app = await openTestApp()
  server = await startServer(app)
  browser = await openBrowser()
}, BROWSER_START_MS)
afterAll(async () => {
  await browser.close()
  await server.stop()
  await app.close()
})

test('suggests places, searches by service and place, and shows what was understood', async () => {
  const { page, outside, errors, screenshot } = await watchPage(browser)
  await page.goto(server.url)
  await page.getByLabel('Where?').pressSequentially('san fr')
  await page.locator('#place-choices option').first().waitFor({ state: 'attached' })
  expect(await page.locator('#place-choices option').first().getAttribute('value')).toBe('San Francisco, CA')
  await page.getByLabel('Where?').fill('austin texas')
  await page.getByLabel('What do you need?').fill('plumbers')
  await page.getByRole('button', { name: 'Search' }).click()
  expect(await page.locator('h1').innerText()).toBe('Plumber in Austin, TX')
  expect(await page.getByLabel('Where?').inputValue()).toBe('Austin, TX')
  await screenshot('search')
  expect([outside, errors]).toEqual([[], []])
}, 60_000)

test('reads a phrase in one field and offers the nearest names, without scripts', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(server.url)
  await page.getByLabel('What do you need?').fill('hvac 78701')
  await page.getByRole('button', { name: 'Search' }).click()
  expect(await page.locator('h1').innerText()).toBe('Heating & Cooling in Austin, TX 78701')
  await page.getByLabel('What do you need?').fill('plummer')
  await page.getByLabel('Where?').fill('Austin, TX')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('link', { name: 'Plumber in Austin, TX' }).click()
  expect(await page.locator('h1').innerText()).toBe('Plumber in Austin, TX')
  await context.close()
}, 60_000)
