// Bookings with a payment in the sandbox: the amount due, the effect of paying, and late payments.
import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { cancelUnanswered, lapseHolds } from '../../../../src/features/booking/bookings/verbs/holds.ts'
import {
  DEPOSIT,
  type CreatedBooking,
  STARTED_AT,
  book,
  bookingBody,
  eventsOf,
  openBookingFixture,
  pay,
  rowsOf,
} from '../../../support/booking-fixture.ts'
import type { TestPro } from '../../../support/schedule.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const world = await opened(openBookingFixture())

const startBody = (pro: TestPro, startDateTime = '2026-11-23T15:00:00Z') => ({
  professionalId: pro.id,
  serviceId: pro.serviceId,
  startDateTime,
  guestName: 'Homeowner in Austin',
  guestEmail: 'home@example.com',
  zipCode: '78701',
})
const start = (json: object, idempotencyKey?: string) =>
  world.app.send('/api/v1/bookings/create', {
    key: world.key,
    json,
    headers: idempotencyKey ? { 'idempotency-key': idempotencyKey } : {},
  })
const lookUp = async (code: string) => {
  const response = await world.app.send(`/api/v1/bookings?code=${code}`)
  return ((await response.json()) as { booking: { status: string; cancelledAt: string | null } }).booking
}

describe('a booking with a deposit', () => {
  test('is held for 15 minutes, shows the amount to pay, and is confirmed by paying', async () => {
    const pro = await world.pro()
    const { booking, payment } = await book(world, pro)
    expect(booking.status).toBe('pending')
    expect(payment).toMatchObject({ amount: DEPOSIT, currency: 'USD', expiresAt: '2026-11-20T00:15:00.000Z' })
    expect(payment?.payUrl).toBe(`${world.app.deps.config.baseUrl}/pay/${payment?.clientSecret}`)
    expect(await eventsOf(world, booking.id)).toEqual(['booking.created'])

    const paid = await pay(world, payment?.clientSecret ?? '')
    expect(await paid.json()).toEqual({
      payment: { status: 'succeeded', amount: DEPOSIT, currency: 'USD' },
      booking: { id: booking.id, confirmationCode: booking.confirmationCode, status: 'confirmed' },
      quote: null,
    })
    expect(await eventsOf(world, booking.id)).toEqual(['booking.created', 'booking.confirmed'])
  })

  test('is charged once, however often it is paid, and also after a failed attempt', async () => {
    const pro = await world.pro()
    const { booking, payment } = await book(world, pro)
    const secret = payment?.clientSecret ?? ''
    expect(await (await pay(world, secret, 'fails')).json()).toMatchObject({ payment: { status: 'failed' } })
    await Promise.all([pay(world, secret), pay(world, secret), pay(world, secret)])
    expect(await (await pay(world, secret, 'fails')).json()).toMatchObject({ payment: { status: 'succeeded' } })
    expect(await rowsOf(world, booking.id)).toMatchObject({ booking: 'confirmed', payment: 'succeeded', refund: null })
    expect(await eventsOf(world, booking.id)).toEqual(['booking.created', 'booking.confirmed'])
  })

  test('waits for the pro’s approval once it is paid; a rejection refunds it', async () => {
    const pro = await world.pro({ requiresApproval: true })
    const { booking, payment } = await book(world, pro)
    const send = (action: string) =>
      world.app.send(`/api/v1/pro/bookings/${booking.id}`, { key: pro.key, json: { action } })
    expect(await (await send('confirm')).json()).toMatchObject({
      code: 'invalid_transition',
      detail: expect.stringContaining('The customer has not paid yet') as string,
    })
    await pay(world, payment?.clientSecret ?? '')
    expect(await eventsOf(world, booking.id)).toEqual(['booking.created', 'booking.pending_approval'])
    expect((await send('reject')).status).toBe(200)
    expect(await rowsOf(world, booking.id)).toMatchObject({ booking: 'cancelled', payment: 'refunded', refund: 'done' })
  })

  test('is refused for a service without a price', async () => {
    const pro = await world.pro()
    await world.sql`
      update professional_services set base_price_cents = null where professional_id = ${pro.id}`
    const response = await world.app.send('/api/v1/bookings', { key: world.key, json: bookingBody(pro) })
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([400, 'service_unpriced'])
  })

  test('costs a share of the base price, or of the minimum price, in whole cents', async () => {
    const pro = await world.pro()
    const cases = [
      [12_345, null, 33.33, 41.15],
      [null, 999, 12.5, 1.25],
      [10_001, 5, 50, 50.01],
    ] as const
    for (const [index, [base, minimum, percentage, due]] of cases.entries()) {
      await world.sql`
        update professional_services set base_price_cents = ${base}, min_price_cents = ${minimum}
        where professional_id = ${pro.id}`
      await world.sql`update professionals set deposit_percentage = ${percentage} where id = ${pro.id}`
      expect((await book(world, pro, index)).payment?.amount).toBe(due)
    }
  })
})

describe('POST /bookings/create', () => {
  test('requires the fee and the deposit, if any', async () => {
    const [plain, deposit] = [await world.pro({ deposit: false }), await world.pro()]
    for (const [pro, amount] of [
      [plain, 5],
      [deposit, DEPOSIT + 5],
    ] as const) {
      const response = await start(startBody(pro))
      expect(response.status).toBe(201)
      const { booking, clientSecret, payment } = (await response.json()) as CreatedBooking & { clientSecret: string }
      expect([booking.status, booking.scheduledAt]).toEqual(['pending', '2026-11-23T15:00:00.000Z'])
      expect(payment).toMatchObject({ clientSecret, amount })
      await pay(world, clientSecret)
      expect((await lookUp(booking.confirmationCode)).status).toBe('confirmed')
    }
  })

  test('returns the same booking and client secret to a retry, also after payment', async () => {
    const pro = await world.pro()
    const id = randomUUID()
    const [first, second] = await Promise.all([start(startBody(pro), id), start(startBody(pro), id)])
    const body = await first.text()
    expect([first.status, second.status, await second.text()]).toEqual([201, 201, body])
    await pay(world, (JSON.parse(body) as { clientSecret: string }).clientSecret)
    expect(await (await start(startBody(pro), id)).text()).toBe(body)
    expect((await start({ ...startBody(pro), zipCode: '78702' }, id)).status).toBe(422)
    expect(await world.sql`select from payments where professional_id = ${pro.id}`).toHaveLength(1)
  })

  test('requires a whole minute within a year', async () => {
    const pro = await world.pro()
    for (const instant of [
      '2026-11-23T15:00:30Z',
      '2026-11-23T15:00:00.5Z',
      '2026-11-18T15:00:00Z',
      '2027-12-01T15:00:00Z',
    ]) {
      const response = await start(startBody(pro, instant))
      const { errors } = (await response.json()) as { errors?: { path: string }[] }
      expect([instant, response.status, errors?.[0]?.path]).toEqual([instant, 400, 'body.startDateTime'])
    }
    expect((await start(startBody(pro, '2026-11-23T09:00:00.000-06:00'))).status).toBe(201)
  })

  test('confirms at once without a payment when there is no fee and no deposit', async () => {
    const free = await openBookingFixture({ INSTANT_BOOKING_FEE_CENTS: '0' })
    const pro = await free.pro({ deposit: false })
    const response = await free.app.send('/api/v1/bookings/create', { key: free.key, json: startBody(pro) })
    expect(await response.json()).toMatchObject({ booking: { status: 'confirmed' }, clientSecret: null, payment: null })
    await free.close()
  })
})

describe('an expired hold', () => {
  test('frees its time without a sweep for lists, the next customer and every reader', async () => {
    const pro = await world.pro()
    const held = await book(world, pro)
    const isOpen = async () => {
      const response = await world.app.send(`/api/v1/pros/${pro.id}/availability?date=2026-11-23`)
      const { availability } = (await response.json()) as {
        availability: { slots: { start: string; available: boolean }[] }[]
      }
      return availability[0]?.slots.find(({ start: at }) => at === '09:00')?.available
    }
    world.clock.set('2026-11-20T00:14:59.999Z')
    expect([await isOpen(), (await lookUp(held.booking.confirmationCode)).status]).toEqual([false, 'pending'])
    world.clock.set('2026-11-20T00:15:00.000Z')
    expect(await isOpen()).toBe(true)
    expect(await lookUp(held.booking.confirmationCode)).toMatchObject({
      status: 'cancelled',
      cancelledAt: '2026-11-20T00:15:00.000Z',
    })
    const list = await world.app.send('/api/v1/pro/bookings?status=cancelled', { key: pro.key })
    expect(await list.json()).toMatchObject({ bookings: [{ id: held.booking.id }], meta: { total: 1 } })
    expect(await rowsOf(world, held.booking.id)).toMatchObject({ booking: 'pending', payment: 'requires_payment' })

    await book(world, pro)
    expect(await rowsOf(world, held.booking.id)).toMatchObject({
      booking: 'cancelled',
      reason: 'payment_expired',
      payment: 'expired',
    })
    expect(await eventsOf(world, held.booking.id)).toEqual(['booking.created', 'booking.cancelled'])
    world.clock.set(STARTED_AT)
  })

  test('accepts no payment: a late one is refunded', async () => {
    const pro = await world.pro()
    for (const isSwept of [false, true]) {
      const { booking, payment } = await book(world, pro, isSwept ? 1 : 0)
      world.clock.advance(15)
      if (isSwept) expect(await lapseHolds(ctxOf(world.app.deps))).toBeGreaterThan(0)
      const response = await pay(world, payment?.clientSecret ?? '')
      expect(await response.json()).toMatchObject({ payment: { status: 'refunded' }, booking: { status: 'cancelled' } })
      expect(await eventsOf(world, booking.id)).toEqual(['booking.created', 'booking.cancelled'])
      world.clock.set(STARTED_AT)
    }
  })

  test('is recorded once by the sweeper, in batches of limited size', async () => {
    const pro = await world.pro()
    const bookings = []
    for (let n = 0; n < 5; n++) bookings.push(await book(world, pro, n))
    world.clock.advance(15)
    await lapseHolds(ctxOf(world.app.deps), { limit: 1000 })
    expect(await lapseHolds(ctxOf(world.app.deps))).toBe(0)
    for (const { booking } of bookings)
      expect(await eventsOf(world, booking.id)).toEqual(['booking.created', 'booking.cancelled'])
    world.clock.set(STARTED_AT)
    const rebooked = await Promise.all([0, 1, 2].map((n) => book(world, pro, n)))
    world.clock.advance(15)
    const swept = await Promise.all([0, 1, 2, 3].map(() => lapseHolds(ctxOf(world.app.deps), { limit: 2 })))
    expect(swept.reduce((sum, n) => sum + n, 0)).toBe(rebooked.length)
    world.clock.set(STARTED_AT)
  })
})

describe('a booking that its pro never confirms', () => {
  test('is cancelled at its start, and its payment is refunded once', async () => {
    const pro = await world.pro({ requiresApproval: true })
    const { booking, payment } = await book(world, pro)
    const answered = await book(world, pro, 2)
    for (const due of [payment, answered.payment]) await pay(world, due?.clientSecret ?? '')
    await world.app.send(`/api/v1/pro/bookings/${answered.booking.id}`, { key: pro.key, json: { action: 'confirm' } })
    world.clock.set('2026-11-23T14:59:59.000Z')
    await cancelUnanswered(ctxOf(world.app.deps), { limit: 1000 })
    expect((await rowsOf(world, booking.id)).booking).toBe('pending')
    world.clock.set('2026-11-23T18:00:00.000Z')
    await Promise.all([
      cancelUnanswered(ctxOf(world.app.deps), { limit: 1000 }),
      cancelUnanswered(ctxOf(world.app.deps), { limit: 1000 }),
    ])
    expect(await rowsOf(world, booking.id)).toMatchObject({
      booking: 'cancelled',
      reason: 'not_answered',
      payment: 'refunded',
    })
    expect((await rowsOf(world, answered.booking.id)).booking).toBe('confirmed')
    const events = ['booking.created', 'booking.pending_approval', 'booking.cancelled']
    expect(await eventsOf(world, booking.id)).toEqual(events)
    world.clock.set(STARTED_AT)
  })
})

describe('the page', () => {
  const page = (path: string, init?: RequestInit) =>
    world.app.app.handle(new Request(`${world.app.deps.config.baseUrl}${path}`, init))

  test('shows the amount and the booking, takes the payment, and confirms it', async () => {
    const { booking, payment } = await book(world, await world.pro())
    const path = new URL(payment?.payUrl ?? '').pathname
    const before = await page(path)
    expect(before.headers.get('content-security-policy')).toContain("form-action 'self'")
    const text = await before.text()
    for (const part of [
      '$50',
      'Drain cleaning',
      'Clear &quot;Drains&quot; &amp; Co',
      '15 minutes',
      'Monday, November 23',
    ])
      expect(text).toContain(part)
    const response = await page(path, { method: 'POST', body: new URLSearchParams({ outcome: 'succeeds' }) })
    expect([response.status, response.headers.get('location')]).toEqual([303, path])
    expect(await (await page(path)).text()).toContain('Payment received. Thank you')
    expect((await lookUp(booking.confirmationCode)).status).toBe('confirmed')
  })

  test('answers 404 for any other secret', async () => {
    for (const path of ['/pay/nothing', '/pay/%00', '/pay/%ff']) expect((await page(path)).status).toBeOneOf([400, 404])
    expect((await pay(world, 'nothing')).status).toBe(404)
  })
})
