// Local times are those of PostgreSQL's zone data, which may be of another year than the runtime's.
import { expect, test } from 'bun:test'

import { checkZones } from '../../../../src/commands/doctor/stores.ts'
import { selectOffsets } from '../../../../src/features/calendar/time-zones/queries.ts'
import { loadZones, textOfDifference, zonesThatDiffer } from '../../../../src/features/calendar/time-zones/verbs.ts'
import { localClock, localDate } from '../../../../src/platform/clock/dates.ts'
import { instantOf, offsetAt, useZones, wallAt, zoneName } from '../../../../src/platform/clock/zones.ts'
import { readBusyTime } from '../../../../src/platform/ics/busy-time.ts'
import { zoneNamesIn } from '../../../../src/platform/ics/zones.ts'
import { localDateTime } from '../../../../src/platform/text/format.ts'
import { openTestApp } from '../../../support/app.ts'
import { insertPro } from '../../../support/schedule.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import { opened } from '../../../support/fixture.ts'

const SPAN = { since: '2015-01-01T00:00:00Z', until: '2031-01-01T00:00:00Z' }
const app = await opened(openTestApp('migrated'))

test('in every zone of PostgreSQL local times are PostgreSQL’s, at each change of a clock and between', async () => {
  const names = await app.sql<{ name: string }[]>`
    select name from pg_timezone_names where name !~ '^(posix|right)/' and name ~ '^[A-Z][^/]+/' order by name`
  expect(names.length).toBeGreaterThan(400)
  const zones = await selectOffsets(ctxOf(app.deps), { ...SPAN, names: names.map(({ name }) => name) })
  useZones(zones)
  const wrong: string[] = []
  for (const { name, changes } of zones) {
    const instants = changes.flatMap(([at]) => [at - 1000, at, at + 40 * 86_400_000])
    const rows = await app.sql<{ at: number; wall: number }[]>`
      select i::float8 as at, (extract(epoch from (to_timestamp(i / 1000.0) at time zone ${name})) * 1000)::float8 as wall
      from unnest(${instants.filter((at) => at > Date.parse(SPAN.since) && at < Date.parse(SPAN.until))}::bigint[]) i`
    for (const { at, wall } of rows)
      if (wallAt(at, name) !== wall) wrong.push(`${name} at ${new Date(at).toISOString()}`)
  }
  expect(wrong).toEqual([])
}, 60_000)

test('a doubled local time is its first instant, and a skipped one counts by the offset before', () => {
  const wall = (text: string) => Date.parse(`${text}Z`)
  const instant = (text: string) => new Date(instantOf(wall(text), 'America/Chicago')).toISOString()
  expect(instant('2026-11-01T01:30:00')).toBe('2026-11-01T06:30:00.000Z')
  expect(instant('2026-03-08T02:30:00')).toBe('2026-03-08T08:30:00.000Z')
  expect(instant('2026-03-08T03:30:00')).toBe('2026-03-08T08:30:00.000Z')
})

test('where the data differs, times are written by that of PostgreSQL, and a start says so', async () => {
  // As if a law had ended the winter time of one zone in 2027, and only PostgreSQL knew.
  await app.sql`
    create or replace function zone_offset(at timestamptz, zone text) returns integer language sql stable as $$
      select case when zone = 'America/Denver' and at >= '2027-11-07T08:00Z' then -21600
        else extract(epoch from (at at time zone zone) - (at at time zone 'UTC'))::integer end $$`
  await insertPro(app.sql, { timeZone: 'America/Denver' })
  const [difference, ...others] = await loadZones(ctxOf(app.deps))
  expect(others).toEqual([])
  expect(difference && textOfDifference(difference)).toBe(
    'America/Denver: 2027-11-07T02:00 instead of 2027-11-07T01:00',
  )
  expect(await checkZones(ctxOf(app.deps))).toEqual({
    subject: 'time zones',
    message: 'PostgreSQL’s data is used; it says America/Denver: 2027-11-07T02:00 instead of 2027-11-07T01:00',
  })
  expect(localDateTime('2027-12-01T16:00:00Z', 'America/Denver')).toBe('Wednesday, December 1, 10:00 AM Mountain Time')
  expect(localClock('2027-12-01T05:30:00Z', 'America/Denver')).toBe('23:30')
  expect(localDate('2027-12-01T05:30:00Z', 'America/Denver')).toBe('2027-11-30')
})

test('calendars are expanded by the data of PostgreSQL where it differs, rules and single times alike', async () => {
  const calendar = [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID:one',
    'DTSTART;TZID=America/Denver:20271101T090000',
    'DURATION:PT1H',
    'RRULE:FREQ=WEEKLY;COUNT=3',
    'END:VEVENT',
    'BEGIN:VEVENT',
    'UID:two',
    'DTSTART;TZID=/mozilla.org/20050126_1/America/Denver:20271201T120000',
    'DURATION:PT1H',
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n')
  expect(zoneNamesIn(calendar)).toEqual(['America/Denver', 'America/Denver'])
  const zones = await zonesThatDiffer(ctxOf(app.deps), {
    names: [...zoneNamesIn(calendar), 'America/New_York', 'Mars/Olympus_Mons'],
  })
  expect(zones.map(({ name }) => name)).toEqual(['America/Denver'])
  const read = readBusyTime(calendar, {
    timeZone: 'America/New_York',
    within: { start: Date.UTC(2027, 9), end: Date.UTC(2028, 0) },
    zones,
  })
  expect(read.kind === 'read' && read.busy.map(({ start }) => new Date(start).toISOString())).toEqual([
    '2027-11-01T15:00:00.000Z',
    '2027-11-08T15:00:00.000Z',
    '2027-11-15T15:00:00.000Z',
    '2027-12-01T18:00:00.000Z',
  ])
})

test.each([
  'Mars/Olympus_Mons',
  'posix/America/Chicago',
  'right/America/Chicago',
  'localtime',
  'CST6CDT7',
  '+05:00',
  '',
])('the database refuses a pro in the zone %p, which is none', async (timeZone) => {
  const refused = await insertPro(app.sql, { timeZone }).catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: '23514', constraint_name: 'time_zone_exists' })
})

test('a zone that no pro had before is loaded from then on', async () => {
  await insertPro(app.sql, { timeZone: 'Asia/Kathmandu' })
  await loadZones(ctxOf(app.deps))
  expect(offsetAt(Date.UTC(2026, 5), 'Asia/Kathmandu')).toBe((5 * 60 + 45) * 60_000)
  expect(zoneName('Asia/Kathmandu')).toBe('Nepal Time')
})
