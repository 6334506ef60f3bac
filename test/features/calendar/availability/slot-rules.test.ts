// Whether a time can be booked, at the limits of each rule: hours, lead time, buffers, holds, blocks.
import { expect, test } from 'bun:test'

import { openTestDatabase } from '../../../support/database.ts'
import { opened } from '../../../support/fixture.ts'
import { insertBusy } from '../../../support/imported-busy.ts'
import {
  type BookingTime,
  type ScheduleSettings,
  type TestPro,
  everyDay,
  insertBlocks,
  insertBookings,
  insertPro,
} from '../../../support/schedule.ts'

const { sql } = await opened(openTestDatabase())

/** A Monday in Austin, six hours behind UTC. */
const DAY = '2026-11-23'
const EARLY = '2026-11-01T00:00:00Z'
const BOOKED: BookingTime = {
  startsAt: `${DAY}T16:00:00Z`,
  durationMinutes: 60,
  bufferMinutes: 30,
  status: 'confirmed',
}

/** Whether `pro` can be booked on DAY from one UTC time to another. */
async function fits(pro: TestPro, from: string, to: string, now = EARLY, except: string | null = null) {
  const [row] = await sql<{ fits: boolean }[]>`
    select slot_fits(p, ${DAY}::date, ${`${DAY}T${from}Z`}, ${`${DAY}T${to}Z`}, ${now}, ${except}) as fits
    from professionals p where p.id = ${pro.id}`
  return row?.fits
}
const change = (pro: TestPro, settings: Partial<Pick<ScheduleSettings, 'bufferMinutes'>>) =>
  sql`update professionals set buffer_minutes = ${settings.bufferMinutes ?? 0} where id = ${pro.id}`

test('a time lies within one interval of the hours of its day', async () => {
  const pro = await insertPro(sql, {
    businessHours: {
      monday: [
        { start: '09:00', end: '12:00' },
        { start: '13:00', end: '17:00' },
      ],
    },
  })
  for (const [from, to] of [
    ['15:00', '16:00'],
    ['15:00', '18:00'],
    ['19:00', '23:00'],
  ] as const)
    expect([from, to, await fits(pro, from, to)]).toEqual([from, to, true])
  for (const [from, to] of [
    ['14:59', '16:00'],
    ['17:00', '18:01'],
    ['17:30', '19:30'],
    ['18:00', '19:00'],
    ['22:30', '23:30'],
    ['15:00', '23:00'],
  ] as const)
    expect([from, to, await fits(pro, from, to)]).toEqual([from, to, false])
  const [tuesday] = await sql`
    select slot_fits(p, '2026-11-24', '2026-11-24T15:00Z', '2026-11-24T16:00Z', ${EARLY}) as fits
    from professionals p where p.id = ${pro.id}`
  expect(tuesday?.['fits']).toBe(false)
})

test('a time is open from exactly the lead time on', async () => {
  const pro = await insertPro(sql, { leadTimeHours: 24 })
  expect(await fits(pro, '15:00', '16:00', '2026-11-22T15:00:00Z')).toBe(true)
  expect(await fits(pro, '15:00', '16:00', '2026-11-22T15:00:01Z')).toBe(false)
  const now = await insertPro(sql)
  expect(await fits(now, '15:00', '16:00', `${DAY}T15:00:00Z`)).toBe(true)
  expect(await fits(now, '15:00', '16:00', `${DAY}T15:00:01Z`)).toBe(false)
})

test('a booking keeps a buffer on both sides, and the longer of two buffers after it', async () => {
  const pro = await insertPro(sql, { bufferMinutes: 30 })
  await insertBookings(sql, pro, [BOOKED])
  const around = async () => ({
    before: [await fits(pro, '15:00', '15:30'), await fits(pro, '15:00', '15:31'), await fits(pro, '15:00', '16:00')],
    after: [await fits(pro, '17:29', '18:00'), await fits(pro, '17:30', '18:00'), await fits(pro, '18:00', '18:30')],
  })
  expect(await around()).toEqual({ before: [true, false, false], after: [false, true, true] })
  await change(pro, { bufferMinutes: 0 })
  expect(await around()).toEqual({ before: [true, true, true], after: [false, true, true] })
  await change(pro, { bufferMinutes: 60 })
  expect(await around()).toEqual({ before: [false, false, false], after: [false, false, true] })
})

test('only bookings that take place and holds that have not ended take time', async () => {
  for (const [status, isFree] of [
    ['pending', false],
    ['confirmed', false],
    ['completed', true],
    ['no_show', true],
    ['cancelled', true],
  ] as const) {
    const pro = await insertPro(sql)
    await insertBookings(sql, pro, [{ ...BOOKED, status }])
    expect([status, await fits(pro, '16:00', '17:00')]).toEqual([status, isFree])
    if (status !== 'pending') continue
    await sql`
      update bookings set hold_expires_at = '2026-11-02T00:00:00Z', lapse_event_id = gen_random_uuid()
      where professional_id = ${pro.id}`
    expect(await fits(pro, '16:00', '17:00', '2026-11-01T23:59:59Z')).toBe(false)
    expect(await fits(pro, '16:00', '17:00', '2026-11-02T00:00:00Z')).toBe(true)
  }
})

test('a booking that moves does not stand in its own way, and others do', async () => {
  const pro = await insertPro(sql)
  await insertBookings(sql, pro, [BOOKED])
  const [booking] = await sql<{ id: string }[]>`select id from bookings where professional_id = ${pro.id}`
  expect(await fits(pro, '16:30', '17:30', EARLY, booking?.id)).toBe(true)
  expect(await fits(pro, '16:30', '17:30', EARLY, crypto.randomUUID())).toBe(false)
})

test('a block closes every time that it touches, and none beside it or of another pro', async () => {
  const [pro, other] = [await insertPro(sql, { bufferMinutes: 30 }), await insertPro(sql)]
  await insertBlocks(sql, pro.id, [{ from: `${DAY}T16:00:00Z`, to: `${DAY}T17:00:00Z` }])
  for (const [from, to, isFree] of [
    ['15:00', '16:00', true],
    ['15:00', '16:01', false],
    ['16:15', '16:45', false],
    ['15:00', '18:00', false],
    ['16:59', '18:00', false],
    ['17:00', '18:00', true],
  ] as const)
    expect([from, to, await fits(pro, from, to)]).toEqual([from, to, isFree])
  expect(await fits(other, '16:00', '17:00')).toBe(true)
})

test('imported busy time closes every time that it touches, and none beside it or of another pro', async () => {
  const [pro, other] = [await insertPro(sql, { bufferMinutes: 30 }), await insertPro(sql)]
  // A whole day before, cut at midnight, and an hour.
  await insertBusy(sql, pro.id, [
    { from: `2026-11-22T00:00:00Z`, to: `${DAY}T00:00:00Z` },
    { from: `${DAY}T00:00:00Z`, to: `${DAY}T14:00:00Z` },
    { from: `${DAY}T16:00:00Z`, to: `${DAY}T17:00:00Z` },
  ])
  for (const [from, to, isFree] of [
    ['13:59', '15:00', false],
    ['14:00', '15:00', true],
    ['15:00', '16:00', true],
    ['15:00', '16:01', false],
    ['16:15', '16:45', false],
    ['16:59', '18:00', false],
    ['17:00', '18:00', true],
  ] as const)
    expect([from, to, await fits(pro, from, to)]).toEqual([from, to, isFree])
  expect(await fits(other, '16:00', '17:00')).toBe(true)
})

test('a list has the times of the grid that end within the hours', async () => {
  const starts = async (hours: [string, string], grid: number, minutes: number) =>
    (
      await sql<{ starts: string }[]>`
        select starts from open_slots(${sql.json(everyDay(hours))}, 'America/Chicago', ${DAY}, 1, ${grid}, ${minutes},
          ${EARLY}, '{}')`
    ).map((slot) => slot.starts)
  expect(await starts(['09:00', '10:30'], 30, 60)).toEqual(['09:00', '09:30'])
  expect(await starts(['09:00', '10:29'], 30, 60)).toEqual(['09:00'])
  expect(await starts(['09:00', '09:59'], 30, 60)).toEqual([])
})
