// The memory of a server after 2,000,000 requests of all kinds.
import type { Bench, Scenario } from '../support/bench.ts'
import { fromManyAddresses } from '../support/addresses.ts'
import { type LoadRequest, writeRequests } from '../support/http-load.ts'
import { isCached, listReads } from '../support/reads.ts'
import type { Row } from '../support/result.ts'
import { estimate } from '../support/statistics.ts'

const REQUESTS = { full: 2_000_000, quick: 30_000, smoke: 400 }
const PARTS = { full: 20, quick: 20, smoke: 4 }
/** Catalog reads among ten requests; the others take turns. */
const CATALOG_OF_TEN = 6

export const memory: Scenario = {
  name: 'memory',
  async run(bench: Bench): Promise<Row[]> {
    const requests = writeRequests('memory', fromManyAddresses(mixReads(await listReads(bench.data.sql))))
    // Its own server, so that requests of other scenarios do not count.
    const hearth = await bench.hearth({ name: 'memory', isUnprofiled: true })
    const totalRequests = bench.amount(REQUESTS)
    const parts = bench.amount(PARTS)
    const memoryMb: number[] = []
    let responses = 0
    while (responses < totalRequests) {
      const amount = Math.ceil(totalRequests / parts)
      const load = await bench.clients.run(requests, {
        url: hearth.url,
        connections: bench.connections(32),
        amount,
        skip: responses,
      })
      if (load.failed > 0) throw new Error(`${load.failed} failed: ${JSON.stringify(load.statuses)}`)
      responses += load.responses
      memoryMb.push(hearth.memoryMb())
    }
    const secondHalf = memoryMb.slice(parts / 2)
    const last = secondHalf.at(-1) ?? Number.NaN
    return [
      {
        id: 'memory',
        title: `Memory of a server after ${responses.toLocaleString('en-US')} mixed requests`,
        metrics: [],
        aims: [
          {
            name: 'MB of resident memory at most',
            value: estimate([Math.max(...memoryMb)]),
            target: 250,
            lessIsBetter: true,
          },
          {
            name: '× its memory after half of the requests',
            value: estimate([last / (secondHalf[0] ?? Number.NaN)]),
            target: 1.1,
            lessIsBetter: true,
          },
        ],
        chart: {
          xLabel: 'thousand requests',
          yLabel: 'MB',
          x: memoryMb.map((_, part) => Math.round(((part + 1) * totalRequests) / parts / 1000)),
          lines: [{ name: 'resident memory', values: memoryMb }],
        },
      },
    ]
  },
}

function mixReads(reads: Record<string, string[]>): LoadRequest[] {
  const catalog = Object.entries(reads).flatMap(([name, paths]) => (isCached(name) ? [paths] : []))
  const others = Object.values(reads).filter((paths) => !catalog.includes(paths))
  const count = Math.min(...Object.values(reads).map(({ length }) => length))
  return Array.from({ length: count }, (_, place) => {
    const kind = place % 10 < CATALOG_OF_TEN ? catalog : others
    return { path: kind[place % kind.length]?.[place] ?? '/api/v1/services' }
  })
}
