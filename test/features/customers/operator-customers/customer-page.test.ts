// The page of a customer: everything under one address, by the id of any record, for operators.
import { describe, expect, test } from 'bun:test'

import { ctxOf } from '../../../../src/ctx.ts'
import { listActions } from '../../../../src/features/upkeep/audit/verbs.ts'
import { type book, bookingBody, openBookingFixture, pay } from '../../../support/booking-fixture.ts'
import { readCopy } from '../../../support/customer-copy.ts'
import { expectStatus } from '../../../support/customer-notes.ts'
import { newAddress } from '../../../support/customers.ts'
import { opened } from '../../../support/fixture.ts'
import { createTestUser, loggedInVisitor, visitorFromNewAddress } from '../../../support/visitor.ts'

const world = await opened(openBookingFixture())
const { app, sql } = world
const ctx = ctxOf(app.deps)
const key = await app.key()
const operator = await loggedInVisitor(app, 'operator')
const at = (id: string) => `/console/customers/${id}`

/** A customer who paid for a visit, asked a pro, and is blocked by that pro. */
async function caller() {
  const [pro, email] = [await world.pro(), newAddress()]
  const customer = { name: 'Maria Lopez-Ortiz', email, phone: '+1 512 555 0100' }
  const send = async <T>(path: string, json: object, as = key) =>
    await expectStatus<T>(201, await app.send(`/api/v1/${path}`, { key: as, json }))
  const booked = await send<Awaited<ReturnType<typeof book>>>('bookings', bookingBody(pro, 0, { customer }))
  await pay(world, booked.payment?.clientSecret ?? '')
  const ask = { professionalId: pro.id, serviceId: pro.serviceId, customer, description: 'The gutter leaks.' }
  const { rfq } = await send<{ rfq: { id: string } }>('rfqs', ask)
  const { review } = await send<{ review: { id: string } }>('reviews', {
    professionalId: pro.id,
    rating: 2,
    content: 'The crew came late.',
    customer: { name: customer.name, email },
  })
  await send('pro/blocked-customers', { email, reason: 'Shouted at the crew.' }, pro.key)
  return { pro, email, booking: booked.booking, ids: [booked.booking.id, rfq.id, review.id] }
}

test('it is found from the search and the booking, by the id of each record, and has what there is', async () => {
  const { email, booking, ids, pro } = await caller()
  const found = await operator.get(`/console/search?q=${encodeURIComponent(email)}`)
  expect(found.text).toContain(`href="${at(booking.id)}"`)
  expect((await operator.get(`/console/bookings/${booking.id}`)).text).toContain(`href="${at(booking.id)}"`)
  expect((await operator.get('/console/reviews?status=all')).text).toContain(`href="${at(ids[2] ?? '')}"`)
  for (const id of ids) {
    const { status, text } = await operator.get(at(id))
    expect(status).toBe(200)
    for (const part of [
      'Maria Lopez-Ortiz',
      email,
      '555 0100',
      booking.confirmationCode,
      `href="/console/bookings/${booking.id}"`,
      'href="/console/payments/',
      'href="/console/mail/',
      `href="/console/verification/${pro.id}"`,
      'Requests for quotes',
      'Reviews',
      'Blocked by pros',
    ])
      expect([part, text.includes(part)]).toEqual([part, true])
    expect(text).not.toContain('Shouted')
  }
  expect((await operator.get(at(crypto.randomUUID()))).status).toBe(404)
  expect((await operator.get(at(pro.id))).status).toBe(404)
})

test('it shows nothing of strangers who used the address, and no booking of test mode', async () => {
  const { email, ids } = await caller()
  const pro = await world.pro({ deposit: false })
  world.clock.advance(1)
  const stranger = { name: 'Another Person', email, phone: '+1 512 555 0177' }
  const booked = await app.send('/api/v1/bookings', { key, json: bookingBody(pro, 0, { customer: stranger }) })
  const { booking } = await expectStatus<Awaited<ReturnType<typeof book>>>(201, booked)
  expect((await operator.get(at(booking.id))).text).toContain('555 0177')
  await sql`update bookings set disowned_at = now() where id = ${booking.id}`
  const { text } = await operator.get(at(ids[0] ?? ''))
  for (const hidden of ['Another Person', '555 0177']) expect([hidden, text.includes(hidden)]).toEqual([hidden, false])
  expect(text).toContain('Maria Lopez-Ortiz')

  await sql`
    update professionals set active = false, test_account_id = (select id from accounts where kind = 'developer' limit 1)
    where id = ${pro.id}`
  expect((await operator.get(at(booking.id))).status).toBe(404)
})

test('a note is read there, in the log and in the customer’s copy, and by each id of the customer', async () => {
  const { email, ids } = await caller()
  const [first = '', second = ''] = ids
  const refused = await operator.post(at(first), { action: 'note', reason: '' })
  expect([refused.status, refused.text.includes('is required') || refused.text.includes('role="alert"')]).toEqual([
    400,
    true,
  ])
  expect((await operator.post(at(first), { action: 'note', reason: 'Called about the gutter.' })).status).toBe(303)
  expect((await operator.post(at(second), { action: 'note', reason: 'Called again.' })).status).toBe(303)
  const { text } = await operator.get(at(second))
  for (const said of ['Called about the gutter.', 'Called again.', 'Note on a customer']) expect(text).toContain(said)
  expect((await operator.get('/console/log?kind=customer')).text).toContain('Called again.')
  const profiles = await sql<{ id: string }[]>`select id from customer_profiles where email = ${email}`
  expect(profiles).toHaveLength(1)
  expect(await listActions(ctx, { subjectId: profiles[0]?.id ?? '' })).toHaveLength(2)
  expect((await operator.get(at(profiles[0]?.id ?? ''))).status).toBe(200)
  const { copy } = await readCopy(app.deps, email)
  expect(copy.operators).toMatchObject({ blockedSince: null, notes: [{ text: 'Called about the gutter.' }, {}] })
  const { copy: other } = await readCopy(app.deps, newAddress())
  expect(other.operators).toBeNull()
})

test('a block is shown with its reason, refused twice, and told by mail, as is its end', async () => {
  const { email, ids } = await caller()
  const path = at(ids[0] ?? '')
  const act = (action: string, reason: string) => operator.post(path, { action, reason })
  expect((await act('unblock', 'A mistake.')).status).toBe(409)
  expect((await act('block', 'Three false alarms.')).status).toBe(303)
  const again = await act('block', 'Once more.')
  expect([again.status, again.text.includes('blocked already')]).toEqual([409, true])
  const { text } = await operator.get(path)
  for (const part of ['Blocked since', 'Three false alarms.', 'Unblock customer']) expect(text).toContain(part)
  expect((await readCopy(app.deps, email)).copy.operators).toMatchObject({ blockReason: 'Three false alarms.' })
  expect((await act('unblock', 'They called.')).status).toBe(303)
  const messages = await sql<{ data: object }[]>`
    select data from messages where kind = 'customer-block' and recipient = ${email} order by id`
  expect(messages.map(({ data }) => data)).toMatchObject([
    { isBlocked: true, reason: 'Three false alarms.' },
    { isBlocked: false, reason: null },
  ])
})

test('before a block it is said how many visits stay, also of those that the page does not list', async () => {
  const { email, ids } = await caller()
  for (let n = 0; n < 10; n++)
    await expectStatus(
      201,
      await app.send('/api/v1/bookings', {
        key,
        json: bookingBody(await world.pro({ deposit: false }), 0, { customer: { name: 'Maria Lopez-Ortiz', email } }),
      }),
    )
  const { text } = await operator.get(at(ids[0] ?? ''))
  expect(text).toContain('The latest 10 of 11')
  expect(text).toContain('11 bookings stay.')
})

describe('an operator', () => {
  test.each(['finance', 'moderation'] as const)('for %s reads it and may not act', async (role) => {
    const { ids } = await caller()
    const email = await createTestUser(app, 'operator')
    await sql`update users set operator_role = ${role} where email = ${email}`
    const visitor = visitorFromNewAddress(app)
    await visitor.logIn(email)
    const page = await visitor.get(at(ids[0] ?? ''))
    expect([page.status, page.text.includes('Keep note')]).toEqual([200, false])
    expect((await visitor.post(at(ids[0] ?? ''), { action: 'note', reason: 'They called.' })).status).toBe(403)
  })
})
