// The money of customers is added up in one place, sql/functions/balance.sql, and before a booking is made in rules/deposits.ts.
import { beforeEach, expect, test } from 'bun:test'

import type { Booking } from '../../src/features/booking/bookings/schemas.ts'
import type { ChosenOffer } from '../../src/features/calendar/availability/schemas.ts'
import { STARTED_AT, book, openBookingFixture } from '../support/booking-fixture.ts'
import { opened } from '../support/fixture.ts'
import { readSources } from '../support/imports.ts'
import { loggedInVisitor } from '../support/visitor.ts'

const world = await opened(openBookingFixture())
beforeEach(() => world.clock.set(STARTED_AT))

/** Files that add or subtract amounts of something else. */
const OTHERS: Record<string, string> = {
  'src/features/booking/bookings/rules/deposits.ts': 'an offer, before a booking is made',
  'src/features/money/checkout/verbs/reconciliation.ts': 'what the provider says of an intent',
  'src/features/agents/drafts/verbs/draft-price.ts': 'estimates',
  'src/features/business/packages/verbs/packages.ts': 'sorts by price',
  'src/features/quoting/quotes/verbs/check-money.ts': 'the lines of a quote',
  'src/features/quoting/quotes/verbs/drafts.ts': 'the lines of a quote',
  'src/payments/verbs/readings.ts': 'shares what is left among refunds that do not fit',
  'src/web/console/leads/routes.ts': 'the lines of a quote',
}

const MONEY = String.raw`\w*(?:amount|cents|fee|deposit|paid|refund(?:ed|ing|able)|due(?:Now|AtVisit)?|price)\w*`
const ARITHMETIC = [
  new RegExp(String.raw`\b${MONEY}\)?(?: \?\? 0\)?)? [-+] \(?(?:\w+[.(])*${MONEY}`, 'i'),
  new RegExp(String.raw`reduce\(\([^)]*\) => [^,]*${MONEY}`, 'i'),
]

test('no page, tool, message or verb adds up what customers paid or owe by itself', () => {
  const found = readSources(['src', 'workers'])
    .filter(({ path }) => !path.startsWith('src/local/'))
    .filter(({ text }) => ARITHMETIC.some((pattern) => pattern.test(text)))
  expect(found.map(({ path }) => path).toSorted()).toEqual(Object.keys(OTHERS).toSorted())
})

test('the sums of an offer are those of the booking that is made of it', async () => {
  for (const [cents, percent] of [
    [25_000, 20],
    [3_333, 33.33],
    [10_001, 100],
    [9_900, null],
    [null, null],
  ]) {
    const pro = await world.pro()
    await world.sql`
      update professionals set deposit_required = ${percent !== null}, deposit_percentage = ${percent ?? null} where id = ${pro.id}`
    await world.sql`
      update professional_services set base_price_cents = ${cents ?? null} where professional_id = ${pro.id}`
    const query = `serviceId=${pro.serviceId}&date=2026-11-23`
    const offered = await world.app.send(`/api/v1/pros/${pro.id}/availability?${query}`, { key: world.key })
    const { service } = (await offered.json()) as { service: ChosenOffer }
    const { booking } = await book(world, pro)
    const answer = await world.app.send(`/api/v1/bookings/${booking.id}`, { key: world.key })
    const { balance } = ((await answer.json()) as { booking: Booking }).booking
    const { dueNow, dueAtVisit, agreed } = balance
    const offeredSums = { dueNow: service.dueNow, dueAtVisit: service.dueAtVisit, agreed: service.price.total }
    expect([cents, offeredSums]).toEqual([cents, { dueNow, dueAtVisit, agreed }])
  }
})

test('the first page of a pro shows what all customers have to pay now', async () => {
  const pro = await world.pro()
  for (const hours of [0, 2, 4]) await book(world, pro, hours)
  const visitor = await loggedInVisitor(world.app, 'pro', { pro: pro.id })
  const { text } = await visitor.get('/console')
  expect(text.replaceAll(/(?:<[^>]*>|\s)+/g, ' ')).toContain('$150 waiting for payment')
})
