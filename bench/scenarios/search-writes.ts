// Writes that search shows: the cost of one, and what many a second do to the size of the search tables and the cost of a search.
import { connect } from '../../src/platform/postgres/open-database.ts'
import type { Bench, Scenario } from '../support/bench.ts'
import { cpuMsWithChildren } from '../support/cpu.ts'
import { prewarm } from '../support/datasets.ts'
import type { Aim, Row } from '../support/result.ts'
import { type Sample, measureInTurns } from '../support/rounds.ts'
import { type Change, type Size, change, rememberPros, restorePros, searchSizes } from '../support/search-changes.ts'
import { searchCalls, searchesOfServices } from '../support/searches.ts'
import { estimate, percentiles } from '../support/statistics.ts'
import { type SteadyWrites, writeSteadily } from '../support/steady-writes.ts'

const CONNECTIONS = 8
const PER_SECOND = 1000
/** Writes of one kind, one after the other. */
const SINGLE = { full: 1000, quick: 1000, smoke: 50 }
const SECONDS = { full: 60, quick: 5, smoke: 1 }

const TITLES: Record<Change, string> = { move: 'a pro moves', rating: 'a rating changes' }

export const searchWrites: Scenario = {
  name: 'search-writes',
  isLong: true,
  async run(bench: Bench): Promise<Row[]> {
    const { data, options } = bench
    const sql = connect(data.url, CONNECTIONS, { applicationName: 'hearth-bench-writes' })
    await prewarm(data.sql, 'public', 'pro\\_search%')
    const searches = await searchesOfServices(data.sql)
    const { text, calls } = searchCalls(searches, 'http://127.0.0.1:3000')
    const pgbench = bench.overPgbench('pgbench', await bench.preparePgbench('search-writes', text, calls))
    const searchCost = async () => {
      const { pgbench: samples = [] } = await measureInTurns([pgbench], options.rounds)
      return estimate(samples.map(({ cpuUs }: Sample) => cpuUs.postgres))
    }
    const ids = await rememberPros(data.sql)
    try {
      const single: Aim[] = []
      for (const kind of ['move', 'rating'] as const) single.push(...(await measureSingle(bench, sql, kind, ids)))
      const [sizeBefore, costBefore] = [await searchSizes(data.sql), await searchCost()]
      const steady = await measureSteady(bench, sql, ids)
      const [sizeAfter, costAfter] = [await searchSizes(data.sql), await searchCost()]
      logSizes(bench, sizeBefore, sizeAfter)
      const growth = estimate([totalMb(sizeAfter) / totalMb(sizeBefore)])
      const cost = { ...costAfter, median: costAfter.median / costBefore.median }
      return [
        { id: 'search-writes-single', title: 'One write that search shows', metrics: [], aims: single },
        {
          id: 'search-writes-many',
          title: `${PER_SECOND.toLocaleString('en-US')} such writes a second, half of each kind`,
          metrics: [],
          aims: [
            ...steadyAims(steady),
            { name: '× CPU of PostgreSQL for a search, afterwards', value: cost, target: 1.1, lessIsBetter: true },
            { name: '× the size of the search tables, afterwards', value: growth, target: 1.2, lessIsBetter: true },
          ],
          remark: `${steady.written.toLocaleString('en-US')} writes in ${steady.seconds.toFixed(0)} s. Sizes and costs are those before autovacuum is due, unless it ran meanwhile.`,
        },
      ]
    } finally {
      await restorePros(data.sql)
      await sql.end()
      await data.sql`vacuum (analyze) professionals, pro_search, pro_search_entry, pro_search_cell, pro_search_area`
    }
  },
}

type Sql = ReturnType<typeof connect>

/** Latency and CPU time of writes one after the other. */
async function measureSingle(bench: Bench, sql: Sql, kind: Change, ids: readonly string[]): Promise<Aim[]> {
  const latencies: number[] = []
  const count = bench.amount(SINGLE)
  const cpu = () => cpuMsWithChildren(bench.options.stores.pids.postgres)
  const before = cpu()
  for (let n = 0; n < count; n++) {
    const startedMs = performance.now()
    await change(sql, kind, ids, n)
    latencies.push(performance.now() - startedMs)
  }
  const cpuMs = (cpu() - before) / count
  const sorted = latencies.toSorted((a, b) => a - b)
  const aim = (name: string, value: number, unit: string): Aim => ({
    name: `${TITLES[kind]}: ${name}`,
    value: estimate([value]),
    unit,
    lessIsBetter: true,
    isListed: true,
  })
  return [
    ...Object.entries(percentiles(sorted)).map(([name, ms]) => aim(name, ms, ' ms')),
    aim('CPU of PostgreSQL', cpuMs, ' ms'),
  ]
}

type Steady = SteadyWrites & { cpuMs: number }

/** Alternates the kinds. Starts behind the single writes, whose pros move back later. */
async function measureSteady(bench: Bench, sql: Sql, ids: readonly string[]): Promise<Steady> {
  const cpu = () => cpuMsWithChildren(bench.options.stores.pids.postgres)
  const before = cpu()
  const write = (n: number) => change(sql, n % 2 === 0 ? 'move' : 'rating', ids, bench.amount(SINGLE) + (n >> 1))
  const steady = await writeSteadily(write, {
    perSecond: PER_SECOND,
    seconds: bench.amount(SECONDS),
  })
  return { ...steady, cpuMs: (cpu() - before) / steady.written }
}

const steadyAims = ({ written, seconds, percentiles, cpuMs }: Steady): Aim[] => [
  { name: 'writes per second', value: estimate([written / seconds]), unit: '/s', target: PER_SECOND * 0.95 },
  ...Object.entries(percentiles).map(([name, ms]): Aim => ({
    name,
    value: estimate([ms]),
    unit: ' ms',
    lessIsBetter: true,
    isListed: true,
  })),
  { name: 'CPU of PostgreSQL per write', value: estimate([cpuMs]), unit: ' ms', lessIsBetter: true, isListed: true },
]

const totalMb = (sizes: readonly Size[]) => sizes.reduce((sum, { mb }) => sum + mb, 0)

function logSizes(bench: Bench, before: readonly Size[], after: readonly Size[]): void {
  for (const [place, { name, mb, deadRows, vacuums }] of after.entries())
    bench.log(
      `${name}: ${before[place]?.mb.toFixed(0)} → ${mb.toFixed(0)} MB, ${deadRows} dead rows, vacuumed ${vacuums} times so far`,
    )
}
