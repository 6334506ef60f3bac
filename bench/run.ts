// `npm run bench`: starts its own stores and servers, compares Hearth with its peers and its limits, and reports the results.
import { setPriority } from 'node:os'
import { parseArgs } from 'node:util'

import { agents } from './scenarios/agents.ts'
import { availability } from './scenarios/availability.ts'
import { bookings } from './scenarios/bookings.ts'
import { catalog } from './scenarios/catalog.ts'
import { contendedSlot } from './scenarios/contended-slot.ts'
import { deliveries } from './scenarios/deliveries.ts'
import { guard } from './scenarios/guard.ts'
import { growth } from './scenarios/growth.ts'
import { memory } from './scenarios/memory.ts'
import { processes } from './scenarios/processes.ts'
import { searchDense } from './scenarios/search-dense.ts'
import { searchForms } from './scenarios/search-forms.ts'
import { searchService } from './scenarios/search-service.ts'
import { tails } from './scenarios/tails.ts'
import { tracing } from './scenarios/tracing.ts'
import { Bench, type Scenario } from './support/bench.ts'
import { openSeeded } from './support/datasets.ts'
import { compareWithBaseline, readBaseline, writeBaseline } from './report/baseline.ts'
import { PAGE_FILE, writePage } from './report/page.ts'
import { REPORT_FILE, createReport, writeReport } from './report/report.ts'
import { writeSummary } from './report/summary.ts'
import { formatNumber, formatReport } from './report/table.ts'
import { type Report, listMissed } from './support/result.ts'
import { openStores } from './support/stores.ts'

const SCENARIOS: readonly Scenario[] = [
  searchService,
  searchDense,
  searchForms,
  growth,
  availability,
  bookings,
  contendedSlot,
  catalog,
  guard,
  agents,
  tails,
  tracing,
  processes,
  deliveries,
  memory,
]

const log = (line: string) => void process.stderr.write(`${line}\n`)

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      baseline: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      load: { type: 'boolean', default: false },
    },
  })
  const selected = SCENARIOS.filter(({ name, isLong }) =>
    positionals.length === 0 ? !(values.quick && isLong) : positionals.some((word) => name.startsWith(word)),
  )
  if (selected.length === 0) {
    log(`Unknown scenario. Choose from: ${SCENARIOS.map(({ name }) => name).join(', ')}`)
    return 2
  }
  const { quick, profile } = values
  const stores = await openStores(log)
  const data = await openSeeded(stores, quick ? 100_000 : 1_000_000, log)
  if (values.load) {
    log(`${data.name} is ready`)
    await Promise.all([data.sql.end(), stores.stop()])
    return 0
  }
  const rounds = quick ? { rounds: 3, seconds: 0.4, warmUpSeconds: 0.8 } : { rounds: 7, seconds: 2, warmUpSeconds: 15 }
  if (values.rounds) rounds.rounds = Number(values.rounds)
  raisePriority([process.pid, stores.pids.postgres, stores.pids.redis])
  const bench = new Bench({ stores, data, quick, profile, rounds, log })
  try {
    const rows = []
    const failed: string[] = []
    for (const scenario of selected) {
      const startedMs = performance.now()
      try {
        rows.push(...(await scenario.run(bench)))
        log(`${scenario.name}: ${((performance.now() - startedMs) / 1000).toFixed(0)} s`)
      } catch (error) {
        // The results of the other scenarios are still reported.
        failed.push(scenario.name)
        log(`${scenario.name} failed: ${error instanceof Error ? error.stack : String(error)}`)
      }
    }
    const exitCode = reportResults(await createReport(bench, rows), {
      isBaseline: values.baseline,
      isComplete: selected.length === SCENARIOS.length && failed.length === 0 && !quick,
    })
    if (failed.length > 0) log(`FAILED: ${failed.join(', ')}`)
    return failed.length > 0 ? 1 : exitCode
  } finally {
    await bench.stop()
    await data.sql.end()
    await stores.stop()
  }
}

/**
 * Prints the results, writes the report files and returns the exit code: 1 when a required aim is missed or a value is worse
 * than the baseline beyond noise.
 */
function reportResults(
  report: Report,
  { isBaseline, isComplete }: { isBaseline: boolean; isComplete: boolean },
): number {
  const changes = compareWithBaseline(report, readBaseline())
  const worse = changes.filter(({ verdict }) => verdict === 'worse')
  process.stdout.write(`${formatReport(report)}\n`)
  for (const { row, aim, before, now, allowed } of worse)
    process.stdout.write(
      `WORSE ${row}: ${formatNumber(now)} ${aim}, was ${formatNumber(before)} (more than ${Math.round(allowed * 100)} % apart)\n`,
    )
  const missed = listMissed(report)
  for (const { row, aim } of missed) process.stdout.write(`MISSED ${row}: ${aim}\n`)
  writeReport(report)
  writePage(report, changes)
  if (isBaseline) writeBaseline(report)
  // A run of some scenarios would write an incomplete table.
  if (isBaseline && isComplete) writeSummary(report)
  log(`${REPORT_FILE}\n${PAGE_FILE}`)
  return missed.length > 0 || (worse.length > 0 && !isBaseline) ? 1 : 0
}

/** Raises the priority of the benchmark and its stores over other processes, where the system allows it. */
function raisePriority(pids: readonly number[]): void {
  try {
    for (const pid of pids) setPriority(pid, -10)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && ['EACCES', 'EPERM'].includes(String(error.code)))) throw error
  }
}

process.exit(await main())
