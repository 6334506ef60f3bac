// People book on Hearth's pages, with and without scripts, and with the widget on another site.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { createKey } from '../../../src/auth/keys/verbs/keys.ts'
import { PRESETS } from '../../../src/auth/scopes.ts'
import { VISIT_ADDRESS, VISIT_PHONE } from '../../support/booking-fixture.ts'
import { testSql } from '../../support/database.ts'
import { type WatchedPage, fillAddress, watchPage } from '../../support/browser.ts'
import { checkPage, useConsole } from '../../support/console.ts'
import { visitorFromNewAddress } from '../../support/visitor.ts'
import { escaped } from '../../support/escaped.ts'
import { ctxOf } from '../../../src/ctx.ts'

const world = await useConsole()
const sql = testSql(world.app.databaseUrl, 1)
const [first, second] = await sql<{ id: string; slug: string }[]>`
    select p.id, p.slug from professionals p
    where p.active and p.instant_booking_enabled and not p.requires_approval and not p.deposit_required and exists (
      select from professional_services o where o.professional_id = p.id and o.instant_book_enabled)
      and not exists (select from professional_services o where o.professional_id = p.id and o.duration_minutes > 120)
    order by p.id limit 2`
if (!first || !second) throw new Error('The seed has no two such pros.')
await sql`update professional_services set base_price_cents = 25000 where professional_id = ${second.id}`
await sql`update professionals set deposit_required = true, deposit_percentage = 20 where id = ${second.id}`
await sql.end()
/** `free` requires no deposit; `paid` requires one. */
const [free, paid] = [first, second]

/** The booking of a confirmation code in the API. */
const bookingOf = async (code: string) =>
  (await (await world.app.send(`/api/v1/bookings?code=${code}`)).json()) as { booking: Record<string, unknown> }

async function chooseAndBook({ page }: WatchedPage, slug: string): Promise<void> {
  await page.goto(`${world.url}/pros/${slug}`)
  await page.getByRole('link', { name: 'Book a time' }).click()
  await page.locator('.offers a').first().click()
  await page.locator('.slots a').first().click()
  await page.getByLabel('Your name').fill('Demo Customer')
  await page.getByLabel('E-mail address').fill('customer@demo.example')
  await fillAddress(page)
  await page.getByRole('button', { name: 'Book' }).click()
}

describe('on Hearth’s pages', () => {
  test('a customer finds a pro, books, moves the booking and cancels it', async () => {
    const visit = await watchPage(world.browser)
    const { page } = visit
    await page.goto(`${world.url}/`)
    await checkPage(visit, 'home')
    await page.goto(`${world.url}/pros/${free.slug}`)
    await checkPage(visit, 'profile')
    await page.getByRole('link', { name: 'Book a time' }).click()
    await page.waitForURL('**/book')
    await checkPage(visit, 'book-service')
    await page.locator('.offers a').first().click()
    await page.waitForURL('**/book?service=*')
    await checkPage(visit, 'book-time')
    await page.locator('.slots a').first().click()
    await page.getByLabel('Your name').fill('Demo Customer')
    await page.getByLabel('E-mail address').fill('customer@demo.example')
    await fillAddress(page)
    await checkPage(visit, 'book-details')
    await page.getByRole('button', { name: 'Book' }).click()
    await page.getByText('Your booking is confirmed').waitFor()
    await checkPage(visit, 'booked')
    const managePath = new URL(page.url()).pathname
    const code = await page.getByText(/^HTH-/).innerText()
    expect((await bookingOf(code)).booking).toMatchObject({
      status: 'confirmed',
      professional: { id: free.id },
      customer: { name: 'Demo Customer' },
    })
    await page.getByRole('link', { name: 'Move to another time' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/move')
    await checkPage(visit, 'move-time')
    const selected = page.locator('.slots a').last()
    const time = /time=(\d\d)%3A(\d\d)/
      .exec((await selected.getAttribute('href')) ?? '')
      ?.slice(1)
      .join(':')
    const shown = await selected.innerText()
    await selected.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Move the booking' }).waitFor()
    await checkPage(visit, 'move-chosen')
    await page.getByRole('button', { name: 'Move the booking' }).click()
    await page.getByRole('status').waitFor()
    await checkPage(visit, 'moved')
    expect(await page.getByRole('status').innerText()).toContain(shown)
    expect((await bookingOf(code)).booking).toMatchObject({ status: 'confirmed', scheduledTime: time })
    await page.getByRole('link', { name: 'Cancel the booking' }).click()
    await page.getByText('You have not paid anything, so cancelling costs nothing.').waitFor()
    await checkPage(visit, 'cancel')
    await page.getByRole('button', { name: 'Cancel the booking' }).click()
    await page.getByText('The booking was cancelled').waitFor()
    await page.goto(`${world.url}${managePath}/move`)
    await page.getByText('This booking cannot be moved').waitFor()
    await checkPage(visit, 'move-over')
    expect((await bookingOf(code)).booking).toMatchObject({ status: 'cancelled' })
    await page.context().close()
  }, 120_000)

  test('a booking with a deposit continues with the payment', async () => {
    const visit = await watchPage(world.browser)
    const { page } = visit
    await chooseAndBook(visit, paid.slug)
    await page.getByText('Pay for your booking').waitFor()
    await checkPage(visit, 'pay')
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.getByText('Payment received. Thank you').waitFor()
    await page.getByRole('link', { name: 'See, move or cancel your booking' }).click()
    await page.getByText('Your booking is confirmed').waitFor()
    expect([visit.outside, visit.errors]).toEqual([[], []])
    await page.context().close()
  }, 30_000)

  test('a form that is sent several times without scripts creates one booking', async () => {
    const visitor = visitorFromNewAddress(world.app)
    const service = /book\?service=([0-9a-f-]{36})/.exec((await visitor.get(`/pros/${free.slug}`)).text)?.[1] ?? ''
    const times = (await visitor.get(`/pros/${free.slug}/book?service=${service}`)).text
    const chosen = /href="([^"]+&amp;time=[^"]+)#who"/.exec(times)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const { text } = await visitor.get(chosen)
    const hidden = Object.fromEntries(
      [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]+)"/g)].map(([, name, value]) => [name, value]),
    ) as Record<string, string>
    const person = { name: 'Demo Customer', email: 'customer@demo.example', phone: VISIT_PHONE, ...VISIT_ADDRESS }
    const fields = { ...hidden, ...person }
    const sent = await Promise.all([1, 2, 3].map(() => visitor.postRaw(`/pros/${free.slug}/book`, fields)))
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([303]))
    expect(new Set(sent.map(({ location }) => location)).size).toBe(1)
    // The slot is taken now: the form says so and shows the remaining ones.
    const late = await visitor.postRaw(`/pros/${free.slug}/book`, { ...fields, idempotencyKey: crypto.randomUUID() })
    expect(late.status).toBe(200)
    expect(late.text).toContain('This time is no longer available.')
    expect(late.text).toContain('class="slots"')
  })

  test('an error appears beside its field, and the form keeps the entered values', async () => {
    const visitor = visitorFromNewAddress(world.app)
    const evil = '"><script>alert(1)</script>'
    const service = /book\?service=([0-9a-f-]{36})/.exec((await visitor.get(`/pros/${free.slug}`)).text)?.[1] ?? ''
    const times = (await visitor.get(`/pros/${free.slug}/book?service=${service}`)).text
    const query = new URLSearchParams(/book\?([^"#]+)#who/.exec(times)?.[1]?.replaceAll('&amp;', '&'))
    const { text, status } = await visitor.postRaw(`/pros/${free.slug}/book`, {
      service,
      date: query.get('date') ?? '',
      time: query.get('time') ?? '',
      idempotencyKey: crypto.randomUUID(),
      name: evil,
      email: 'nope',
    })
    expect(status).toBe(200)
    expect(text).toContain('Must be an e-mail address')
    expect(text).toContain(escaped(evil))
    expect(text).not.toContain(evil)
  })

  test('a form from another site is refused', async () => {
    const visitor = visitorFromNewAddress(world.app)
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'https://evil.test.example' },
    ]
    for (const headers of foreign)
      for (const path of [
        `/pros/${free.slug}/book`,
        '/bookings/manage/no-such-link/cancel',
        '/bookings/manage/no-such-link/move',
      ])
        expect((await visitor.postRaw(path, {}, headers)).status).toBe(403)
  })
})

describe('the widget', () => {
  let site: ReturnType<typeof Bun.serve>
  let elsewhere: ReturnType<typeof Bun.serve>

  /** A page of another site with a strict Content-Security-Policy. */
  const pageOf = (key: string, slug: string) =>
    new Response(
      `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>A shop</title>
      <main><h1>Our plumber</h1><script src="${world.url}/widget.js" data-key="${key}" data-pro="${slug}" async></script></main></html>`,
      {
        headers: {
          'content-type': 'text/html',
          'content-security-policy': `default-src 'none'; script-src ${world.url}; connect-src ${world.url}; img-src 'self'`,
        },
      },
    )

  beforeAll(async () => {
    const keys = { current: '' }
    const serve = () =>
      Bun.serve({
        hostname: '127.0.0.1',
        port: 0,
        fetch: (request) => {
          const { pathname } = new URL(request.url)
          return pathname === '/favicon.ico'
            ? new Response(null, { status: 204 })
            : pageOf(keys.current, pathname.slice(1))
        },
      })
    ;[site, elsewhere] = [serve(), serve()]
    const key = await createKey(ctxOf(world.app.deps), {
      ownerEmail: 'widget-owner@test.example',
      name: 'widget',
      scopes: PRESETS.widget,
      origin: site.url.origin,
    })
    keys.current = key.secret
  })
  afterAll(async () => {
    await site.stop(true)
    await elsewhere.stop(true)
  })

  test('books on a page of its key’s origin, and fits a phone', async () => {
    const visit = await watchPage(world.browser)
    const { page } = visit
    await page.goto(`${site.url.origin}/${free.slug}`)
    await page.getByRole('group', { name: 'Times' }).getByRole('button').first().click()
    await page.getByLabel('Your name').fill('Demo Customer')
    await page.getByLabel('E-mail address').fill('customer@demo.example')
    await fillAddress(page, { hasCity: false })
    await checkPage(visit, 'widget')
    await page.getByRole('button', { name: /^Book / }).click()
    await page.getByRole('heading', { name: 'Booked' }).waitFor()
    const code = (/HTH-\w{12}/.exec(await page.getByText(/HTH-/).innerText()) ?? [''])[0]
    expect((await bookingOf(code)).booking).toMatchObject({ status: 'confirmed', professional: { id: free.id } })
    expect([visit.outside, visit.errors]).toEqual([[], []])
    await page.context().close()
  }, 60_000)

  test('links to the payment when there is a deposit', async () => {
    const { page } = await watchPage(world.browser)
    await page.goto(`${site.url.origin}/${paid.slug}`)
    await page.getByRole('group', { name: 'Times' }).getByRole('button').first().click()
    await page.getByLabel('Your name').fill('Demo Customer')
    await page.getByLabel('E-mail address').fill('customer@demo.example')
    await fillAddress(page, { hasCity: false })
    await page.getByRole('button', { name: /^Book / }).click()
    const pay = page.getByRole('link', { name: /^Pay / })
    expect(await pay.getAttribute('href')).toStartWith(`${world.url}/pay/`)
    await page.context().close()
  }, 30_000)

  test('reports that a slot was just taken and offers other ones', async () => {
    const { page } = await watchPage(world.browser)
    await page.goto(`${site.url.origin}/${free.slug}`)
    await page.getByRole('group', { name: 'Times' }).getByRole('button').first().click()
    await page.getByLabel('Your name').fill('Demo Customer')
    await page.getByLabel('E-mail address').fill('customer@demo.example')
    await fillAddress(page, { hasCity: false })
    const other = await watchPage(world.browser)
    await chooseAndBook(other, free.slug)
    await other.page.waitForURL('**/bookings/manage/*')
    await page.getByRole('button', { name: /^Book / }).click()
    await page.getByText('This time was just taken').waitFor()
    expect(await page.getByRole('group', { name: 'Times' }).getByRole('button').count()).toBeGreaterThan(0)
    await page.context().close()
    await other.page.context().close()
  }, 60_000)

  test('shows a clear error on a page of another origin', async () => {
    const { page } = await watchPage(world.browser)
    await page.goto(`${elsewhere.url.origin}/${free.slug}`)
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').innerText()).toContain(`works in pages of ${site.url.origin} only`)
    await page.context().close()
  }, 30_000)

  test('is under 15 KB compressed and never parses HTML', async () => {
    const source = await (await fetch(`${world.url}/widget.js`)).text()
    expect(Bun.gzipSync(Buffer.from(source)).length).toBeLessThan(15 * 1024)
    expect(source).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write/)
  })
})
