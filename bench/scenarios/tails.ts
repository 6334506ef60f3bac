// How much longer the slowest answers take than the usual ones, at 32 clients, for every read.
import type { Bench, Scenario } from '../support/bench.ts'
import { MANY, VERY_MANY, fromManyAddresses } from '../support/addresses.ts'
import { keepRequests } from '../support/http-load.ts'
import { type Row, figuresOfAll } from '../support/result.ts'
import { race } from '../support/rounds.ts'
import { estimate } from '../support/statistics.ts'
import { isInMemory, readsOf } from '../support/reads.ts'

const CLIENTS = 32

export const tails: Scenario = {
  name: 'tails',
  async run(bench: Bench): Promise<Row[]> {
    const hearth = await bench.hearth()
    const reads = await readsOf(bench.data.sql)
    const samples = await race(
      Object.entries(reads).map(([name, paths]) => {
        const requests = fromManyAddresses(
          paths.map((path) => ({ path })),
          isInMemory(name) ? VERY_MANY : MANY,
        )
        return bench.overHttp(name, hearth, keepRequests(`tails-${name}`, requests), { connections: CLIENTS })
      }),
      // In the quick form the server is warm by now.
      bench.options.quick ? { ...bench.options.rounds, warmUpSeconds: 0 } : bench.options.rounds,
    )
    return [
      {
        id: 'tails',
        title: `Reads at ${CLIENTS} clients: p99 beside p50`,
        figures: figuresOfAll(samples),
        aims: Object.entries(samples).map(([name, of]) => ({
          name: `× p50 is the p99 of ${name}`,
          value: estimate(of.map(({ p50Ms = Number.NaN, p99Ms = Number.NaN }) => p99Ms / p50Ms)),
          target: 6,
          lessIsBetter: true,
        })),
      },
    ]
  },
}
