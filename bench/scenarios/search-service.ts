// GET /pros for a service within 25 miles, compared with the same statement in pgbench, GEOSEARCH, and an ORM on PostGIS.
import { join } from 'node:path'

import type { Bench, Scenario } from '../support/bench.ts'
import { fillGeoSets } from '../support/geo-sets.ts'
import { prewarm } from '../support/datasets.ts'
import { fromManyAddresses } from '../support/addresses.ts'
import { writeRequests } from '../support/http-load.ts'
import { checkOldBuild, oldBuildAims, oldBuildContenders } from '../support/old-build-contender.ts'
import { ensurePeerTables, peerCommand } from '../support/peers.ts'
import { type Row, metricsOfAll } from '../support/result.ts'
import { cpuOf, measureInTurns, rateOf, ratio } from '../support/rounds.ts'
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
    const log = (line: string) => bench.log(line)
    const searches = await searchesOfServices(data.sql)
    const requests = writeRequests('search-service', fromManyAddresses(searchRequests(searches)))
    await ensurePeerTables(data.sql, log)
    await prewarm(data.sql, 'public', 'pro\\_search%')
    await prewarm(data.sql, 'peer', '%')
    await fillGeoSets(options.stores.redis, data.sql, log)

    const hearth = await bench.hearth()
    const fastify = await bench.server('fastify', await peerCommand('fastify-drizzle/server.ts', log), '/health')
    const redis = await bench.server('geosearch', [process.execPath, join(ROOT, 'bench/peers/redis-geosearch.ts')], '/')
    const checked = fromManyAddresses(searchRequests(searches.slice(0, 20)), 20)
    await expectSameResponses(hearth, fastify, checked, pageOf)
    await expectSameResponses(hearth, redis, checked, idsOf)

    await checkOldBuild(bench, 'search-service', checked, pageOf)
    const { text, calls } = searchCalls(searches, hearth.url)
    const samples = await measureInTurns(
      [
        bench.overHttp('Hearth', hearth, requests),
        bench.overPgbench('pgbench', await bench.preparePgbench('search-service', text, calls)),
        bench.overHttp('GEOSEARCH', redis, requests),
        bench.overHttp('Fastify + Drizzle', fastify, requests, { connections: 16 }),
        ...(await oldBuildContenders(bench, requests)),
      ],
      options.rounds,
    )
    const { Hearth: ours = [], pgbench = [] } = samples
    const against = (name: string, target: number) => ({
      name: `× ${name}`,
      value: ratio(ours, samples[name] ?? [], rateOf),
      target,
    })
    return [
      {
        id: 'search-service',
        title: 'GET /pros, a service within 25 miles',
        metrics: metricsOfAll(samples),
        aims: [
          against('Fastify + Drizzle', 15),
          against('GEOSEARCH', 1.3),
          against('pgbench', 0.75),
          { name: '× pgbench in CPU', value: ratio(ours, pgbench, cpuOf), lessIsBetter: true },
          ...oldBuildAims(samples, { cpu: 0.7, postgres: 1 }),
        ],
        remark: 'GEOSEARCH returns only ids and distances: no total, filters or fields.',
      },
    ]
  },
}
