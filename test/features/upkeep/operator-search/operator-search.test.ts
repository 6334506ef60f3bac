// The operators' search: a caller is found by whatever they say.
import { describe, expect, test } from 'bun:test'

import { ctxOf } from '../../../../src/ctx.ts'
import { cancelBooking } from '../../../../src/features/booking/bookings/verbs/customer-actions.ts'
import { eraseCustomer } from '../../../../src/features/customers/privacy/verbs/erase-customer.ts'
import { searchTermsOf } from '../../../../src/features/upkeep/operator-search/rules/search-terms.ts'
import { searchAsOperator } from '../../../../src/features/upkeep/operator-search/verbs.ts'
import { createKeyInMode } from '../../../../src/features/upkeep/test-mode/verbs.ts'
import { book, bookingBody, openBookingFixture, pay } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { Visitor, createTestUser, loggedInVisitor } from '../../../support/visitor.ts'

const fixture = await opened(openBookingFixture())
const { app, sql, key } = fixture
const pro = await fixture.pro()
await sql`update professionals set business_name = 'Blue Heron Plumbing', phone = '+1 416 555 0199' where id = ${pro.id}`

const customer = { name: 'Maria Lopez-Ortiz', email: 'maria@example.com', phone: '+1 (416) 555-0100' }
const address = { street: '1200 Congress Ave', city: 'Austin', state: 'TX', zipCode: '78701' }
const other = { name: 'Mariana Lopez', email: 'mariana@example.com', phone: '(416) 555-7777' }

async function bookFor(hours: number, changes: object) {
  const answer = await app.send('/api/v1/bookings', { key, json: bookingBody(pro, hours, changes) })
  expect(answer.status).toBe(201)
  return ((await answer.json()) as { booking: { id: string; confirmationCode: string } }).booking
}
const booking = await bookFor(0, { customer, address })
const second = await bookFor(2, { customer: other, address: { ...address, street: '9 Elm Street' } })

const search = (text: string) => searchAsOperator(ctxOf(app.deps), { text })
const bookingsBy = async (text: string) => (await search(text)).bookings.map(({ id }) => id)

describe('a booking', () => {
  const code = booking.confirmationCode
  test.each([
    ['its code', code],
    ['its code in small letters with spaces', code.toLowerCase().replace('-', ' ')],
    ['its code without the first letters', code.slice(4)],
    ['the customer’s number', '+1 (416) 555-0100'],
    ['the number without the country’s', '4165550100'],
    ['the number with dots', '416.555.0100'],
    ['the last four digits of the number', '0100'],
    ['the e-mail address', 'Maria@Example.com'],
    ['the name', 'maria lopez-ortiz'],
    ['the last name', 'Ortiz'],
    ['the beginning of the last name', 'ort'],
    ['the street', '1200 congress'],
    ['the street and the name', 'Lopez, 1200 Congress Ave, Austin'],
    ['its id', booking.id],
  ])('is found by %s', async (_, text) => {
    expect(await bookingsBy(text)).toEqual([booking.id])
  })

  test('is found by the beginning of its id, with those of the same minute', async () => {
    expect(await bookingsBy(booking.id.slice(0, 8))).toContain(booking.id)
  })

  test('of the exact name comes before those of longer ones', async () => {
    expect(await bookingsBy('Lopez')).toHaveLength(2)
    expect(await bookingsBy('Mariana Lopez')).toEqual([second.id])
    expect(await bookingsBy('maria')).toEqual([booking.id, second.id])
  })

  test('is not found by what it does not have, by operators of tsquery, or by nothing', async () => {
    for (const text of ['Nowhere Lane', '!', "'", 'a:b & | !', '%', '555-9999', '  ', '&&:*'])
      expect([text, await bookingsBy(text)]).toEqual([text, []])
  })
})

test('customers, pros, payments, messages, users and keys are found with it', async () => {
  const found = await search(customer.email)
  expect(found.customers).toEqual([
    { id: booking.id, email: customer.email, name: customer.name, phone: found.bookings[0]?.customerPhone ?? '' },
  ])
  expect((await search('blue heron')).pros.map(({ id }) => id)).toEqual([pro.id])
  expect((await search('416 555 0199')).pros.map(({ id }) => id)).toEqual([pro.id])
  expect((await search(pro.id)).pros.map(({ id }) => id)).toEqual([pro.id])
  const paid = await book(fixture, pro, 4)
  await pay(fixture, paid.payment?.clientSecret ?? '')
  const payments = (await search(paid.booking.confirmationCode)).payments
  expect(payments.map(({ bookingId }) => bookingId)).toEqual([paid.booking.id])
  expect((await search(payments[0]?.id.slice(0, 13) ?? '')).payments.map(({ id }) => id)).toContain(
    payments[0]?.id ?? '',
  )
  const email = await createTestUser(app, 'pro', { pro: pro.id })
  expect((await search(email)).users.map((user) => user.email)).toEqual([email])
  expect((await search(email)).pros.map(({ id }) => id)).toEqual([pro.id])
  expect((await search(pro.key.slice(-4))).keys.map(({ lastFour }) => lastFour)).toContain(pro.key.slice(-4))
})

test('a test pro is found after the real ones, with a badge, by its name, its id and its developer', async () => {
  const developer = 'developer-of-tests@test.example'
  await createKeyInMode(ctxOf(app.deps), { ownerEmail: developer, scopes: ['pros:read'], name: 'test', mode: 'test' })
  const { pros } = await search(developer)
  expect(pros.map(({ businessName, email, isTest }) => [businessName.split(':')[0], email, isTest])).toEqual(
    Array.from({ length: 3 }, () => ['Test pro', developer, true]),
  )
  const { id, slug } = pros[0] ?? { id: '', slug: '' }
  expect((await search(id)).pros.map((found) => found.id)).toEqual([id])
  await sql`update professionals set business_name = 'Test pro of a plumber' where id = ${pro.id}`
  expect((await search('test pro')).pros.map((found) => found.isTest)).toEqual([false, true, true, true])
  await sql`update professionals set business_name = 'Blue Heron Plumbing' where id = ${pro.id}`
  const operator = await loggedInVisitor(app, 'operator')
  const { text } = await operator.get(`/console/search?q=${encodeURIComponent(developer)}`)
  for (const shown of [`href="/pros/${slug}"`, '<span class="badge wait">Test</span>']) expect(text).toContain(shown)
  expect((await operator.get(`/pros/${slug}`)).status).toBe(200)
})

test('an erased customer is found no more', async () => {
  const gone = { name: 'Ferdinand Quill', email: 'quill@example.com', phone: '512 555 0888' }
  const { id } = await bookFor(24, { customer: gone, address: { ...address, street: '77 Quarry Road' } })
  expect(await bookingsBy('Quill')).toHaveLength(1)
  await cancelBooking(ctxOf(app.deps, { accountId: crypto.randomUUID(), hasManageLink: true }), { id })
  await eraseCustomer(ctxOf(app.deps), { email: gone.email, requestedBy: 'operator' })
  for (const text of ['Quill', gone.email, gone.phone, '77 Quarry Road', 'Erased customer', 'erased'])
    expect([text, (await search(text)).bookings, (await search(text)).customers]).toEqual([text, [], []])
})

describe('the page', () => {
  test('leads an operator from the head of every page to the booking of a caller, and is no page of others’ customers for a pro', async () => {
    const operator = await loggedInVisitor(app, 'operator')
    for (const path of ['/console', '/console/payments', '/ops'])
      expect((await operator.get(path)).text).toContain('action="/console/search"')
    const { text } = await operator.get('/console/search?q=555-0100')
    expect(text).toContain(`href="/console/bookings/${booking.id}"`)
    expect(text).toContain(customer.name)
    expect((await operator.get('/console/search?q=nothing-like-it')).text).toContain('Nothing matches')
    const stranger = await fixture.pro()
    const visitor = await loggedInVisitor(app, 'pro', { pro: stranger.id })
    expect((await visitor.get('/console/search?q=555-0100')).text).not.toContain(customer.name)
    expect((await new Visitor(app).get('/console/search?q=555-0100')).status).toBe(303)
  })

  test('shows what is typed as text', async () => {
    const operator = await loggedInVisitor(app, 'operator')
    const { text } = await operator.get(`/console/search?q=${encodeURIComponent('"><script>x</script>')}`)
    expect(text).not.toContain('<script>x')
  })
})

test('a number is compared by its last ten digits from the end, a word of two letters as it is', () => {
  expect(searchTermsOf('+1 (416) 555-0100').digits).toBe('0010555614')
  expect(searchTermsOf('0100').digits).toBe('0010')
  expect(searchTermsOf('010').digits).toBeNull()
  expect(searchTermsOf('Al Green').begun).toBe('al & green:*')
  expect(searchTermsOf('al@green.example').begun).toBeNull()
})
