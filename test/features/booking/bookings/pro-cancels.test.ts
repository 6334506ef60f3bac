// A pro cancels a booking: with a reason, at any time, and everything paid goes back.
import { describe, expect, test } from 'bun:test'

import {
  DEPOSIT,
  STARTED_AT,
  type FixturePro,
  book,
  eventsOf,
  openBookingFixture,
  pay,
  rowsOf,
} from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { loggedInVisitor } from '../../../support/visitor.ts'

const world = await opened(openBookingFixture())

const cancel = (pro: FixturePro, id: string, json: object = { reason: 'The van broke down.' }, headers = {}) =>
  world.app.send(`/api/v1/pro/bookings/${id}`, { key: pro.key, json: { action: 'cancel', ...json }, headers })

async function bookPaid(pro: FixturePro) {
  const { booking, payment } = await book(world, pro)
  await pay(world, payment?.clientSecret ?? '')
  return booking
}

describe('a pro who cancels', () => {
  test.each([-48 * 60, -60, 0, 90])('%p minutes after the start refunds the whole payment', async (minutes) => {
    world.clock.set(STARTED_AT)
    const pro = await world.pro()
    const booking = await bookPaid(pro)
    world.clock.set(booking.scheduledAt)
    world.clock.advance(minutes)
    const response = await cancel(pro, booking.id)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      booking: {
        status: 'cancelled',
        cancelledBy: 'pro',
        cancellationReason: 'The van broke down.',
        payment: { refund: { amount: DEPOSIT, status: 'done' } },
      },
    })
    expect(await rowsOf(world, booking.id)).toMatchObject({ payment: 'refunded', refund: 'done' })
    expect(await eventsOf(world, booking.id)).toEqual(['booking.created', 'booking.confirmed', 'booking.cancelled'])
    world.clock.set(STARTED_AT)
  })

  test('refunds even what a late move had made final', async () => {
    const pro = await world.pro()
    const booking = await bookPaid(pro)
    world.clock.set(booking.scheduledAt)
    world.clock.advance(-60)
    const json = { date: '2026-12-07', time: '11:00' }
    await world.app.send(`/api/v1/bookings/${booking.id}/reschedule`, { key: world.key, json })
    expect(await (await cancel(pro, booking.id)).json()).toMatchObject({
      booking: { payment: { refund: { amount: DEPOSIT } } },
    })
    world.clock.set(STARTED_AT)
  })

  test('must give a reason', async () => {
    const pro = await world.pro({ deposit: false })
    const { booking } = await book(world, pro)
    for (const json of [{}, { reason: '' }, { reason: ' \n' }])
      expect((await cancel(pro, booking.id, json)).status).toBe(400)
    expect(await rowsOf(world, booking.id)).toMatchObject({ booking: 'confirmed' })
  })

  test('cancels pending bookings too, and nothing that has ended', async () => {
    const pro = await world.pro({ deposit: false, requiresApproval: true })
    const { booking } = await book(world, pro)
    expect((await cancel(pro, booking.id)).status).toBe(200)
    expect(await (await cancel(pro, booking.id)).json()).toMatchObject({ code: 'invalid_transition', action: 'cancel' })
    expect((await book(world, pro)).booking.status).toBe('pending')
  })

  test('gets the same answer for a retry with the same idempotency key', async () => {
    const pro = await world.pro()
    const booking = await bookPaid(pro)
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const answers = [
      await cancel(pro, booking.id, undefined, headers),
      await cancel(pro, booking.id, undefined, headers),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const [first, replay] = await Promise.all(answers.map((answer) => answer.text()))
    expect(replay).toBe(first ?? '')
    expect(await eventsOf(world, booking.id)).toHaveLength(3)
  })

  test('does so in the console, where the reason is required', async () => {
    const pro = await world.pro({ deposit: false })
    const { booking } = await book(world, pro)
    const visitor = await loggedInVisitor(world.app, 'pro', { pro: pro.id })
    const path = `/console/bookings/${booking.id}`
    expect((await visitor.get(path)).text).toContain('Cancel booking')
    await visitor.post(path, { action: 'cancel', reason: ' ' })
    expect(await rowsOf(world, booking.id)).toMatchObject({ booking: 'confirmed' })
    await visitor.post(path, { action: 'cancel', reason: 'The van broke down.' })
    expect(await rowsOf(world, booking.id)).toMatchObject({ booking: 'cancelled', reason: 'The van broke down.' })
  })
})
