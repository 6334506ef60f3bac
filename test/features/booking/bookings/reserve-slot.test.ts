// Every outcome of a reservation: its result, its rows and its events.
import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import type { Booking } from '../../../../src/features/booking/bookings/schemas.ts'
import {
  type Reservation,
  findBookingByCode,
  findBookingById,
  reserveSlot,
} from '../../../../src/features/booking/bookings/queries/bookings.ts'
import { openTestDatabase } from '../../../support/database.ts'
import { opened } from '../../../support/fixture.ts'
import { NOW, newReservation } from '../../../support/reservations.ts'
import { everyDay, insertBlocks, insertPro } from '../../../support/schedule.ts'
import { ctxOn } from '../../../support/ctx-on.ts'

const database = await opened(openTestDatabase())
const { sql } = database

const reserve = (reservation: Reservation) => reserveSlot(ctxOn(database.write), reservation)

const eventsOf = (bookingId: string) => sql<{ type: string; sequence: number; data: { object: unknown } }[]>`
  select type, sequence, data from outbox_events where aggregate_id = ${bookingId} order by position`

describe('a reservation', () => {
  test('is confirmed at once with the pro’s default duration and emits two events', async () => {
    const pro = await insertPro(sql, { defaultSlotMinutes: 45, bufferMinutes: 20 })
    const reservation = newReservation(pro, {
      description: 'The kitchen sink is blocked.',
      address: { city: 'Austin' },
      traceparent: '00-1-2-01',
    })
    const result = await reserve(reservation)
    const service = { id: pro.serviceId, name: 'Drain cleaning' }
    const professional = {
      id: pro.id,
      businessName: 'Clear "Drains" & Co',
      phone: '+1 512 555 0100',
      location: 'Austin, TX',
    }
    expect(result).toMatchObject({
      outcome: 'reserved',
      booking: {
        id: reservation.bookingId,
        confirmationCode: reservation.confirmationCode,
        status: 'confirmed',
        scheduledAt: '2026-11-23T15:00:00.000Z',
        localTime: 'Monday, November 23, 9:00 AM Central Time',
        durationMinutes: 45,
        service,
        professional: { ...professional, slug: `pro-${pro.id}` },
      },
      depositRequired: false,
      depositPercentage: null,
    })

    const booking: Booking = {
      id: reservation.bookingId,
      confirmationCode: reservation.confirmationCode,
      status: 'confirmed',
      scheduledDate: '2026-11-23',
      scheduledTime: '09:00',
      timeZone: 'America/Chicago',
      localTime: 'Monday, November 23, 9:00 AM Central Time',
      durationMinutes: 45,
      service,
      package: null,
      price: {
        type: 'flat',
        basePrice: null,
        base: null,
        min: null,
        max: null,
        unit: null,
        from: null,
        total: null,
        currency: 'USD',
      },
      professional,
      address: { city: 'Austin' },
      payment: null,
      balance: {
        currency: 'USD',
        agreed: null,
        paid: 0,
        refunded: 0,
        refunding: 0,
        netPaid: 0,
        refundable: 0,
        dueNow: 0,
        dueAtVisit: null,
      },
      job: null,
      holdExpiresAt: null,
      freeCancellationHours: 24,
      proposedTime: null,
      freeCancellationUntil: '2026-11-22T15:00:00.000Z',
      customer: { name: 'Homeowner in Austin', email: 'home@example.com' },
      description: 'The kitchen sink is blocked.',
      createdAt: NOW.toISOString(),
      confirmedAt: NOW.toISOString(),
      cancelledAt: null,
      cancelledBy: null,
      cancellationReason: null,
    }
    const { read } = database
    const reader = { accountId: pro.accountId }
    expect(await findBookingByCode(ctxOn(read), { code: reservation.confirmationCode, reader, now: NOW })).toEqual({
      booking,
      isOwn: true,
    })
    const viewers = [
      { accountId: pro.accountId, professionalId: null },
      { accountId: null, professionalId: pro.id },
    ]
    for (const viewer of viewers)
      expect(await findBookingById(ctxOn(read), { caller: viewer, id: reservation.bookingId, now: NOW })).toEqual(
        booking,
      )
    const stranger = { accountId: randomUUID(), professionalId: randomUUID() }
    expect(
      await findBookingById(ctxOn(read), { caller: stranger, id: reservation.bookingId, now: NOW }),
    ).toBeUndefined()
    expect(
      await findBookingById(ctxOn(read), {
        caller: { accountId: null, professionalId: null },
        id: reservation.bookingId,
        now: NOW,
      }),
    ).toBeUndefined()

    expect([...(await eventsOf(reservation.bookingId))]).toEqual([
      { type: 'booking.created', sequence: 1, data: { object: booking } },
      { type: 'booking.confirmed', sequence: 2, data: { object: booking } },
    ])
    const [row] = await sql`select event_sequence, address from bookings where id = ${reservation.bookingId}`
    expect(row).toEqual({ eventSequence: 2, address: { city: 'Austin' } })
  })

  test('is pending if the pro approves first or a deposit is due', async () => {
    const approving = await insertPro(sql)
    await sql`update professionals set requires_approval = true where id = ${approving.id}`
    const first = newReservation(approving)
    expect(await reserve(first)).toMatchObject({ outcome: 'reserved', booking: { status: 'pending' } })
    expect((await eventsOf(first.bookingId)).map(({ type }) => type)).toEqual([
      'booking.created',
      'booking.pending_approval',
    ])

    const paid = await insertPro(sql)
    await sql`update professionals set deposit_required = true, deposit_percentage = 12.5 where id = ${paid.id}`
    const second = newReservation(paid)
    expect(await reserve(second)).toMatchObject({ outcome: 'service_unpriced' })
    await sql`update professional_services set min_price_cents = 9999 where professional_id = ${paid.id}`
    expect(await reserve(second)).toMatchObject({
      outcome: 'reserved',
      booking: { status: 'pending' },
      depositRequired: true,
      depositPercentage: 12.5,
      payment: { id: second.paymentId, amountCents: 1250, currency: 'USD', expiresAt: '2026-11-20T00:15:00.000Z' },
    })
    expect((await eventsOf(second.bookingId)).map(({ type }) => type)).toEqual(['booking.created'])
  })

  test('accepts any instant, on the slot grid or not', async () => {
    const pro = await insertPro(sql)
    const row = await reserve(newReservation(pro, { start: { instant: '2026-11-23T15:07:00Z' }, durationMinutes: 35 }))
    expect(row).toMatchObject({ booking: { scheduledAt: '2026-11-23T15:07:00.000Z', durationMinutes: 35 } })
  })

  test('is refused with the reason and changes nothing', async () => {
    const pro = await insertPro(sql, { businessHours: everyDay(['09:00', '12:00']) })
    const outcome = async (changes: Partial<Reservation>) => (await reserve(newReservation(pro, changes))).outcome
    expect(await outcome({ professionalId: randomUUID() })).toBe('pro_not_found')
    expect(await outcome({ serviceId: (await insertPro(sql)).serviceId })).toBe('service_not_found')
    expect(await outcome({ start: { date: '2026-11-18', minute: 540 } })).toBe('date_out_of_range')
    expect(await outcome({ start: { date: '2027-11-20', minute: 540 } })).toBe('date_out_of_range')
    expect(await reserve(newReservation(pro, { durationMinutes: 240 }))).toEqual(
      expect.objectContaining({ outcome: 'slot_unavailable', nextAvailable: null }),
    )
    await insertBlocks(sql, pro.id, [{ from: '2026-11-23T15:30:00Z', to: '2026-11-23T16:30:00Z' }])
    expect(await reserve(newReservation(pro))).toMatchObject({
      outcome: 'slot_unavailable',
      nextAvailable: {
        date: '2026-11-23',
        time: '11:00',
        bookingUrl: `https://hearth.example/pros/pro-${pro.id}/book?service=${pro.serviceId}&date=2026-11-23&time=11:00`,
      },
    })

    await sql`update professional_services set instant_book_enabled = false where professional_id = ${pro.id}`
    expect(await outcome({})).toBe('instant_booking_disabled')
    await sql`update services set active = false where id = ${pro.serviceId}`
    expect(await outcome({})).toBe('service_not_found')
    await sql`update professionals set active = false, status = 'paused' where id = ${pro.id}`
    expect(await outcome({})).toBe('pro_not_found')
    expect(await sql`select from bookings where professional_id = ${pro.id}`).toHaveLength(0)
    expect(await sql`select from outbox_events where professional_id = ${pro.id}`).toHaveLength(0)
  })
})
