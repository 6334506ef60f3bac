// Open times by example: days with clock changes, the day that Samoa skipped, the horizon of nextAvailable.
import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { findOpenSlots, findServiceSlots } from '../../../../src/features/calendar/availability/queries.ts'
import { openTestDatabase } from '../../../support/database.ts'
import { opened } from '../../../support/fixture.ts'
import { type ScheduleSettings, type TestPro, everyDay, insertBlocks, insertPro } from '../../../support/schedule.ts'
import { ctxOn } from '../../../support/ctx-on.ts'

const BASE = 'https://hearth.example'

const database = await opened(openTestDatabase())
const { sql } = database

interface Listed {
  availability: { date: string; dayOfWeek: string; slots: { start: string; end: string; available: boolean }[] }[]
  nextAvailable: { date: string; time: string; localTime: string; bookingUrl: string } | null
}

async function list(pro: TestPro, firstDate: string | null, days: number, now: string): Promise<Listed> {
  const query = {
    id: pro.id,
    slug: null,
    firstDate,
    days,
    now: new Date(now),
    baseUrl: BASE,
    freeCancellationHours: 24,
  }
  const row = await findOpenSlots(ctxOn(database.read), query)
  return JSON.parse(row?.body ?? 'null') as Listed
}

/** The slots of one date as `09:00–10:00`, with the same business hours every day. */
async function slotsOf(date: string, settings: Partial<ScheduleSettings>): Promise<string[]> {
  const pro = await insertPro(sql, settings)
  const { availability } = await list(pro, date, 1, '2011-01-01T00:00:00Z')
  return availability.flatMap(({ slots }) => slots.map(({ start, end }) => `${start}–${end}`))
}

describe('when clocks change', () => {
  test('a skipped local time is not offered', async () => {
    const settings = { timeZone: 'America/New_York', businessHours: everyDay(['01:00', '05:00']) }
    expect(await slotsOf('2021-03-14', settings)).toEqual(['01:00–03:00', '03:00–04:00', '04:00–05:00'])
  })

  test('an ambiguous local time is offered once, at its first instant', async () => {
    const pro = await insertPro(sql, { timeZone: 'America/New_York', businessHours: everyDay(['00:00', '03:00']) })
    const query = { professionalId: pro.id, serviceId: pro.serviceId, date: '2021-11-07' }
    const row = await findServiceSlots(ctxOn(database.read), {
      ...query,
      now: new Date('2021-11-01T00:00:00Z'),
      baseUrl: BASE,
      freeCancellationHours: 24,
    })
    const { slots } = JSON.parse(row?.body ?? 'null') as {
      slots: { start: string; end: string; startDateTime: string }[]
    }
    expect(slots.map(({ start, end, startDateTime }) => [start, end, startDateTime])).toEqual([
      ['00:00', '01:00', '2021-11-07T04:00:00.000Z'],
      ['01:00', '01:00', '2021-11-07T05:00:00.000Z'],
      ['02:00', '03:00', '2021-11-07T07:00:00.000Z'],
    ])
  })

  test('a clock change of half an hour moves the end by half an hour', async () => {
    const settings = { timeZone: 'Australia/Lord_Howe', businessHours: everyDay(['01:00', '04:00']) }
    expect(await slotsOf('2021-10-03', settings)).toEqual(['01:00–02:30', '03:00–04:00'])
  })

  test('a day whose midnight is skipped begins at one o’clock', async () => {
    const settings = { timeZone: 'America/Havana', businessHours: everyDay(['00:00', '02:00'], ['22:00', '24:00']) }
    expect(await slotsOf('2021-03-14', settings)).toEqual(['01:00–02:00', '22:00–23:00', '23:00–24:00'])
    expect(await slotsOf('2021-03-13', settings)).toEqual(['00:00–01:00', '01:00–02:00', '22:00–23:00', '23:00–24:00'])
  })

  test('the day that Samoa skipped has no slots, and the day before ends at its midnight', async () => {
    const pro = await insertPro(sql, { timeZone: 'Pacific/Apia', businessHours: everyDay(['22:00', '24:00']) })
    const { availability } = await list(pro, '2011-12-29', 3, '2011-12-01T00:00:00Z')
    expect(availability.map(({ date, slots }) => [date, slots.map(({ end }) => end)])).toEqual([
      ['2011-12-29', ['23:00', '24:00']],
      ['2011-12-30', []],
      ['2011-12-31', ['23:00', '24:00']],
    ])
  })
})

describe('the list', () => {
  test('begins today in the pro’s time zone without a date', async () => {
    const pro = await insertPro(sql, { timeZone: 'Pacific/Auckland' })
    const { availability } = await list(pro, null, 2, '2026-11-20T12:00:00Z')
    expect(availability.map(({ date, dayOfWeek }) => `${dayOfWeek} ${date}`)).toEqual([
      'Saturday 2026-11-21',
      'Sunday 2026-11-22',
    ])
  })

  test('searches the next open time within 60 days', async () => {
    const pro = await insertPro(sql, { timeZone: 'Asia/Kathmandu', businessHours: everyDay(['09:00', '17:00']) })
    await insertBlocks(sql, pro.id, [{ from: '2026-11-01T00:00:00Z', to: '2027-01-19T08:00:00Z' }])
    const onTheLastDay = await list(pro, '2026-11-20', 1, '2026-11-20T00:00:00Z')
    expect(onTheLastDay.nextAvailable).toEqual({
      date: '2027-01-19',
      time: '14:00',
      localTime: 'Tuesday, January 19, 2:00 PM Nepal Time',
      bookingUrl: `${BASE}/pros/pro-${pro.id}/book?date=2027-01-19&time=14:00`,
    })
    expect((await list(pro, '2026-11-19', 1, '2026-11-19T00:00:00Z')).nextAvailable).toBeNull()
  })

  test('contains the pro’s settings, by id and by slug', async () => {
    const pro = await insertPro(sql, { leadTimeHours: 3, defaultSlotMinutes: 45 })
    const query = {
      firstDate: '2026-11-20',
      days: 1,
      now: new Date('2026-11-20T00:00:00Z'),
      baseUrl: BASE,
      freeCancellationHours: 24,
    }
    const byId = await findOpenSlots(ctxOn(database.read), { ...query, id: pro.id, slug: null })
    const bySlug = await findOpenSlots(ctxOn(database.read), { ...query, id: null, slug: `pro-${pro.id}` })
    expect(bySlug).toEqual(byId)
    expect(byId).toMatchObject({ professionalId: pro.id, timeZone: 'America/Chicago' })
    expect(JSON.parse(byId?.body ?? '')).toMatchObject({
      professionalId: pro.id,
      slug: `pro-${pro.id}`,
      businessName: 'Clear "Drains" & Co',
      instantBookingEnabled: true,
      slotDurationMinutes: 45,
      leadTimeHours: 3,
      timezone: 'America/Chicago',
    })
  })

  test('is a 404 for an unknown or inactive pro and for a service that the pro does not offer', async () => {
    const pro = await insertPro(sql)
    const now = new Date('2026-11-20T00:00:00Z')
    const unoffered = {
      professionalId: pro.id,
      serviceId: randomUUID(),
      date: '2026-11-20',
      now,
      baseUrl: BASE,
      freeCancellationHours: 24,
    }
    expect(await findServiceSlots(ctxOn(database.read), unoffered)).toMatchObject({ body: null })
    expect(await findServiceSlots(ctxOn(database.read), { ...unoffered, professionalId: randomUUID() })).toBeUndefined()

    const query = { id: pro.id, slug: null, firstDate: null, days: 1, now, baseUrl: BASE, freeCancellationHours: 24 }
    expect(await findOpenSlots(ctxOn(database.read), { ...query, id: randomUUID() })).toBeUndefined()
    await sql`update professionals set active = false, status = 'paused' where id = ${pro.id}`
    expect(await findOpenSlots(ctxOn(database.read), query)).toBeUndefined()
  })
})
