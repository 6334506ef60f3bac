// `npm run bench`: starts its own stores and servers, compares Hearth with its peers and its limits, and reports the results.
import { setPriority } from 'node:os'

import { agents } from './scenarios/agents.ts'
import { availability } from './scenarios/availability.ts'
import { bookings } from './scenarios/bookings.ts'
import { catalog } from './scenarios/catalog.ts'
import { contendedSlot } from './scenarios/contended-slot.ts'
import { deliveries } from './scenarios/deliveries.ts'
import { guard } from './scenarios/guard.ts'
import { growth } from './scenarios/growth.ts'
import { memory } from './scenarios/memory.ts'
import { pages } from './scenarios/pages.ts'
import { processes } from './scenarios/processes.ts'
import { replicas } from './scenarios/replicas.ts'
import { searchDense } from './scenarios/search-dense.ts'
import { searchForms } from './scenarios/search-forms.ts'
import { searchPage } from './scenarios/search-page.ts'
import { searchService } from './scenarios/search-service.ts'
import { searchWrites } from './scenarios/search-writes.ts'
import { size } from './scenarios/size.ts'
import { slowCommits } from './scenarios/slow-commits.ts'
import { tails } from './scenarios/tails.ts'
import { tracing } from './scenarios/tracing.ts'
import { Bench, type Scenario } from './support/bench.ts'
import { deleteKeys } from './support/account.ts'
import { openSeeded } from './support/datasets.ts'
import { openOldBuild } from './support/old-build.ts'
import { type RunOptions, isUsualSize, parseOptions } from './support/options.ts'
import {
  type Coverage,
  type Form,
  compareWithBaseline,
  estimateSeconds,
  mergeRun,
  readBaseline,
  writeBaseline,
} from './report/baseline.ts'
import { PAGE_FILE, writePage } from './report/page.ts'
import { REPORT_FILE, createReport, writeReport } from './report/report.ts'
import { writeSummary } from './report/summary.ts'
import { formatNumber, formatReport } from './report/table.ts'
import { type Report, type Row, checkedRows, listMissed } from './support/result.ts'
import { openStores } from './support/stores.ts'

const SCENARIOS: readonly Scenario[] = [
  searchService,
  searchDense,
  searchForms,
  searchPage,
  searchWrites,
  growth,
  pages,
  availability,
  bookings,
  slowCommits,
  contendedSlot,
  catalog,
  guard,
  agents,
  tails,
  tracing,
  processes,
  replicas,
  deliveries,
  memory,
  size,
]

const log = (line: string) => void process.stderr.write(`${line}\n`)

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2))
  const selected = selectScenarios(options)
  if (selected.length === 0) {
    log(`Unknown scenario. Choose from: ${SCENARIOS.map(({ name }) => name).join(', ')}`)
    return 2
  }
  const stores = await openStores(log)
  const data = await openSeeded(stores, options.pros, log)
  const against = options.against === undefined ? undefined : await openOldBuild(stores, data, options.against, log)
  const bench = new Bench({ ...options, stores, data, against, log })
  try {
    if (options.load) {
      log(`${[data, against?.data].flatMap((one) => one?.name ?? []).join(' and ')}: ready`)
      return 0
    }
    raisePriority([process.pid, stores.pids.postgres, stores.pids.redis])
    await deleteKeys(data.sql)
    announce(options, selected)
    return await runAll(bench, options, selected)
  } finally {
    await bench.stop()
    await Promise.all([data.sql.end(), against?.data.sql.end()])
    await stores.stop()
  }
}

const selectScenarios = ({ words, quick, smoke }: RunOptions): Scenario[] =>
  SCENARIOS.filter(({ name, isLong }) =>
    words.length === 0 ? smoke || !(quick && isLong) : words.some((word) => name.startsWith(word)),
  )

/** The form of the baseline that a run is compared with and written to. */
const formOf = ({ quick, noisy }: RunOptions): Form => (quick ? 'quick' : noisy ? 'noisy' : 'full')

/** Says how long the run will take, by the baseline. */
function announce(options: RunOptions, selected: readonly Scenario[]): void {
  const names = selected.map(({ name }) => name)
  const seconds = estimateSeconds(readBaseline()[formOf(options)], names)
  log(`${names.join(', ')}: ${seconds === undefined ? 'not timed yet' : `about ${Math.ceil(seconds / 60)} minutes`}`)
}

/** A row with its scenario; of an unusual number of pros also with that number, because it is another row of the table. */
function labelled(row: Row, { name }: Scenario, options: RunOptions): Row {
  if (isUsualSize(options)) return { ...row, scenario: name }
  return { ...row, id: `${row.id}-${options.pros}`, title: withSize(row.title, options.pros), scenario: name }
}

function withSize(title: string, pros: number): string {
  const size = `${pros.toLocaleString('en-US')} pros`
  return title.includes(size) ? title : `${title}, ${size}`
}

/** Runs the scenarios. One that fails is reported, and the others go on. */
async function runAll(bench: Bench, options: RunOptions, selected: readonly Scenario[]): Promise<number> {
  const rows: Row[] = []
  const failed: string[] = []
  const seconds: Record<string, number> = {}
  for (const scenario of selected) {
    const startedMs = performance.now()
    try {
      rows.push(...checkedRows(await scenario.run(bench)).map((row) => labelled(row, scenario, options)))
      seconds[scenario.name] = Math.ceil((performance.now() - startedMs) / 1000)
      log(`${scenario.name}: ${seconds[scenario.name]} s`)
    } catch (error) {
      failed.push(scenario.name)
      log(`${scenario.name} failed: ${error instanceof Error ? error.stack : String(error)}`)
    }
  }
  const report = await createReport(bench, rows, seconds)
  log(
    `${selected.length} scenarios in ${(Object.values(seconds).reduce((sum, each) => sum + each, 0) / 60).toFixed(1)} minutes`,
  )
  const [all, names] = [SCENARIOS, selected].map((list) => list.map(({ name }) => name))
  const exitCode = reportResults(report, options, { all: all ?? [], selected: names ?? [], failed })
  if (failed.length > 0) log(`FAILED: ${failed.join(', ')}`)
  return failed.length > 0 ? 1 : exitCode
}

/**
 * Prints the results, writes the report files and returns the exit code: 1 when a required aim is missed or a value is worse
 * than the baseline beyond noise.
 */
function reportResults(report: Report, options: RunOptions, coverage: Coverage): number {
  const [baseline, form] = [readBaseline(), formOf(options)]
  const changes = options.smoke ? [] : compareWithBaseline(report, baseline[form])
  const worse = changes.filter(({ verdict }) => verdict === 'worse')
  process.stdout.write(`${formatReport(report)}\n`)
  for (const { row, aim, before, now, allowed } of worse)
    process.stdout.write(
      `WORSE ${row}: ${formatNumber(now)} ${aim}, was ${formatNumber(before)} (more than ${Math.round(allowed * 100)}% apart)\n`,
    )
  const missed = options.smoke ? [] : listMissed(report)
  for (const { row, aim } of missed) process.stdout.write(`MISSED ${row}: ${aim}\n`)
  writeReport(report)
  writePage(report, changes)
  if (options.baseline) {
    const written = { ...baseline, [form]: mergeRun(baseline[form], report, coverage) }
    writeBaseline(written)
    writeSummary(written)
  }
  log(`${REPORT_FILE}\n${PAGE_FILE}`)
  return missed.length > 0 || (worse.length > 0 && !options.baseline) ? 1 : 0
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
