// Calendars that are due are read by any number of processes, each once; a process that dies loses nothing.
import { expect, test } from 'bun:test'

import { openDeps } from '../../../src/deps.ts'
import { addCalendar } from '../../../src/features/calendar/imported-calendars/verbs/calendars.ts'
import { readNextCalendar } from '../../../src/features/calendar/imported-calendars/verbs/read-calendar.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { openMetrics } from '../../../src/platform/telemetry/metrics.ts'
import { syncCalendars } from '../../../workers/actors/sync-calendars.ts'
import { startActor } from '../../../workers/runtime/process.ts'
import { openTestApp } from '../../support/app.ts'
import { icsOf, openCalendarHost, readAllDue } from '../../support/calendar-host.ts'
import { EXPENSIVE_FILES } from '../../support/hostile-calendars.ts'
import { type TestPro, insertPro } from '../../support/schedule.ts'
import { testRedisUrl } from '../../support/stores.ts'
import { ctxOf } from '../../../src/ctx.ts'
import { opened } from '../../support/fixture.ts'

const ACTOR = new URL('../../../workers/actors/sync-calendars.ts', import.meta.url).pathname
const env = { CALENDAR_ALLOW_PRIVATE: 'true' }
let clockAheadMs = 0
const app = await opened(openTestApp('migrated', { env, clock: { now: () => new Date(Date.now() + clockAheadMs) } }))
const host = await opened(openCalendarHost(), 'stop')
const metrics = await opened(openMetrics('test'))

const startReaders = () => startActor(app.deps, syncCalendars, { metrics, crash: () => undefined })
const addCalendars = async (pro: TestPro, most: number) => {
  for (let n = 0; n < most; n++)
    await addCalendar(ctxOf(app.deps, { accountId: pro.accountId, professionalId: pro.id }), {
      name: `Calendar ${n}`,
      url: host.url(`${pro.id}-${n}.ics`),
    })
}
const tomorrow = (hours: number) => new Date(Date.now() + 86_400_000 + hours * 3_600_000).toISOString()
const blockedBy = async (pro: TestPro) =>
  (await app.sql`select from imported_busy where professional_id = ${pro.id}`).length

test('three processes read sixty calendars once each, also those that are added meanwhile', async () => {
  host.answer = () => new Response(icsOf({ from: tomorrow(0), to: tomorrow(0.1) }))
  const pros: TestPro[] = []
  for (let n = 0; n < 6; n++) pros.push(await insertPro(app.sql))
  for (const pro of pros.slice(0, 3)) await addCalendars(pro, 10)
  const readers = await Promise.all([startReaders(), startReaders(), startReaders()])
  for (const pro of pros.slice(3)) await addCalendars(pro, 10)
  const isDone = async () => (await app.sql`select from imported_calendars where last_read_at is null`).length === 0
  expect(await waitUntil(isDone, 8000)).toBe(true)
  await Promise.all(readers.map((reader) => reader.stop()))
  expect(host.requests).toHaveLength(60)
  expect(new Set(host.requests.map(({ path }) => path)).size).toBe(60)
})

test('a calendar whose process was killed while reading is read by another when the claim ends', async () => {
  const pro = await insertPro(app.sql)
  const asked = Promise.withResolvers<void>()
  host.answer = () => (asked.resolve(), new Promise(() => undefined))
  await addCalendars(pro, 1)
  const killed = Bun.spawn([process.execPath, ACTOR], {
    env: { ...process.env, ...env, DATABASE_URL: app.databaseUrl, REDIS_URL: testRedisUrl, LOG_LEVEL: 'silent' },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  await asked.promise
  killed.kill('SIGKILL')
  await killed.exited
  host.answer = () => new Response(icsOf({ from: tomorrow(0), to: tomorrow(0.1) }))
  expect(await readAllDue(app.deps)).toEqual([])
  clockAheadMs += 121_000
  expect(await readAllDue(app.deps)).toEqual(['changed'])
  expect(await blockedBy(pro)).toBeGreaterThan(0)
})

test('a reading that ends after its claim saves nothing, nor one of a calendar that was removed meanwhile', async () => {
  const pro = await insertPro(app.sql)
  await addCalendars(pro, 1)
  const late = Promise.withResolvers<Response>()
  host.answer = () => late.promise
  const reading = readAllDue(app.deps)
  expect(await waitUntil(() => host.requests.at(-1)?.path.startsWith(`/${pro.id}`) ?? false, 5000)).toBe(true)
  clockAheadMs += 121_000
  host.answer = () => new Response(icsOf())
  expect(await readAllDue(app.deps)).toEqual(['unchanged'])
  late.resolve(new Response(icsOf({ from: tomorrow(0), to: tomorrow(1) })))
  expect(await reading).toEqual(['superseded'])
  expect(await blockedBy(pro)).toBe(0)

  const removed = Promise.withResolvers<Response>()
  clockAheadMs += 600_000
  host.answer = () => removed.promise
  const asked = host.requests.length
  const second = readAllDue(app.deps)
  expect(await waitUntil(() => host.requests.length > asked, 5000)).toBe(true)
  await app.sql`delete from imported_calendars`
  removed.resolve(new Response(icsOf({ from: tomorrow(0), to: tomorrow(1) })))
  expect(await second).toEqual(['superseded'])
  expect(await blockedBy(pro)).toBe(0)
})

test('a pro with many calendars whose server is silent delays no other pro', async () => {
  await app.sql`delete from imported_calendars`
  const [slow, other] = [await insertPro(app.sql), await insertPro(app.sql)]
  await addCalendars(slow, 20)
  const asked = host.requests.length
  const silent = Promise.withResolvers<Response>()
  host.answer = ({ path }) => (path.startsWith(`/${slow.id}`) ? silent.promise : new Response(icsOf()))
  const readers = await Promise.all([startReaders(), startReaders()])
  expect(await waitUntil(() => host.requests.length > asked, 5000)).toBe(true)
  await addCalendars(other, 3)
  const isDone = async () =>
    (await app.sql`select from imported_calendars where professional_id = ${other.id} and last_read_at is null`)
      .length === 0
  expect(await waitUntil(isDone, 5000)).toBe(true)
  expect(host.requests.slice(asked).filter(({ path }) => path.startsWith(`/${slow.id}`))).toHaveLength(1)
  silent.resolve(new Response(icsOf()))
  await Promise.all(readers.map((reader) => reader.stop()))
})

test('pros have their turn: after a calendar of one pro comes one of the next', async () => {
  await app.sql`delete from imported_calendars`
  const [first, second] = [await insertPro(app.sql), await insertPro(app.sql)]
  host.answer = () => new Response(icsOf())
  await addCalendars(first, 3)
  await addCalendars(second, 2)
  clockAheadMs += 1000
  const asked = host.requests.length
  await readAllDue(app.deps)
  const order = host.requests.slice(asked).map(({ path }) => (path.startsWith(`/${first.id}`) ? 'first' : 'second'))
  expect(order).toEqual(['first', 'second', 'first', 'second', 'first'])
})

test('a hostile calendar has failed, rests in proportion to its cost, and others are read meanwhile', async () => {
  await app.sql`delete from imported_calendars`
  const [hostile, other] = [await insertPro(app.sql), await insertPro(app.sql)]
  await addCalendars(hostile, 1)
  await addCalendars(other, 1)
  const file = EXPENSIVE_FILES['rules for each second']?.(100)
  host.answer = ({ path }) => new Response(path.startsWith(`/${hostile.id}`) ? file : icsOf())
  const readings = [readNextCalendar(ctxOf(app.deps)), readNextCalendar(ctxOf(app.deps))]
  expect(await Promise.race(readings)).toBe('unchanged')
  expect(new Set(await Promise.all(readings))).toEqual(new Set(['failed', 'unchanged']))
  const [row] = await app.sql<{ lastError: string; minutes: number }[]>`
    select last_error as "lastError", extract(epoch from next_read_at - failing_since)::float8 / 60 as minutes
    from imported_calendars where professional_id = ${hostile.id}`
  expect(row?.lastError).toBe('The calendar takes too long to read.')
  // Two seconds of CPU time; the pause is 500 times that, give or take a tenth.
  expect(row?.minutes).toBeGreaterThan(14)
})

test('a restored copy reads no calendar', async () => {
  const pro = await insertPro(app.sql)
  await addCalendars(pro, 1)
  const asked = host.requests.length
  await app.sql`alter database ${app.sql(new URL(app.databaseUrl).pathname.slice(1))} set hearth.restored = 'a test'`
  // Its connections are new: they have the setting.
  const copy = openDeps(app.deps.config, { clock: app.deps.clock })
  expect(await readAllDue(copy)).toEqual([])
  await copy.close()
  expect(host.requests).toHaveLength(asked)
})
