// GET /pros for a service within 25 miles, compared with the same statement in pgbench, GEOSEARCH, and an ORM on PostGIS.
import { join } from 'node:path'

import type { Bench, Scenario } from '../support/bench.ts'
import { fillGeoSets } from '../support/geo-sets.ts'
import { prewarm } from '../support/datasets.ts'
import { floorAims, floorContender } from '../support/floor.ts'
import { fromManyAddresses } from '../support/addresses.ts'
import { type LoadRequest, type Requests, writeRequests } from '../support/http-load.ts'
import { checkOldBuild, oldBuildAims, oldBuildContenders } from '../support/old-build-contender.ts'
import { ensurePeerTables, peerCommand } from '../support/peers.ts'
import { pgbenchAims } from '../support/pgbench-limits.ts'
import { type Aim, type Row, metricsOfAll } from '../support/result.ts'
import { type Contender, measureInTurns, rateOf, ratioTo } from '../support/rounds.ts'
import { expectSameResponses } from '../support/same-responses.ts'
import { searchCalls, searchRequests, searchesOfServices } from '../support/searches.ts'
import { ROOT } from '../support/stores.ts'

interface Page {
  professionals: { id: string; distance: number }[]
  meta?: { total: number }
}

const idsOf = (page: unknown) => (page as Page).professionals.map(({ id }) => id)
const pageOf = (page: unknown) => {
  const { professionals, meta } = page as Page
  return { pros: professionals.map(({ id, distance }) => `${id} ${distance}`), total: meta?.total }
}

export const searchService: Scenario = {
  name: 'search-service',
  async run(bench: Bench): Promise<Row[]> {
    const { data, options } = bench
    const searches = await searchesOfServices(data.sql)
    const requests = writeRequests('search-service', fromManyAddresses(searchRequests(searches)))
    await prewarm(data.sql, 'public', 'pro\\_search%')
    const hearth = await bench.hearth()
    const checked = fromManyAddresses(searchRequests(searches.slice(0, 20)), 20)
    await checkOldBuild(bench, 'search-service', checked, pageOf)
    const { text, calls } = searchCalls(searches, hearth.url)
    const paths = searchRequests(searches).map(({ path }) => path)
    const samples = await measureInTurns(
      [
        bench.overHttp('Hearth', hearth, requests),
        await floorContender(bench, 'search-service', requests, { text, column: 'professionals', paths, calls }),
        ...(await bench.pgbenchLimits('search-service', text, calls)),
        ...(bench.hasLimits ? [await geosearch(bench, checked, requests)] : []),
        ...(bench.hasPeers ? [await fastify(bench, checked, requests)] : []),
        ...(await oldBuildContenders(bench, requests)),
      ],
      options.rounds,
    )
    const against = (name: string, target: number): Aim[] =>
      ratioTo(samples, name, rateOf).map((value) => ({ name: `× ${name}`, value, target }))
    return [
      {
        id: 'search-service',
        title: 'GET /pros, a service within 25 miles',
        metrics: metricsOfAll(samples),
        aims: [
          ...floorAims(samples, { isSearch: true }),
          ...against('Fastify + Drizzle', 15),
          ...against('GEOSEARCH', 1.3),
          ...pgbenchAims(samples, 0.75),
          ...oldBuildAims(samples, { cpu: 0.7, postgres: 1 }),
        ],
        remark: 'GEOSEARCH returns only ids and distances: no total, filters or fields.',
      },
    ]
  },
}

async function geosearch(bench: Bench, checked: readonly LoadRequest[], requests: Requests): Promise<Contender> {
  await fillGeoSets(bench.options.stores.redis, bench.data.sql, (line) => bench.log(line))
  const command = [process.execPath, join(ROOT, 'bench/peers/redis-geosearch.ts')]
  const server = await bench.server('geosearch', command, '/')
  await expectSameResponses(await bench.hearth(), server, checked, idsOf)
  return bench.overHttp('GEOSEARCH', server, requests)
}

async function fastify(bench: Bench, checked: readonly LoadRequest[], requests: Requests): Promise<Contender> {
  const log = (line: string) => bench.log(line)
  await ensurePeerTables(bench.data.sql, log)
  await prewarm(bench.data.sql, 'peer', '%')
  const server = await bench.server('fastify', await peerCommand('fastify-drizzle/server.ts', log), '/health')
  await expectSameResponses(await bench.hearth(), server, checked, pageOf)
  return bench.overHttp('Fastify + Drizzle', server, requests, { connections: 16 })
}
