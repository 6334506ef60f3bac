// The public pages that no other test opens pass the page check: axe-core, phone width, no foreign hosts.
import { expect, test } from 'bun:test'

import { systemClock } from '../../../src/platform/clock/clock.ts'
import { watchPage } from '../../support/browser.ts'
import { checkPage, useConsole } from '../../support/console.ts'
import { quotingPro, sentQuote } from '../../support/quotes.ts'

const world = await useConsole()

test.each([
  ['problems', '/problems'],
  ['problem', '/problems/slot_unavailable'],
  ['booking-code', '/bookings'],
  ['results', '/?service=drain-cleaning&place=TX'],
  ['no-results', '/?place=Nowhere'],
  ['city', '/plumbers/houston-tx'],
])('the page %s passes the page check', async (name, path) => {
  const visit = await watchPage(world.browser)
  expect((await visit.page.goto(world.url + path))?.status()).toBe(200)
  await checkPage(visit, name)
  await visit.page.context().close()
})

test('the page of a quote passes the page check', async () => {
  const pro = await quotingPro(world.app)
  const lineItems = [{ description: 'New corner piece', quantity: 6, unitPrice: 80, amount: 480 }]
  const { token } = await sentQuote({ ...world.app.deps, clock: systemClock }, pro, { lineItems })
  const visit = await watchPage(world.browser)
  await visit.page.goto(`${world.url}/quotes/${token}`)
  await checkPage(visit, 'quote')
  await visit.page.context().close()
})
