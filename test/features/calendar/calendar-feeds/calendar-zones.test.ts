// Times in calendars and messages are right in 17 zones, through both clock changes. PostgreSQL's clocks are the measure.
import { expect, test } from 'bun:test'

import { calendarOf } from '../../../../src/features/calendar/calendar-feeds/ics.ts'
import { localDateTime, localTime, timeSpan } from '../../../../src/platform/text/format.ts'
import { midnight } from '../../../support/clock-oracle.ts'
import { openTestDatabase } from '../../../support/database.ts'
import { opened } from '../../../support/fixture.ts'
import { readEvent } from '../../../support/ics.ts'
import { ZONES, zoneClock } from '../../../support/schedule-arbitraries.ts'

const database = await opened(openTestDatabase())

/** Every hour of the days around each change of a zone's clock, and of two days without one. */
const instantsNear = (zone: string): string[] =>
  [...zoneClock(zone).changes, '2020-02-29', '2021-08-15'].flatMap((date) =>
    Array.from({ length: 48 }, (_, hour) => new Date((midnight(date) + (hour - 12) * 60) * 60_000).toISOString()),
  )

test('17 zones are tested, most of them with clock changes in both directions', () => {
  expect(ZONES.length).toBe(17)
  expect(ZONES.filter((zone) => zoneClock(zone).changes.length >= 10).length).toBeGreaterThanOrEqual(10)
})

test.each(ZONES)('messages write times in %s as PostgreSQL reads them', async (zone) => {
  const instants = instantsNear(zone)
  const rows = await database.sql<{ instant: string; day: string; year: string; time: string; later: string }[]>`
    select i as instant, to_char(i::timestamptz at time zone ${zone}, 'FMDay, FMMonth FMDD') as day,
      to_char(i::timestamptz at time zone ${zone}, 'YYYY') as year,
      to_char(i::timestamptz at time zone ${zone}, 'FMHH12:MI AM') as time,
      to_char((i::timestamptz + interval '90 minutes') at time zone ${zone}, 'FMHH12:MI AM') as later
    from unnest(${instants}::text[]) i`
  expect(rows.length).toBe(instants.length)
  for (const { instant, day, year, time, later } of rows) {
    expect(localTime(instant, zone)).toMatchObject({ day, year, time })
    expect(localDateTime(instant, zone)).toStartWith(`${day}, ${time} `)
    const end = new Date(Date.parse(instant) + 90 * 60_000).toISOString()
    expect(timeSpan(instant, end, zone)).toEndWith(` to ${later}`)
  }
})

test.each(ZONES)('two calendar libraries read the instants of visits in %s', (zone) => {
  for (const startsAt of instantsNear(zone)) {
    const endsAt = new Date(Date.parse(startsAt) + 90 * 60_000).toISOString()
    const file = calendarOf('https://hearth.example', [
      {
        bookingId: 'b1',
        sequence: 1,
        updatedAt: startsAt,
        startsAt,
        endsAt,
        status: 'confirmed',
        summary: 'Visit',
        location: '',
        description: localDateTime(startsAt, zone),
      },
    ])
    const { start, end, stamp } = readEvent(file)
    expect([start, end, stamp]).toEqual([startsAt, endsAt, startsAt])
  }
})
