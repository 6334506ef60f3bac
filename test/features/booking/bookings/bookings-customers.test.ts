// A customer cancels a booking, with or without a refund, or moves it.
import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { WIDGET_ORIGIN, instrumentedApp, testRequest } from '../../../support/app.ts'
import {
  DEPOSIT,
  STARTED_AT,
  type FixturePro,
  book,
  bookingBody,
  eventsOf,
  openBookingFixture,
  pay,
  rowsOf,
} from '../../../support/booking-fixture.ts'
import { Visitor } from '../../../support/visitor.ts'
import { insertBlocks } from '../../../support/schedule.ts'
import { opened } from '../../../support/fixture.ts'

const world = await opened(openBookingFixture())
const strangersKey = await world.app.key(['bookings:write'], 'stranger@test.example')

const post = (id: string, action: 'cancel' | 'reschedule', json: object, key = world.key, headers = {}) =>
  world.app.send(`/api/v1/bookings/${id}/${action}`, { key, json, headers })
const bodyOf = async (response: Response) => (await response.json()) as Record<string, unknown>

async function bookPaid(pro: FixturePro) {
  const created = await book(world, pro)
  await pay(world, created.payment?.clientSecret ?? '')
  return created.booking
}

describe('access to a booking', () => {
  const move = { date: '2026-12-01', time: '10:00' }

  test('the account that created a booking can change it, and no other key can, even with its code', async () => {
    const pro = await world.pro({ deposit: false })
    const { booking } = await book(world, pro)
    const code = { confirmationCode: booking.confirmationCode }
    const widget = await world.app.key(['widget:book'], 'shop@test.example')
    const prosOwn = await world.app.key(['bookings:write'], pro.email)
    for (const [key, headers] of [
      [strangersKey, {}],
      [widget, { origin: WIDGET_ORIGIN }],
      [prosOwn, {}],
    ] as const)
      for (const [what, json] of [
        ['cancel', {}],
        ['cancel', code],
        ['reschedule', move],
        ['reschedule', { ...move, ...code }],
      ] as const)
        expect([what, (await post(booking.id, what, json, key, headers)).status]).toEqual([what, 404])
    expect(await eventsOf(world, booking.id)).toHaveLength(2)

    // Older clients still send the code.
    expect((await post(booking.id, 'reschedule', { ...move, ...code })).status).toBe(200)
    expect((await post(booking.id, 'cancel', code)).status).toBe(200)
    expect((await post(randomUUID(), 'cancel', code)).status).toBe(404)
  })

  test('the page of a code shows the booking and cannot change it; the page of the manage link can', async () => {
    const visitor = new Visitor(world.app)
    const { booking, manageUrl } = await book(world, await world.pro({ deposit: false }))
    const [byCode, byLink] = [`/bookings/${booking.confirmationCode}`, new URL(manageUrl).pathname]
    const shown = (await visitor.get(byCode)).text
    expect(shown).toContain(booking.confirmationCode)
    expect(shown).toContain('open the link that you received when you booked')
    expect(shown).not.toContain('<form')
    expect(shown).not.toContain('/manage/')
    for (const action of ['cancel', 'move'])
      expect((await visitor.postRaw(`${byCode}/${action}`, move)).status).toBe(404)
    expect((await visitor.get(byLink)).text).toContain('Move to another time')
    expect((await visitor.postRaw(`${byLink}/move`, move)).status).toBe(303)
    expect((await visitor.postRaw(`${byLink}/cancel`, {})).status).toBe(303)
    expect(await rowsOf(world, booking.id)).toMatchObject({ booking: 'cancelled' })
  })

  test('the link of one booking gives no access to another', async () => {
    const pro = await world.pro({ deposit: false })
    const [mine, theirs] = [await book(world, pro), await book(world, pro, 1)]
    expect(mine.manageUrl).not.toBe(theirs.manageUrl)
    await new Visitor(world.app).postRaw(`${new URL(mine.manageUrl).pathname}/cancel`, {})
    expect([await rowsOf(world, mine.booking.id), await rowsOf(world, theirs.booking.id)]).toMatchObject([
      { booking: 'cancelled' },
      { booking: 'confirmed' },
    ])
  })
})

describe('cancelling', () => {
  test('refunds the payment until 24 hours before the start and keeps it after that', async () => {
    for (const [minutesBefore, refund, rows] of [
      [24 * 60, { amount: DEPOSIT, currency: 'USD', status: 'done' }, { payment: 'refunded', retained: false }],
      [24 * 60 - 1, null, { payment: 'succeeded', retained: true }],
    ] as const) {
      world.clock.set(STARTED_AT)
      const booking = await bookPaid(await world.pro())
      world.clock.set(booking.scheduledAt)
      world.clock.advance(-minutesBefore)
      const body = await bodyOf(await post(booking.id, 'cancel', { reason: 'Moved away' }))
      expect(body).toMatchObject({ success: true, refund, booking: { status: 'cancelled' } })
      expect(await rowsOf(world, booking.id)).toMatchObject({ booking: 'cancelled', reason: 'Moved away', ...rows })
    }
    world.clock.set(STARTED_AT)
  })

  test('refunds the payment at any time if the pro never confirmed', async () => {
    const booking = await bookPaid(await world.pro({ requiresApproval: true }))
    world.clock.set(booking.scheduledAt)
    world.clock.advance(-60)
    expect(await bodyOf(await post(booking.id, 'cancel', {}))).toMatchObject({ refund: { amount: DEPOSIT } })
    world.clock.set(STARTED_AT)
  })

  test('expires an unpaid payment and refunds one that arrives later', async () => {
    const { booking, payment } = await book(world, await world.pro())
    expect(await bodyOf(await post(booking.id, 'cancel', {}))).toMatchObject({ refund: null })
    expect(await rowsOf(world, booking.id)).toMatchObject({ booking: 'cancelled', payment: 'expired' })
    await pay(world, payment?.clientSecret ?? '')
    expect(await rowsOf(world, booking.id)).toMatchObject({ booking: 'cancelled', payment: 'refunded', refund: 'done' })
    expect(await eventsOf(world, booking.id)).toEqual(['booking.created', 'booking.cancelled'])
  })

  test('frees the time at once', async () => {
    const pro = await world.pro({ deposit: false })
    const { booking } = await book(world, pro)
    await post(booking.id, 'cancel', {})
    expect((await book(world, pro)).booking.status).toBe('confirmed')
  })

  test('succeeds for every retry with one idempotency key, and refunds once', async () => {
    const booking = await bookPaid(await world.pro())
    const headers = { 'idempotency-key': randomUUID() }
    const responses = await Promise.all(
      Array.from({ length: 11 }, () => post(booking.id, 'cancel', {}, world.key, headers)),
    )
    const init = { key: world.key, json: {}, headers, method: 'POST' }
    const last = await instrumentedApp(world.app.deps).fetch(
      testRequest(world.app.deps.config.baseUrl, `/api/v1/bookings/${booking.id}/cancel`, init),
    )
    expect([...responses, last].map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200))
    expect(last.headers.get('idempotent-replayed')).toBe('true')
    expect(await last.json()).toMatchObject({ success: true, refund: { amount: DEPOSIT, status: 'done' } })
    expect(await eventsOf(world, booking.id)).toEqual(['booking.created', 'booking.confirmed', 'booking.cancelled'])
    const [row] = await world.sql`
      select count(*)::int as refunds from payment_refunds r join payments p on p.id = r.payment_id
      where p.booking_id = ${booking.id}`
    expect(row).toEqual({ refunds: 1 })
    expect((await post(booking.id, 'cancel', { reason: 'Another' }, world.key, headers)).status).toBe(422)
    expect((await post(booking.id, 'cancel', {})).status).toBe(409)
  })

  test('succeeds for one of ten concurrent requests; the others get invalid_transition', async () => {
    const booking = await bookPaid(await world.pro())
    const responses = await Promise.all(Array.from({ length: 10 }, () => post(booking.id, 'cancel', {})))
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 409),
    ])
    expect(await rowsOf(world, booking.id)).toMatchObject({ payment: 'refunded', refund: 'done' })
  })
})

describe('moving', () => {
  const move = (id: string, json: object) => post(id, 'reschedule', json)

  test('to an open time, given in either form, keeps the duration and emits an event', async () => {
    const pro = await world.pro({ deposit: false })
    const { booking } = await book(world, pro)
    const local = await bodyOf(await move(booking.id, { date: '2026-12-07', time: '11:30' }))
    expect(local).toMatchObject({
      booking: { scheduledDate: '2026-12-07', scheduledTime: '11:30', durationMinutes: 60 },
    })
    const instant = await bodyOf(await move(booking.id, { startDateTime: '2026-12-08T15:00:00Z' }))
    expect(instant).toMatchObject({ booking: { scheduledDate: '2026-12-08', scheduledTime: '09:00' } })
    expect((await eventsOf(world, booking.id)).slice(2)).toEqual(['booking.rescheduled', 'booking.rescheduled'])
    // The old time is free again.
    expect((await book(world, pro)).booking.status).toBe('confirmed')
  })

  test('to one time succeeds for one of ten concurrent requests', async () => {
    const { booking } = await book(world, await world.pro({ deposit: false }))
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => move(booking.id, { date: '2026-12-07', time: '11:30' })),
    )
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
    for (const response of responses)
      expect(await bodyOf(response)).toMatchObject({ booking: { scheduledDate: '2026-12-07', scheduledTime: '11:30' } })
    expect((await eventsOf(world, booking.id)).slice(2)).toEqual(['booking.rescheduled'])
  })

  test('treats its own time as free, but not other bookings and blocks', async () => {
    const pro = await world.pro({ deposit: false })
    const { booking } = await book(world, pro)
    await book(world, pro, 2)
    expect((await move(booking.id, { date: '2026-11-23', time: '09:30' })).status).toBe(200)
    const conflict = await move(booking.id, { date: '2026-11-23', time: '10:30' })
    expect(conflict.status).toBe(409)
    expect(await bodyOf(conflict)).toMatchObject({ code: 'slot_unavailable', nextAvailable: { date: '2026-11-23' } })
    await insertBlocks(world.sql, pro.id, [{ from: '2026-12-01T00:00:00Z', to: '2026-12-03T00:00:00Z' }])
    expect((await move(booking.id, { date: '2026-12-01', time: '10:00' })).status).toBe(409)
    const { booking: current } = (await bodyOf(
      await world.app.send(`/api/v1/bookings/${booking.id}`, { key: world.key }),
    )) as { booking: { scheduledTime: string } }
    expect(current.scheduledTime).toBe('09:30')
  })

  test('replaces an expired hold', async () => {
    const pro = await world.pro()
    const paid = await bookPaid(pro)
    const expiring = await book(world, pro, 1)
    expect((await move(paid.id, { date: '2026-11-23', time: '10:00' })).status).toBe(409)
    world.clock.advance(15)
    expect((await move(paid.id, { date: '2026-11-23', time: '10:00' })).status).toBe(200)
    expect(await rowsOf(world, expiring.booking.id)).toMatchObject({ booking: 'cancelled', payment: 'expired' })
    world.clock.set(STARTED_AT)
  })

  test('requires one form of the time, in whole minutes, within a year', async () => {
    const { booking } = await book(world, await world.pro({ deposit: false }))
    for (const json of [
      {},
      { date: '2026-12-07' },
      { time: '10:00' },
      { date: '2026-12-07', time: '10:00', startDateTime: '2026-12-07T16:00:00Z' },
      { startDateTime: '2026-12-07T16:00:01Z' },
      { date: '2026-11-18', time: '10:00' },
      { date: '2027-12-07', time: '10:00' },
    ])
      expect([json, (await move(booking.id, json)).status]).toEqual([json, 400])
  })

  test('of two bookings to one time moves only one, 50 times', async () => {
    for (let round = 0; round < 50; round++) {
      const pro = await world.pro({ deposit: false })
      const [a, b] = [await book(world, pro), await book(world, pro, 1)]
      const wanted = { date: '2026-12-07', time: '10:00' }
      const [first, second, third] = await Promise.all([
        move(a.booking.id, wanted),
        move(b.booking.id, { ...wanted, time: '10:30' }),
        world.app.send('/api/v1/bookings', { key: world.key, json: bookingBody(pro, 0, wanted) }),
      ])
      const won = [first, second, third].filter(({ status }) => status < 300)
      expect(won).toHaveLength(1)
    }
  }, 60_000)
})
