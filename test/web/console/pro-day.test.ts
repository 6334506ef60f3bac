// What a pro finds in the console besides the day of pro-journey.test.ts: refused input, the week, hours, services, team, search.
import { afterEach, expect, test } from 'bun:test'

import type { Locator } from 'playwright-core'

import { createBooking } from '../../../src/features/booking/bookings/verbs/create-booking.ts'
import { listOffers } from '../../../src/features/business/offers/verbs.ts'
import { listQuotes, sendQuote } from '../../../src/features/quoting/quotes/verbs/quotes.ts'
import { createRfq } from '../../../src/features/quoting/rfqs/verbs/rfqs.ts'
import { getSchedule } from '../../../src/features/calendar/schedule/verbs.ts'
import { checkPage, useConsole } from '../../support/console.ts'
import { ctxOf } from '../../../src/ctx.ts'

const HOURS = `[{"start":"08:00","end":"18:00"}]`
const ADDRESS = { street: '12 Oak Street', city: 'Austin', state: 'TX', zipCode: '78704' }

const world = await useConsole({ env: { FEATURE_OFFER_PACKAGES: '1' } })
const owner = { accountId: '', professionalId: '' }
const { deps } = world.app
const [row] = await deps.write.run<{ accountId: string }>(
  'readyPro',
  (sql) => sql`
      with open as (
        update professional_services set instant_book_enabled = true where professional_id = ${world.pro.id})
      update professionals set instant_booking_enabled = true, requires_approval = true, deposit_required = false,
        deposit_percentage = null, lead_time_hours = 0, time_zone = 'America/Chicago',
        business_hours = (select jsonb_object_agg(day, ${HOURS}::text::jsonb)
          from unnest(array['monday','tuesday','wednesday','thursday','friday','saturday','sunday']) as day)
      where id = ${world.pro.id} returning account_id`,
)
Object.assign(owner, { accountId: row?.accountId ?? '', professionalId: world.pro.id })
const { services } = await listOffers(ctxOf(deps, owner))
const order = { professionalId: world.pro.id, serviceId: services[0]?.serviceId ?? '', address: ADDRESS }
// Made in another order than they take place. The clock of the tests stands on Monday, June 1, 7 AM.
for (const [date, time, name] of [
  ['2026-06-03', '10:00', 'Sam Green'],
  ['2026-06-01', '15:00', 'Maria Lopez'],
  ['2026-06-02', '09:00', 'Dana White'],
] as const) {
  const email = `${name.split(' ')[0]?.toLowerCase()}@test.example`
  const customer = { name, email, phone: '(512) 555-0110' }
  await createBooking(ctxOf(deps, owner), { ...order, date, time, customer })
}
await createRfq(ctxOf(deps, owner), {
  professionalId: world.pro.id,
  customer: { name: 'Pat Brown', email: 'pat@test.example' },
  description: 'The gutter leaks.',
})
const watched = await world.logIn('pro')
const page = watched.page
afterEach(() => expect([watched.outside, watched.errors]).toEqual([[], []]))

const openPage = (path: string) => page.goto(`${world.url}/console${path}`)
const open = (summary: string) => page.locator('summary', { hasText: summary }).first().click()
const send = (name: string) => page.getByRole('button', { name, exact: true }).click()
const seesStatus = (text: string) => page.getByRole('status').getByText(text).waitFor()
const main = () => page.locator('main').innerText()

/** A refused form is shown again with a status that the browser reports. */
const isRefused = () => expect(watched.errors.splice(0)).toEqual([expect.stringContaining('400') as string])

test('today shows what waits for the pro, and confirming a visit makes it the next one, with map and phone', async () => {
  await openPage('')
  expect(await page.locator('script:not([src^="/assets/form.js?"])').count()).toBe(0)
  expect(await page.locator('.figures').first().innerText()).toContain('3\nto confirm')
  // A visit that is not agreed yet is not told as one.
  const later = await page.locator('.plain-list li').allInnerTexts()
  expect([later.length > 0, later.filter((text) => !text.endsWith('To confirm'))]).toEqual([true, []])
  const first = page.locator('.visit', { hasText: 'Maria Lopez' }).last()
  await first.getByRole('button', { name: 'Confirm' }).click()
  await seesStatus('The booking is confirmed')
  await openPage('')
  const next = page.locator('.next')
  expect(await next.innerText()).toContain('Monday, June 1, 3:00 to 4:00 PM')
  expect(await next.getByRole('link', { name: '12 Oak Street' }).getAttribute('href')).toContain(
    'query=12%20Oak%20Street',
  )
  expect(await next.getByRole('link', { name: '(512) 555-0110' }).getAttribute('href')).toBe('tel:5125550110')
})

test('bookings begin with the next visit and are found by name, phone and code', async () => {
  await openPage('/bookings')
  const names = async () => await page.locator('td[data-column=Customer]').allInnerTexts()
  expect((await names()).map((text) => text.split('\n')[0])).toEqual(['Maria Lopez', 'Dana White', 'Sam Green'])
  await page.getByRole('searchbox').fill('lopez')
  await page.keyboard.press('Enter')
  await page.getByText('Dana White').waitFor({ state: 'detached' })
  expect(await names()).toHaveLength(1)
  await page.locator('td[data-column=When] a').click()
  const code = await page.locator('dd code').innerText()
  await openPage(`/search?q=${code.toLowerCase()}`)
  expect(await page.getByRole('table', { name: 'Bookings' }).innerText()).toContain('Maria Lopez')
  await openPage('/search?q=gutter')
  await page.getByRole('link', { name: 'Pat Brown' }).waitFor()
  await openPage('/search?q=5550110')
  expect(await page.getByRole('table', { name: 'Customers' }).getByRole('row').count()).toBe(4)
})

test('a refused move keeps what was typed, and a proposed time waits for the customer', async () => {
  await openPage('/bookings')
  await page.getByRole('link', { name: 'Tuesday, June 2' }).click()
  await open('Move to another time')
  await page.getByLabel('Day').fill('2026-06-01')
  await page.getByLabel('Time', { exact: true }).fill('15:00')
  await send('Propose time')
  await page.getByRole('alert').waitFor()
  expect(watched.errors.splice(0)).toEqual([expect.stringContaining('409') as string])
  expect(await page.getByLabel('Day').inputValue()).toBe('2026-06-01')
  await page.getByLabel('Day').fill('2026-06-04')
  await send('Propose time')
  await seesStatus('moves when the customer agrees')
  expect(await main()).toContain('has not answered the time that you proposed')
})

/** The entry begins at the line of the first hour, and goes on beyond that of the last. */
async function standsAtItsHours(entry: Locator, [first, last]: [string, string]): Promise<void> {
  const line = (hour: string) => page.locator('.clock').getByText(hour, { exact: true }).boundingBox()
  const [box, top, below] = await Promise.all([entry.boundingBox(), line(first), line(last)])
  if (!box || !top || !below) throw new Error(`${entry.toString()}, ${first} or ${last} is not shown.`)
  expect(Math.abs(box.y - top.y)).toBeLessThan(4)
  expect(box.y + box.height).toBeGreaterThan(below.y - 4)
}

test('the week shows visits and blocked time, and time is blocked for days or hours and freed', async () => {
  await openPage('/calendar')
  await page.getByLabel('First day').fill('2026-06-03')
  await page.getByLabel(/^From/).fill('16:00')
  await page.getByLabel(/^To/).fill('15:00')
  await page.locator('form').getByRole('button', { name: 'Block time' }).click()
  await page.getByText('Must be after the start').waitFor()
  isRefused()
  await page.getByLabel(/^To/).fill('17:30')
  await page.getByLabel('Reason').fill('Dentist')
  await page.locator('form').getByRole('button', { name: 'Block time' }).click()
  await seesStatus('The time is blocked')
  const wednesday = page.locator('.week li').nth(2)
  expect(await wednesday.innerText()).toContain('4:00 PM to 5:30 PM')
  expect(await wednesday.innerText()).toContain('Sam Green')
  await page.getByLabel('First day').fill('2026-06-02')
  await page.getByLabel('Last day').fill('2026-06-03')
  await page.locator('form').getByRole('button', { name: 'Block time' }).click()
  await seesStatus('You have 2 bookings in it')
  expect(await page.locator('.entry-card.block').allInnerTexts()).toHaveLength(3)
  await checkPage(watched, 'pro-week')
  await standsAtItsHours(page.locator('.week a.entry-card', { hasText: 'Maria Lopez' }), ['3 PM', '4 PM'])
  await standsAtItsHours(page.locator('.week .entry-card', { hasText: '4:00 PM to 5:30 PM' }), ['4 PM', '5 PM'])
  expect(await page.locator('.week li .day-head', { hasText: 'All day' }).allInnerTexts()).toHaveLength(2)
  await open('Free this time')
  await send('Free the time')
  await seesStatus('free again')
  expect((await getSchedule(ctxOf(world.app.deps, owner))).blocks).toHaveLength(1)
  await page.getByRole('link', { name: 'Later' }).click()
  await page.getByText('Jun 8 to Jun 14').waitFor()
})

test('hours have up to four spans a day; a wrong one is explained at its day and keeps what was typed', async () => {
  await openPage('/settings')
  await open('More hours on Monday')
  await page.getByLabel('Monday, to', { exact: true }).fill('12:00')
  await page.getByLabel('Monday, from of span 2').fill('11:00')
  await page.getByLabel('Monday, to of span 2').fill('00:00')
  await page.getByLabel('Sunday, from', { exact: true }).fill('')
  await page.getByLabel('Sunday, to', { exact: true }).fill('')
  await send('Save hours')
  await page.getByText('The spans must not overlap').waitFor()
  isRefused()
  await page.getByLabel('Monday, from of span 2').fill('13:00')
  await send('Save hours')
  await seesStatus('Your hours are saved')
  const { settings } = await getSchedule(ctxOf(world.app.deps, owner))
  expect([settings.businessHours.monday, settings.businessHours.sunday]).toEqual([
    [
      { start: '08:00', end: '12:00' },
      { start: '13:00', end: '24:00' },
    ],
    [],
  ])
})

test('a service is added, priced, made a package and ended; the public page follows', async () => {
  await openPage('/services')
  await open('Add a service')
  await page.getByLabel('Service', { exact: true }).selectOption({ label: 'Cleaning: Deep Cleaning' })
  await page.getByLabel('Lowest price').fill('300')
  await page.getByLabel('Highest price').fill('200')
  await send('Add service')
  await page.getByText('Must not be less than the lowest price').waitFor()
  isRefused()
  await page.getByLabel('Highest price').fill('400')
  await send('Add service')
  await seesStatus('You now offer')
  const path = new URL(page.url()).pathname
  expect(await main()).toContain('$300 to $400 per visit')
  await open('Create a package')
  await page.getByLabel('Fixed price').fill('350')
  await page.getByLabel('What it includes').fill('Kitchen\nTwo bathrooms')
  await send('Save package')
  await seesStatus('The package is saved')
  expect(await main()).toContain('2 items included')
  const visitor = await fetch(`${world.url}/pros/${world.pro.slug}`)
  expect(await visitor.text()).toContain('Deep Cleaning')
  await open('End this service')
  await send('End service')
  await seesStatus('You no longer offer this service')
  expect(await (await fetch(`${world.url}/pros/${world.pro.slug}`)).text()).not.toContain('Deep Cleaning')
  expect((await page.goto(`${world.url}${path}`))?.status()).toBe(404)
  watched.errors.splice(0)
})

test('team and profile are kept in the console', async () => {
  await openPage('/team')
  await page.getByLabel('Name').fill('Jo Rivera')
  await page.getByLabel('E-mail address').fill('jo@test.example')
  await send('Add member')
  await seesStatus('Jo Rivera is on your team')
  await open('Remove')
  await send('Remove Jo Rivera')
  await seesStatus('The member is removed')
  await openPage('/profile')
  await page.getByLabel('License number').fill('TX-100')
  await page
    .locator('form', { has: page.getByLabel('Phone') })
    .getByRole('button', { name: 'Save' })
    .click()
  await page.getByText('Enter the number and the state of the license, or neither').waitFor()
  isRefused()
  await page.getByLabel('License state').fill('TX')
  await page.getByLabel('Phone').fill('(512) 555-0142')
  await page
    .locator('form', { has: page.getByLabel('Phone') })
    .getByRole('button', { name: 'Save' })
    .click()
  await seesStatus('Your profile is saved')
  await page.getByRole('link', { name: 'See your page' }).click()
  await page.getByRole('link', { name: '555-0142' }).first().waitFor()
})

test('a quote starts from the last one for the same service, without its message', async () => {
  const { deps } = world.app
  const [first, second] = (await listOffers(ctxOf(deps, owner))).services
  const ask = async (serviceId: string | undefined, name: string) => {
    const customer = { name, email: 'robin@test.example' }
    const input = {
      professionalId: world.pro.id,
      serviceId: serviceId ?? '',
      customer,
      description: 'A new lock, please.',
    }
    return (await createRfq(ctxOf(deps, owner), input)).rfq.id
  }
  const lineItems = [
    { description: 'Lock', quantity: 2, unitPrice: 80.5, amount: 161 },
    { description: 'Labor', quantity: 1, unitPrice: 60, amount: 60 },
  ]
  const earlier = {
    amount: 221,
    lineItems,
    estimatedDays: 2,
    message: 'Hello Robin',
    paymentTerms: 'Half at the start',
  }
  await sendQuote(ctxOf(deps, owner), { rfqId: await ask(first?.serviceId, 'Robin Gray'), ...earlier })
  const like = await ask(first?.serviceId, 'Alex Stone')
  await openPage(`/leads/${like}`)
  await page.getByRole('link', { name: 'Start from your last quote' }).click()
  expect(await page.locator('[name=itemDescription]').first().inputValue()).toBe('Lock')
  expect(await page.locator('[data-total]').innerText()).toContain('$221')
  await checkPage(watched, 'lead-like-last')
  await page.getByLabel('Price each of line item 2').fill('75')
  await send('Send quote')
  await seesStatus('The quote is sent')
  const [quote] = (await listQuotes(ctxOf(deps, owner), { rfqId: like })).quotes
  expect(quote).toMatchObject({ amount: 236, estimatedDays: 2, message: null, paymentTerms: 'Half at the start' })
  await openPage(`/leads/${await ask(second?.serviceId, 'Kim Reed')}?like=last`)
  expect(await page.getByRole('link', { name: 'Start from your last quote' }).count()).toBe(0)
  expect(await page.locator('[name=itemDescription]').first().inputValue()).toBe('')
  await openPage('/leads')
  await checkPage(watched, 'pro-leads')
})
