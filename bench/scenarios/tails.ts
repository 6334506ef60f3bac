// Tail latency of every read at 32 clients: p99 relative to p50.
import type { Bench, Scenario } from '../support/bench.ts'
import { MANY_ADDRESSES, VERY_MANY_ADDRESSES, fromManyAddresses } from '../support/addresses.ts'
import { writeRequests } from '../support/http-load.ts'
import { type Aim, type Row, metricsOfAll } from '../support/result.ts'
import { type Sample, measureInTurns } from '../support/rounds.ts'
import { estimate, neededSamples } from '../support/statistics.ts'
import { isCached, listReads } from '../support/reads.ts'

const CLIENTS = 32
const SECONDS = { full: 2, quick: 1.5, smoke: 0.1 }

export const tails: Scenario = {
  name: 'tails',
  async run(bench: Bench): Promise<Row[]> {
    const hearth = await bench.hearth()
    const { rounds } = bench.options
    const reads = await listReads(bench.data.sql)
    const samples = await measureInTurns(
      Object.entries(reads).map(([name, paths]) => {
        const requests = fromManyAddresses(
          paths.map((path) => ({ path })),
          isCached(name) ? VERY_MANY_ADDRESSES : MANY_ADDRESSES,
        )
        return bench.overHttp(name, hearth, writeRequests(`tails-${name}`, requests), { connections: CLIENTS })
      }),
      // In a quick run, earlier scenarios have warmed up the server, and p99 needs longer rounds than rates.
      bench.options.quick ? { ...rounds, seconds: bench.amount(SECONDS), warmUpSeconds: 0 } : rounds,
    )
    return [
      {
        id: 'tails',
        title: `Tail latency of reads at ${CLIENTS} clients`,
        metrics: metricsOfAll(samples),
        aims: Object.entries(samples).flatMap(([name, of]) => tailAim(name, of)),
        remark: `A p99 rests on at least ${neededSamples(0.99).toLocaleString('en-US')} latencies of one round; a read with fewer has none.`,
      },
    ]
  },
}

function tailAim(name: string, samples: readonly Sample[]): Aim[] {
  const tails = samples.flatMap(({ p50Ms, p99Ms }) => (p50Ms && p99Ms ? [p99Ms / p50Ms] : []))
  if (tails.length === 0) return []
  return [{ name: `p99 / p50 of ${name}`, value: estimate(tails), target: 4, lessIsBetter: true }]
}
