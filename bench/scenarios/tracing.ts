// What tracing costs, at its default: the same server with it taken out, beside.
import type { Bench, Scenario } from '../support/bench.ts'
import { VERY_MANY, fromManyAddresses } from '../support/addresses.ts'
import { keepRequests } from '../support/http-load.ts'
import { type Row, figuresOfAll } from '../support/result.ts'
import { type Sample, race, rateOf, ratio } from '../support/rounds.ts'
import { searchRequests, searchesOfServices } from '../support/searches.ts'

export const tracing: Scenario = {
  name: 'tracing',
  async run(bench: Bench): Promise<Row[]> {
    const on = await bench.hearth()
    const off = await bench.hearth({ preload: './bench/support/without-tracing.ts' })
    const searches = fromManyAddresses(searchRequests(await searchesOfServices(bench.data.sql)))
    const services = fromManyAddresses([{ path: '/api/v1/services' }], VERY_MANY)
    const reads = { search: ['GET /pros', searches], catalog: ['GET /services', services] } as const
    const rows: Row[] = []
    for (const [name, [title, requests]] of Object.entries(reads)) {
      const kept = keepRequests(`tracing-${name}`, requests)
      const samples = await race(
        [bench.overHttp('on', on, kept), bench.overHttp('off', off, kept)],
        bench.options.rounds,
      )
      const serverOf = ({ cpuUs }: Sample) => cpuUs.server
      rows.push({
        id: `tracing-${name}`,
        title: `${title}, tracing on and off`,
        figures: figuresOfAll(samples),
        aims: [
          {
            name: '× the rate without tracing',
            value: ratio(samples['on'] ?? [], samples['off'] ?? [], rateOf),
            target: 0.95,
          },
          {
            name: '× answers per CPU second of the server',
            value: ratio(samples['off'] ?? [], samples['on'] ?? [], serverOf),
          },
        ],
      })
    }
    return rows
  },
}
