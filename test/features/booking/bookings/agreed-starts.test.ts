// A booking keeps the local time that was agreed when the data of its time zone changes.
import { expect, test } from 'bun:test'

import { type KeptStart, keepAgreedStarts } from '../../../../src/features/booking/bookings/verbs/agreed-starts.ts'
import { type CreatedBooking, type FixturePro, book, bookingBody, eventsOf } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { openMessageFixture } from '../../../support/messages.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const at = await opened(openMessageFixture())

const run = async (isPlan = false): Promise<KeptStart[]> =>
  Array.fromAsync(keepAgreedStarts(ctxOf(at.app.deps), { isPlan }))

const outcomesOf = (kept: readonly KeptStart[]) =>
  kept.map(({ confirmationCode, outcome }) => [confirmationCode, outcome])

/** As if the zone's data had changed since the booking: it shows another hour than the agreed one, which is `hours` later. */
const drift = async ({ booking }: CreatedBooking, hours: number) => {
  await at.sql`update bookings set local_start = local_start + ${hours} * interval '1 hour' where id = ${booking.id}`
}

const startOf = async ({ booking }: CreatedBooking) => {
  const answer = await at.app.send(`/api/v1/bookings/${booking.id}`, { key: at.key })
  const { booking: shown } = (await answer.json()) as { booking: { scheduledDate: string; scheduledTime: string } }
  return `${shown.scheduledDate} ${shown.scheduledTime}`
}

const storedOf = async ({ booking }: CreatedBooking) => {
  const [row] = await at.sql<{ agreed: string }[]>`
    select to_char(local_start, 'YYYY-MM-DD HH24:MI ') || time_zone as agreed from bookings where id = ${booking.id}`
  return row?.agreed
}

const newPro = () => at.pro({ deposit: false })
const cancel = async ({ booking }: CreatedBooking) =>
  expect((await at.app.send(`/api/v1/bookings/${booking.id}/cancel`, { key: at.key, json: {} })).status).toBe(200)

async function bookAt(pro: FixturePro, date: string, time: string): Promise<CreatedBooking> {
  const answer = await at.app.send('/api/v1/bookings', { key: at.key, json: bookingBody(pro, 0, { date, time }) })
  expect(answer.status).toBe(201)
  return (await answer.json()) as CreatedBooking
}

test('a booking stores its local time and zone, and a move the new ones', async () => {
  const created = await book(at, await newPro())
  expect(await storedOf(created)).toBe('2026-11-23 09:00 America/Chicago')
  const json = { date: '2026-11-24', time: '14:30' }
  expect((await at.app.send(`/api/v1/bookings/${created.booking.id}/reschedule`, { key: at.key, json })).status).toBe(
    200,
  )
  expect(await storedOf(created)).toBe('2026-11-24 14:30 America/Chicago')
  expect(await run()).toEqual([])
})

test('a pro who changes the zone moves no booking: the instant was agreed with the zone of then', async () => {
  const pro = await newPro()
  const created = await book(at, pro)
  await at.sql`update professionals set time_zone = 'America/Denver' where id = ${pro.id}`
  expect(await run()).toEqual([])
  expect(await storedOf(created)).toBe('2026-11-23 09:00 America/Chicago')
})

test.each([1, -1])(
  'bookings in a row move by %p hours to their agreed times, and both sides of each are told',
  async (hours) => {
    const pro = await newPro()
    const bookings = [await book(at, pro, 2), await book(at, pro, 3), await book(at, pro, 4)]
    await at.settle()
    await at.sql`delete from messages`
    for (const one of bookings) await drift(one, hours)
    expect(outcomesOf(await run(true)).length).toBe(3)
    expect(await Promise.all(bookings.map(startOf))).toEqual([11, 12, 13].map((hour) => `2026-11-23 ${hour}:00`))

    expect((await run()).map(({ outcome }) => outcome)).toEqual(['rescheduled', 'rescheduled', 'rescheduled'])
    expect(await Promise.all(bookings.map(startOf))).toEqual(
      [11, 12, 13].map((hour) => `2026-11-23 ${hour + hours}:00`),
    )
    expect(await run()).toEqual([])
    for (const { booking } of bookings)
      expect(await eventsOf(at, booking.id)).toEqual(['booking.created', 'booking.confirmed', 'booking.rescheduled'])
    await at.settle()
    const kinds = await at.sql<{ kind: string; count: number }[]>`
    select kind, count(*)::int as count from messages where kind like 'booking-moved%' and professional_id = ${pro.id}
    group by kind order by kind`
    expect([...kinds]).toEqual([
      { kind: 'booking-moved', count: 3 },
      { kind: 'booking-moved-for-pro', count: 3 },
    ])
  },
)

test('a booking whose agreed time another one has stays, is reported each time, and moves once the time is free', async () => {
  const pro = await newPro()
  const [drifted, other] = [await book(at, pro), await book(at, pro, 1)]
  await drift(drifted, 1)
  const conflict = [[drifted.booking.confirmationCode, 'conflict']]
  expect(outcomesOf(await run())).toEqual(conflict)
  expect(outcomesOf(await run())).toEqual(conflict)
  expect(await startOf(drifted)).toBe('2026-11-23 09:00')
  await cancel(other)
  expect(outcomesOf(await run())).toEqual([[drifted.booking.confirmationCode, 'rescheduled']])
  expect(await startOf(drifted)).toBe('2026-11-23 10:00')
})

test('the second of a doubled hour is no drift, and an agreed time that the clock now skips becomes the moment of the skip', async () => {
  const pro = await newPro()
  const doubled = await bookAt(pro, '2027-11-07', '01:30')
  await at.sql`
    update bookings set starts_at = starts_at + interval '1 hour', ends_at = ends_at + interval '1 hour',
      holds = tstzrange(starts_at + interval '1 hour', ends_at + interval '1 hour') where id = ${doubled.booking.id}`
  expect(await run()).toEqual([])
  const skipped = await bookAt(pro, '2027-03-14', '04:00')
  await at.sql`update bookings set local_start = '2027-03-14 02:30' where id = ${skipped.booking.id}`
  expect(outcomesOf(await run())).toEqual([[skipped.booking.confirmationCode, 'rescheduled']])
  expect(await startOf(skipped)).toBe('2027-03-14 03:00')
})

test('cancelled and past bookings stay as they are', async () => {
  const pro = await newPro()
  const [cancelled, past] = [await book(at, pro), await book(at, pro, 2)]
  await cancel(cancelled)
  await drift(cancelled, 1)
  await drift(past, 1)
  at.clock.set('2026-11-24T12:00:00Z')
  expect(await run()).toEqual([])
})
