// The memory of a server that has answered very many requests of all kinds.
import type { Bench, Scenario } from '../support/bench.ts'
import { fromManyAddresses } from '../support/addresses.ts'
import { type LoadRequest, keepRequests } from '../support/http-load.ts'
import { isInMemory, readsOf } from '../support/reads.ts'
import type { Row } from '../support/result.ts'
import { estimate } from '../support/statistics.ts'

const REQUESTS = 2_000_000
const QUICK_REQUESTS = 30_000
const PARTS = 20
/** Of ten requests so many are of this kind; the rest are of the others in turn. */
const CATALOG_OF_TEN = 6

export const memory: Scenario = {
  name: 'memory',
  async run(bench: Bench): Promise<Row[]> {
    const requests = keepRequests('memory', fromManyAddresses(mixed(await readsOf(bench.data.sql))))
    // A server of its own, so that what others asked before is not counted.
    const hearth = await bench.hearth({ name: 'memory', unprofiled: true })
    const wanted = bench.options.quick ? QUICK_REQUESTS : REQUESTS
    const memoryMb: number[] = []
    let answered = 0
    while (answered < wanted) {
      const amount = Math.ceil(wanted / PARTS)
      const load = await bench.clients.run(requests, { url: hearth.url, connections: 32, amount, skip: answered })
      if (load.failed > 0) throw new Error(`${load.failed} failed: ${JSON.stringify(load.statuses)}`)
      answered += load.answered
      memoryMb.push(hearth.memoryMb())
    }
    const half = memoryMb.slice(PARTS / 2)
    const last = half.at(-1) ?? Number.NaN
    return [
      {
        id: 'memory',
        title: `Memory of a server after ${answered.toLocaleString('en-US')} mixed requests`,
        figures: [],
        aims: [
          { name: 'MB resident at most', value: estimate([Math.max(...memoryMb)]), target: 250, lessIsBetter: true },
          {
            name: '× its size at half of the requests',
            value: estimate([last / (half[0] ?? Number.NaN)]),
            target: 1.1,
            lessIsBetter: true,
          },
        ],
        chart: {
          xLabel: 'thousand requests',
          yLabel: 'MB',
          x: memoryMb.map((_, part) => Math.round(((part + 1) * wanted) / PARTS / 1000)),
          lines: [{ name: 'resident memory', values: memoryMb }],
        },
      },
    ]
  },
}

function mixed(reads: Record<string, string[]>): LoadRequest[] {
  const catalog = Object.entries(reads).flatMap(([name, paths]) => (isInMemory(name) ? [paths] : []))
  const others = Object.values(reads).filter((paths) => !catalog.includes(paths))
  const count = Math.min(...Object.values(reads).map(({ length }) => length))
  return Array.from({ length: count }, (_, place) => {
    const kind = place % 10 < CATALOG_OF_TEN ? catalog : others
    return { path: kind[place % kind.length]?.[place] ?? '/api/v1/services' }
  })
}
