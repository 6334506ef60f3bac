// What a search costs as the marketplace grows: the same searches with the same answers, in a piece of the country that is
// all there is, and in the whole country. In CPU of PostgreSQL, because the rest does not know how many pros there are.
import type { Bench, Scenario } from '../support/bench.ts'
import { openGrowth } from '../support/growth-set.ts'
import { fromManyAddresses } from '../support/addresses.ts'
import { keepRequests } from '../support/http-load.ts'
import { type Row, figuresOfAll } from '../support/result.ts'
import { type Sample, cpuOf, race, ratio } from '../support/rounds.ts'
import { expectSameAnswers } from '../support/same-answers.ts'
import { searchCalls, searchRequests } from '../support/searches.ts'

export const growth: Scenario = {
  name: 'growth',
  async run(bench: Bench): Promise<Row[]> {
    const { data, options } = bench
    const { small, searches } = await openGrowth(options.stores, data, data.pros / 100, (line) => bench.note(line))
    const requests = keepRequests('growth', fromManyAddresses(searchRequests(searches)))
    const [whole, piece] = await Promise.all([bench.hearth(), bench.hearth({ data: small })])
    await expectSameAnswers(whole, piece, fromManyAddresses(searchRequests(searches), 50), (body) => body)
    const { text, calls } = searchCalls(searches, whole.url)
    const kept = await bench.calls('growth', text, calls)
    const [one, all] = [
      `${(data.pros / 100).toLocaleString('en-US')} pros`,
      `${data.pros.toLocaleString('en-US')} pros`,
    ]
    const samples = await race(
      [
        bench.overPgbench(`pgbench, ${one}`, kept, { data: small }),
        bench.overPgbench(`pgbench, ${all}`, kept),
        bench.overHttp(`Hearth, ${one}`, piece, requests),
        bench.overHttp(`Hearth, ${all}`, whole, requests),
      ],
      options.rounds,
    )
    await small.sql.end()
    const of = (name: string) => samples[name] ?? []
    const postgresOf = ({ cpuUs }: Sample) => cpuUs.postgres
    return [
      {
        id: 'growth',
        title: `Cost of a search, from ${one} to ${all}, same answers`,
        figures: figuresOfAll(samples),
        aims: [
          {
            name: '× CPU of PostgreSQL, by pgbench',
            value: ratio(of(`pgbench, ${all}`), of(`pgbench, ${one}`), postgresOf),
            target: 1.3,
            lessIsBetter: true,
          },
          {
            name: '× CPU of all that serves, over HTTP',
            value: ratio(of(`Hearth, ${all}`), of(`Hearth, ${one}`), cpuOf),
            target: 1.3,
            lessIsBetter: true,
          },
        ],
      },
    ]
  },
}
