// The month of an allowance follows the pro's time zone: it begins at local midnight in every zone and clock change.
import { expect, test } from 'bun:test'

import {
  getBalance,
  openAllowances,
  releaseTask,
  reserveTask,
  settleTask,
  getUsage,
} from '../../../../src/features/agents/metering/verbs.ts'
import { balancesOf, ledgerFaults, insertMeteredPro, openMeteringFixture } from '../../../support/metering.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'
let now = new Date(0)

const { deps, sql } = await opened(openMeteringFixture({ now: () => now }))

const spendOneAt = async (pro: string, instant: string | number) => {
  now = new Date(instant)
  const taskId = Bun.randomUUIDv7()
  await reserveTask(ctxOf(deps), { taskId, kind: 'run_agent', professionalId: pro })
  await settleTask(ctxOf(deps), { professionalId: pro, taskId })
}

/** The local date by the JavaScript calendar, an implementation independent of PostgreSQL. */
const localDate = (instant: number, timeZone: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(instant)

const MINUTE_MS = 60_000

/** Zone, month, its first instant, and the reason for the case. */
const MONTH_STARTS: [zone: string, month: string, first: string, why: string][] = [
  ['America/Chicago', '2026-11', '2026-11-01T05:00:00Z', 'the clock is put back on the first, after midnight'],
  ['America/Chicago', '2026-12', '2026-12-01T06:00:00Z', 'winter'],
  ['America/Havana', '2026-11', '2026-11-01T04:00:00Z', 'midnight to one comes twice on the first'],
  ['Pacific/Kiritimati', '2027-01', '2026-12-31T10:00:00Z', 'the first zone of all'],
  ['Pacific/Pago_Pago', '2027-01', '2027-01-01T11:00:00Z', 'the last inhabited one'],
  ['Australia/Lord_Howe', '2027-01', '2026-12-31T13:00:00Z', 'half an hour of summer time'],
  ['Asia/Kathmandu', '2026-12', '2026-11-30T18:15:00Z', 'a quarter of an hour'],
  ['Pacific/Apia', '2012-01', '2011-12-31T10:00:00Z', 'the 30th of December was skipped'],
  ['America/Sao_Paulo', '2009-02', '2009-02-01T02:00:00Z', 'summer time at the southern turn'],
  ['Asia/Amman', '2016-04', '2016-03-31T22:00:00Z', 'the first hour of the first was skipped'],
]

test.each(MONTH_STARTS)('in %s, %s begins at %s: %s', async (zone, month, first, _why) => {
  const pro = await insertMeteredPro(sql, 'verified', zone)
  const start = Date.parse(first)
  const before = localDate(start - 1, zone).slice(0, 7)
  expect([before < month, localDate(start, zone).slice(0, 7)]).toEqual([true, month])
  await spendOneAt(pro, start - 1)
  expect(await getBalance(ctxOf(deps), { professionalId: pro })).toMatchObject({
    month: before,
    allowance: { left: 99 },
  })
  expect(Date.parse((await getBalance(ctxOf(deps), { professionalId: pro })).resetsAt)).toBe(start)
  await spendOneAt(pro, start)
  expect(await getBalance(ctxOf(deps), { professionalId: pro })).toMatchObject({ month, allowance: { left: 99 } })
  expect(await balancesOf(sql, pro)).toMatchObject({
    [`allowance ${before}`]: 99,
    [`allowance ${month}`]: 99,
    spent: 2,
  })
  expect((await getUsage(ctxOf(deps), { professionalId: pro, month })).days[0]).toMatchObject({
    date: `${month}-01`,
    settled: 1,
  })
  expect((await getUsage(ctxOf(deps), { professionalId: pro, month: before })).days.at(-1)).toMatchObject({
    settled: 1,
  })
})

test('a month that begins twice has its allowance once: in St. John’s 00:01 of 2009-11-01 became 23:01', async () => {
  const pro = await insertMeteredPro(sql, 'verified', 'America/St_Johns')
  const turn = Date.parse('2009-11-01T02:31:00Z')
  for (const [minutes, month] of [
    [-2, '2009-10'],
    [-1, '2009-11'],
    [0, '2009-10'],
    [58, '2009-10'],
    [59, '2009-11'],
  ] as const) {
    await spendOneAt(pro, turn + minutes * MINUTE_MS)
    expect(await getBalance(ctxOf(deps), { professionalId: pro })).toMatchObject({ month })
    // Repeated maintenance has nothing to do.
    for (let pass = 0; pass < 3; pass++) await openAllowances(ctxOf(deps), { now, limit: 10 })
    expect(await openAllowances(ctxOf(deps), { now, limit: 10 })).toBe(0)
  }
  expect(await balancesOf(sql, pro)).toMatchObject({
    granted: -200,
    spent: 5,
    'allowance 2009-10': 97,
    'allowance 2009-11': 98,
  })
  expect((await getUsage(ctxOf(deps), { professionalId: pro, month: '2009-10' })).days.at(-1)?.settled).toBe(3)
  expect((await getUsage(ctxOf(deps), { professionalId: pro, month: '2009-11' })).days[0]?.settled).toBe(2)
})

test('a pro who moves to another zone gets no month twice', async () => {
  const pro = await insertMeteredPro(sql, 'verified', 'Pacific/Honolulu')
  await spendOneAt(pro, '2026-12-01T08:00:00Z')
  expect((await getBalance(ctxOf(deps), { professionalId: pro })).month).toBe('2026-11')
  for (const zone of ['America/New_York', 'Pacific/Honolulu', 'America/New_York', 'Pacific/Honolulu']) {
    await sql`update professionals set time_zone = ${zone} where id = ${pro}`
    await openAllowances(ctxOf(deps), { now, limit: 10 })
    await spendOneAt(pro, now.getTime())
  }
  expect(await balancesOf(sql, pro)).toMatchObject({
    granted: -200,
    'allowance 2026-11': 97,
    'allowance 2026-12': 98,
  })
  expect(await ledgerFaults(sql)).toEqual([])
})

test('usage is reported by day in the pro’s time zone', async () => {
  const pro = await insertMeteredPro(sql, 'business', 'Pacific/Honolulu')
  await spendOneAt(pro, '2026-11-01T09:59:59Z')
  for (let task = 0; task < 2; task++) await spendOneAt(pro, '2026-11-01T10:00:00Z')
  now = new Date('2026-12-01T09:59:59Z')
  const [open, off] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()]
  for (const taskId of [open, off])
    await reserveTask(ctxOf(deps), { taskId, kind: 'prepare_quote', professionalId: pro })
  await releaseTask(ctxOf(deps), { professionalId: pro, taskId: off })
  const { days, ...november } = await getUsage(ctxOf(deps), { professionalId: pro, month: '2026-11' })
  expect(november).toEqual({ month: '2026-11', timeZone: 'Pacific/Honolulu', settled: 2 })
  expect(days.length).toBe(30)
  expect(days[0]).toEqual({ date: '2026-11-01', settled: 2, byKind: { run_agent: 2 }, reserved: 0, released: 0 })
  expect(days[1]).toEqual({ date: '2026-11-02', settled: 0, byKind: {}, reserved: 0, released: 0 })
  expect(days[29]).toEqual({ date: '2026-11-30', settled: 0, byKind: {}, reserved: 1, released: 1 })
  expect((await getUsage(ctxOf(deps), { professionalId: pro, month: '2026-10' })).settled).toBe(1)
  expect(
    await getUsage(ctxOf(deps), { professionalId: pro, month: '2026-13' }).catch((error: unknown) => error),
  ).toMatchObject({
    code: 'validation_failed',
  })
})

test('month and day around the first midnight of a month follow the local clock in every zone', async () => {
  const zones = Intl.supportedValuesOf('timeZone')
  const zoneRows = await sql<{ name: string }[]>`select name from pg_timezone_names`
  const names = new Set(zoneRows.map(({ name }) => name))
  const shared = zones.filter((zone) => names.has(zone))
  expect(shared.length).toBeGreaterThan(300)
  const pro = await insertMeteredPro(sql, 'business')
  for (const zone of shared) {
    await sql`update professionals set time_zone = ${zone} where id = ${pro}`
    // Between 2026-10-30 and 2026-11-02 UTC; in North America the clocks change on November 1.
    now = new Date(
      Date.parse('2026-10-30T12:00:00Z') + ((zone.length * 7919 + zone.charCodeAt(1) * 104_729) % 4320) * MINUTE_MS,
    )
    const { month, resetsAt } = await getBalance(ctxOf(deps), { professionalId: pro })
    expect([zone, month]).toEqual([zone, localDate(now.getTime(), zone).slice(0, 7)])
    const end = Date.parse(resetsAt)
    expect([zone, localDate(end - 1, zone).slice(0, 7), localDate(end, zone).slice(8)]).toEqual([zone, month, '01'])
  }
}, 60_000)
