// A deposit that the payment provider would refuse as too small is not asked: not listed, not due, and nothing is held.
import { expect, test } from 'bun:test'

import { ConfigError } from '../../src/platform/environment.ts'
import { readConfig } from '../../src/config.ts'
import { MINIMUM_DEPOSIT_CENTS, SMALL_DEPOSITS } from '../../src/features/booking/bookings/rules/deposits.ts'
import { CUSTOMER_SERVER, callTool } from '../support/agents.ts'
import { type FixturePro, book, openBookingFixture } from '../support/booking-fixture.ts'
import { FakeStripe } from '../support/fake-stripe.ts'
import { sentQuote } from '../support/quotes.ts'
import { opened } from '../support/fixture.ts'
const stripe = await opened(new FakeStripe())
const world = await opened(openBookingFixture({ ...stripe.env, INSTANT_BOOKING_FEE_CENTS: '0', LOG_LEVEL: 'silent' }))
const agentKey = await world.app.key(['mcp:read', 'mcp:write'])

/** A pro with a deposit of 20 % of the price. */
async function proWith(priceCents: number): Promise<FixturePro> {
  const pro = await world.pro()
  await world.sql`update professional_services set base_price_cents = ${priceCents} where professional_id = ${pro.id}`
  return pro
}

test('a deposit of 33 cents is not due: the booking is confirmed at once, and every listing says so', async () => {
  const pro = await proWith(165)
  const { serviceId } = pro
  const path = `/api/v1/pros/${pro.id}/availability?serviceId=${serviceId}`
  const listed = (await (await world.app.send(path)).json()) as { service: { deposit: number } }
  expect(listed.service.deposit).toBe(0)
  const found = await world.app.send(`/api/v1/pros?service=${serviceId}`)
  const { professionals } = (await found.json()) as { professionals: { matchedService: { booking: object } }[] }
  expect(professionals[0]?.matchedService.booking).not.toHaveProperty('deposit')
  const args = { professionalId: pro.id, serviceId }
  const { structured } = await callTool(world.app, CUSTOMER_SERVER, agentKey, 'query_availability', args)
  expect(structured).toMatchObject({ deposit: 0, dueNow: 0, bookable: true })
  const created = await book(world, pro)
  expect(created).toMatchObject({ booking: { status: 'confirmed' }, payment: null, depositRequired: false })
  expect(await world.sql`select from payments`).toHaveLength(0)
})

test('a deposit of exactly the minimum is due, and the provider takes it', async () => {
  const created = await book(world, await proWith(MINIMUM_DEPOSIT_CENTS * 5))
  expect(created).toMatchObject({ booking: { status: 'pending' }, payment: { amount: 0.5 }, depositRequired: true })
  expect(stripe.pay(created.payment?.clientSecret ?? '').captured).toBe(50)
})

test('a quote with a deposit of 33 cents is accepted without a payment', async () => {
  const pro = await world.pro()
  const [account] = await world.sql<{ id: string }[]>`select id from accounts where email = ${pro.email}`
  const quoting = { ...pro, accountId: account?.id ?? '', professionalId: pro.id, slug: '' }
  const changes = { amount: 3.3, depositRequired: true, depositPercentage: 10 }
  const { token } = await sentQuote(world.app.deps, quoting, changes)
  const page = await world.app.app.handle(new Request(`${world.app.deps.config.baseUrl}/quotes/${token}`))
  expect(await page.text()).not.toContain('deposit')
  const answer = await world.app.send(`/api/v1/quotes/${token}/accept`, { json: {} })
  expect(await answer.json()).toMatchObject({ quote: { status: 'accepted', depositAmount: null }, payment: null })
})

test('a fee below the minimum is refused at the start, and the setting of the deposit says what is not asked', async () => {
  const fee = (INSTANT_BOOKING_FEE_CENTS: string) =>
    readConfig({ DATABASE_URL: 'postgres://x/y', REDIS_URL: 'redis://x', INSTANT_BOOKING_FEE_CENTS })
  expect(() => fee('49')).toThrow(new ConfigError('INSTANT_BOOKING_FEE_CENTS must be 0 or at least 50.'))
  expect([fee('0').instantBookingFeeCents, fee('50').instantBookingFeeCents]).toEqual([0, 50])
  const { app, deps } = world.app
  const document = await (await app.handle(new Request(`${deps.config.baseUrl}/openapi.json`))).text()
  expect(document).toContain(SMALL_DEPOSITS)
})
