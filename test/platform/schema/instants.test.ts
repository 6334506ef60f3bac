// Instants and dates at the rims of what PostgreSQL stores: a schema accepts none that the database refuses.
import { describe, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'

import { CalendarDate, Instant } from '../../../src/platform/schema/types.ts'
import { opened } from '../../support/fixture.ts'
import { openBookingFixture } from '../../support/booking-fixture.ts'
import { readSources } from '../../support/imports.ts'

const world = await opened(openBookingFixture())

const YEARS = ['0000', '0001', '1899', '1900', '1970', '2026', '9998', '9999']
const OFFSETS = [
  'Z',
  '+00:00',
  '-00:00',
  '+14:00',
  '+15:59',
  '-15:59',
  '+16:00',
  '-16:00',
  '+23:59',
  '-23:59',
  '+24:00',
]
const TIMES = ['00:00:00', '23:59:59', '23:59:59.999999999', '23:59:60', '24:00:00']

test('every instant and date that a schema accepts can be stored', async () => {
  const dates = YEARS.flatMap((year) => ['01-01', '02-29', '12-31'].map((day) => `${year}-${day}`))
  const instants = dates.flatMap((date) => TIMES.flatMap((time) => OFFSETS.map((offset) => `${date}T${time}${offset}`)))
  const accepted = instants.filter((text) => Value.Check(Instant(), text))
  expect(accepted.length).toBeGreaterThan(100)
  for (const text of accepted) expect(new Date(text).toISOString()).toMatch(/^\d{4}-/)
  const stored = await world.sql`select count(i::timestamptz)::integer as count from unnest(${accepted}::text[]) i`
  expect(stored[0]).toEqual({ count: accepted.length })
  const days = dates.filter((text) => Value.Check(CalendarDate(), text))
  const [row] = await world.sql`select count(d::date + 365)::integer as count from unnest(${days}::text[]) d`
  expect(row).toEqual({ count: days.length })
  for (const text of [
    '2026-06-01T10:00:00+16:00',
    '2026-06-01T10:00:00-16:00',
    '9999-12-31T23:59:59-12:00',
    '0000-01-01T00:00:00Z',
  ])
    expect(Value.Check(Instant(), text)).toBe(false)
})

describe('an instant outside of what can be stored is 400', () => {
  const outside = ['2026-12-01T10:00:00+16:00', '2026-12-01T10:00:00-23:59', '9999-12-31T23:59:00-12:00']
  test.each(outside)('%s', async (instant) => {
    const pro = await world.pro()
    const start = { professionalId: pro.id, serviceId: pro.serviceId, startDateTime: instant }
    const guest = { guestName: 'Homeowner', guestEmail: 'home@example.com' }
    const block = { startDateTime: '2026-12-01T10:00:00Z', endDateTime: instant }
    for (const [path, key, json] of [
      ['/api/v1/bookings/create', world.key, { ...start, ...guest }],
      ['/api/v1/pro/availability', pro.key, block],
      ['/api/v1/pro/availability', pro.key, { ...block, startDateTime: instant }],
    ] as const) {
      const response = await world.app.send(path, { key, json })
      expect([path, response.status]).toEqual([path, 400])
    }
  })
})

test('a date of the last year is 400, not an error of the database', async () => {
  const { id, serviceId } = await world.pro()
  for (const path of [
    `/api/v1/pros/${id}/availability?date=9999-12-31&days=14`,
    `/api/v1/availability/query?professionalId=${id}&serviceId=${serviceId}&date=9999-12-31`,
  ])
    expect((await world.app.send(path)).status).toBe(400)
})

test('a sitemap that cannot exist is 404, however large its number', async () => {
  const { app, deps } = world.app
  for (const file of ['9999', '10000', '99999', 'packages-99999', 'cities-plumbing-99999', '99999999999999999999'])
    expect([file, (await app.handle(new Request(`${deps.config.baseUrl}/sitemaps/${file}.xml`))).status]).toEqual([
      file,
      404,
    ])
})

test('only one type stands for instants', () => {
  const others = readSources(['src']).filter(
    ({ path, text }) => path !== 'src/platform/schema/types.ts' && text.includes("format: 'date-time'"),
  )
  expect(others.map(({ path }) => path)).toEqual([])
})
