// GET /pros with only a point, in the 50 largest cities: thousands of pros match, and the total is exact.
import type { Bench, Scenario } from '../support/bench.ts'
import { prewarm } from '../support/datasets.ts'
import { fromManyAddresses } from '../support/addresses.ts'
import { floorAims, floorContender } from '../support/floor.ts'
import { type Requests, writeRequests } from '../support/http-load.ts'
import { oldBuildAims, oldBuildContenders } from '../support/old-build-contender.ts'
import { ensurePeerTables, peerCommand } from '../support/peers.ts'
import { pgbenchAims } from '../support/pgbench-limits.ts'
import { type Row, metricsOfAll } from '../support/result.ts'
import { type Contender, measureInTurns, rateOf, ratioTo } from '../support/rounds.ts'
import { searchCalls, searchRequests, searchesOfCities } from '../support/searches.ts'

const PEER = 'Fastify + Drizzle'

export const searchDense: Scenario = {
  name: 'search-dense',
  async run(bench: Bench): Promise<Row[]> {
    const { data, options } = bench
    await prewarm(data.sql, 'public', 'pro\\_search%')
    const searches = await searchesOfCities(data.sql)
    const requests = writeRequests('search-dense', fromManyAddresses(searchRequests(searches)))
    const hearth = await bench.hearth()
    const { text, calls } = searchCalls(searches, hearth.url)
    const paths = searchRequests(searches).map(({ path }) => path)
    const samples = await measureInTurns(
      [
        bench.overHttp('Hearth', hearth, requests),
        await floorContender(bench, 'search-dense', requests, { text, column: 'professionals', paths, calls }),
        ...(await bench.pgbenchLimits('search-dense', text, calls)),
        ...(bench.hasPeers ? [await fastify(bench, requests)] : []),
        ...(await oldBuildContenders(bench, requests)),
      ],
      options.rounds,
    )
    return [
      {
        id: 'search-dense',
        title: 'GET /pros, a point in the 50 largest cities, exact total',
        metrics: metricsOfAll(samples),
        aims: [
          ...floorAims(samples, { isSearch: true }),
          ...ratioTo(samples, PEER, rateOf).map((value) => ({ name: `× ${PEER}`, value, target: 15 })),
          ...pgbenchAims(samples, 0.75),
          ...oldBuildAims(samples, { cpu: 0.7, postgres: 1 }),
        ],
      },
    ]
  },
}

async function fastify(bench: Bench, requests: Requests): Promise<Contender> {
  const log = (line: string) => bench.log(line)
  await ensurePeerTables(bench.data.sql, log)
  await prewarm(bench.data.sql, 'peer', '%')
  const server = await bench.server('fastify', await peerCommand('fastify-drizzle/server.ts', log), '/health')
  return bench.overHttp(PEER, server, requests, { connections: 8 })
}
