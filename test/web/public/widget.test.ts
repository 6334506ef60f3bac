// The widget on other sites: no style sheet of theirs changes it, and it shows what a person needs before booking.
import { afterAll, expect, test } from 'bun:test'

import type { Page } from 'playwright-core'

import { createKey } from '../../../src/auth/keys/verbs/keys.ts'
import { PRESETS } from '../../../src/auth/scopes.ts'
import type { ChosenOffer } from '../../../src/features/calendar/availability/schemas.ts'
import { priceOf } from '../../../src/platform/text/format.ts'
import { VISIT_ADDRESS, VISIT_PHONE } from '../../support/booking-fixture.ts'
import { fillAddress, watchPage } from '../../support/browser.ts'
import { networkDigestOf } from '../../../src/rate-limit/network.ts'
import { requestContextOf } from '../../../src/auth/request-context.ts'
import { randomAddress } from '../../support/app.ts'
import { useConsole } from '../../support/console.ts'
import { axeFaults } from '../../support/page-faults.ts'
import { testSql } from '../../support/database.ts'
import { ctxOf } from '../../../src/ctx.ts'

const world = await useConsole()

/** Selectors reach the widget's element and what is within the page; what hides a parent hides everything in it. */
const HOSTILE: Record<string, string> = {
  'everything unset': 'main * { all: unset !important }',
  'colours and fonts': `main * { color: red !important; background: yellow !important; font: 60px/3 cursive !important;
    letter-spacing: 9px !important; word-spacing: 2em !important; text-transform: uppercase !important; -webkit-text-stroke: 2px red !important }`,
  'a large root':
    ':root { font-size: 40px !important } body { font-size: 300%; line-height: 4; font-weight: 900; color: lime }',
  'hidden elements': `main > * { display: none !important; visibility: hidden !important; opacity: 0.1 !important;
    content-visibility: hidden !important } section { display: none !important }`,
  'transforms and filters': `main > * { transform: rotate(8deg) scale(0.5) !important; rotate: 10deg !important; scale: 2 !important;
    filter: blur(4px) invert(1) !important; mix-blend-mode: difference !important; clip-path: circle(20%) !important;
    perspective: 10px !important }`,
  'right to left':
    'body { direction: rtl; text-align: right; unicode-bidi: bidi-override } div { direction: rtl !important }',
  'form controls': `input, button, select, label, form, h2, p, a { display: none !important; appearance: none !important;
    border: 9px dashed lime !important; height: 2px !important; pointer-events: none !important }`,
  'custom properties': `* { --hearth-ink: red !important; --hearth-paper: black !important; --hearth-accent: lime !important;
    --hearth-round: 40px !important; --hearth-line: red !important } :host, ::part(any) { color: red !important }`,
  boxes: `main > div { position: fixed !important; inset: 0 !important; float: right !important; width: 90px !important;
    height: 40px !important; max-width: 50px !important; margin: 40px !important; padding: 30px !important; zoom: 2 !important;
    overflow: hidden !important; columns: 3 !important; contain: strict !important; border: 20px solid red !important }`,
  'movement and text': `@font-face { font-family: system-ui; src: local("DejaVu Serif") } @keyframes turn { to { transform: rotate(1turn) } }
    main * { animation: turn 1s infinite !important; transition: all 9s !important;
    font-variant: small-caps !important; text-shadow: 2px 2px red !important; text-indent: 50px !important;
    white-space: nowrap !important; text-decoration: underline wavy red !important; color-scheme: dark !important }`,
}

/** A column beside an article, in a language that is written from right to left. */
const NARROW = 'html { direction: rtl; font-size: 200% } main { width: 280px !important }'
const sql = testSql(world.app.databaseUrl, 1)
const [pro] = await sql<{ slug: string }[]>`
    select p.slug from professionals p
    where p.active and p.instant_booking_enabled and not p.requires_approval and not exists (
      select from professional_services o where o.professional_id = p.id and o.duration_minutes > 120)
    and exists (select from professional_services o where o.professional_id = p.id and o.instant_book_enabled)
    order by p.id limit 1`
await sql.end()
const slug = pro?.slug ?? ''
let secret = ''
const site = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: (request) => {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname !== '/') return new Response(null, { status: 204 })
    const attributes = searchParams.get('attributes') ?? 'data-radius="0"'
    return new Response(
      `<!doctype html><html lang="en"><title>A shop</title><body style="margin:0"><main style="width:600px;display:block">
        <script src="${world.url}/widget.js" data-key="${secret}" data-pro="${slug}" ${attributes}></script></main>
        <style>${{ ...HOSTILE, narrow: NARROW }[searchParams.get('style') ?? ''] ?? ''}</style></body></html>`,
      { headers: { 'content-type': 'text/html' } },
    )
  },
})
const owner = { ownerEmail: 'widget-owner@test.example', name: 'widget', scopes: PRESETS.widget }
secret = (await createKey(ctxOf(world.app.deps), { ...owner, origin: site.url.origin, rateMultiplier: 100 })).secret
const visit = await watchPage(world.browser)
afterAll(() => site.stop(true))

/** Opens a page with the widget, and chooses the first time as a script may, even where the page moves things about. */
async function openWidget(page: Page, query: Record<string, string>): Promise<void> {
  await page.goto(`${site.url.origin}/?${new URLSearchParams(query).toString()}`)
  await page.locator('[aria-label=Times] button').first().waitFor({ state: 'attached' })
  await page.locator('[aria-label=Times] button').first().dispatchEvent('click')
  await page.locator('[name=name]').waitFor({ state: 'attached' })
}

test('ten hostile style sheets do not change a pixel of it', async () => {
  const { page } = visit
  await openWidget(page, {})
  const expected = await page.locator('main > div').screenshot()
  const changed: string[] = []
  for (const style of Object.keys(HOSTILE)) {
    await openWidget(page, { style })
    if (!expected.equals(await page.locator('main > div').screenshot())) changed.push(style)
  }
  expect(changed).toEqual([])
}, 60_000)

test('shows price and terms before anything is chosen, month by month, and keeps what was typed', async () => {
  const { page } = visit
  const listing = page.waitForResponse((response) => response.url().includes('/availability?'))
  await page.goto(site.url.origin)
  const days = page.getByRole('group', { name: 'Days' }).getByRole('button')
  const first = await days.first().innerText()
  const { service } = (await (await listing).json()) as { service: ChosenOffer }
  expect(await page.locator('.terms').innerText()).toContain(priceOf(service.price))
  expect(await page.locator('.terms').innerText()).toContain(service.cancellation ?? 'It can be booked.')
  expect(await page.getByRole('link', { name: 'Booking terms' }).getAttribute('href')).toBe(`${world.url}/terms`)
  expect(await page.getByText(/Times are in (\w+ )+Time\./).count()).toBe(1)
  // A month of weeks, whose days are equally wide; they are read aloud with weekday and month.
  const widths = await days.evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().width)))
  expect([widths.length > 14, new Set(widths).size]).toEqual([true, 1])
  expect(await days.first().getAttribute('aria-label')).toMatch(/^\w{3}, \w{3}\u00A0\d+$/)
  expect(await page.getByText(/^[A-Z][a-z]+ 20\d\d$/).count()).toBe(1)
  for (let turns = 0; turns < 2; turns++) {
    const month = await page.locator('.pages span').innerText()
    await page.getByRole('button', { name: 'Later →' }).click()
    await page.locator('.pages span', { hasNotText: month }).waitFor()
  }
  await page.getByRole('group', { name: 'Times' }).getByRole('button').first().click()
  expect(await page.evaluate('document.querySelector("main > div").shadowRoot.activeElement.name')).toBe('name')
  expect(await page.getByText(/^(?:If you cancel by|You can cancel free|It is too late)/).count()).toBeGreaterThan(1)
  await page.getByLabel('Your name').fill('Demo Customer')
  await page.getByRole('group', { name: 'Times' }).getByRole('button').nth(1).click()
  expect(await page.getByLabel('Your name').inputValue()).toBe('Demo Customer')
  for (const label of ['Phone', 'Street', 'ZIP code']) expect(await page.getByLabel(label).count()).toBe(1)
  expect(await page.getByRole('button', { name: /^Book \w+day, \w+ \d+, \d+:\d\d [AP]M$/ }).count()).toBe(1)
  for (let turns = 0; turns < 2; turns++) await page.getByRole('button', { name: '← Earlier' }).click()
  await days.getByText(first, { exact: true }).waitFor()
  expect([visit.outside, visit.errors]).toEqual([[], []])
})

test('a month that arrives late replaces nothing that was chosen meanwhile', async () => {
  const { page } = await watchPage(world.browser)
  await page.goto(site.url.origin)
  const times = page.getByRole('group', { name: 'Times' }).getByRole('button')
  await times.first().waitFor()
  const late = Promise.withResolvers<void>()
  await page.route('**/availability?*', async (route) => {
    await late.promise
    await route.continue()
  })
  const asked = page.waitForRequest('**/availability?*')
  await page.getByRole('button', { name: 'Later →' }).click()
  await asked
  await times.first().click()
  await page.getByLabel('Your name').fill('Demo Customer')
  const answered = page.waitForResponse('**/availability?*')
  late.resolve()
  await answered
  await page.waitForLoadState('networkidle')
  expect(await page.getByLabel('Your name').inputValue()).toBe('Demo Customer')
})

test('takes its theme from attributes, and no rules', async () => {
  const { page } = visit
  const lookOf = async (attributes: string) => {
    await openWidget(page, { attributes })
    return await page.evaluate<string[]>(`['section', '[aria-pressed=true]']
      .map((it) => getComputedStyle(document.querySelector('main > div').shadowRoot.querySelector(it)))
      .flatMap((style, at) => (at === 0 ? [style.borderRadius, style.color] : [style.backgroundColor, style.color]))`)
  }
  const plain = ['10px', 'rgb(38, 33, 29)', 'rgb(168, 62, 23)', 'rgb(253, 252, 251)']
  expect(await lookOf('data-scheme="light"')).toEqual(plain)
  expect(await lookOf('data-accent="#ffd400" data-radius="20" data-scheme="dark"')).toEqual([
    '20px',
    'rgb(236, 230, 224)',
    'rgb(255, 212, 0)',
    'rgb(0, 0, 0)',
  ])
  const injection = 'red } * { display: none'
  expect(
    await lookOf(`data-accent="${injection}" data-radius="9; ${injection}" data-scheme="light; ${injection}"`),
  ).toEqual(plain)
})

test('refuses an address that the pro does not come to, and keeps what was typed', async () => {
  const { page } = visit
  await openWidget(page, {})
  await page.getByLabel('Your name').fill('Demo Customer')
  await page.getByLabel('E-mail address').fill('demo@customers.test.example')
  await fillAddress(page, { hasCity: false })
  await page.getByLabel('ZIP code').fill('96815')
  await page.getByRole('button', { name: /^Book \w+day/ }).click()
  await page.getByText(/does not come to Honolulu, HI 96815/).waitFor()
  expect(await page.getByLabel('ZIP code').inputValue()).toBe('96815')
}, 60_000)

test('leads to the page for the chosen time when the booking needs a code', async () => {
  const { page } = visit
  world.network = randomAddress()
  const request = new Request(world.url)
  requestContextOf(request).peer = () => world.network
  await world.app.sql`
    insert into network_bookings (network_digest, booked_at, free_at)
    select ${networkDigestOf(world.app.deps, request)}, now, now
    from (select ${world.app.deps.clock.now().toISOString()}::timestamptz as now) clock`
  await openWidget(page, {})
  await page.getByLabel('Your name').fill('Demo Customer')
  await page.getByLabel('E-mail address').fill('demo@customers.test.example')
  await fillAddress(page, { hasCity: false })
  await page.getByRole('button', { name: /^Book \w+day/ }).click()
  const link = page.getByRole('link', { name: 'Book this time on our page' })
  await link.waitFor()
  expect(await page.getByLabel('Your name').inputValue()).toBe('Demo Customer')
  await page.goto((await link.getAttribute('href')) ?? '')
  await page.getByRole('button', { name: 'Choose another time' }).waitFor()
  world.network = undefined
}, 60_000)

/** What of the widget has the focus: its text or the name of a field. */
/** The widget is a part of another site's page, whose heading is the site's own. */
const WITHIN_A_PAGE = { without: ['page-has-heading-one'] }

const focused = (page: Page) =>
  page.evaluate<string>(`(() => { const it = document.querySelector('main > div').shadowRoot.activeElement
    return it ? it.name || it.innerText : '' })()`)

/** Presses Tab until the focus is on the element. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (name.test(await focused(page))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The Tab key does not reach ${name}.`)
}

test('books by keyboard alone in a narrow column, and stays readable with an accent like its background', async () => {
  const { page } = visit
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(
    `${site.url.origin}/?${new URLSearchParams({ style: 'narrow', attributes: 'data-accent="#ffffee"' }).toString()}`,
  )
  await page.locator('[aria-label=Times] button').first().waitFor()
  await tabTo(page, /^Later/)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: '← Earlier' }).and(page.locator(':enabled')).waitFor()
  await tabTo(page, /^\d+:\d\d [AP]M$/)
  await page.keyboard.press('Space')
  await page.locator('[name=name]').waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect([colorScheme, await axeFaults(page, WITHIN_A_PAGE)]).toEqual([colorScheme, []])
  }
  expect(
    await page.evaluate<boolean>(`[...document.querySelector('main > div').shadowRoot.querySelectorAll('*')]
    .some((it) => it.getBoundingClientRect().width > 281)`),
  ).toBe(false)
  const entered = [VISIT_PHONE, VISIT_ADDRESS.street, VISIT_ADDRESS.zipCode, '']
  for (const text of ['Demo Customer', 'widget-keyboard@demo.example', ...entered]) {
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  expect(await focused(page)).toMatch(/^Book /)
  await page.keyboard.press('Enter')
  await page.getByText(/Your confirmation code is HTH-/).waitFor()
  const hasToPay = (await page.getByRole('link', { name: /^Pay \$/ }).count()) > 0
  expect((await page.getByText(/ to confirm: the time is held for 15 minutes\.$/).count()) > 0).toBe(hasToPay)
  expect(await focused(page)).toMatch(/^(Booked|One more step)$/)
}, 30_000)
