// GET /services, /cities and /pricing, compared with bare Elysia that sends the same bytes and headers.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Bench, Scenario } from '../support/bench.ts'
import { VERY_MANY_ADDRESSES, fromManyAddresses } from '../support/addresses.ts'
import { writeRequests } from '../support/http-load.ts'
import { oldBuildAims, oldBuildContenders } from '../support/old-build-contender.ts'
import { type Row, metricsOfAll } from '../support/result.ts'
import { measureInTurns, rateOf, ratio } from '../support/rounds.ts'
import { estimate } from '../support/statistics.ts'
import { BENCH_FOLDER, ROOT } from '../support/stores.ts'

/** What Hearth may add to a cached response, in µs: address, limits, headers, trace and metrics. */
const MAX_OWN_US = 10
const PATHS = { services: 'services', cities: 'cities', pricing: 'pricing?service=drain-cleaning' }

export const catalog: Scenario = {
  name: 'catalog',
  async run(bench: Bench): Promise<Row[]> {
    const hearth = await bench.hearth()
    const bodies = join(BENCH_FOLDER, 'bodies')
    rmSync(bodies, { recursive: true, force: true })
    mkdirSync(bodies, { recursive: true })
    const sizes: Record<string, number> = {}
    for (const [name, path] of Object.entries(PATHS)) {
      const [request] = fromManyAddresses([{ path: `/api/v1/${path}` }], 1)
      const response = await fetch(`${hearth.url}/api/v1/${path}`, { headers: request?.headers ?? {} })
      if (!response.ok) throw new Error(`${path}: ${response.status}`)
      const bytes = await response.bytes()
      sizes[name] = bytes.length
      writeFileSync(join(bodies, name), bytes)
      writeFileSync(join(bodies, `${name}.headers.json`), JSON.stringify([...response.headers]))
    }
    const command = [process.execPath, join(ROOT, 'bench/peers/bare-elysia.ts')]
    const bareServer = await bench.server('bare-elysia', command, '/ready', { BODIES: bodies })

    const rows: Row[] = []
    for (const [name, path] of Object.entries(PATHS)) {
      const requests = writeRequests(
        `catalog-${name}`,
        fromManyAddresses([{ path: `/api/v1/${path}` }], VERY_MANY_ADDRESSES),
      )
      const samples = await measureInTurns(
        [
          bench.overHttp('Hearth', hearth, requests),
          bench.overHttp('floor', bareServer, requests),
          ...(await oldBuildContenders(bench, requests)),
        ],
        bench.options.rounds,
      )
      const { Hearth: ours = [], floor = [] } = samples
      const own = ours.map(({ cpuUs }, round) => cpuUs.server - (floor[round]?.cpuUs.server ?? Number.NaN))
      rows.push({
        id: `catalog-${name}`,
        title: `GET /${name} (${((sizes[name] ?? 0) / 1024).toFixed(1)} KB)`,
        metrics: metricsOfAll(samples),
        aims: [
          { name: '× floor', value: ratio(ours, floor, rateOf), isListed: true },
          {
            name: 'of the server’s CPU per response is Hearth’s own',
            value: estimate(own),
            unit: ' µs',
            target: MAX_OWN_US,
            lessIsBetter: true,
          },
          ...oldBuildAims(samples),
        ],
      })
    }
    return rows
  },
}
