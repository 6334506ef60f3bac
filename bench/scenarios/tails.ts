// Tail latency of every read at 32 clients: p99 relative to p50.
import type { Bench, Scenario } from '../support/bench.ts'
import { MANY_ADDRESSES, VERY_MANY_ADDRESSES, fromManyAddresses } from '../support/addresses.ts'
import { writeRequests } from '../support/http-load.ts'
import { type Row, metricsOfAll } from '../support/result.ts'
import { measureInTurns } from '../support/rounds.ts'
import { estimate } from '../support/statistics.ts'
import { isCached, listReads } from '../support/reads.ts'

const CLIENTS = 32

export const tails: Scenario = {
  name: 'tails',
  async run(bench: Bench): Promise<Row[]> {
    const hearth = await bench.hearth()
    const reads = await listReads(bench.data.sql)
    const samples = await measureInTurns(
      Object.entries(reads).map(([name, paths]) => {
        const requests = fromManyAddresses(
          paths.map((path) => ({ path })),
          isCached(name) ? VERY_MANY_ADDRESSES : MANY_ADDRESSES,
        )
        return bench.overHttp(name, hearth, writeRequests(`tails-${name}`, requests), { connections: CLIENTS })
      }),
      // In a quick run, earlier scenarios have warmed up the server.
      bench.options.quick ? { ...bench.options.rounds, warmUpSeconds: 0 } : bench.options.rounds,
    )
    return [
      {
        id: 'tails',
        title: `Tail latency of reads at ${CLIENTS} clients`,
        metrics: metricsOfAll(samples),
        aims: Object.entries(samples).map(([name, of]) => ({
          name: `p99 / p50 of ${name}`,
          value: estimate(of.map(({ p50Ms = Number.NaN, p99Ms = Number.NaN }) => p99Ms / p50Ms)),
          target: 4,
          lessIsBetter: true,
        })),
      },
    ]
  },
}
