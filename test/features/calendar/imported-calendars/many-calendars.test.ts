// Calendars are read as often as they change: 20,000 in the long form, by conditional requests to a real server.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'

import { encryptAddress } from '../../../../src/features/calendar/imported-calendars/verbs/download.ts'
import {
  closeReader,
  readNextCalendar,
  restAfter,
} from '../../../../src/features/calendar/imported-calendars/verbs/read-calendar.ts'
import { type BookingFixture, openBookingFixture } from '../../../support/booking-fixture.ts'
import { type CalendarHost, icsOf, openCalendarHost } from '../../../support/calendar-host.ts'
import { longForm } from '../../../support/long-form.ts'
import { insertPro } from '../../../support/schedule.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const CALENDARS = longForm(300, 20_000)
/** As the actor has. */
const READERS = 16
const STARTED_AT = '2026-11-20T12:00:00.000Z'
const HOUR_MS = 3_600_000

let world: BookingFixture
let host: CalendarHost

beforeAll(async () => {
  world = await openBookingFixture({ CALENDAR_ALLOW_PRIVATE: 'true' })
  host = openCalendarHost()
})
beforeEach(async () => {
  await world.sql`truncate imported_calendars cascade`
  world.clock.set(STARTED_AT)
  host.requests.length = 0
})
afterAll(async () => {
  closeReader(ctxOf(world.app.deps))
  await host.stop()
  await world.close()
})

/** Calendars of a pro each that were read today, and last changed so many hours ago. */
async function insertCalendars(ages: readonly number[]): Promise<void> {
  const { id } = await insertPro(world.sql)
  await world.sql`
    create temp table copies as select n, gen_random_uuid() as id, gen_random_uuid() as account_id
    from generate_series(0, ${ages.length - 1}::int) n`
  await world.sql`
    insert into accounts (id, kind, email, name, created_at)
    select account_id, 'pro', account_id || '@example.com', 'A pro', '2020-01-01' from copies`
  await world.sql`
    insert into professionals (id, account_id, slug, business_name, city_id, latitude, longitude, time_zone, business_hours,
      created_at, updated_at)
    select c.id, c.account_id, 'many-' || c.id, p.business_name, p.city_id, p.latitude, p.longitude, p.time_zone,
      p.business_hours, p.created_at, p.updated_at
    from copies c, professionals p where p.id = ${id}`
  const addresses = ages.map((_, n) => encryptAddress(ctxOf(world.app.deps), { address: host.url(`${n}.ics`) }))
  await world.sql`
    insert into imported_calendars (id, professional_id, name, address_encrypted, address_digest, host, created_at,
      next_read_at, last_read_at, changed_at, etag, body_digest, expanded_from, expanded_zone)
    select gen_random_uuid(), c.id, 'Work', a.address, c.id::text, '127.0.0.1', '2026-01-01',
      ${STARTED_AT}::timestamptz + random() * least(greatest(a.age / 12, 1 / 12.0), 6) * interval '1 hour',
      ${STARTED_AT}, ${STARTED_AT}::timestamptz - a.age * interval '1 hour', '"v1"', 'x', ${STARTED_AT.slice(0, 10)},
      'America/Chicago'
    from copies c join unnest(${addresses}::text[], ${[...ages]}::float8[]) with ordinality a (address, age, n)
      on a.n = c.n + 1`
  await world.sql`drop table copies`
}

const answerUnchanged = () => {
  host.answer = ({ etag }) =>
    etag === '"v1"' ? new Response(null, { status: 304 }) : new Response(icsOf(), { headers: { etag: '"v1"' } })
}

/** Reads what is due, minute by minute. */
async function readFor(minutes: number): Promise<void> {
  const readAll = async () => {
    while ((await readNextCalendar(ctxOf(world.app.deps))) !== undefined) continue
  }
  for (let minute = 0; minute < minutes; minute++) {
    world.clock.advance(1)
    await Promise.all(Array.from({ length: READERS }, readAll))
  }
}

test('a calendar rests for five minutes after a change, and longer with the age of the change, up to six hours', () => {
  const now = new Date(STARTED_AT)
  const minutes = (hours: number) => restAfter(new Date(now.getTime() - hours * HOUR_MS).toISOString(), now) / 60_000
  expect([0, 1, 12, 24, 72, 10_000].map(minutes)).toEqual([5, 5, 60, 120, 360, 360])
})

test(`${CALENDARS} calendars of pros cost few requests an hour, all of them conditional`, async () => {
  // One in twenty changed within the hour, one in five within the day, the others days ago.
  const ages = Array.from({ length: CALENDARS }, (_, n) => (n % 20 === 0 ? 0.2 : n % 5 === 0 ? 12 : 200))
  await insertCalendars(ages)
  answerUnchanged()
  const [before, startedMs] = [process.cpuUsage(), performance.now()]
  await readFor(60)
  const { user, system } = process.cpuUsage(before)
  const seconds = (performance.now() - startedMs) / 1000
  const requests = host.requests.length
  const perRequestMs = (user + system) / 1000 / requests
  process.stdout.write(
    `${CALENDARS} calendars: ${requests} requests an hour (${CALENDARS * 12} at five minutes each), ` +
      `${seconds.toFixed(1)} s, ${perRequestMs.toFixed(2)} ms of CPU each\n`,
  )
  expect(host.requests.filter(({ etag }) => etag !== '"v1"')).toEqual([])
  // 12 × 5 % + 1 × 15 % + 1/6 × 80 % of the calendars.
  expect(requests / CALENDARS).toBeGreaterThan(0.6)
  expect(requests / CALENDARS).toBeLessThan(1.3)
  const [late] = await world.sql<{ count: number }[]>`
    select count(*)::int as count from imported_calendars where next_read_at <= ${world.clock.now().toISOString()}`
  expect(late?.count).toBe(0)
}, 3_600_000)

test('a calendar that changes after days is read every five minutes again', async () => {
  await insertCalendars([200])
  host.answer = () => new Response(icsOf({ from: '2026-11-23T15:00:00Z', to: '2026-11-23T16:00:00Z' }))
  await readFor(6 * 60)
  const firstChange = host.requests.length
  await readFor(30)
  expect(firstChange).toBeGreaterThan(0)
  const [calendar] = await world.sql<{ restMinutes: number }[]>`
    select extract(epoch from next_read_at - last_read_at)::float8 / 60 as "restMinutes" from imported_calendars`
  expect(calendar?.restMinutes).toBeLessThan(40)
  expect(host.requests.length - firstChange).toBeGreaterThanOrEqual(1)
}, 120_000)
