// GET /pros in its other forms, beside the same statements in pgbench: a category, every filter, a state, a city by its name.
import type { Sql } from '../../src/platform/postgres/database.ts'
import type { Bench, Scenario } from '../support/bench.ts'
import { fromManyAddresses } from '../support/addresses.ts'
import { prewarm } from '../support/datasets.ts'
import { keepRequests } from '../support/http-load.ts'
import type { Parameter } from '../support/pgbench.ts'
import { type Row, figuresOfAll } from '../support/result.ts'
import { cpuOf, race, rateOf, ratio } from '../support/rounds.ts'
import {
  type Search,
  searchCalls,
  searchRequests,
  searchesOfCategories,
  searchesOfCityNames,
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
  'search-state': { title: 'GET /pros, a service in a state', searches: searchesOfStates },
  'search-city': { title: 'GET /pros, a service in a city by its name', searches: searchesOfCityNames },
}

export const searchForms: Scenario = {
  name: 'search-forms',
  isLong: true,
  async run(bench: Bench): Promise<Row[]> {
    const { data, options } = bench
    await prewarm(data.sql, 'public', 'pro\\_search%')
    const hearth = await bench.hearth()
    const rows: Row[] = []
    for (const [id, { title, searches: find }] of Object.entries(FORMS)) {
      const searches = await find(data.sql)
      const { text, calls } = searchCalls(searches, hearth.url)
      await expectSamePages(hearth, data.sql, searches.slice(0, 20), text, calls)
      const requests = keepRequests(id, fromManyAddresses(searchRequests(searches)))
      const samples = await race(
        [bench.overHttp('Hearth', hearth, requests), bench.overPgbench('pgbench', await bench.calls(id, text, calls))],
        options.rounds,
      )
      const { Hearth: ours = [], pgbench = [] } = samples
      rows.push({
        id,
        title,
        figures: figuresOfAll(samples),
        aims: [
          { name: '× pgbench', value: ratio(ours, pgbench, rateOf) },
          { name: '× pgbench in CPU', value: ratio(ours, pgbench, cpuOf), lessIsBetter: true },
        ],
      })
    }
    return rows
  },
}

/** Throws when a call of the statement gives another page than the request it stands for. */
async function expectSamePages(
  { url }: TestedServer,
  sql: Sql,
  searches: readonly Search[],
  statement: string,
  calls: readonly (readonly Parameter[])[],
): Promise<void> {
  for (const [n, { path }] of searchRequests(searches).entries()) {
    const answer = (await (await fetch(url + path)).json()) as { professionals: unknown; meta: { total: number } }
    const [page] = await sql.unsafe<{ total: number; professionals: string }[]>(statement, [
      ...(calls[n] ?? []),
    ] as never[])
    const [asked, called] = [
      JSON.stringify(answer.professionals),
      JSON.stringify(JSON.parse(page?.professionals ?? '')),
    ]
    if (asked !== called || answer.meta.total !== page?.total)
      throw new Error(`${path} is not what its statement gives:\n${asked}\n${called}`)
  }
}
