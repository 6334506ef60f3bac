// A pro blocks customers from booking again.
import { expect, test } from 'bun:test'

import { type FixturePro, book, bookingBody, openBookingFixture, rowsOf } from '../../../support/booking-fixture.ts'
import { signedInCustomer } from '../../../support/customers.ts'
import { opened } from '../../../support/fixture.ts'
import { loggedInVisitor } from '../../../support/visitor.ts'

const world = await opened(openBookingFixture())
const PATH = '/api/v1/pro/blocked-customers'

const block = (pro: FixturePro, json: object) => world.app.send(PATH, { key: pro.key, json })
const post = (pro: FixturePro, hours: number, email = 'home@example.com') =>
  world.app.send('/api/v1/bookings', {
    key: world.key,
    json: bookingBody(pro, hours, { customer: { name: 'Homeowner in Austin', email } }),
  })
const listed = async (pro: FixturePro) =>
  (await (await world.app.send(PATH, { key: pro.key })).json()) as {
    customers: { id: string; email: string; reason: string | null }[]
    meta: { total: number }
  }

test('the customer of a booking cannot book again, until the pro unblocks them', async () => {
  const [pro, other] = [await world.pro({ deposit: false }), await world.pro({ deposit: false })]
  const { booking } = await book(world, pro)
  const blocked = await block(pro, { bookingId: booking.id, reason: 'Never at home.' })
  expect(blocked.status).toBe(201)
  expect(await blocked.json()).toMatchObject({ customer: { email: 'home@example.com', reason: 'Never at home.' } })
  expect(await rowsOf(world, booking.id)).toMatchObject({ booking: 'confirmed' })

  const refused = await post(pro, 1)
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'customer_blocked' }])
  expect((await post(pro, 1, 'HOME@example.com')).status).toBe(403)
  expect((await post(pro, 1, 'neighbor@example.com')).status).toBe(201)
  expect((await post(other, 1)).status).toBe(201)

  const { customers } = await listed(pro)
  const path = `${PATH}/${customers[0]?.id}`
  expect((await world.app.send(path, { key: other.key, method: 'DELETE' })).status).toBe(404)
  expect((await world.app.send(path, { key: pro.key, method: 'DELETE' })).status).toBe(204)
  expect((await world.app.send(path, { key: pro.key, method: 'DELETE' })).status).toBe(404)
  expect((await post(pro, 2)).status).toBe(201)
})

test('an e-mail address is blocked once, in any case', async () => {
  const pro = await world.pro({ deposit: false })
  for (const email of ['Home@Example.com', 'home@example.com']) expect((await block(pro, { email })).status).toBe(201)
  expect(await listed(pro)).toMatchObject({
    customers: [{ email: 'home@example.com', reason: null }],
    meta: { total: 1 },
  })
  expect((await post(pro, 0)).status).toBe(403)
})

test('a block names one customer, and no booking of another pro', async () => {
  const [pro, other] = [await world.pro({ deposit: false }), await world.pro({ deposit: false })]
  const { booking } = await book(world, other)
  expect((await block(pro, {})).status).toBe(400)
  expect((await block(pro, { bookingId: booking.id, email: 'home@example.com' })).status).toBe(400)
  expect((await block(pro, { bookingId: booking.id })).status).toBe(404)
  expect(await listed(pro)).toMatchObject({ customers: [] })
})

test('the console blocks a booking’s customer and unblocks them; the booking page refuses them', async () => {
  const pro = await world.pro({ deposit: false })
  const { booking } = await book(world, pro)
  const visitor = await loggedInVisitor(world.app, 'pro', { pro: pro.id })
  expect((await visitor.get(`/console/bookings/${booking.id}`)).text).toContain('Block customer')
  await visitor.post('/console/blocked-customers', { bookingId: booking.id, reason: 'Never at home.' })
  expect((await visitor.get('/console/blocked-customers')).text).toContain('home@example.com')
  const { date, time } = bookingBody(pro, 2)
  const form = { service: pro.serviceId, date, time, name: 'Homeowner', email: 'home@example.com' }
  const place = { phone: '512-555-0142', street: '1 Main Street', city: 'Austin', state: 'TX', zipCode: '78701' }
  const customer = await signedInCustomer(world.app, 'home@example.com')
  const page = await customer.postRaw(`/pros/${pro.id}/book`, {
    ...form,
    ...place,
    idempotencyKey: crypto.randomUUID(),
  })
  expect([page.status, page.text]).toMatchObject([
    403,
    expect.stringContaining('does not take online bookings from you'),
  ])
  const { customers } = await listed(pro)
  await visitor.post(`/console/blocked-customers/${customers[0]?.id}/delete`)
  expect((await post(pro, 3)).status).toBe(201)
})
