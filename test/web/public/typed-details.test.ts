// Forms are filled in with what their reader typed, and with nothing that others typed beside the reader's address.
import { describe, expect, test } from 'bun:test'

import {
  type CreatedBooking,
  type FixturePro,
  VISIT_ADDRESS,
  VISIT_PHONE,
  bookingBody,
  openBookingFixture,
} from '../../support/booking-fixture.ts'
import { complete, newAddress, signedInCustomer } from '../../support/customers.ts'
import { opened } from '../../support/fixture.ts'
import { type Visitor, visitorFromNewAddress } from '../../support/visitor.ts'

const world = await opened(openBookingFixture({ INSTANT_BOOKING_FEE_CENTS: '0' }))
const [ATTACKER, STREET, PHONE] = ['Mallory Attacker', '666 Attacker Street', '+1 666 666 0666']
const FOREIGN = new Set([ATTACKER, STREET, PHONE, 'Nowhere'])
const foreign = { name: ATTACKER, phone: PHONE, street: STREET, city: 'Nowhere', state: 'TX', zipCode: '66666' }
const own = { name: 'Olive Owner', phone: VISIT_PHONE, ...VISIT_ADDRESS }
const [booking, rfq, agent] = await Promise.all([
  world.app.key(['bookings:write'], 'shop@test.example'),
  world.app.key(['rfqs:write'], 'shop@test.example'),
  world.app.key(['mcp:read', 'mcp:write'], 'agent@test.example'),
])
const keys: { booking: string; rfq: string; agent: string } = { booking, rfq, agent }

const addressOf = ({ street, city, state, zipCode }: typeof own) => ({ street, city, state, zipCode })
const bookOnPage = (visitor: Visitor, pro: FixturePro, hours: number, email: string, details = foreign) => {
  const { date, time } = bookingBody(pro, hours)
  const idempotencyKey = crypto.randomUUID()
  return visitor.postRaw(`/pros/${pro.id}/book`, {
    service: pro.serviceId,
    date,
    time,
    email,
    ...details,
    idempotencyKey,
  })
}
const askOnPage = (visitor: Visitor, pro: FixturePro, email: string, details = foreign) =>
  visitor.postRaw(`/pros/${pro.id}/quote`, {
    ...details,
    service: pro.serviceId,
    description: 'A leak.',
    email,
    idempotencyKey: crypto.randomUUID(),
  })

/** Each way in which others can make something with an address. */
const BY_OTHERS: Record<string, (pro: FixturePro, email: string) => Promise<number>> = {
  'a booking on a page': async (pro, email) =>
    (await bookOnPage(visitorFromNewAddress(world.app), pro, 0, email)).status,
  'a booking on a page by another signed-in customer': async (pro, email) =>
    (await bookOnPage(await signedInCustomer(world.app), pro, 0, email)).status,
  'a request on a page': async (pro, email) => (await askOnPage(visitorFromNewAddress(world.app), pro, email)).status,
  'a request on a page by another signed-in customer': async (pro, email) =>
    (await askOnPage(await signedInCustomer(world.app), pro, email)).status,
  'a booking with a key': async (pro, email) => {
    const customer = { name: ATTACKER, email, phone: PHONE }
    const json = bookingBody(pro, 0, { customer, address: addressOf(foreign) })
    return (await world.app.send('/api/v1/bookings', { key: keys.booking, json })).status
  },
  'a request with a key': async (pro, email) => {
    const customer = { name: ATTACKER, email, phone: PHONE }
    const json = { professionalId: pro.id, customer, description: 'A leak.', address: addressOf(foreign) }
    return (await world.app.send('/api/v1/rfqs', { key: keys.rfq, json })).status
  },
}

/** The pages with a form about the reader. */
const formsOf = (pro: FixturePro) => {
  const { date, time } = bookingBody(pro, 5)
  const query = new URLSearchParams({ service: pro.serviceId, date, time }).toString()
  return [`/pros/${pro.id}/book?${query}`, `/pros/${pro.id}/quote?service=${pro.serviceId}`]
}

const valuesIn = (text: string) => [...text.matchAll(/value="([^"]*)"/g)].map(([, value]) => value)

describe('the forms of a signed-in customer', () => {
  test.each(Object.entries(BY_OTHERS))('show nothing of %s', async (_, make) => {
    const [pro, email] = [await world.pro({ deposit: false }), newAddress()]
    expect([201, 303]).toContain(await make(pro, email))
    const visitor = await signedInCustomer(world.app, email)
    for (const path of formsOf(pro)) {
      const values = valuesIn((await visitor.get(path)).text)
      expect(values).toContain(email)
      expect(values.filter((value) => FOREIGN.has(value ?? ''))).toEqual([])
    }
  })

  test('show what the customer typed while signed in, although others typed something later', async () => {
    const [pro, email] = [await world.pro({ deposit: false }), newAddress()]
    const visitor = await signedInCustomer(world.app, email)
    expect((await bookOnPage(visitor, pro, 1, email, own)).status).toBe(303)
    await BY_OTHERS['a request on a page']?.(pro, email)
    await BY_OTHERS['a booking with a key']?.(pro, email)
    // Another browser of the same customer: without the cookie of what was typed.
    const elsewhere = await signedInCustomer(world.app, email)
    for (const path of formsOf(pro))
      expect(valuesIn((await elsewhere.get(path)).text)).toEqual(
        expect.arrayContaining([own.name, own.phone, own.street, own.zipCode]),
      )
  })

  test('to book again and to review are empty for a booking that others made, by the mailed link as well', async () => {
    const [pro, email] = [await world.pro({ deposit: false }), newAddress()]
    const customer = { name: ATTACKER, email, phone: PHONE }
    const json = bookingBody(pro, 0, { customer, address: addressOf(foreign) })
    const { booking, manageUrl } = (await (
      await world.app.send('/api/v1/bookings', { key: keys.booking, json })
    ).json()) as CreatedBooking
    await complete(world, pro, booking)
    const [signedIn, byLink] = [await signedInCustomer(world.app, email), visitorFromNewAddress(world.app)]
    const links: [Visitor, string][] = [
      [signedIn, `/my/bookings/${booking.id}`],
      [byLink, new URL(manageUrl).pathname],
    ]
    for (const [visitor, path] of links) {
      const shown = valuesIn((await visitor.get(`${path}/review`)).text)
      expect(shown.filter((value) => FOREIGN.has(value ?? ''))).toEqual([])
      expect((await visitor.post(`${path}/again`)).status).toBe(303)
      for (const form of formsOf(pro)) {
        const values = valuesIn((await visitor.get(form)).text)
        expect([path, form, values.filter((value) => FOREIGN.has(value ?? ''))]).toEqual([path, form, []])
      }
    }
  })
})
