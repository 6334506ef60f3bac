// Visits booked in local time in 17 zones, on the days when clocks change, stand in the feed at that local time.
import { expect, test } from 'bun:test'

import { renewCalendarFeed } from '../../../../src/features/calendar/calendar-feeds/verbs.ts'
import { bookingBody, openBookingFixture } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { readCalendar } from '../../../support/ics.ts'
import { insertPro } from '../../../support/schedule.ts'
import { ZONES, zoneClock } from '../../../support/schedule-arbitraries.ts'
import { Visitor } from '../../../support/visitor.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const world = await opened(openBookingFixture())

/** Around the hours at which clocks change, and a time of every day. */
const TIMES = ['00:00', '01:30', '03:30', '12:00']

test.each(ZONES)('visits in %s stand in the feed at the local time at which they were booked', async (timeZone) => {
  const pro = await insertPro(world.sql, { timeZone })
  const booked: string[] = []
  // The last two changes are one in each direction.
  for (const date of [...zoneClock(timeZone).changes.slice(-2), '2022-12-01']) {
    world.clock.set(new Date(Date.parse(date) - 3 * 86_400_000).toISOString())
    for (const time of TIMES) {
      const json = bookingBody(pro, 0, { date, time })
      const { status } = await world.app.send('/api/v1/bookings', { key: world.key, json })
      // 409: the clock skips the time.
      if (status === 201) booked.push(`${date} ${time}`)
      else expect([date, time, status]).toEqual([date, time, 409])
    }
  }
  expect(booked.length).toBeGreaterThanOrEqual(TIMES.length)

  const { pathname } = new URL(
    await renewCalendarFeed(ctxOf(world.app.deps, { professionalId: pro.id }), { memberId: null }),
  )
  world.clock.set('2018-01-01T00:00:00Z')
  const { text } = await new Visitor(world.app).get(pathname)
  const starts = readCalendar(text).events.map(({ start }) => start)
  const rows = await world.sql<{ local: string }[]>`
    select to_char(s::timestamptz at time zone ${timeZone}, 'YYYY-MM-DD HH24:MI') as local
    from unnest(${starts}::text[]) with ordinality u (s, n) order by n`
  expect(rows.map(({ local }) => local)).toEqual(booked.toSorted())
})
