// The search page in a browser: type-ahead by keyboard, filters, paging, the browser's location; and without scripts.
import { expect, test } from 'bun:test'

import { renderMarkup } from '../../../src/platform/text/markup.tsx'
import { nothingFound } from '../../../src/web/public/search/nothing-found.tsx'
import { searchIn } from '../../../src/web/public/search/query.ts'
import { openTestApp } from '../../support/app.ts'
import { openBrowser, watchPage } from '../../support/browser.ts'
import { startServer } from '../../support/server.ts'
import { opened } from '../../support/fixture.ts'
const app = await opened(openTestApp())
const server = await opened(startServer(app), 'stop')
const browser = await opened(openBrowser())

test('suggests services and places while a person types, by keyboard alone', async () => {
  const { page, outside, errors, screenshot } = await watchPage(browser)
  await page.goto(server.url)
  const service = page.getByRole('combobox', { name: 'What do you need?' })
  await service.focus()
  await page.keyboard.type('plumb')
  const options = page.getByRole('option')
  await options.first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.locator('[role=option][aria-selected=true]').waitFor()
  expect(await service.getAttribute('aria-expanded')).toBe('true')
  expect(await service.getAttribute('aria-activedescendant')).toBe('service-list-0')
  const chosen = await options.first().innerText()
  await page.keyboard.press('Enter')
  expect([await service.inputValue(), await service.getAttribute('aria-expanded')]).toEqual([chosen, 'false'])
  await page.keyboard.press('Tab')
  const place = page.getByRole('combobox', { name: 'Where?' })
  await page.keyboard.type('7870')
  await page.getByRole('option', { name: 'Austin, TX 78701' }).waitFor()
  await page.keyboard.press('Escape')
  expect([await options.count(), await place.inputValue()]).toEqual([0, '7870'])
  await place.fill('san fr')
  await page.getByRole('option', { name: 'San Francisco, CA' }).click()
  expect(await place.inputValue()).toBe('San Francisco, CA')
  await service.fill('plumbers')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/?service=plumbers&place=San+Francisco%2C+CA')
  expect(await page.locator('h1').innerText()).toMatch(/plumbers? (in|near) San Francisco, CA$/)
  await screenshot('search')
  expect([outside, errors]).toEqual([[], []])
}, 60_000)

test('searches around the browser’s location, and at a place that is typed afterwards', async () => {
  const context = await browser.newContext({
    geolocation: { latitude: 30.26715, longitude: -97.74306 },
    permissions: ['geolocation'],
    viewport: { width: 390, height: 844 },
  })
  const page = await context.newPage()
  await page.goto(`${server.url}/?service=plumber&place=Miami,+FL`)
  await page.locator('label[for=edit-search]').click()
  await page.getByRole('button', { name: 'Use my location' }).click()
  await page.waitForURL('**/?service=Plumber&lat=30.267&lng=-97.743')
  expect(await page.locator('h1').innerText()).toMatch(/plumbers? near you$/)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  await page.locator('label[for=edit-search]').click()
  await page.getByLabel('Where?').fill('Texas')
  // The list of suggestions may cover the button.
  await page.keyboard.press('Enter')
  await page.waitForURL('**/?service=Plumber&place=Texas')
  expect(await page.locator('h1').innerText()).toMatch(/plumbers? in Texas$/)
  await page.locator('label[for=show-filters]').click()
  await page.getByLabel('Sort by').selectOption('Price')
  await page.getByLabel('Price up to').fill('130')
  await page.getByRole('button', { name: 'Show results' }).click()
  await page.waitForURL('**/?service=Plumber&place=Texas&sort=price&maxPrice=130')
  const prices = await page.locator('.price-line strong').allInnerTexts()
  const lowest = prices.map((text) => Number(/\$([\d,.]+)/.exec(text)?.[1]))
  expect(lowest).toEqual(lowest.toSorted((one, other) => one - other))
  expect(Math.max(...lowest)).toBeLessThanOrEqual(130)
  await page.goBack()
  expect(await page.getByLabel('Sort by').inputValue()).toBe('usual')
  await context.close()
}, 60_000)

test('without scripts it filters, keeps the filters from page to page, and offers the nearest names', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(server.url)
  await page.getByLabel('What do you need?').fill('hvac 78701')
  await page.getByRole('button', { name: 'Search' }).click()
  expect(await page.locator('h1').innerText()).toMatch(/pros? for heating & cooling near Austin, TX 78701$/)
  await page.goto(`${server.url}/?place=Texas`)
  await page.locator('label[for=show-filters]').click()
  await page.getByLabel('Verified').check()
  await page.getByLabel('Has time this week').check()
  await page.getByRole('button', { name: 'Show results' }).click()
  const first = await page.locator('h1').innerText()
  const names = await page.locator('.found h3 a').allInnerTexts()
  expect(names.length).toBe(20)
  expect(await page.locator('.found .trust').count()).toBe(20)
  expect(await page.locator('.map .dot').count()).toBe(20)
  await page.getByRole('link', { name: 'Next →' }).click()
  expect(await page.locator('h1').innerText()).toBe(first)
  expect(await page.getByLabel('Has time this week').isChecked()).toBe(true)
  const next = await page.locator('.found h3 a').allInnerTexts()
  expect(names.filter((name) => next.includes(name))).toEqual([])
  expect(await page.locator('.found > li').first().getAttribute('id')).toBe('pro-21')
  await page.goBack()
  expect(await page.locator('.found h3 a').allInnerTexts()).toEqual(names)
  await page.locator('.next a').first().click()
  expect(page.url()).toContain('/book?')
  await page.goto(`${server.url}/?service=plumber&place=Austin,+VT`)
  await page.getByRole('link', { name: 'Plumber in Austin, TX' }).click()
  expect(await page.locator('h1').innerText()).toMatch(/plumbers? in Austin, TX$/)
  await page.goto(`${server.url}/?place=Austin,+TX&rating=4.8&maxPrice=1&offset=5000`)
  await page.getByRole('link', { name: /Show the first|Search without filters/ }).click()
  expect(await page.locator('.found > li').count()).toBeGreaterThan(0)
  await context.close()
}, 60_000)

test('a price that is no number is named beside its field, stays there, and does not narrow the search', async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  await page.goto(`${server.url}/?service=plumber&place=Texas`)
  const title = await page.locator('h1').innerText()
  await page.locator('label[for=show-filters]').click()
  await page.getByLabel('Verified').check()
  await page.getByLabel('Price up to').fill('about 90')
  await page.getByRole('button', { name: 'Show results' }).click()
  await page.waitForURL('**&maxPrice=about+90&verified=on')
  const error = page.getByText('Must be a number from 0.01 to 100000.')
  await error.waitFor()
  expect(await error.isVisible()).toBe(true)
  expect(await page.getByLabel('Price up to').inputValue()).toBe('about 90')
  expect(await page.getByLabel('Verified').isChecked()).toBe(true)
  await page.getByLabel('Price up to').fill('')
  await page.getByLabel('Verified').uncheck()
  await page.getByRole('button', { name: 'Show results' }).click()
  await page.waitForURL('**/?service=Plumber&place=Texas')
  expect(await page.locator('h1').innerText()).toBe(title)
  await context.close()
}, 60_000)

test('a search without results says what happened, and each of its links leads to results or services', async () => {
  const read = async (path: string) => {
    const text = await (await fetch(server.url + path)).text()
    const [, title = ''] = /<h1>(.*?)<\/h1>/.exec(text) ?? []
    const [empty = ''] = /<div class="empty">[^]*?<\/div>/.exec(text) ?? []
    const links = Array.from(empty.matchAll(/href="([^"]*)"/g), ([, href = '']) => href.replaceAll('&amp;', '&'))
    return { title, empty, links, lists: /class="(found|trades)"/.exec(text)?.[1] }
  }
  const cases: [query: string, title: RegExp, says: string][] = [
    ['service=mount+a+samsung&place=Texas', /^We do not know this service$/, 'Did you mean one of these?'],
    ['service=plumber&place=Austin,+VT', /^We do not know this place$/, 'Did you mean'],
    ['service=qqqqqq', /^We do not know this service$/, 'Try other words, or choose a service below.'],
    ['service=plumber&place=qqqqqqqq', /^We do not know this place$/, 'Type a city with its state'],
    ['service=plumber&lat=35&lng=-50', /^No plumbers near you$/, 'Search within 100 miles'],
    ['service=plumber&lat=35&lng=-50&radius=100', /^No plumbers near you$/, '>Search everywhere</a>'],
    [
      'service=plumber&place=Texas&maxPrice=1',
      /^No matching plumbers in Texas$/,
      'No pros match all of these filters.',
    ],
  ]
  for (const [query, title, says] of cases) {
    const { title: shown, empty, links, lists } = await read(`/?${query}`)
    expect(shown).toMatch(title)
    expect(empty).toContain(says)
    expect(links.length > 0 || lists === 'trades').toBe(true)
    const last = links.at(-1)
    if (last !== undefined) expect((await read(last)).lists).toBeDefined()
  }
  const nowhere = nothingFound(
    searchIn(new URLSearchParams('service=Plumber')),
    { professionals: [], meta: { total: 0, limit: 20, offset: 0, hasMore: false }, openTimes: {} },
    { isAround: false },
  )
  expect(renderMarkup(nowhere)).toContain('<a href="/">See all services</a>')
})

test('a phone shows the first card within 260 pixels, the whole of which leads to the pro, and the map on demand', async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const page = await context.newPage()
  await page.goto(`${server.url}/?service=plumber&place=Texas`)
  const first = await page.locator('.found > li').first().boundingBox()
  expect(first?.y ?? Infinity).toBeLessThan(260)
  expect(await page.locator('.map').isVisible()).toBe(false)
  await page.locator('label[for=show-map]').tap()
  expect(await page.locator('.map').isVisible()).toBe(true)
  await page.locator('.found .about').first().tap({ force: true })
  await page.waitForURL('**/pros/*')
  await context.close()
}, 60_000)

test('on a desktop the map stays in sight while the list is scrolled, and on a phone it scrolls with the page', async () => {
  const desktop = await browser.newContext({ viewport: { width: 1280, height: 420 } })
  const page = await desktop.newPage()
  await page.goto(`${server.url}/?service=plumber&place=Texas`)
  expect(await page.locator('.map-chip').isVisible()).toBe(false)
  await page.locator('.found > li').nth(8).scrollIntoViewIfNeeded()
  const { y = -1, height = 0 } = (await page.locator('.map').boundingBox()) ?? {}
  expect([y >= 0, y + height <= 420]).toEqual([true, true])
  await desktop.close()
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const small = await phone.newPage()
  await small.goto(`${server.url}/?service=plumber&place=Texas`)
  await small.locator('label[for=show-map]').tap()
  const before = await small.locator('.map').boundingBox()
  // A finger on the map moves the page.
  const session = await phone.newCDPSession(small)
  await session.send('Input.synthesizeScrollGesture', { x: 195, y: (before?.y ?? 0) + 100, yDistance: -300 })
  expect((await small.locator('.map').boundingBox())?.y).toBeLessThan((before?.y ?? 0) - 200)
  await phone.close()
}, 60_000)

test('“near me” without a place asks for it, with the fields and the location in view', async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  await page.goto(`${server.url}/?service=plumber+near+me`)
  expect(await page.getByText('Where are you?').isVisible()).toBe(true)
  expect(await page.getByLabel('Where?').isVisible()).toBe(true)
  await page.goto(`${server.url}/?service=plumber+near+me&place=Austin,+TX`)
  expect(await page.getByText('Where are you?').count()).toBe(0)
  await context.close()
}, 60_000)
