// GET /services, /cities and /pricing, compared with bare Elysia that sends the same bytes.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Bench, Scenario } from '../support/bench.ts'
import { VERY_MANY_ADDRESSES, fromManyAddresses } from '../support/addresses.ts'
import { writeRequests } from '../support/http-load.ts'
import { oldBuildAims, oldBuildContenders } from '../support/old-build-contender.ts'
import { type Row, metricsOfAll } from '../support/result.ts'
import { cpuOf, measureInTurns, rateOf, ratio } from '../support/rounds.ts'
import { BENCH_FOLDER, ROOT } from '../support/stores.ts'

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
      const response = await fetch(`${hearth.url}/api/v1/${path}`)
      if (!response.ok) throw new Error(`${path}: ${response.status}`)
      const bytes = await response.bytes()
      sizes[name] = bytes.length
      writeFileSync(join(bodies, name), bytes)
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
          bench.overHttp('bare Elysia', bareServer, requests),
          ...(await oldBuildContenders(bench, requests)),
        ],
        bench.options.rounds,
      )
      const { Hearth: ours = [], 'bare Elysia': bare = [] } = samples
      rows.push({
        id: `catalog-${name}`,
        title: `GET /${name} (${((sizes[name] ?? 0) / 1024).toFixed(1)} KB)`,
        metrics: metricsOfAll(samples),
        aims: [
          { name: '× bare Elysia', value: ratio(ours, bare, rateOf), target: 0.8 },
          { name: '× bare Elysia, responses per CPU second', value: ratio(bare, ours, cpuOf), target: 0.8 },
          ...oldBuildAims(samples),
        ],
      })
    }
    return rows
  },
}
