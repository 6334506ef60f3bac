// Deposits that stay unpaid hold few times: a network holds three at once by unproven addresses, further ones ask for the code.
import { describe, expect, test } from 'bun:test'

import { WIDGET_ORIGIN, randomAddress, testRequest } from '../../support/app.ts'
import { requestContextOf } from '../../../src/auth/request-context.ts'
import {
  type CreatedBooking,
  type FixturePro,
  STARTED_AT,
  bookingBody,
  openBookingFixture,
  pay,
} from '../../support/booking-fixture.ts'
import { bookPath, fieldsOf, formOf } from '../../support/booking-forms.ts'
import { codeFor, newAddress } from '../../support/customers.ts'
import { opened } from '../../support/fixture.ts'
import { type PageResponse, type Visitor, visitorAt, visitorFromNewAddress } from '../../support/visitor.ts'

const world = await opened(openBookingFixture({ MAX_UNPAID_BOOKINGS: '', INSTANT_BOOKING_FEE_CENTS: '0' }))
const widgetKey = await world.app.key(['widget:book'], 'shop@test.example')

type Outcome = 'held' | 'booked' | 'code asked'
const outcomeOf = ({ location, text }: PageResponse): Outcome => {
  if (location?.startsWith('/pay/') === true) return 'held'
  if (location?.startsWith('/bookings/manage/') === true) return 'booked'
  expect(text).toContain('<h1>Enter your code</h1>')
  return 'code asked'
}
const post = (visitor: Visitor, pro: FixturePro, hours: number, email = newAddress()) =>
  visitor.postRaw(bookPath(pro), formOf(pro, hours, email))
const book = async (visitor: Visitor, pro: FixturePro, hours: number) => outcomeOf(await post(visitor, pro, hours))

/** Fills the network's three holds with one pro. */
async function fill(visitor: Visitor, pro: FixturePro): Promise<void> {
  for (const hours of [0, 1, 2]) expect(await book(visitor, pro, hours)).toBe('held')
  expect(await book(visitor, pro, 3)).toBe('code asked')
}

const byWidget = (pro: FixturePro, hours: number, address: string) => {
  const customer = { name: 'Homeowner in Austin', email: newAddress() }
  const sent = { key: widgetKey, headers: { origin: WIDGET_ORIGIN }, json: bookingBody(pro, hours, { customer }) }
  const request = testRequest(world.app.deps.config.baseUrl, '/api/v1/bookings', sent)
  requestContextOf(request).peer = () => address
  return world.app.app.handle(request)
}

describe('a network', () => {
  test('holds three times with invented addresses, at one pro and at others, on pages and in widgets', async () => {
    const [pro, other] = [await world.pro(), await world.pro()]
    const address = randomAddress()
    const visitor = visitorAt(world.app, address)
    expect(await book(visitor, pro, 0)).toBe('held')
    expect(await book(visitor, other, 0)).toBe('held')
    expect((await byWidget(other, 1, address)).status).toBe(201)
    for (const hours of [1, 2, 3]) expect(await book(visitor, pro, hours)).toBe('code asked')
    const refused = await byWidget(other, 2, address)
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, 'address_unproven'])
    expect(await book(visitorFromNewAddress(world.app), pro, 1)).toBe('held')
  })

  test('holds three of eight that are sent at the same time to different pros', async () => {
    const pros: FixturePro[] = []
    for (let n = 0; n < 8; n++) pros.push(await world.pro())
    const address = randomAddress()
    const outcomes = await Promise.all(pros.map((pro) => book(visitorAt(world.app, address), pro, 0)))
    expect(outcomes.filter((outcome) => outcome === 'held')).toHaveLength(3)
  })

  test('holds more with the code that went to the address', async () => {
    const pro = await world.pro()
    const visitor = visitorFromNewAddress(world.app)
    await fill(visitor, pro)
    const email = newAddress()
    const asked = await post(visitor, pro, 3, email)
    const code = await codeFor(world.app, email)
    expect(outcomeOf(await visitor.postRaw(bookPath(pro), { ...fieldsOf(asked), code }))).toBe('held')
  })

  test('holds another time once one is paid, cancelled or has ended, and none for a time that was taken', async () => {
    const [pro, taken] = [await world.pro(), await world.pro()]
    const visitor = visitorFromNewAddress(world.app)
    await fill(visitor, pro)
    const [first, second] = await world.sql<{ id: string; secret: string }[]>`
      select b.id, p.client_secret as secret from bookings b join payments p on p.booking_id = b.id
      where b.professional_id = ${pro.id} order by b.starts_at`
    expect((await pay(world, first?.secret ?? '')).status).toBe(200)
    expect(await book(visitor, pro, 3)).toBe('held')
    expect(await book(visitor, pro, 4)).toBe('code asked')
    const cancel = { key: pro.key, json: { action: 'cancel', reason: 'The van broke down.' } }
    expect((await world.app.send(`/api/v1/pro/bookings/${second?.id}`, cancel)).status).toBe(200)
    await book(visitorFromNewAddress(world.app), taken, 0)
    expect((await post(visitor, taken, 0)).text).toContain('This time is no longer available.')
    expect(await book(visitor, pro, 4)).toBe('held')
    expect(await book(visitor, pro, 5)).toBe('code asked')
    world.clock.advance(16)
    expect(await book(visitor, pro, 5)).toBe('held')
    world.clock.set(STARTED_AT)
  })

  test('books for free beside its holds, and holds beside its free booking', async () => {
    const [free, paid] = [await world.pro({ deposit: false }), await world.pro()]
    const visitor = visitorFromNewAddress(world.app)
    await fill(visitor, paid)
    expect(await book(visitor, free, 0)).toBe('booked')
    expect(await book(visitor, free, 1)).toBe('code asked')
    const other = visitorFromNewAddress(world.app)
    expect(await book(other, free, 1)).toBe('booked')
    await fill(other, await world.pro())
    expect(await book(other, free, 2)).toBe('code asked')
  })
})

test('the key of a server holds times for all of its customers from one network', async () => {
  const pro = await world.pro()
  for (const hours of [0, 1, 2, 3, 4]) {
    const json = bookingBody(pro, hours, { customer: { name: 'Homeowner in Austin', email: newAddress() } })
    const response = await world.app.send('/api/v1/bookings', { key: world.key, json })
    expect([response.status, ((await response.json()) as CreatedBooking).booking.status]).toEqual([201, 'pending'])
  }
})
