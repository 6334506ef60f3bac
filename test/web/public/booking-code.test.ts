// Calendars are not filled for free: a network books once without proof of the typed address, then with the code that went to it.
import { describe, expect, test } from 'bun:test'

import { WIDGET_ORIGIN, randomAddress } from '../../support/app.ts'
import {
  type FixturePro,
  STARTED_AT,
  VISIT_ADDRESS,
  bookingBody,
  openBookingFixture,
} from '../../support/booking-fixture.ts'
import { type BookingFields, type Outcome, bookPath, fieldsOf, formOf, outcomeOf } from '../../support/booking-forms.ts'
import { codeFor, newAddress, signedInCustomer } from '../../support/customers.ts'
import { opened } from '../../support/fixture.ts'
import { type PageResponse, type Visitor, visitorAt, visitorFromNewAddress } from '../../support/visitor.ts'

const world = await opened(openBookingFixture({ INSTANT_BOOKING_FEE_CENTS: '0', TRUSTED_PROXIES: '192.0.2.7' }))
const widgetKey = await world.app.key(['widget:book'], 'shop@test.example')

const freePro = () => world.pro({ deposit: false })
const book = (visitor: Visitor, pro: FixturePro, hours = 0, email = newAddress()) =>
  visitor.postRaw(bookPath(pro), formOf(pro, hours, email))

const enter = (visitor: Visitor, pro: FixturePro, page: PageResponse, fields: Record<string, string>) =>
  visitor.postRaw(bookPath(pro), { ...fieldsOf(page), ...fields })

const bookingsOf = async (pro: FixturePro) => {
  const [row] = await world.sql<{ bookings: number }[]>`
    select count(*)::int as bookings from bookings where professional_id = ${pro.id}`
  return row?.bookings
}

/** A visitor who is asked for a code, and the page that asks. */
async function askedVisitor(pro: FixturePro, email = newAddress()) {
  const visitor = visitorFromNewAddress(world.app)
  expect(outcomeOf(await book(visitor, await freePro()))).toBe('booked')
  const form = formOf(pro, 1, email)
  const page = await visitor.postRaw(bookPath(pro), form)
  expect(outcomeOf(page)).toBe('code asked')
  return { visitor, form, page, email }
}

describe('a network', () => {
  test('books nine times with invented addresses and gets one booking, with one pro and with others', async () => {
    const [pro, other] = [await freePro(), await freePro()]
    const visitor = visitorFromNewAddress(world.app)
    const outcomes: Outcome[] = []
    for (let n = 0; n < 7; n++) outcomes.push(outcomeOf(await book(visitor, pro, n)))
    for (let n = 0; n < 2; n++) outcomes.push(outcomeOf(await book(visitor, other, n)))
    expect(outcomes).toEqual(['booked', ...Array.from({ length: 8 }, (): Outcome => 'code asked')])
    expect([await bookingsOf(pro), await bookingsOf(other)]).toEqual([1, 0])
  })

  test('gets one booking of six that are sent at the same time to different pros', async () => {
    const pros: FixturePro[] = []
    for (let n = 0; n < 6; n++) pros.push(await freePro())
    const address = randomAddress()
    const pages = await Promise.all(pros.map((pro) => book(visitorAt(world.app, address), pro)))
    expect(pages.filter((page) => outcomeOf(page) === 'booked')).toHaveLength(1)
  })

  test('is an IPv4 address or an IPv6 /64, of the client that a trusted proxy names', async () => {
    const pro = await freePro()
    const from = async (address: string, hours: number, headers: Record<string, string> = {}) =>
      outcomeOf(await visitorAt(world.app, address).postRaw(bookPath(pro), formOf(pro, hours, newAddress()), headers))
    expect(await from('2001:db8:77:1::1', 0)).toBe('booked')
    expect(await from('2001:db8:77:1:ffff::2', 1)).toBe('code asked')
    expect(await from('2001:db8:77:2::1', 1)).toBe('booked')
    expect(await from('::ffff:198.51.100.1', 2)).toBe('booked')
    expect(await from('198.51.100.1', 3)).toBe('code asked')
    const behindProxy = (client: string) => ({ 'x-forwarded-for': client })
    expect(await from('192.0.2.7', 3, behindProxy('203.0.113.1'))).toBe('booked')
    expect(await from('192.0.2.7', 4, behindProxy('203.0.113.2'))).toBe('booked')
    expect(await from('192.0.2.7', 5, behindProxy('203.0.113.2'))).toBe('code asked')
    // Who is no trusted proxy cannot choose a network.
    expect(await from('198.51.100.1', 5, behindProxy('203.0.113.3'))).toBe('code asked')
  })

  test('books without a code again after 24 hours', async () => {
    const pro = await freePro()
    const visitor = visitorFromNewAddress(world.app)
    expect(outcomeOf(await book(visitor, pro, 26))).toBe('booked')
    world.clock.advance(24 * 60 - 1)
    expect(outcomeOf(await book(visitor, pro, 27))).toBe('code asked')
    world.clock.advance(1)
    expect(outcomeOf(await book(visitor, pro, 28))).toBe('booked')
    world.clock.set(STARTED_AT)
  })

  test('keeps its booking when the time was taken, and when there is something to pay', async () => {
    const [pro, paid] = [await freePro(), await world.pro()]
    await book(visitorFromNewAddress(world.app), pro, 0)
    const visitor = visitorFromNewAddress(world.app)
    expect((await book(visitor, pro, 0)).text).toContain('This time is no longer available.')
    for (const hours of [0, 1]) expect((await book(visitor, paid, hours)).location).toStartWith('/pay/')
    expect(outcomeOf(await book(visitor, pro, 1))).toBe('booked')
  })

  test('is stored as a digest that cannot be found by trying all addresses', async () => {
    const address = '198.51.100.77'
    expect(outcomeOf(await book(visitorAt(world.app, address), await freePro()))).toBe('booked')
    const digests = await world.sql<{ digest: string }[]>`select network_digest as digest from network_bookings`
    const hash = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('base64url')
    expect(digests.map(({ digest }) => digest)).not.toContain(hash(address))
    expect(JSON.stringify(digests)).not.toContain(address)
    const keyed = world.app.deps.encryption.digest('network of free bookings', address)
    expect(digests.map(({ digest }) => digest)).toContain(keyed)
  })
})

describe('the code that went to the typed address', () => {
  test('books what was typed, signs in, and lets the browser go on', async () => {
    const pro = await freePro()
    const { visitor, page, email } = await askedVisitor(pro)
    expect(page.text).toContain(`<strong>${email}</strong>`)
    expect(page.text).toContain('/console/mail')
    const booked = await enter(visitor, pro, page, { code: await codeFor(world.app, email) })
    expect(outcomeOf(booked)).toBe('booked')
    expect((await visitor.get(booked.location ?? '')).text).toContain(VISIT_ADDRESS.street)
    expect((await visitor.get('/my')).text).toContain(`Signed in as ${email}`)
    expect(outcomeOf(await book(visitor, pro, 2, email))).toBe('booked')
    // It has proven this address and no other.
    expect(outcomeOf(await book(visitor, pro, 3))).toBe('code asked')
  })

  test('is not asked for in a browser that is signed in with the address', async () => {
    const [pro, email] = [await freePro(), newAddress()]
    const visitor = await signedInCustomer(world.app, email)
    for (const hours of [0, 1, 2]) expect(outcomeOf(await book(visitor, pro, hours, email))).toBe('booked')
  })

  test('may be wrong four times; the fifth one sends a new code', async () => {
    const pro = await freePro()
    const { visitor, page, email } = await askedVisitor(pro)
    const code = await codeFor(world.app, email)
    const wrong = code.startsWith('1') ? '2'.repeat(8) : '1'.repeat(8)
    let last = page
    for (const left of ['4 more times', '3 more times', '2 more times', 'once more']) {
      last = await enter(visitor, pro, last, { code: wrong })
      expect([last.status, last.text]).toEqual([401, expect.stringContaining(`You can try ${left}.`)])
    }
    last = await enter(visitor, pro, last, { code: wrong })
    expect(last.text).toContain('We sent a new one.')
    expect(outcomeOf(await enter(visitor, pro, last, { code }))).toBe('code refused')
    expect(outcomeOf(await enter(visitor, pro, last, { code: await codeFor(world.app, email) }))).toBe('booked')
    expect(await bookingsOf(pro)).toBe(1)
  })

  test('that is left out is no try, and neither is one that cannot be a code; no other code is sent', async () => {
    const pro = await freePro()
    const { visitor, page, email } = await askedVisitor(pro)
    const code = await codeFor(world.app, email)
    let last = page
    for (const [typed, error] of [
      ['', 'Is required.'],
      ['1'.repeat(41), 'Must be text from 1 to 40 characters long, not only white space.'],
    ] as const) {
      last = await enter(visitor, pro, last, { code: typed })
      expect([last.status, last.text]).toEqual([400, expect.stringContaining(`id="code-error">${error}</p>`)])
    }
    expect(await codeFor(world.app, email)).toBe(code)
    last = await enter(visitor, pro, last, { code: code.startsWith('1') ? '2' : '1' })
    expect(last.text).toContain('You can try 4 more times.')
    expect(outcomeOf(await enter(visitor, pro, last, { code }))).toBe('booked')
  })

  test('expires, and another one is sent; what was typed stays', async () => {
    const pro = await freePro()
    const { visitor, page, email, form } = await askedVisitor(pro)
    const early = await codeFor(world.app, email)
    world.clock.advance(11)
    const expired = await enter(visitor, pro, page, { code: early })
    expect([expired.status, expired.text]).toEqual([401, expect.stringContaining('has expired')])
    expect(fieldsOf(expired)).toMatchObject(form satisfies BookingFields)
    const resent = await enter(visitor, pro, expired, { code: '', step: 'resend' })
    expect(resent.text).toContain('We sent another code.')
    expect(fieldsOf(resent)).toMatchObject(form satisfies BookingFields)
    expect(outcomeOf(await enter(visitor, pro, resent, { code: await codeFor(world.app, email) }))).toBe('booked')
    world.clock.set(STARTED_AT)
  })

  test('works in the browser that asked only, and for its address only', async () => {
    const pro = await freePro()
    const { visitor, page, email } = await askedVisitor(pro)
    const code = await codeFor(world.app, email)
    const stranger = await askedVisitor(pro)
    expect(outcomeOf(await enter(stranger.visitor, pro, stranger.page, { code }))).toBe('code refused')
    // Another address in the form than the one that got the code.
    const other = newAddress()
    const forged = await enter(visitor, pro, page, { code, email: other })
    expect(outcomeOf(forged)).toBe('code asked')
    expect(await bookingsOf(pro)).toBe(0)
    expect(outcomeOf(await enter(visitor, pro, forged, { code: await codeFor(world.app, other) }))).toBe('booked')
  })

  test('of a form from another site is refused', async () => {
    const pro = await freePro()
    const { visitor, page, email } = await askedVisitor(pro)
    const fields = { ...fieldsOf(page), code: await codeFor(world.app, email), csrf: 'x'.repeat(43) }
    expect(outcomeOf(await visitor.postRaw(bookPath(pro), fields))).toBe('code refused')
    const foreign = await visitor.postRaw(bookPath(pro), fields, { 'sec-fetch-site': 'cross-site' })
    expect(foreign.status).toBe(403)
    expect(await bookingsOf(pro)).toBe(0)
  })

  test('may be entered on the page of its link, which leads back to the chosen time with all details', async () => {
    const pro = await freePro()
    const { visitor, email, form } = await askedVisitor(pro)
    const code = await codeFor(world.app, email)
    const [csrf] =
      /name="csrf" value="([^"]+)"/.exec((await visitor.get(`/my/sign-in/code?code=${code}`)).text)?.slice(1) ?? []
    const signedIn = await visitor.postRaw('/my/sign-in/code', { code, csrf: csrf ?? '' })
    expect(signedIn.location).toStartWith(`${bookPath(pro)}?service=`)
    const { text } = await visitor.get(signedIn.location ?? '')
    for (const value of [form.time, form.name, email, form.street]) expect(text).toContain(`value="${value}"`)
    expect(outcomeOf(await visitor.postRaw(bookPath(pro), form))).toBe('booked')
  })

  test('is followed by the details again, to change the address', async () => {
    const pro = await freePro()
    const { visitor, page, form } = await askedVisitor(pro)
    const { text } = await enter(visitor, pro, page, { code: '', step: 'details' })
    for (const value of [form.time, form.name, form.email, form.street]) expect(text).toContain(`value="${value}"`)
    expect(text).toContain('E-mail address')
  })
})

describe('with a key', () => {
  const send = (
    key: string,
    pro: FixturePro,
    hours: number,
    email = newAddress(),
    headers: Record<string, string> = {},
  ) =>
    world.app.send('/api/v1/bookings', {
      key,
      headers,
      json: bookingBody(pro, hours, { customer: { name: 'Homeowner in Austin', email } }),
    })

  test('a widget books once from a network, then leads to the page, where the code is asked for', async () => {
    const pro = await freePro()
    const origin = { origin: WIDGET_ORIGIN }
    expect((await send(widgetKey, pro, 0, newAddress(), origin)).status).toBe(201)
    const refused = await send(widgetKey, pro, 1, newAddress(), origin)
    const problem = (await refused.json()) as { code: string; bookingUrl: string }
    expect([refused.status, problem.code]).toEqual([403, 'address_unproven'])
    const { date, time } = bookingBody(pro, 1)
    const { text } = await visitorFromNewAddress(world.app).get(
      problem.bookingUrl.replace(world.app.deps.config.baseUrl, ''),
    )
    for (const value of [date, time]) expect(text).toContain(`value="${value}"`)
  })

  test('a server books for all of its customers from one network', async () => {
    const pro = await freePro()
    for (const hours of [0, 1, 2, 3]) expect((await send(world.key, pro, hours)).status).toBe(201)
  })
})
