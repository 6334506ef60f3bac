// Two server processes on one port compared with one, on a cached read.
import type { Bench, Scenario } from '../support/bench.ts'
import { VERY_MANY_ADDRESSES, fromManyAddresses } from '../support/addresses.ts'
import { writeRequests } from '../support/http-load.ts'
import { type Row, metricsOfAll } from '../support/result.ts'
import { measureInTurns, rateOf, ratio } from '../support/rounds.ts'

/** reusePort distributes connections evenly only from about this number. */
const CONNECTIONS = 64

export const processes: Scenario = {
  name: 'processes',
  isLong: true,
  async run(bench: Bench): Promise<Row[]> {
    const [one, two] = await Promise.all([bench.hearth(), bench.hearth({ processes: 2 })])
    const requests = writeRequests(
      'processes',
      fromManyAddresses([{ path: '/api/v1/pricing?service=drain-cleaning' }], VERY_MANY_ADDRESSES),
    )
    const load = { connections: CONNECTIONS, clients: 2 }
    const samples = await measureInTurns(
      [bench.overHttp('two', two, requests, load), bench.overHttp('one', one, requests, load)],
      bench.options.rounds,
    )
    return [
      {
        id: 'processes',
        title: 'GET /pricing, two server processes vs. one',
        metrics: metricsOfAll(samples),
        aims: [{ name: '× the rate of one process', value: ratio(samples['two'] ?? [], samples['one'] ?? [], rateOf) }],
        remark: 'Clients run on the same cores. On two cores, two processes take their gain from the clients.',
      },
    ]
  },
}
