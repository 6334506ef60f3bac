// GET /services, /cities and /pricing beside Elysia alone that sends the same bytes.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Bench, Scenario } from '../support/bench.ts'
import { VERY_MANY, fromManyAddresses } from '../support/addresses.ts'
import { keepRequests } from '../support/http-load.ts'
import { type Row, figuresOfAll } from '../support/result.ts'
import { cpuOf, race, rateOf, ratio } from '../support/rounds.ts'
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
      const answer = await fetch(`${hearth.url}/api/v1/${path}`)
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
      const bytes = await answer.bytes()
      sizes[name] = bytes.length
      writeFileSync(join(bodies, name), bytes)
    }
    const command = [process.execPath, join(ROOT, 'bench/peers/bare-elysia.ts')]
    const bare = await bench.server('bare-elysia', command, '/ready', { BODIES: bodies })

    const rows: Row[] = []
    for (const [name, path] of Object.entries(PATHS)) {
      const requests = keepRequests(`catalog-${name}`, fromManyAddresses([{ path: `/api/v1/${path}` }], VERY_MANY))
      const samples = await race(
        [bench.overHttp('Hearth', hearth, requests), bench.overHttp('Elysia alone', bare, requests)],
        bench.options.rounds,
      )
      const { Hearth: ours = [], 'Elysia alone': alone = [] } = samples
      rows.push({
        id: `catalog-${name}`,
        title: `GET /${name} (${((sizes[name] ?? 0) / 1024).toFixed(1)} KB)`,
        figures: figuresOfAll(samples),
        aims: [
          { name: '× Elysia alone', value: ratio(ours, alone, rateOf), target: 0.7 },
          { name: '× Elysia alone, answers per CPU second', value: ratio(alone, ours, cpuOf), target: 0.7 },
        ],
      })
    }
    return rows
  },
}
