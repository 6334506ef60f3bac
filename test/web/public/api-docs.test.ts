// /api-docs in a real browser: the reference shows and runs the operations, with assets of this server only.
import { expect, test } from 'bun:test'

import { openBrowser, watchPage } from '../../support/browser.ts'
import { checkPage } from '../../support/console.ts'
import { axeFaults } from '../../support/page-faults.ts'
import { cloneDatabase } from '../../support/database.ts'
import { startServer } from '../../support/server.ts'
import { opened } from '../../support/fixture.ts'
const clone = await opened(cloneDatabase('migrated'), 'drop')
const server = await opened(startServer({ databaseUrl: clone.url }), 'stop')
const browser = await opened(openBrowser())
const watched = await watchPage(browser)
await watched.page.goto(`${server.url}/api-docs`)

test('the reference shows every operation of the OpenAPI document, with examples, and a link opens one', async () => {
  const { page, screenshot } = watched
  const { paths, webhooks } = (await (await fetch(`${server.url}/openapi.json`)).json()) as Record<
    'paths' | 'webhooks',
    Record<string, Record<string, { operationId: string }>>
  >
  const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap((item) => Object.values(item))
  const idsOfPage = () => page.locator('.operation h3').evaluateAll((found) => found.map(({ id }) => id))
  const ids = await idsOfPage()
  await page.getByRole('link', { name: 'Platform API' }).click()
  const ofOperators = await idsOfPage()
  expect(new Set([...ids, ...ofOperators])).toEqual(new Set(operations.map(({ operationId }) => operationId)))
  expect([ofOperators.includes('postPlatformPro'), ids.includes('postPlatformPro')]).toEqual([true, false])
  await page.goto(`${server.url}/api-docs#postBooking`)
  await page.getByRole('heading', { name: 'Book a slot' }).waitFor()
  const booking = page.locator('.operation', { has: page.locator('#postBooking') })
  const curl = (await booking.getByLabel('curl', { exact: true }).textContent()) ?? ''
  expect(curl).toContain(`'${server.url}/api/v1/bookings'`)
  const body: unknown = JSON.parse(/-d '([^']+)'/.exec(curl)?.[1] ?? '')
  expect(body).toMatchObject({ date: expect.any(String), time: '10:00', customer: { email: expect.any(String) } })
  expect(await booking.getByText('requests.post(').textContent()).toContain('"time": "10:00"')
  const contents = page.getByRole('navigation', { name: 'Contents' })
  expect(await contents.getByRole('link').count()).toBe(ids.length + (await page.locator('main > section').count()))
  await contents.getByRole('link', { name: 'Cancel a booking', exact: true }).click()
  await page.getByRole('heading', { name: 'Cancel a booking' }).waitFor()
  expect(await contents.evaluate((it) => it.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0)
  await screenshot('api-docs')
})

test('each part of the reference needs no script, at most 38 kB, and less than a tenth of what Swagger UI needs', async () => {
  const bytesOf = async (path: string) => {
    const headers = { 'accept-encoding': 'br' }
    const response = await fetch(`${server.url}${path}`, { headers, decompress: false })
    expect([path, response.status, response.headers.get('content-encoding')]).toEqual([path, 200, 'br'])
    return (await response.bytes()).length
  }
  const reference = await bytesOf('/api-docs')
  expect(reference).toBeLessThan(38_000)
  expect(await bytesOf('/api-docs/platform')).toBeLessThan(38_000)
  const swaggerUi = (await bytesOf('/api-docs/swagger-ui-bundle.js')) + (await bytesOf('/api-docs/swagger-ui.css'))
  expect(reference).toBeLessThan(swaggerUi / 10)
  expect(await watched.page.locator('script').count()).toBe(0)
})

test('an operation is run on a page of its own, which shows the response, in both colour schemes', async () => {
  const { page, screenshot } = watched
  await page.goto(`${server.url}/api-docs#getCities`)
  const operations = page.locator('.operation', { has: page.locator('#getCities') })
  await operations.getByRole('link', { name: 'Try it out' }).click()
  const operation = page.locator('.opblock')
  await operation.getByRole('button', { name: 'Execute' }).click()
  expect(await operation.count()).toBe(1)
  const answer = operation.locator('.live-responses-table .response')
  await answer.getByText('totalCities').first().waitFor()
  expect(await answer.locator('.response-col_status').first().innerText()).toContain('200')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html.dark-mode').waitFor()
  await screenshot('api-docs-try-it-out')
  expect((await fetch(`${server.url}/api-docs/try/nothing`)).status).toBe(404)
})

test('the reference loads nothing from other hosts and violates no policy of its own', () => {
  expect(watched.outside).toEqual([])
  expect(watched.errors).toEqual([])
})

test('the test browser notices a request to another host and a script error', async () => {
  const other = await watchPage(browser)
  await other.page.goto(`${server.url}/api-docs`)
  await other.page.evaluate(() => fetch('https://elsewhere.example/').catch(() => undefined))
  await other.page.evaluate(() => globalThis.reportError(new Error('seen')))
  expect(other.errors.some((error) => error.includes('Content Security Policy'))).toBeTrue()
  expect(other.errors).toContain('seen')
  // A page without a policy reaches the network, where its request is blocked.
  await other.page.goto('about:blank')
  await other.page.evaluate(() => fetch('https://elsewhere.example/').catch(() => undefined))
  expect(other.outside).toEqual(['https://elsewhere.example/'])
})

test('the page is cached by ETag, and its policy allows nothing from other hosts', async () => {
  const response = await fetch(`${server.url}/api-docs/try/postBooking`)
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(policy).toStartWith("default-src 'none'; ")
  expect(policy).toContain("; script-src 'self';")
  const revalidated = await fetch(`${server.url}/api-docs/try/postBooking`, {
    headers: { 'if-none-match': response.headers.get('etag') ?? '' },
  })
  expect(revalidated.status).toBe(304)
})

test('HEAD of the API catalog returns only its Link header (RFC 9727)', async () => {
  const response = await fetch(`${server.url}/.well-known/api-catalog`, { method: 'HEAD' })
  expect([response.status, await response.text()]).toEqual([200, ''])
  expect(response.headers.get('link')).toContain('rel="service-desc"')
})

/** Swagger UI brings landmarks and headings of its own. Its scrollable examples are focused by Chromium since 130 itself. */
const SWAGGER_UI_FAULTS = [
  'heading-order',
  'landmark-main-is-top-level',
  'landmark-no-duplicate-main',
  'landmark-unique',
  'scrollable-region-focusable',
]

test('the reference passes axe-core with operations closed and one open, and so does the page of one operation', async () => {
  const visit = await watchPage(browser)
  const { page } = visit
  await page.goto(`${server.url}/api-docs#postBooking`)
  await checkPage(visit, 'api-docs-open')
  await page.goto(`${server.url}/api-docs/try/postBooking`)
  await page.getByRole('button', { name: 'Execute' }).waitFor()
  const rules = (await axeFaults(page)).map((fault) => fault.split(':')[0])
  expect(new Set(rules)).toEqual(new Set(SWAGGER_UI_FAULTS))
  await page.context().close()
}, 90_000)
