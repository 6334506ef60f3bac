// A customer with a link reads the quote in a browser and accepts or declines it.
import { expect, test } from 'bun:test'

import { sendQuote } from '../../../src/features/quoting/quotes/verbs/quotes.ts'
import { systemClock } from '../../../src/platform/clock/clock.ts'
import { openTestApp } from '../../support/app.ts'
import { openBrowser, watchPage } from '../../support/browser.ts'
import { quotingPro, sentQuote, tokenOf } from '../../support/quotes.ts'
import { startServer } from '../../support/server.ts'
import { visitorFromNewAddress } from '../../support/visitor.ts'
import { ctxOf } from '../../../src/ctx.ts'
import { opened } from '../../support/fixture.ts'
const app = await opened(openTestApp())
const server = await opened(startServer(app), 'stop')
const browser = await opened(openBrowser())
const pro = await quotingPro(app)

const lineItems = [
  { description: 'New corner piece', quantity: 1, unitPrice: 80, amount: 80 },
  { description: 'Labor, by the hour', quantity: 4, unitPrice: 100, amount: 400 },
]

test.each([
  ['Accept the quote', 'You accepted this quote'],
  ['Decline', 'You declined this quote'],
])('the customer can click “%s” on the quote', async (button, message) => {
  const { token } = await sentQuote({ ...app.deps, clock: systemClock }, pro, { lineItems, estimatedDays: 1 })
  const { page, outside, errors, screenshot } = await watchPage(browser)
  await page.goto(`${server.url}/quotes/${token}`)
  expect(await page.locator('tfoot').innerText()).toContain('$480.00')
  await screenshot('quote')
  await page.getByRole('button', { name: button }).click()
  await page.getByText(message).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/quotes/${token}`)
  expect(await page.getByRole('button').count()).toBe(0)
  expect([outside, errors]).toEqual([[], []])
  await page.context().close()
})

test('a replaced quote cannot be accepted and leads to the newer one, which can', async () => {
  const deps = { ...app.deps, clock: systemClock }
  const visitor = visitorFromNewAddress(app)
  const replaced = await sentQuote(deps, pro, { amount: 480 })
  const { quote } = await sendQuote(ctxOf(deps, pro), { rfqId: replaced.rfqId, amount: 450 })
  const path = `/quotes/${replaced.token}`
  expect((await visitor.postRaw(`${path}/accept`, {})).location).toBe(path)
  const page = await visitor.get(path)
  expect(page.text).toContain('The pro sent you a newer quote')
  expect(page.text).not.toContain('<button')
  for (const part of ['time', 'receipt']) expect((await visitor.get(`${path}/${part}`)).text).not.toContain('$450')
  const request = await visitor.get(
    new URL(/href="([^"]+)">See the newer quote</.exec(page.text)?.[1] ?? '', server.url).pathname,
  )
  expect(request.text).toContain('$450')
  expect(request.text).toContain('Replaced')
  const newer = `/quotes/${tokenOf(deps, quote.id)}`
  expect((await visitor.postRaw(`${newer}/accept`, {})).location).toBe(newer)
  expect((await visitor.get(newer)).text).toContain('You accepted this quote')
  expect((await visitor.get(path)).text).toContain('The pro sent you a newer quote')
})
