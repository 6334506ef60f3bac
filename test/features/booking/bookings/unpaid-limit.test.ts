// One customer cannot fill a pro's calendar for free: the limit of unpaid bookings on every surface, with its default.
import { describe, expect, test } from 'bun:test'

import { CUSTOMER_SERVER, callTool } from '../../../support/agents.ts'
import { requestContextOf } from '../../../../src/auth/request-context.ts'
import { WIDGET_ORIGIN, randomAddress, testRequest } from '../../../support/app.ts'
import {
  type CreatedBooking,
  type FixturePro,
  STARTED_AT,
  VISIT,
  VISIT_ADDRESS,
  VISIT_PHONE,
  bookingBody,
  openBookingFixture,
  pay,
} from '../../../support/booking-fixture.ts'
import { bookPath, fieldsOf, formOf } from '../../../support/booking-forms.ts'
import { codeFor, newAddress } from '../../../support/customers.ts'
import { opened } from '../../../support/fixture.ts'
import { type Visitor, visitorFromNewAddress } from '../../../support/visitor.ts'

// The defaults: the fixture would allow more. 40 reservations wait for the same pro.
const world = await opened(openBookingFixture({ MAX_UNPAID_BOOKINGS: '', INSTANT_BOOKING_FEE_CENTS: '0' }))
const widgetKey = await world.app.key(['widget:book'], 'shop@test.example')
const agentKey = await world.app.key(['mcp:read', 'mcp:write'], 'agent@test.example')

const customer = { name: 'Homeowner in Austin', email: 'home@example.com' }
const instantOf = (hours: number) => new Date(Date.parse('2026-11-23T15:00:00Z') + hours * 3_600_000).toISOString()
const started = (pro: FixturePro, hours: number) => ({
  professionalId: pro.id,
  serviceId: pro.serviceId,
  startDateTime: instantOf(hours),
  guestName: customer.name,
  guestEmail: customer.email,
  ...VISIT,
})

type Outcome = 'booked' | 'too_many_unpaid_bookings' | 'address_unproven'

const outcomeOf = async (response: Response): Promise<Outcome> =>
  response.status === 201 ? 'booked' : ((await response.json()) as { code: Outcome }).code

/** Hours after nine on Monday, of seven bookings a day. */
const hoursOf = (n: number) => (n % 7) + 24 * Math.floor(n / 7)

const post = (pro: FixturePro, hours: number, email = customer.email) =>
  world.app.send('/api/v1/bookings', {
    key: world.key,
    json: bookingBody(pro, hours, { customer: { ...customer, email } }),
  })

type Book = (pro: FixturePro, hours: number) => Promise<Outcome>

/** By server keys, which answer for their customers. */
const BY_SERVERS: Record<string, Book> = {
  'POST /bookings': async (pro, hours) => await outcomeOf(await post(pro, hours)),
  'POST /bookings/create': async (pro, hours) =>
    await outcomeOf(await world.app.send('/api/v1/bookings/create', { key: world.key, json: started(pro, hours) })),
}

const BY_OTHERS: Record<string, Book> = {
  'the widget': async (pro, hours) => {
    const { app, deps } = world.app
    const sent = { key: widgetKey, headers: { origin: WIDGET_ORIGIN }, json: bookingBody(pro, hours) }
    const request = testRequest(deps.config.baseUrl, '/api/v1/bookings', sent)
    // Each from a network of its own: one network books for free once a day.
    requestContextOf(request).peer = randomAddress
    return await outcomeOf(await app.handle(request))
  },
  'the booking page': async (pro, hours) => {
    const { date, time } = bookingBody(pro, hours)
    const form = { service: pro.serviceId, date, time, ...customer, idempotencyKey: crypto.randomUUID() }
    const address = { phone: VISIT_PHONE, ...VISIT_ADDRESS }
    const { status, text } = await visitorFromNewAddress(world.app).postRaw(`/pros/${pro.id}/book`, {
      ...form,
      ...address,
    })
    if (status === 303) return 'booked'
    expect(text).toContain('Enter your code')
    return 'address_unproven'
  },
  book_appointment: async (pro, hours) => {
    const { isError, problem } = await callTool(
      world.app,
      CUSTOMER_SERVER,
      agentKey,
      'book_appointment',
      started(pro, hours),
    )
    return isError ? (problem?.code as Outcome) : 'booked'
  },
}

/** What is told of the limit to one whose address is not proven: agents dictate for a person, pages and widgets are open to all. */
const toldBy = (name: string): Outcome =>
  name === 'the widget' || name === 'the booking page' ? 'address_unproven' : 'too_many_unpaid_bookings'

test.each([
  ...Object.entries(BY_OTHERS).map(([name, book]) => ({ name, book, most: 3, told: toldBy(name) })),
  ...Object.entries(BY_SERVERS).map(([name, book]) => ({ name, book, most: 20, told: toldBy(name) })),
])('$name takes $most unpaid bookings of a customer with a pro, and not the next', async ({ book, most, told }) => {
  const [pro, other] = [await world.pro({ deposit: false }), await world.pro({ deposit: false })]
  for (let n = 0; n < most; n++) expect(await book(pro, hoursOf(n))).toBe('booked')
  expect(await book(pro, hoursOf(most))).toBe(told)
  expect(await book(other, hoursOf(most))).toBe('booked')
})

test('the refusal is a 400, which says that neither another time nor waiting helps', async () => {
  const pro = await world.pro({ deposit: false })
  for (let n = 0; n < 20; n++) await post(pro, hoursOf(n))
  const refused = await post(pro, hoursOf(20))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([400, null])
})

test('a refused request books with the same Idempotency-Key once there is room', async () => {
  const pro = await world.pro({ deposit: false })
  const made = (await (await post(pro, 0)).json()) as CreatedBooking
  for (let n = 1; n < 20; n++) await post(pro, hoursOf(n))
  const send = () =>
    world.app.send('/api/v1/bookings', {
      key: world.key,
      headers: { 'idempotency-key': 'b7f7f5a4-0f5c-4b1e-8a51-31f1f6b3ad0e' },
      json: bookingBody(pro, hoursOf(20)),
    })
  expect((await send()).status).toBe(400)
  await world.app.send(`/api/v1/bookings/${made.booking.id}/cancel`, { key: world.key, json: {} })
  expect((await send()).status).toBe(201)
})

test('the surfaces count together, by the e-mail address in any case', async () => {
  const pro = await world.pro({ deposit: false })
  for (const [hours, book] of [
    BY_SERVERS['POST /bookings'],
    BY_OTHERS['the widget'],
    BY_OTHERS['book_appointment'],
  ].entries())
    expect(await book?.(pro, hours)).toBe('booked')
  expect(await BY_OTHERS['the booking page']?.(pro, 4)).toBe('address_unproven')
  for (let n = 3; n < 20; n++) expect(await outcomeOf(await post(pro, hoursOf(n), 'HOME@Example.com'))).toBe('booked')
  expect(await outcomeOf(await post(pro, hoursOf(20), 'HOME@Example.com'))).toBe('too_many_unpaid_bookings')
  expect(await outcomeOf(await post(pro, hoursOf(20), 'neighbor@example.com'))).toBe('booked')
})

test('40 concurrent attempts of one customer leave 20 bookings', async () => {
  const pro = await world.pro({ deposit: false })
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => await outcomeOf(await post(pro, hoursOf(n)))),
  )
  expect(outcomes.filter((outcome) => outcome === 'booked')).toHaveLength(20)
  expect(new Set(outcomes)).toEqual(new Set<Outcome>(['booked', 'too_many_unpaid_bookings']))
  const [row] = await world.sql`select count(*)::int as bookings from bookings where professional_id = ${pro.id}`
  expect(row).toEqual({ bookings: 20 })
})

test('a stranger on a page gets the same answer for an address at the limit as for any other; its owner is told after the code', async () => {
  const [pro, email] = [await world.pro({ deposit: false }), newAddress()]
  for (const hours of [0, 1, 2]) expect(await outcomeOf(await post(pro, hours, email))).toBe('booked')
  const book = (visitor: Visitor, hours: number, typed: string) =>
    visitor.postRaw(bookPath(pro), formOf(pro, hours, typed))
  const shownFor = async (typed: string) => {
    const { status, text } = await book(visitorFromNewAddress(world.app), 3, typed)
    expect(text).toContain('Enter your code')
    return [status, text.replaceAll(typed, '').replaceAll(/value="[^"]*"/g, '')]
  }
  expect(await shownFor(email)).toEqual(await shownFor(newAddress()))
  const owner = visitorFromNewAddress(world.app)
  const asked = await book(owner, 3, email)
  const told = await owner.postRaw(bookPath(pro), { ...fieldsOf(asked), code: await codeFor(world.app, email) })
  expect(told.text).toContain('You already have several unpaid bookings with this pro.')
  const other = visitorFromNewAddress(world.app)
  const another = newAddress()
  const step = await book(other, 3, another)
  const booked = await other.postRaw(bookPath(pro), { ...fieldsOf(step), code: await codeFor(world.app, another) })
  expect(booked.status).toBe(303)
})

describe('a booking does not count', () => {
  const again = (pro: FixturePro, hours: number) => BY_OTHERS['the widget']?.(pro, hours)
  const fill = async (pro: FixturePro) => {
    const made = await Promise.all(
      [0, 1, 2].map(async (hours) => (await (await post(pro, hours)).json()) as CreatedBooking),
    )
    expect(await again(pro, 3)).toBe('address_unproven')
    return made
  }
  const act = (pro: FixturePro, { booking }: CreatedBooking, action: string) =>
    world.app.send(`/api/v1/pro/bookings/${booking.id}`, { key: pro.key, json: { action } })

  test('once its deposit is paid', async () => {
    const pro = await world.pro()
    const [first] = await fill(pro)
    await pay(world, first?.payment?.clientSecret ?? '')
    expect(await again(pro, 3)).toBe('booked')
    expect(await again(pro, 4)).toBe('address_unproven')
  })

  test('once the pro has approved it', async () => {
    const pro = await world.pro({ deposit: false, requiresApproval: true })
    const [first] = await fill(pro)
    if (!first) throw new Error('Nothing is booked.')
    expect((await act(pro, first, 'confirm')).status).toBe(200)
    expect(await again(pro, 3)).toBe('booked')
  })

  test('once it is cancelled or its hold has ended', async () => {
    const pro = await world.pro({ deposit: false })
    const [first] = await fill(pro)
    await world.app.send(`/api/v1/bookings/${first?.booking.id}/cancel`, { key: world.key, json: {} })
    expect(await again(pro, 0)).toBe('booked')
    const held = await world.pro()
    await fill(held)
    world.clock.advance(16)
    expect(await again(held, 3)).toBe('booked')
    world.clock.set(STARTED_AT)
  })

  test('once it has begun', async () => {
    const pro = await world.pro({ deposit: false })
    const [first] = await fill(pro)
    world.clock.set(first?.booking.scheduledAt ?? '')
    expect(await again(pro, 24)).toBe('booked')
    world.clock.set(STARTED_AT)
  })
})
