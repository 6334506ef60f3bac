// The cost of tracing at its default settings, compared with the same server without tracing.
import type { Bench, Scenario } from '../support/bench.ts'
import { VERY_MANY_ADDRESSES, fromManyAddresses } from '../support/addresses.ts'
import { writeRequests } from '../support/http-load.ts'
import { type Row, metricsOfAll } from '../support/result.ts'
import { type Sample, measureInTurns, rateOf, ratio } from '../support/rounds.ts'
import { searchRequests, searchesOfServices } from '../support/searches.ts'

export const tracing: Scenario = {
  name: 'tracing',
  isLong: true,
  async run(bench: Bench): Promise<Row[]> {
    const tracedServer = await bench.hearth()
    const untracedServer = await bench.hearth({ preload: './bench/support/without-tracing.ts' })
    const searches = fromManyAddresses(searchRequests(await searchesOfServices(bench.data.sql)))
    const services = fromManyAddresses([{ path: '/api/v1/services' }], VERY_MANY_ADDRESSES)
    const reads = { search: ['GET /pros', searches], catalog: ['GET /services', services] } as const
    const rows: Row[] = []
    for (const [name, [title, requests]] of Object.entries(reads)) {
      const requestFile = writeRequests(`tracing-${name}`, requests)
      const samples = await measureInTurns(
        [
          bench.overHttp('with tracing', tracedServer, requestFile),
          bench.overHttp('without tracing', untracedServer, requestFile),
        ],
        bench.options.rounds,
      )
      const { 'with tracing': traced = [], 'without tracing': untraced = [] } = samples
      const serverOf = ({ cpuUs }: Sample) => cpuUs.server
      rows.push({
        id: `tracing-${name}`,
        title: `${title}, with and without tracing`,
        metrics: metricsOfAll(samples),
        aims: [
          {
            name: '× the rate without tracing',
            value: ratio(traced, untraced, rateOf),
            target: 0.95,
          },
          {
            name: '× responses per CPU second of the server',
            value: ratio(untraced, traced, serverOf),
          },
        ],
      })
    }
    return rows
  },
}
