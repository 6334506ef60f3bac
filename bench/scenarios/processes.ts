// Two server processes on one port beside one, where HTTP is the work.
import type { Bench, Scenario } from '../support/bench.ts'
import { VERY_MANY, fromManyAddresses } from '../support/addresses.ts'
import { keepRequests } from '../support/http-load.ts'
import { type Row, figuresOfAll } from '../support/result.ts'
import { race, rateOf, ratio } from '../support/rounds.ts'

/** reusePort spreads connections evenly only from about so many up. */
const CONNECTIONS = 64

export const processes: Scenario = {
  name: 'processes',
  async run(bench: Bench): Promise<Row[]> {
    const [one, two] = await Promise.all([bench.hearth(), bench.hearth({ processes: 2 })])
    const requests = keepRequests(
      'processes',
      fromManyAddresses([{ path: '/api/v1/pricing?service=drain-cleaning' }], VERY_MANY),
    )
    const load = { connections: CONNECTIONS, clients: 2 }
    const samples = await race(
      [bench.overHttp('two', two, requests, load), bench.overHttp('one', one, requests, load)],
      bench.options.rounds,
    )
    return [
      {
        id: 'processes',
        title: 'GET /pricing, two server processes and one',
        figures: figuresOfAll(samples),
        aims: [{ name: '× the rate of one process', value: ratio(samples['two'] ?? [], samples['one'] ?? [], rateOf) }],
        remark: 'Clients run on the same cores: with two cores, two processes take from the clients what they gain.',
      },
    ]
  },
}
