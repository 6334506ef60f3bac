// CPU time of the pages that people see: home, results, a pro's profile, and a month of open times.
import type { Bench, Scenario } from '../support/bench.ts'
import { fromManyAddresses } from '../support/addresses.ts'
import { prewarm } from '../support/datasets.ts'
import { writeRequests } from '../support/http-load.ts'
import { type Aim, type Row, metricsOfAll } from '../support/result.ts'
import { cpuOf, measureInTurns, ratio } from '../support/rounds.ts'
import { PLACES, searchesOfServices } from '../support/searches.ts'
import { estimate } from '../support/statistics.ts'

/** Few requests at a time: the rows tell the cost of a page, not how many are served. */
const CONNECTIONS = 4
/** How many times its CPU in an older build a page may cost. */
const MAX_TIMES = 1.3

export const pages: Scenario = {
  name: 'pages',
  async run(bench: Bench): Promise<Row[]> {
    const { data, options } = bench
    await prewarm(data.sql, 'public', 'pro\\_search%')
    const [hearth, old] = [await bench.hearth(), await bench.oldBuild()]
    const paths = await listPages(bench)
    const contenders = Object.entries(paths).flatMap(([name, of]) => {
      const requests = writeRequests(`pages ${name}`, fromManyAddresses(of.map((path) => ({ path }))))
      const over = (contender: string, server: typeof hearth) =>
        bench.overHttp(contender, server, requests, { connections: CONNECTIONS })
      return [over(name, hearth), ...(old ? [over(olderOf(name), old)] : [])]
    })
    const samples = await measureInTurns(contenders, options.rounds)
    const aims = Object.keys(paths).flatMap((name): Aim[] => {
      const { [name]: ours = [], [olderOf(name)]: theirs } = samples
      const cpu = {
        name: `CPU of server, PostgreSQL and Redis: ${name}`,
        value: estimate(ours.map(cpuOf)),
        unit: ' µs',
      }
      const times = theirs && {
        name: `× CPU of the older build: ${name}`,
        value: ratio(ours, theirs, cpuOf),
        target: MAX_TIMES,
      }
      return [cpu, ...(times ? [times] : [])].map((aim) => ({ ...aim, lessIsBetter: true, isListed: true }))
    })
    return [{ id: 'pages', title: 'Pages, as a browser first asks for them', metrics: metricsOfAll(samples), aims }]
  },
}

const olderOf = (page: string) => `${page}, older build`

/** Paths of each page, of many different places and pros. */
async function listPages({ data }: Bench): Promise<Record<string, string[]>> {
  const searches = await searchesOfServices(data.sql)
  const pros = await data.sql<{ slug: string; serviceId: string }[]>`
    select p.slug, o.service_id from professionals p
    cross join lateral (
      select service_id from professional_services
      where professional_id = p.id and instant_book_enabled order by service_id limit 1) o
    where p.active and p.instant_booking_enabled order by md5(p.id::text) limit ${PLACES}`
  const now = new Date()
  const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString().slice(0, 7)
  return {
    home: ['/'],
    results: searches.map(({ text }) => `/?${text}`),
    profile: pros.map(({ slug }) => `/pros/${slug}`),
    'month of open times': pros.map(
      ({ slug, serviceId }) => `/pros/${slug}/book?service=${serviceId}&month=${nextMonth}`,
    ),
  }
}
