// Booking, paying, moving, cancelling and accepting a quote with the keyboard alone.
import { expect, test } from 'bun:test'

import type { Locator, Page } from 'playwright-core'

import { siteAccountOf } from '../../../src/auth/accounts/verbs.ts'
import { createBooking } from '../../../src/features/booking/bookings/verbs/create-booking.ts'
import { VISIT_ADDRESS, VISIT_PHONE } from '../../support/booking-fixture.ts'
import { watchPage } from '../../support/browser.ts'
import { useConsole } from '../../support/console.ts'
import { newAddress } from '../../support/customers.ts'
import { type Hands, keyboard } from '../../support/hands.ts'
import { quotingPro, sentQuote } from '../../support/quotes.ts'
import { ctxOf } from '../../../src/ctx.ts'

const world = await useConsole()
const { sql } = world.app
const pro = await quotingPro(world.app)
await sql`update professional_services set base_price_cents = 25000, instant_book_enabled = true, duration_minutes = 60,
    min_price_cents = null, max_price_cents = null
    where professional_id = ${pro.professionalId} and service_id = ${pro.serviceId}`
await sql`update professionals set deposit_required = true, deposit_percentage = 20, instant_booking_enabled = true,
    requires_approval = false where id = ${pro.professionalId}`

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()

const PERSON: readonly [label: string, value: string][] = [
  ['Your name', 'Demo Customer'],
  ['Phone', VISIT_PHONE],
  ['Street', VISIT_ADDRESS.street],
  ['City', VISIT_ADDRESS.city],
  ['State', VISIT_ADDRESS.state],
  ['ZIP code', VISIT_ADDRESS.zipCode],
]

const valuesOf = async (page: Page) =>
  await Promise.all(PERSON.map(async ([label]) => [label, await page.getByLabel(label).inputValue()]))

/** The day and time in a link of the calendar. */
async function slotOf(slot: Locator): Promise<{ date: string; time: string }> {
  const { searchParams } = new URL((await slot.getAttribute('href')) ?? '', world.url)
  return { date: searchParams.get('date') ?? '', time: searchParams.get('time') ?? '' }
}

/** Chooses a day in the calendar, then a time of it. */
async function chooseTime(page: Page, hands: Hands, nth: number): Promise<{ date: string; time: string }> {
  const day = page.getByRole('table').getByRole('link').last()
  const date = new URL((await day.getAttribute('href')) ?? '', world.url).searchParams.get('date') ?? ''
  await hands.use(day)
  await page.waitForURL(`**date=${date}*`)
  const slot = page.locator('.slots a').nth(nth)
  const chosen = await slotOf(slot)
  await hands.use(slot)
  await page.waitForURL('**#who')
  return chosen
}

/** Books the time for another customer. */
async function take(slot: { date: string; time: string }): Promise<void> {
  const { id: accountId } = await siteAccountOf(world.app.deps)()
  await createBooking(ctxOf(world.app.deps, { accountId }), {
    professionalId: pro.professionalId,
    serviceId: pro.serviceId,
    ...slot,
    customer: { name: 'Pat Brown', email: newAddress() },
    defaultLength: 'service',
  })
}

/** The bookings of the customer, oldest first, with the local time of the pro. */
const bookingsOf = (email: string) =>
  world.app.sql<{ status: string; date: string; time: string; payment: string | null }[]>`
    select b.status, to_char(b.starts_at at time zone p.time_zone, 'YYYY-MM-DD') as date,
      to_char(b.starts_at at time zone p.time_zone, 'HH24:MI') as time,
      (select m.status from payments m where m.booking_id = b.id order by m.created_at desc limit 1) as payment
    from bookings b join professionals p on p.id = b.professional_id
    where b.customer_email = ${email} order by b.created_at`

test('a customer books, loses a time, pays, moves, cancels and books again by keyboard alone', async () => {
  const { page, errors } = await watchPage(world.browser)
  const hands = keyboard(page)
  const email = newAddress()
  await page.goto(`${world.url}/pros/${pro.slug}/book?service=${pro.serviceId}`)
  const lost = await chooseTime(page, hands, 0)
  for (const [label, value] of PERSON) await hands.enter(page.getByLabel(label), value)
  await hands.enter(page.getByLabel('E-mail address'), email)

  await take(lost)
  await hands.use(button(page, 'Book and pay the deposit of $50'))
  await page.getByText('This time is no longer available.').waitFor()
  expect((await bookingsOf(email)).length).toBe(0)
  const chosen = await chooseTime(page, hands, 1)
  expect(await valuesOf(page)).toEqual(PERSON.map((entry) => [...entry]))
  await hands.use(button(page, 'Book and pay the deposit of $50'))
  await heading(page, 'Pay for your booking')
  expect(await bookingsOf(email)).toMatchObject([{ status: 'pending', ...chosen, payment: 'requires_payment' }])
  await hands.use(button(page, 'Pay'))
  await page.getByText('Payment received. Thank you').waitFor()
  expect(await bookingsOf(email)).toMatchObject([{ status: 'confirmed', ...chosen, payment: 'succeeded' }])

  await hands.use(link(page, 'See, move or cancel your booking'))
  await hands.use(link(page, 'Move to another time'))
  await page.waitForURL('**/move')
  const moved = await chooseTime(page, hands, 2)
  await hands.use(button(page, 'Move the booking'))
  await page.getByRole('status').waitFor()
  expect(await bookingsOf(email)).toMatchObject([{ status: 'confirmed', ...moved }])

  await hands.use(link(page, 'Cancel the booking'))
  await hands.use(button(page, 'Cancel the booking'))
  await heading(page, 'The booking was cancelled')
  expect(await bookingsOf(email)).toMatchObject([{ status: 'cancelled', payment: 'refunded' }])
  await hands.use(button(page, 'Book again'))
  const again = await chooseTime(page, hands, 1)
  expect(await valuesOf(page)).toEqual(PERSON.map((entry) => [...entry]))
  await hands.use(button(page, 'Book and pay the deposit of $50'))
  await heading(page, 'Pay for your booking')
  expect(await bookingsOf(email)).toMatchObject([{ status: 'cancelled' }, { status: 'pending', ...again }])
  expect(errors).toEqual([])
  await page.context().close()
}, 60_000)

test('a customer accepts a quote, pays its deposit and chooses a time by keyboard alone', async () => {
  const { deps, sql } = world.app
  const { token, quoteId } = await sentQuote(deps, pro, { amount: 480, depositRequired: true, depositPercentage: 25 })
  const { page, errors } = await watchPage(world.browser)
  const hands = keyboard(page)
  await page.goto(`${world.url}/quotes/${token}`)
  await hands.use(button(page, 'Accept and pay the deposit of $120.00'))
  await hands.use(button(page, 'Pay'))
  await hands.use(link(page, 'Choose a time'))
  await heading(page, 'When should the work be done?')
  const chosen = await chooseTime(page, hands, 0)
  await hands.use(button(page, 'Book this time'))
  await heading(page, 'Your booking is confirmed')
  const rows = await sql<{ quote: string; booking: string; date: string; time: string }[]>`
    select q.status as quote, b.status as booking, to_char(b.starts_at at time zone p.time_zone, 'YYYY-MM-DD') as date,
      to_char(b.starts_at at time zone p.time_zone, 'HH24:MI') as time
    from quotes q join jobs j on j.quote_id = q.id join bookings b on b.job_id = j.id
      join professionals p on p.id = b.professional_id where q.id = ${quoteId}`
  expect([...rows]).toEqual([{ quote: 'accepted', booking: 'confirmed', ...chosen }])
  expect(errors).toEqual([])
  await page.context().close()
}, 60_000)
