// GET /pros with only a point, in the 50 largest cities: thousands of pros match, and the total is exact.
import type { Bench, Scenario } from '../support/bench.ts'
import { prewarm } from '../support/datasets.ts'
import { fromManyAddresses } from '../support/addresses.ts'
import { writeRequests } from '../support/http-load.ts'
import { oldBuildAims, oldBuildContenders } from '../support/old-build-contender.ts'
import { ensurePeerTables, peerCommand } from '../support/peers.ts'
import { type Row, metricsOfAll } from '../support/result.ts'
import { cpuOf, measureInTurns, rateOf, ratio } from '../support/rounds.ts'
import { searchCalls, searchRequests, searchesOfCities } from '../support/searches.ts'

export const searchDense: Scenario = {
  name: 'search-dense',
  async run(bench: Bench): Promise<Row[]> {
    const { data, options } = bench
    const log = (line: string) => bench.log(line)
    await ensurePeerTables(data.sql, log)
    await prewarm(data.sql, 'public', 'pro\\_search%')
    await prewarm(data.sql, 'peer', '%')
    const searches = await searchesOfCities(data.sql)
    const requests = writeRequests('search-dense', fromManyAddresses(searchRequests(searches)))
    const hearth = await bench.hearth()
    const fastify = await bench.server('fastify', await peerCommand('fastify-drizzle/server.ts', log), '/health')
    const { text, calls } = searchCalls(searches, hearth.url)
    const samples = await measureInTurns(
      [
        bench.overHttp('Hearth', hearth, requests),
        bench.overPgbench('pgbench', await bench.preparePgbench('search-dense', text, calls)),
        bench.overHttp('Fastify + Drizzle', fastify, requests, { connections: 8 }),
        ...(await oldBuildContenders(bench, requests)),
      ],
      options.rounds,
    )
    const { Hearth: ours = [], pgbench = [], 'Fastify + Drizzle': fastifies = [] } = samples
    return [
      {
        id: 'search-dense',
        title: 'GET /pros, a point in the 50 largest cities, exact total',
        metrics: metricsOfAll(samples),
        aims: [
          { name: '× Fastify + Drizzle', value: ratio(ours, fastifies, rateOf), target: 15 },
          { name: '× pgbench', value: ratio(ours, pgbench, rateOf), target: 0.75 },
          { name: '× pgbench in CPU', value: ratio(ours, pgbench, cpuOf), lessIsBetter: true },
          ...oldBuildAims(samples, { cpu: 0.7, postgres: 1 }),
        ],
      },
    ]
  },
}
