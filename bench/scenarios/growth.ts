// The cost of a search as the marketplace grows: the same searches with the same results, in a database of a few cities and in
// one of the whole country. In CPU time of PostgreSQL, because only its work depends on the number of pros.
import type { Bench, Scenario } from '../support/bench.ts'
import { openGrowthSet } from '../support/growth-set.ts'
import { fromManyAddresses } from '../support/addresses.ts'
import { writeRequests } from '../support/http-load.ts'
import { type Row, metricsOfAll } from '../support/result.ts'
import { type Sample, cpuOf, measureInTurns, ratio } from '../support/rounds.ts'
import { expectSameResponses } from '../support/same-responses.ts'
import { searchCalls, searchRequests } from '../support/searches.ts'

const MAX_SUBSET = 10_000
/** Fewer pros are not around any few cities. */
const MIN_SUBSET = 250

export const growth: Scenario = {
  name: 'growth',
  isLong: true,
  async run(bench: Bench): Promise<Row[]> {
    const { data, options } = bench
    const few = Math.min(MAX_SUBSET, Math.max(MIN_SUBSET, data.pros / 100))
    const { subset, searches } = await openGrowthSet(options.stores, data, few, (line) => bench.log(line))
    const requests = writeRequests('growth', fromManyAddresses(searchRequests(searches)))
    const [largeServer, subsetServer] = await Promise.all([bench.hearth(), bench.hearth({ data: subset })])
    await expectSameResponses(
      largeServer,
      subsetServer,
      fromManyAddresses(searchRequests(searches), 50),
      (body) => body,
    )
    const { text, calls } = searchCalls(searches, largeServer.url)
    const pgbenchCalls = await bench.preparePgbench('growth', text, calls)
    const [small, all] = [few, data.pros].map((pros) => `${pros.toLocaleString('en-US')} pros`)
    const samples = await measureInTurns(
      [
        bench.overPgbench(`pgbench, ${small}`, pgbenchCalls, { data: subset }),
        bench.overPgbench(`pgbench, ${all}`, pgbenchCalls),
        bench.overHttp(`Hearth, ${small}`, subsetServer, requests),
        bench.overHttp(`Hearth, ${all}`, largeServer, requests),
      ],
      options.rounds,
    )
    await subset.sql.end()
    const of = (name: string) => samples[name] ?? []
    const postgresOf = ({ cpuUs }: Sample) => cpuUs.postgres
    return [
      {
        id: 'growth',
        title: `Cost of a search, from ${small} to ${all}, same results`,
        metrics: metricsOfAll(samples),
        aims: [
          {
            name: '× CPU of PostgreSQL, in pgbench',
            value: ratio(of(`pgbench, ${all}`), of(`pgbench, ${small}`), postgresOf),
            target: 1.3,
            lessIsBetter: true,
          },
          {
            name: '× CPU of server, PostgreSQL and Redis, over HTTP',
            value: ratio(of(`Hearth, ${all}`), of(`Hearth, ${small}`), cpuOf),
            target: 1.3,
            lessIsBetter: true,
          },
        ],
      },
    ]
  },
}
