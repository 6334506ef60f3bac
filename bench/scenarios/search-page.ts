// The search page with limits and orders that no index has, around the largest cities.
import type { Bench, Scenario } from '../support/bench.ts'
import { fromManyAddresses } from '../support/addresses.ts'
import { prewarm } from '../support/datasets.ts'
import { writeRequests } from '../support/http-load.ts'
import { type Row, metricsOfAll } from '../support/result.ts'
import { measureInTurns } from '../support/rounds.ts'
import { searchesOfCities } from '../support/searches.ts'

/** Few requests at a time: the rows tell the cost of a page, not how many are served. */
const CONNECTIONS = 2

const FORMS: Record<string, string> = {
  'no limits': '',
  'sort by price': '&sort=price',
  'sort by time': '&sort=time',
  'a rating': '&rating=4.5',
  'time this week': '&week=on',
  'all limits': '&rating=4.5&maxPrice=200&verified=on&instant=on&week=on&sort=price',
}

export const searchPage: Scenario = {
  name: 'search-page',
  isLong: true,
  async run(bench: Bench): Promise<Row[]> {
    const { data, options } = bench
    await prewarm(data.sql, 'public', 'pro\\_search%')
    const hearth = await bench.hearth()
    const searches = await searchesOfCities(data.sql, { count: 512 })
    const contenders = Object.entries(FORMS).map(([name, limits]) => {
      const paths = searches.map(({ text }) => ({ path: `/?service=plumber&${text}${limits}` }))
      const requests = writeRequests(`search-page ${name}`, fromManyAddresses(paths))
      return bench.overHttp(name, hearth, requests, { connections: CONNECTIONS })
    })
    const samples = await measureInTurns(contenders, options.rounds)
    return [
      {
        id: 'search-page',
        title: 'The search page, plumbers within 25 miles',
        metrics: metricsOfAll(samples),
        aims: [],
      },
    ]
  },
}
