// What others made with a customer's address is marked, and its owner takes it off the list: "This was not me".
import { describe, expect, test } from 'bun:test'

import { createRfq } from '../../../src/features/quoting/rfqs/verbs/rfqs.ts'
import { sendQuote } from '../../../src/features/quoting/quotes/verbs/quotes.ts'
import {
  type FixturePro,
  STARTED_AT,
  VISIT_ADDRESS,
  VISIT_PHONE,
  bookingBody,
  eventsOf,
  openBookingFixture,
  pay,
  rowsOf,
} from '../../support/booking-fixture.ts'
import { bookFor, complete, newAddress, signedInCustomer } from '../../support/customers.ts'
import { opened } from '../../support/fixture.ts'
import { type Visitor, loggedInVisitor, visitorFromNewAddress } from '../../support/visitor.ts'
import { ctxOf } from '../../../src/ctx.ts'

const world = await opened(openBookingFixture({ INSTANT_BOOKING_FEE_CENTS: '0' }))
const freePro = () => world.pro({ deposit: false })

const bookOnPage = (visitor: Visitor, pro: FixturePro, hours: number, email: string) => {
  const { date, time } = bookingBody(pro, hours)
  const idempotencyKey = crypto.randomUUID()
  const details = { name: 'Demo Customer', email, phone: VISIT_PHONE, ...VISIT_ADDRESS }
  return visitor.postRaw(`/pros/${pro.id}/book`, { service: pro.serviceId, date, time, ...details, idempotencyKey })
}
const asProBooks = async (pro: FixturePro, email: string) => {
  const key = await world.app.key(['bookings:write'], pro.email)
  const json = bookingBody(pro, 0, { customer: { name: 'A customer', email } })
  return (await world.app.send('/api/v1/bookings', { key, json })).status
}

const rfqFor = async (pro: FixturePro, email: string) => {
  const customer = { name: 'A customer', email }
  const asked = { professionalId: pro.id, customer, description: 'A leak.' }
  return (await createRfq(ctxOf(world.app.deps, { accountId: pro.accountId }), asked)).rfq.id
}
const recorded = async (id: string) =>
  (await world.sql<{ action: string }[]>`select action from operator_actions where subject_id = ${id}`).map(
    ({ action }) => action,
  )
const notMine = (visitor: Visitor, kind: 'bookings' | 'requests', id: string) =>
  visitor.post(`/my/${kind}/${id}/not-mine`)

describe('in the list of a signed-in customer', () => {
  test.each([
    [
      'by an unknown browser',
      async (pro: FixturePro, email: string) =>
        (await bookOnPage(visitorFromNewAddress(world.app), pro, 0, email)).status,
      'Made on this site by a person who was not signed in',
    ],
    [
      'by another signed-in customer',
      async (pro: FixturePro, email: string) =>
        (await bookOnPage(await signedInCustomer(world.app), pro, 0, email)).status,
      'Made on this site by a person who was not signed in',
    ],
    [
      'with a key',
      async (pro: FixturePro, email: string) => ((await bookFor(world, email, pro)).booking ? 201 : 0),
      'Made through another website or app, not by you',
    ],
    ['by the pro', asProBooks, /Made by [^<]+, not by you/],
  ])('a booking that was made %s is marked', async (_, make, mark) => {
    const [pro, email] = [await freePro(), newAddress()]
    expect([201, 303]).toContain(await make(pro, email))
    const { text } = await (await signedInCustomer(world.app, email)).get('/my')
    expect(text).toMatch(mark)
    expect(text).toContain('This was not me')
  })

  test('what the customer made while signed in is not marked, and cannot be disowned', async () => {
    const [pro, email] = [await freePro(), newAddress()]
    const visitor = await signedInCustomer(world.app, email)
    expect((await bookOnPage(visitor, pro, 0, email)).status).toBe(303)
    const { text } = await visitor.get('/my')
    const [, id = ''] = /\/my\/bookings\/([\w-]{36})"/.exec(text) ?? []
    expect(text).not.toContain('This was not me')
    expect((await notMine(visitor, 'bookings', id)).location).toBe('/my')
    expect((await visitor.get('/my')).text).toContain('You made this booking while you were signed in.')
    expect((await rowsOf(world, id)).booking).toBe('confirmed')
  })
})

describe('"This was not me"', () => {
  test('cancels a booking to come, takes it off the list, and tells the pro and operators', async () => {
    const [pro, email] = [await freePro(), newAddress()]
    const { booking, manageUrl } = await bookFor(world, email, pro)
    const visitor = await signedInCustomer(world.app, email)
    expect((await notMine(visitor, 'bookings', booking.id)).location).toBe('/my')
    const { text } = await visitor.get('/my')
    expect(text).toContain('It is off your list.')
    expect(text).not.toContain(booking.id)
    expect((await visitor.get(`/my/bookings/${booking.id}`)).status).toBe(404)
    expect((await visitor.post(`/my/bookings/${booking.id}/cancel`)).status).toBe(404)
    expect(await eventsOf(world, booking.id)).toEqual(['booking.created', 'booking.confirmed', 'booking.cancelled'])
    expect(await recorded(booking.id)).toEqual(['booking.disowned'])
    expect((await visitorFromNewAddress(world.app).get(new URL(manageUrl).pathname)).text).toContain('was cancelled')
    const console = await loggedInVisitor(world.app, 'pro', { pro: pro.id })
    expect((await console.get('/console')).text).toContain(`href="/console/bookings/${booking.id}"`)
  })

  test('returns what the customer paid by the usual terms', async () => {
    const [early, late] = [await world.pro(), await world.pro()]
    const email = newAddress()
    const visitor = await signedInCustomer(world.app, email)
    const made = []
    for (const pro of [early, late]) {
      const { booking, payment } = await bookFor(world, email, pro)
      await pay(world, payment?.clientSecret ?? '')
      made.push(booking)
    }
    await notMine(visitor, 'bookings', made[0]?.id ?? '')
    // Within the last day before the visit.
    world.clock.set('2026-11-23T10:00:00Z')
    const again = await signedInCustomer(world.app, email)
    await notMine(again, 'bookings', made[1]?.id ?? '')
    world.clock.set(STARTED_AT)
    const [first, second] = [await rowsOf(world, made[0]?.id ?? ''), await rowsOf(world, made[1]?.id ?? '')]
    expect([first.booking, second.booking]).toEqual(['cancelled', 'cancelled'])
    expect(first.refund).not.toBeNull()
    expect([second.refund, second.retained]).toEqual([null, true])
  })

  test('leaves a visit that has taken place as it is, and takes it off the list', async () => {
    const [pro, email] = [await freePro(), newAddress()]
    const { booking } = await bookFor(world, email, pro)
    await complete(world, pro, booking)
    const visitor = await signedInCustomer(world.app, email)
    expect((await visitor.get('/my')).text).toContain(`/my/bookings/${booking.id}/review`)
    await notMine(visitor, 'bookings', booking.id)
    expect((await rowsOf(world, booking.id)).booking).toBe('completed')
    expect((await visitor.get('/my')).text).not.toContain(booking.id)
  })

  test('closes a request and declines its open quotes', async () => {
    const [pro, email] = [await freePro(), newAddress()]
    const id = await rfqFor(pro, email)
    await sendQuote(ctxOf(world.app.deps, { accountId: pro.accountId, professionalId: pro.id }), {
      rfqId: id,
      amount: 320,
    })
    const visitor = await signedInCustomer(world.app, email)
    expect((await visitor.get('/my/requests')).text).toContain(`/my/requests/${id}/not-mine`)
    expect((await notMine(visitor, 'requests', id)).location).toBe('/my')
    const [row] = await world.sql<{ rfq: string; quote: string }[]>`
      select r.status as rfq, q.status as quote from rfqs r join quotes q on q.rfq_id = r.id where r.id = ${id}`
    expect(row).toEqual({ rfq: 'archived', quote: 'declined' })
    expect((await visitor.get('/my/requests')).text).not.toContain(id)
    expect(await recorded(id)).toEqual(['request.disowned'])
    const console = await loggedInVisitor(world.app, 'pro', { pro: pro.id })
    expect((await console.get('/console')).text).toContain(`href="/console/leads/${id}"`)
  })

  test('is for the owner of the address only', async () => {
    const [pro, email] = [await freePro(), newAddress()]
    const { booking } = await bookFor(world, email, pro)
    const rfq = await rfqFor(pro, email)
    const stranger = await signedInCustomer(world.app)
    expect((await notMine(stranger, 'bookings', booking.id)).status).toBe(404)
    expect((await notMine(stranger, 'requests', rfq)).status).toBe(404)
    expect((await rowsOf(world, booking.id)).booking).toBe('confirmed')
    expect([await recorded(booking.id), await recorded(rfq)]).toEqual([[], []])
  })
})
