// Concurrent changes of one booking or one time have one outcome, and consistent rows.
import { describe, expect, test } from 'bun:test'

import { paySandbox } from '../../../../src/features/money/checkout/verbs/sandbox.ts'
import { createBooking } from '../../../../src/features/booking/bookings/verbs/create-booking.ts'
import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import { cloneDatabase } from '../../../support/database.ts'
import { openBookingClient } from '../../../support/booking-client.ts'
import {
  type CreatedBooking,
  book,
  bookingBody,
  eventsOf,
  openBookingFixture,
  pay,
  rowsOf,
} from '../../../support/booking-fixture.ts'
import { startServer } from '../../../support/server.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const ROUNDS = 200

const world = await opened(openBookingFixture())

const codeOf = async (response: Response) => ((await response.json()) as { code?: string }).code

describe(`in each of ${ROUNDS} rounds`, () => {
  test('either a payment at the end of a hold or another customer after it gets the time', async () => {
    const pro = await world.pro()
    const won = { payer: 0, other: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      const held = await book(world, pro, round)
      const end = Date.parse(held.payment?.expiresAt ?? '')
      // Two servers whose clocks are just before and at the end of the hold.
      const at = (instant: number) => ({ ...world.app.deps, clock: { now: () => new Date(instant) } })
      const body = bookingBody(pro, round)
      const accountId =
        (await world.sql<{ id: string }[]>`select id from accounts where kind = 'developer'`)[0]?.id ?? ''
      const settled = await Promise.allSettled([
        paySandbox(ctxOf(at(end - 1)), { clientSecret: held.payment?.clientSecret ?? '', outcome: 'succeeds' }),
        createBooking(ctxOf(at(end), { accountId }), body),
      ])
      const rows = await rowsOf(world, held.booking.id)
      const other = settled[1].status === 'fulfilled' ? settled[1].value.booking : undefined
      expect([settled[0].status, rows.booking, rows.payment]).toEqual(
        other ? ['fulfilled', 'cancelled', 'refunded'] : ['fulfilled', 'confirmed', 'succeeded'],
      )
      expect(await eventsOf(world, held.booking.id)).toHaveLength(2)
      won[other ? 'other' : 'payer']++
    }
    process.stdout.write(`${JSON.stringify(won)}\n`)
    expect(won.payer + won.other).toBe(ROUNDS)
  }, 60_000)

  test('one of cancelling, rejecting and confirming a paid booking at once succeeds, and the payment matches', async () => {
    const pro = await world.pro({ requiresApproval: true })
    for (let round = 0; round < ROUNDS; round++) {
      const { booking, payment } = await book(world, pro, round)
      await pay(world, payment?.clientSecret ?? '')
      const send = (action: string) =>
        world.app.send(`/api/v1/pro/bookings/${booking.id}`, { key: pro.key, json: { action } })
      const cancel = () => world.app.send(`/api/v1/bookings/${booking.id}/cancel`, { key: world.key, json: {} })
      const [confirmed, rejected, cancelled] = await Promise.all([send('confirm'), send('reject'), cancel()])
      const rows = await rowsOf(world, booking.id)
      // Confirming and then cancelling may both succeed; no other pair may.
      const off = [rejected, cancelled].filter(({ status }) => status === 200)
      expect(off.length).toBeLessThanOrEqual(1)
      expect(rows).toMatchObject(
        off.length === 1 ? { booking: 'cancelled', payment: 'refunded', refund: 'done' } : { booking: 'confirmed' },
      )
      for (const response of [confirmed, rejected, cancelled])
        if (response.status !== 200)
          expect([response.status, await codeOf(response)]).toEqual([409, 'invalid_transition'])
      const done = [confirmed, rejected, cancelled].filter(({ status }) => status === 200).length
      expect(await eventsOf(world, booking.id)).toHaveLength(2 + done)
    }
  }, 120_000)
})

test('in real time, an unpaid hold of two seconds is free for another customer within five seconds', async () => {
  const database = await cloneDatabase('migrated')
  const client = await openBookingClient(database.url)
  const server = await startServer({ databaseUrl: database.url, env: { BOOKING_HOLD_SECONDS: '2' } })
  const { professionalId, serviceId, date, time } = client.body(0)
  const start = async () => {
    const response = await fetch(`${server.url}/api/v1/bookings/create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        professionalId,
        serviceId,
        startDateTime: `${String(date)}T${String(time)}:00Z`,
        guestName: 'Homeowner in Austin',
        guestEmail: 'home@example.com',
      }),
    })
    return { status: response.status, body: (await response.json()) as CreatedBooking }
  }
  try {
    const held = await start()
    expect([held.status, (await start()).status]).toEqual([201, 409])
    const endMs = Date.parse(held.body.payment?.expiresAt ?? '')
    await waitUntil(() => Promise.resolve(Date.now() > endMs), 10_000)
    const next = await start()
    const lateMs = Date.now() - endMs
    process.stdout.write(`booked by the next customer ${lateMs} ms after the end of the hold\n`)
    expect([next.status, next.body.booking.status]).toEqual([201, 'pending'])
    expect(lateMs).toBeLessThan(5000)
  } finally {
    await server.stop()
    await database.drop()
  }
}, 60_000)
