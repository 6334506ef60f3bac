// An address and a phone number where the pro is to come: asked for by pages and the agent tool, accepted by the API, seen
// by the pro.
import { describe, expect, test } from 'bun:test'

import { CUSTOMER_SERVER, callTool } from '../../../support/agents.ts'
import {
  type FixturePro,
  VISIT,
  VISIT_ADDRESS,
  VISIT_PHONE,
  bookingBody,
  openBookingFixture,
} from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { loggedInVisitor, visitorFromNewAddress } from '../../../support/visitor.ts'

const world = await opened(openBookingFixture({ INSTANT_BOOKING_FEE_CENTS: '0' }))

const person = { name: 'Homeowner in Austin', email: 'home@example.com' }
const bookOnPage = (pro: FixturePro, fields: Record<string, string>) => {
  const { date, time } = bookingBody(pro)
  const hidden = { service: pro.serviceId, date, time, idempotencyKey: crypto.randomUUID() }
  return visitorFromNewAddress(world.app).postRaw(`/pros/${pro.id}/book`, { ...hidden, ...person, ...fields })
}
const askOnPage = (pro: FixturePro, fields: Record<string, string>) =>
  visitorFromNewAddress(world.app).postRaw(`/pros/${pro.id}/quote`, {
    service: pro.serviceId,
    description: 'The tap drips.',
    idempotencyKey: crypto.randomUUID(),
    ...person,
    ...fields,
  })
const bookByTool = async (pro: FixturePro, fields: object) => {
  const key = await world.app.key(['mcp:read', 'mcp:write'])
  return await callTool(world.app, CUSTOMER_SERVER, key, 'book_appointment', {
    professionalId: pro.id,
    serviceId: pro.serviceId,
    startDateTime: '2026-11-23T15:00:00Z',
    guestName: person.name,
    guestEmail: person.email,
    ...fields,
  })
}
const bookingsOf = async (pro: FixturePro) =>
  (await (await world.app.send('/api/v1/pro/bookings', { key: pro.key })).json()) as {
    bookings: { id: string; address: unknown; customerPhone: string | null }[]
  }

describe('where the pro comes to the customer', () => {
  test.each([
    ['booking', 200, bookOnPage],
    ['quote request', 400, askOnPage],
  ] as const)(
    'the page for a %s requires each part of the address, a ZIP code and a phone number',
    async (_, due, send) => {
      const pro = await world.pro({ deposit: false })
      const whole = { phone: VISIT_PHONE, ...VISIT_ADDRESS }
      for (const [field, wrong] of [
        ['phone', 'none'],
        ['street', ''],
        ['city', ' '],
        ['state', ''],
        ['zipCode', '787'],
        ['zipCode', 'ABCDE'],
      ] as const) {
        const { status, text } = await send(pro, { ...whole, [field]: wrong })
        expect([field, status, text.includes(`id="${field}-error"`)]).toEqual([field, due, true])
        expect(text.match(/class="fault"/g)?.length).toBe(1)
      }
      expect((await send(pro, {})).text.match(/class="fault"/g)?.length).toBe(5)
      expect((await send(pro, { ...whole, zipCode: '78701-1234' })).status).toBe(303)
    },
  )

  test('the tool names what is missing, books nothing, and books with all of it', async () => {
    const pro = await world.pro({ deposit: false })
    const refused = await bookByTool(pro, { zipCode: '78701' })
    expect(refused.isError).toBe(true)
    expect(refused.problem?.errors?.map(({ path }) => path)).toEqual([
      'guestPhone',
      'address.street',
      'address.city',
      'address.state',
    ])
    expect((await bookingsOf(pro)).bookings).toEqual([])
    expect((await bookByTool(pro, VISIT)).isError).toBe(false)
  })

  test('the API still books with the minimal body', async () => {
    const pro = await world.pro({ deposit: false })
    expect((await world.app.send('/api/v1/bookings', { key: world.key, json: bookingBody(pro) })).status).toBe(201)
    const minimal = {
      professionalId: pro.id,
      serviceId: pro.serviceId,
      startDateTime: '2026-11-23T19:00:00Z',
      guestName: person.name,
      guestEmail: person.email,
    }
    expect((await world.app.send('/api/v1/bookings/create', { key: world.key, json: minimal })).status).toBe(201)
    expect((await bookingsOf(pro)).bookings).toMatchObject([{ address: null }, { address: null }])
  })

  test('the pro sees all of it: by API, in the console and in the event', async () => {
    const send = {
      page: (pro: FixturePro) => bookOnPage(pro, { phone: VISIT_PHONE, ...VISIT_ADDRESS }),
      tool: (pro: FixturePro) => bookByTool(pro, VISIT),
      create: (pro: FixturePro) =>
        world.app.send('/api/v1/bookings/create', {
          key: world.key,
          json: {
            professionalId: pro.id,
            serviceId: pro.serviceId,
            startDateTime: '2026-11-23T15:00:00Z',
            guestName: person.name,
            guestEmail: person.email,
            guestPhone: VISIT_PHONE,
            zipCode: VISIT_ADDRESS.zipCode,
            address: { street: VISIT_ADDRESS.street, city: VISIT_ADDRESS.city, state: VISIT_ADDRESS.state },
          },
        }),
    }
    for (const [name, make] of Object.entries(send)) {
      const pro = await world.pro({ deposit: false })
      await make(pro)
      const [booking] = (await bookingsOf(pro)).bookings
      expect([name, booking]).toMatchObject([name, { address: VISIT_ADDRESS, customerPhone: VISIT_PHONE }])
      const page = await (
        await loggedInVisitor(world.app, 'pro', { pro: pro.id })
      ).get(`/console/bookings/${booking?.id}`)
      expect(page.text).toContain(Object.values(VISIT_ADDRESS).join(', '))
      expect(page.text).toContain(VISIT_PHONE)
      const [event] = await world.sql`
        select data->'object'->'address' as address from outbox_events where aggregate_id = ${booking?.id ?? ''} limit 1`
      expect(event).toEqual({ address: VISIT_ADDRESS })
    }
  })

  test.each([
    [{ zipCode: '78701' }, { city: 'Austin', state: 'TX', zipCode: '78701' }],
    [
      { zipCode: '78701', city: 'Elsewhere' },
      { city: 'Elsewhere', zipCode: '78701' },
    ],
    [
      { zipCode: '78701', state: 'OK' },
      { state: 'OK', zipCode: '78701' },
    ],
    [{ zipCode: '00000' }, { zipCode: '00000' }],
    [{ street: '1 Main Street' }, { street: '1 Main Street' }],
  ])('the address %j of a booking by the API is kept as %j', async (address, kept) => {
    const pro = await world.pro({ deposit: false })
    const key = await world.app.key(['bookings:write'])
    const body = { ...bookingBody(pro), address }
    expect((await world.app.send('/api/v1/bookings', { method: 'POST', key, json: body })).status).toBe(201)
    expect((await bookingsOf(pro)).bookings).toMatchObject([{ address: kept }])
    expect(Object.keys((await bookingsOf(pro)).bookings[0]?.address ?? {}).sort()).toEqual(Object.keys(kept).sort())
  })

  test('the catalog and the pro’s page say so', async () => {
    const pro = await world.pro({ deposit: false })
    const detail = await world.app.send(`/api/v1/pros/${pro.id}`)
    expect(await detail.json()).toMatchObject({ services: [{ id: pro.serviceId, atCustomer: true }] })
    const { services } = (await (await world.app.send('/api/v1/services')).json()) as {
      services: { atCustomer: boolean }[]
    }
    expect(services.every(({ atCustomer }) => atCustomer)).toBe(true)
  })
})

test('a service that is done elsewhere needs neither address nor phone number', async () => {
  const [onPage, byTool] = [await world.pro({ deposit: false }), await world.pro({ deposit: false })]
  await world.sql`update services set at_customer = false`
  expect((await bookOnPage(onPage, {})).status).toBe(303)
  expect((await askOnPage(onPage, {})).status).toBe(303)
  expect((await bookByTool(byTool, {})).isError).toBe(false)
})
