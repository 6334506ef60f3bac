// An address outside the pro's own service radius: the API books it and the pro decides; agents and pages refuse it.
import { describe, expect, test } from 'bun:test'

import { CUSTOMER_SERVER, callTool } from '../../../support/agents.ts'
import {
  type CreatedBooking,
  type FixturePro,
  VISIT_ADDRESS,
  VISIT_PHONE,
  bookingBody,
  eventsOf,
  openBookingFixture,
  pay,
  rowsOf,
} from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { loggedInVisitor, visitorFromNewAddress } from '../../../support/visitor.ts'

const world = await opened(openBookingFixture({ INSTANT_BOOKING_FEE_CENTS: '0' }))

/** The pro of the fixture is in Austin and travels up to 25 miles. */
const AUSTIN = { street: '1 Main Street', city: 'Austin', state: 'TX', zipCode: '78701' }
const SAN_ANTONIO = { street: '1 Main Street', city: 'San Antonio', state: 'TX', zipCode: '78205' }
const DETAIL =
  'Clear "Drains" & Co travels up to 25 miles and does not come to San Antonio, TX 78205. The nearest pros who come: River Drains (0.3 miles).'

interface Created extends CreatedBooking {
  booking: CreatedBooking['booking'] & { inServiceArea: boolean | null; durationMinutes: number }
  nextSteps: string[]
  listedDurationMinutes?: number
}

const post = (path: string, json: object) => world.app.send(`/api/v1${path}`, { key: world.key, json })
const bookAt = async (pro: FixturePro, address?: object, hours = 0) => {
  const answer = await post('/bookings', bookingBody(pro, hours, address ? { address } : {}))
  expect(answer.status).toBe(201)
  return (await answer.json()) as Created
}

/** A pro in San Antonio who offers the same service and comes to the address. */
async function proWhoComes(pro: FixturePro): Promise<FixturePro> {
  const other = await world.pro({ deposit: false })
  await world.sql`
    update professionals set business_name = 'River Drains', latitude = 29.42, longitude = -98.49 where id = ${other.id}`
  await world.sql`
    insert into professional_services (professional_id, service_id, price_type) values (${other.id}, ${pro.serviceId}, 'flat')`
  return other
}

describe('a booking by the API', () => {
  test('waits for the approval of a pro who does not come to the address, and says so', async () => {
    const pro = await world.pro({ deposit: false })
    const { booking, nextSteps } = await bookAt(pro, SAN_ANTONIO)
    expect(booking).toMatchObject({ status: 'pending', inServiceArea: false })
    expect(nextSteps).toContain(
      'The address is outside the pro’s service area, so the booking waits for the pro’s approval.',
    )
    expect(await eventsOf(world, booking.id)).toEqual(['booking.created', 'booking.pending_approval'])

    const shown = await world.app.send(`/api/v1/pro/bookings/${booking.id}`, { key: pro.key })
    expect(await shown.json()).toMatchObject({ inServiceArea: false, status: 'pending' })
    const page = await (await loggedInVisitor(world.app, 'pro', { pro: pro.id })).get(`/console/bookings/${booking.id}`)
    expect(page.text).toContain('outside your service area')
    const action = { key: pro.key, json: { action: 'confirm' } }
    expect((await world.app.send(`/api/v1/pro/bookings/${booking.id}`, action)).status).toBe(200)
    expect((await rowsOf(world, booking.id)).booking).toBe('confirmed')
  })

  test('is confirmed at once within the area, without an address, and where the place is not known', async () => {
    const pro = await world.pro({ deposit: false })
    const places: [object | undefined, boolean | null][] = [
      [AUSTIN, true],
      [{ zipCode: '78701' }, true],
      [{ city: 'Austin', state: 'Texas' }, true],
      [undefined, null],
      [VISIT_ADDRESS, null],
      // Not every Paris is in Texas.
      [{ city: 'Paris' }, null],
    ]
    for (const [hours, [address, inServiceArea]] of places.entries()) {
      const { booking, nextSteps } = await bookAt(pro, address, hours)
      expect([address, booking.inServiceArea, booking.status]).toEqual([address, inServiceArea, 'confirmed'])
      expect(nextSteps.join(' ')).not.toContain('outside')
    }
    // The ZIP code decides, not the city that is typed beside it.
    const { booking } = await bookAt(pro, { ...AUSTIN, zipCode: SAN_ANTONIO.zipCode }, places.length)
    expect(booking.inServiceArea).toBe(false)
  })

  test('whose deposit is paid waits for the approval, and the answer does not promise that paying confirms', async () => {
    const pro = await world.pro({ deposit: true })
    const { booking, payment, nextSteps } = await bookAt(pro, SAN_ANTONIO)
    expect(nextSteps[0]).toContain('Then the pro decides')
    await pay(world, payment?.clientSecret ?? '')
    expect(await eventsOf(world, booking.id)).toEqual(['booking.created', 'booking.pending_approval'])
    expect((await rowsOf(world, booking.id)).booking).toBe('pending')
  })

  test('is refused with onlyInServiceArea, which names the nearest pros who come, and books nothing', async () => {
    const pro = await world.pro({ deposit: false })
    const other = await proWhoComes(pro)
    const start = {
      professionalId: pro.id,
      serviceId: pro.serviceId,
      startDateTime: '2026-11-23T15:00:00Z',
      guestName: 'Homeowner',
      guestEmail: 'home@example.com',
      zipCode: SAN_ANTONIO.zipCode,
      onlyInServiceArea: true,
    }
    for (const answer of [
      await post('/bookings', bookingBody(pro, 0, { address: SAN_ANTONIO, onlyInServiceArea: true })),
      await post('/bookings/create', start),
    ]) {
      expect(answer.status).toBe(409)
      expect(await answer.json()).toMatchObject({
        code: 'outside_service_area',
        detail: DETAIL,
        nearest: [{ id: other.id, businessName: 'River Drains', distance: 0.3 }],
      })
    }
    const [count] = await world.sql`select count(*)::integer as n from bookings where professional_id = ${pro.id}`
    expect(count).toEqual({ n: 0 })
    const inside = bookingBody(pro, 0, { address: AUSTIN, onlyInServiceArea: true })
    expect((await post('/bookings', inside)).status).toBe(201)
  })

  test('agrees with the search, to the mile of the pro’s radius', async () => {
    const pro = await world.pro({ deposit: false })
    for (const [hours, miles] of [60, 70, 71, 72, 73, 74, 80, 500].entries()) {
      await world.sql`update professionals set service_radius_miles = ${miles} where id = ${pro.id}`
      const found = await world.app.send(`/api/v1/pros?service=${pro.serviceId}&place=78205&radius=500`)
      const { professionals } = (await found.json()) as { professionals: { inServiceArea: boolean }[] }
      const { booking } = await bookAt(pro, SAN_ANTONIO, hours)
      expect([miles, booking.inServiceArea]).toEqual([miles, professionals[0]?.inServiceArea ?? null])
    }
    const rows = await world.sql`
      select distinct in_service_area from bookings where professional_id = ${pro.id} order by 1`
    expect([...rows]).toEqual([{ inServiceArea: false }, { inServiceArea: true }])
  })
})

describe('an address outside the service area', () => {
  const person = { name: 'Homeowner', email: 'home@example.com' }
  const form = (pro: FixturePro) => ({
    service: pro.serviceId,
    idempotencyKey: crypto.randomUUID(),
    phone: VISIT_PHONE,
    ...person,
    ...SAN_ANTONIO,
  })

  test.each(['book', 'quote'] as const)(
    'is refused by the %s page, with links to the nearest pros who come',
    async (name) => {
      const pro = await world.pro({ deposit: false })
      const other = await proWhoComes(pro)
      const { date, time } = bookingBody(pro)
      const fields = { ...form(pro), date, time, description: 'The tap drips.' }
      const { status, text } = await visitorFromNewAddress(world.app).postRaw(`/pros/pro-${pro.id}/${name}`, fields)
      expect(status).toBe({ book: 200, quote: 409 }[name])
      expect(text).toContain('does not come to San Antonio, TX 78205.')
      expect(text).toContain(`<a href="/pros/pro-${other.id}/${name}?service=${pro.serviceId}">River Drains</a>`)
      const [made] = await world.sql`
      select (select count(*) from bookings where professional_id = ${pro.id})::integer
        + (select count(*) from rfqs where professional_id = ${pro.id})::integer as n`
      expect(made).toEqual({ n: 0 })
    },
  )

  test('is refused by book_appointment and request_quote, and POST /rfqs accepts it', async () => {
    const pro = await world.pro({ deposit: false })
    const other = await proWhoComes(pro)
    const key = await world.app.key(['mcp:read', 'mcp:write'])
    const offer = { professionalId: pro.id, serviceId: pro.serviceId }
    const refused = [
      await callTool(world.app, CUSTOMER_SERVER, key, 'book_appointment', {
        ...offer,
        startDateTime: '2026-11-23T15:00:00Z',
        guestName: person.name,
        guestEmail: person.email,
        guestPhone: VISIT_PHONE,
        address: SAN_ANTONIO,
      }),
      await callTool(world.app, CUSTOMER_SERVER, key, 'request_quote', {
        ...offer,
        customer: person,
        description: 'The tap drips.',
        address: SAN_ANTONIO,
      }),
    ]
    for (const { isError, problem } of refused) {
      expect(isError).toBe(true)
      expect(problem).toMatchObject({ code: 'outside_service_area', detail: DETAIL, nearest: [{ id: other.id }] })
    }
    const asked = { ...offer, customer: person, description: 'The tap drips.', address: SAN_ANTONIO }
    const key2 = await world.app.key(['rfqs:write'])
    expect((await world.app.send('/api/v1/rfqs', { key: key2, json: asked })).status).toBe(201)
  })
})

describe('a search by people and agents', () => {
  test('offers only pros who come, and agents see the others when they ask', async () => {
    const pro = await world.pro({ deposit: false })
    const other = await proWhoComes(pro)
    const key = await world.app.key(['mcp:read'])
    const find = async (changes: object) => {
      const terms = { service: pro.serviceId, place: '78205', radius: 200 }
      const { structured } = await callTool(world.app, CUSTOMER_SERVER, key, 'search_pros', { ...terms, ...changes })
      return structured as { professionals: object[]; meta: { total: number } }
    }
    const near = { id: other.id, serviceRadius: 25 }
    expect(await find({})).toMatchObject({ professionals: [near], meta: { total: 1 } })
    expect(await find({ inServiceArea: false })).toMatchObject({
      professionals: [near, { id: pro.id, serviceRadius: 25, inServiceArea: false }],
      meta: { total: 2 },
    })
    const page = await visitorFromNewAddress(world.app).get(`/?service=${pro.serviceId}&place=78205&radius=100`)
    expect(page.text).toContain(`/pros/pro-${other.id}`)
    expect(page.text).not.toContain(`/pros/pro-${pro.id}`)
  })
})

describe('a booking without a duration', () => {
  test('says that it lasts the default slot where the service is listed with another length', async () => {
    const pro = await world.pro({ deposit: false })
    await world.sql`update professional_services set duration_minutes = 240 where professional_id = ${pro.id}`
    const send = async (changes: object, idempotencyKey?: string) =>
      (await (
        await world.app.send('/api/v1/bookings', {
          key: world.key,
          json: bookingBody(pro, 0, changes),
          ...(idempotencyKey && { headers: { 'idempotency-key': idempotencyKey } }),
        })
      ).json()) as Created
    const id = crypto.randomUUID()
    const created = await send({}, id)
    expect([created.booking.durationMinutes, created.listedDurationMinutes]).toEqual([60, 240])
    expect(created.nextSteps).toContain(
      'The booking lasts 60 minutes, the pro’s default slot, but times of this service are listed with 240 minutes. To book the listed length, cancel this booking and book with `duration` 240.',
    )
    expect(await send({}, id)).toEqual(created)

    const listed = await send({ time: '11:00', duration: 240 })
    expect([listed.booking.durationMinutes, listed.listedDurationMinutes]).toEqual([240, undefined])
    await world.sql`update professional_services set duration_minutes = 60 where professional_id = ${pro.id}`
    const same = await send({ time: '16:00' })
    expect([same.booking.durationMinutes, same.listedDurationMinutes]).toEqual([60, undefined])
    expect(same.nextSteps.join(' ')).not.toContain('default slot')
  })
})
