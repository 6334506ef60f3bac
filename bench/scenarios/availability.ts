// GET /pros/{id}/availability over 14 days, compared with the same statement in pgbench and with an ORM that computes slots in code.
import { findOpenSlots } from '../../src/features/calendar/availability/queries.ts'
import type { Bench, Scenario } from '../support/bench.ts'
import { fromManyAddresses } from '../support/addresses.ts'
import { captureCalls } from '../support/captured.ts'
import { floorAims, floorContender } from '../support/floor.ts'
import { type LoadRequest, type Requests, writeRequests } from '../support/http-load.ts'
import { checkOldBuild, oldBuildAims, oldBuildContenders } from '../support/old-build-contender.ts'
import { peerCommand } from '../support/peers.ts'
import { pgbenchAims } from '../support/pgbench-limits.ts'
import { type Row, metricsOfAll } from '../support/result.ts'
import { type Contender, measureInTurns, rateOf, ratioTo } from '../support/rounds.ts'
import { expectSameResponses } from '../support/same-responses.ts'
import { PLACES } from '../support/searches.ts'
import { ctxOn } from '../../test/support/ctx-on.ts'

const DAYS = 14
const PEER = 'Express + Prisma'

export const availability: Scenario = {
  name: 'availability',
  async run(bench: Bench): Promise<Row[]> {
    const { data, options } = bench
    const pros = await data.sql<{ id: string }[]>`
      select id from professionals p where active and has_bookable_service(p) order by md5(id::text) limit ${PLACES}`
    // The day after tomorrow in UTC is at least tomorrow in every time zone.
    const date = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
    const paths = pros.map(({ id }) => `/api/v1/pros/${id}/availability?date=${date}&days=${DAYS}`)
    const requests = fromManyAddresses(paths.map((path) => ({ path })))
    const requestFile = writeRequests('availability', requests)
    const hearth = await bench.hearth()
    await checkOldBuild(bench, 'availability', requests, (body) => body)
    const query = {
      slug: null,
      firstDate: date,
      days: DAYS,
      now: new Date(),
      baseUrl: hearth.url,
      freeCancellationHours: 24,
    }
    const { text, calls } = await captureCalls(
      pros.map(
        ({ id }) =>
          (db) =>
            findOpenSlots(ctxOn(db), { ...query, id }),
      ),
    )
    const samples = await measureInTurns(
      [
        bench.overHttp('Hearth', hearth, requestFile),
        await floorContender(bench, 'availability', requestFile, { text, column: 'body', paths, calls }),
        ...(await bench.pgbenchLimits('availability', text, calls)),
        ...(bench.hasPeers ? [await express(bench, requests, requestFile)] : []),
        ...(await oldBuildContenders(bench, requestFile)),
      ],
      options.rounds,
    )
    return [
      {
        id: 'availability',
        title: `GET /pros/{id}/availability, ${DAYS} days`,
        metrics: metricsOfAll(samples),
        aims: [
          ...floorAims(samples),
          ...ratioTo(samples, PEER, rateOf).map((value) => ({ name: `× ${PEER}`, value, target: 5 })),
          ...pgbenchAims(samples, 0.6),
          ...oldBuildAims(samples, { cpu: 0.6 }),
        ],
      },
    ]
  },
}

async function express(bench: Bench, checked: readonly LoadRequest[], requests: Requests): Promise<Contender> {
  const command = await peerCommand('express-prisma/server.ts', (line) => bench.log(line))
  const server = await bench.server('express', command, '/health')
  await expectSameResponses(await bench.hearth(), server, checked.slice(0, 50), (body) => body)
  return bench.overHttp(PEER, server, requests, { connections: 16 })
}
