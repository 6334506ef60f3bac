// GET /pros by category, with every filter, by state and by city name, compared with the same statements in pgbench.
import type { Sql } from '../../src/platform/postgres/database.ts'
import type { Bench, Scenario } from '../support/bench.ts'
import { fromManyAddresses } from '../support/addresses.ts'
import { prewarm } from '../support/datasets.ts'
import { floorAims, floorContender } from '../support/floor.ts'
import { writeRequests } from '../support/http-load.ts'
import { oldBuildAims, oldBuildContenders } from '../support/old-build-contender.ts'
import type { Parameter } from '../support/pgbench.ts'
import { pgbenchAims } from '../support/pgbench-limits.ts'
import { type Row, metricsOfAll } from '../support/result.ts'
import { measureInTurns } from '../support/rounds.ts'
import {
  type Search,
  searchCalls,
  searchRequests,
  searchesOfCategories,
  searchesOfCityNames,
  searchesFarDown,
  searchesOfStates,
  searchesWithFilters,
} from '../support/searches.ts'
import type { TestedServer } from '../support/servers.ts'

const FORMS: Record<string, { title: string; searches: (sql: Sql) => Promise<Search[]> }> = {
  'search-category': { title: 'GET /pros, a category within 25 miles', searches: searchesOfCategories },
  'search-filters': {
    title: 'GET /pros, a service within 25 miles and in one state, verified, instant booking',
    searches: searchesWithFilters,
  },
  'search-far': { title: 'GET /pros, a service within 25 miles, results 201 to 220', searches: searchesFarDown },
  'search-state': { title: 'GET /pros, a service in a state', searches: searchesOfStates },
  'search-city': { title: 'GET /pros, a service in a city by name', searches: searchesOfCityNames },
}

export const searchForms: Scenario = {
  name: 'search-forms',
  isLong: true,
  async run(bench: Bench): Promise<Row[]> {
    const { data, options } = bench
    await prewarm(data.sql, 'public', 'pro\\_search%')
    const hearth = await bench.hearth()
    const rows: Row[] = []
    for (const [id, { title, searches: loadSearches }] of Object.entries(FORMS)) {
      const searches = await loadSearches(data.sql)
      const { text, calls } = searchCalls(searches, hearth.url)
      await expectSamePages(hearth, data.sql, searches.slice(0, 20), text, calls)
      const requests = writeRequests(id, fromManyAddresses(searchRequests(searches)))
      const paths = searchRequests(searches).map(({ path }) => path)
      const samples = await measureInTurns(
        [
          bench.overHttp('Hearth', hearth, requests),
          await floorContender(bench, id, requests, { text, column: 'professionals', paths, calls }),
          ...(await bench.pgbenchLimits(id, text, calls)),
          ...(await oldBuildContenders(bench, requests)),
        ],
        options.rounds,
      )
      rows.push({
        id,
        title,
        metrics: metricsOfAll(samples),
        aims: [
          ...floorAims(samples, { isSearch: true }),
          ...pgbenchAims(samples, 0.75),
          ...oldBuildAims(samples, { cpu: 0.7, postgres: 1 }),
        ],
      })
    }
    return rows
  },
}

/** Throws when a call of the statement returns a different page than its request. */
async function expectSamePages(
  { url }: TestedServer,
  sql: Sql,
  searches: readonly Search[],
  statement: string,
  calls: readonly (readonly Parameter[])[],
): Promise<void> {
  for (const [n, { path, headers }] of fromManyAddresses(searchRequests(searches), searches.length).entries()) {
    const response = (await (await fetch(url + path, { headers: headers ?? {} })).json()) as {
      professionals: unknown
      meta: { total: number }
    }
    const [page] = await sql.unsafe<{ total: number; professionals: string }[]>(statement, [
      ...(calls[n] ?? []),
    ] as never[])
    const [overHttp, bySql] = [
      JSON.stringify(response.professionals),
      JSON.stringify(JSON.parse(page?.professionals ?? '')),
    ]
    if (overHttp !== bySql || response.meta.total !== page?.total)
      throw new Error(`${path} differs from the result of its statement:\n${overHttp}\n${bySql}`)
  }
}
