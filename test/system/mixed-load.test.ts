// All kinds of work at once on a slow disk, while the replica lags, a client freezes and the connections run out.
import { expect, test } from 'bun:test'

import type { SizeOptions } from '../../bench/support/options.ts'
import { residentMb } from '../../bench/support/servers.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { checkBookings } from '../support/acknowledged-bookings.ts'
import { runFaults } from '../support/agent-runs.ts'
import { countersAdrift } from '../support/counted.ts'
import { longForm } from '../support/long-form.ts'
import { ledgerFaults } from '../support/metering.ts'
import { FAULTS } from '../support/mixed-faults.ts'
import { type MixedLoad, type Sample, startMixedLoad } from '../support/mixed-load.ts'
import { type MixedStack, openMixedStack } from '../support/mixed-stack.ts'
import { findMiscounted } from '../support/reviews.ts'
import { differencesFromRebuilt } from '../support/search.ts'

/** HEARTH_TEST_SECONDS sets another length, such as 300. The first round of faults is not cut short. */
const SECONDS = Number(process.env['HEARTH_TEST_SECONDS']) || longForm(60, 3600)
const SIZE: SizeOptions = {
  pros: longForm(200, 100_000),
  bookings: longForm(2000, 1_000_000),
  diskGb: longForm(1, 10),
}
/** Each round has every fault once. The minutes between show the usual times. */
const ROUND_MS = 180_000
const MINUTE_MS = 60_000
const SETTLE_MS = 60_000
/** Of a server. */
const MAX_MB = 300
/** In one minute a server also grows because it has just started. */
const MAX_GROWTH = longForm(1.5, 1.25)
/** Fills the databases, and compares all counters with their rows. */
const MORE_SECONDS = longForm(300, 3600)
const MAX_SHOWN = 20

interface Report {
  readonly name: string
  readonly fromMs: number
  readonly toMs: number
  readonly saw: string
}

/** Inflicts every fault once. After each the marketplace serves all requests again. */
async function inflictAll(stack: MixedStack, load: MixedLoad): Promise<Report[]> {
  const reports: Report[] = []
  expect(await waitUntil(() => load.isServed(), SETTLE_MS)).toBe(true)
  for (const [name, inflict] of Object.entries(FAULTS)) {
    const fromMs = performance.now()
    const saw = await inflict(stack, load)
    reports.push({ name, fromMs, toMs: performance.now(), saw })
    expect([name, await waitUntil(() => load.isServed(), SETTLE_MS)]).toEqual([name, true])
  }
  return reports
}

/** Samples the resident memory of all servers every second. */
function watchMemory({ servers }: MixedStack) {
  const readings: number[] = []
  const timer = setInterval(() => readings.push(Math.max(...servers.map(({ pid }) => residentMb(pid)))), 1000)
  return { readings, stop: () => clearInterval(timer) }
}

const times = (samples: readonly Sample[]) => {
  const sorted = samples.map(({ ms }) => ms).toSorted((a, b) => a - b)
  // By nearest rank.
  const ms = (share: number) => (sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN).toFixed(0)
  const busy = samples.filter(({ status }) => status >= 300).length
  return `${samples.length} answers, ${busy} busy, p50 ${ms(0.5)} ms, p99 ${ms(0.99)} ms, longest ${ms(1)} ms`
}

function printTimes(samples: readonly Sample[], startedMs: number, reports: readonly Report[]) {
  const minutes = Map.groupBy(samples, ({ atMs }) => Math.floor((atMs - startedMs) / MINUTE_MS))
  for (const [minute, own] of [...minutes].toSorted(([a], [b]) => a - b)) {
    const during = reports.filter(
      ({ fromMs, toMs }) => fromMs < startedMs + (minute + 1) * MINUTE_MS && toMs > startedMs + minute * MINUTE_MS,
    )
    const faults = during.length > 0 ? `: ${during.map(({ name }) => name).join(', ')}` : ''
    process.stdout.write(`minute ${minute + 1}: ${times(own)}${faults}\n`)
  }
  for (const { name, fromMs, toMs, saw } of reports) {
    const own = samples.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs)
    process.stdout.write(`${name}: ${((toMs - fromMs) / 1000).toFixed(1)} s, ${saw}, ${times(own)}\n`)
  }
  for (const [route, own] of Map.groupBy(samples, (sample) => sample.route))
    process.stdout.write(`${route}: ${times(own)}\n`)
}

/** The work that goes on after the last request: events, agent runs, and their tasks. */
async function hasSettled({ primary }: MixedStack): Promise<boolean> {
  const [row] = await primary.sql<{ settled: boolean }[]>`
    select not exists (select from outbox_events where relayed_at is null)
      and not exists (select from metered_tasks where status = 'reserved')
      and not exists (select from agent_runs where status in ('queued', 'running')) as settled`
  return row?.settled ?? false
}

async function checkCounters(stack: MixedStack, { pros }: MixedLoad): Promise<void> {
  const { sql } = stack.primary
  // The demo pros of the size set have ratings and no reviews.
  const miscounted = (await findMiscounted(stack)).filter(({ id }) => pros.some((pro) => pro.id === id))
  expect(await countersAdrift(sql)).toEqual([])
  expect(miscounted).toEqual([])
  expect(await ledgerFaults(sql)).toEqual([])
  expect(await runFaults(sql)).toEqual([])
  expect(await differencesFromRebuilt(sql)).toEqual([])
}

/** What was answered is what is stored. */
async function checkAnswers({ primary, servers }: MixedStack, load: MixedLoad): Promise<void> {
  expect(load.acknowledged.length).toBeGreaterThan(20)
  await checkBookings(primary.sql, load.acknowledged)
  expect(load.refused.length).toBeGreaterThan(0)
  const made = await primary.sql`
    select r.* from jsonb_to_recordset(${primary.sql.json([...load.refused])}) as r("professionalId" uuid, "startsAt" timestamptz)
    join bookings b on b.professional_id = r."professionalId" and b.starts_at = r."startsAt"`
  expect([...made]).toEqual([])
  for (const { id, serviceId, description } of load.pros.filter((pro) => pro.description !== undefined)) {
    const response = await fetch(`${servers[0]?.url}/api/v1/pros?service=${serviceId}`)
    const { professionals } = (await response.json()) as { professionals: { id: string; description: string }[] }
    expect(professionals.map((pro) => [pro.id, pro.description])).toEqual([[id, description ?? '']])
  }
}

test(
  `${SECONDS} s of mixed load on a slow disk: no error but "busy", no counter that drifts, bounded memory`,
  async () => {
    const stack = await openMixedStack(SIZE)
    try {
      const load = await startMixedLoad(stack)
      const memory = watchMemory(stack)
      const { startedMs } = load
      const isOver = () => performance.now() - startedMs > SECONDS * 1000
      const reports: Report[] = []
      try {
        for (let round = 1; !isOver(); round++) {
          reports.push(...(await inflictAll(stack, load)))
          await waitUntil(() => isOver() || performance.now() - startedMs > round * ROUND_MS, ROUND_MS, 500)
        }
      } finally {
        await load.end()
        memory.stop()
        printTimes(load.samples, startedMs, reports)
      }
      const errors = stack.servers.flatMap((server) => server.log().filter(({ level }) => level === 'error'))
      if (load.faults.length > 0)
        for (const line of errors.slice(0, MAX_SHOWN)) process.stdout.write(`logged: ${JSON.stringify(line)}\n`)
      expect(load.faults.slice(0, MAX_SHOWN)).toEqual([])
      expect(await waitUntil(() => hasSettled(stack), SETTLE_MS, 200)).toBe(true)
      await checkAnswers(stack, load)
      await checkCounters(stack, load)
      const half = Math.floor(memory.readings.length / 2)
      const [first, second] = [memory.readings.slice(0, half), memory.readings.slice(half)].map((mb) => Math.max(...mb))
      process.stdout.write(`servers held up to ${first?.toFixed(0)} MB, then ${second?.toFixed(0)} MB\n`)
      expect(second).toBeLessThan(Math.min(MAX_MB, (first ?? 0) * MAX_GROWTH))
    } finally {
      await stack.close()
    }
  },
  (SECONDS + MORE_SECONDS) * 1000,
)
