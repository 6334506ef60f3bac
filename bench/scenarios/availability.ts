// GET /pros/{id}/availability over 14 days, compared with the same statement in pgbench and with an ORM that computes slots in code.
import type { Bench, Scenario } from '../support/bench.ts'
import { fromManyAddresses } from '../support/addresses.ts'
import { writeRequests } from '../support/http-load.ts'
import { checkOldBuild, oldBuildAims, oldBuildContenders } from '../support/old-build-contender.ts'
import { peerCommand } from '../support/peers.ts'
import { type Row, metricsOfAll } from '../support/result.ts'
import { cpuOf, measureInTurns, rateOf, ratio } from '../support/rounds.ts'
import { expectSameResponses } from '../support/same-responses.ts'
import { PLACES } from '../support/searches.ts'
import { statementText } from '../support/statement-text.ts'

const DAYS = 14

export const availability: Scenario = {
  name: 'availability',
  async run(bench: Bench): Promise<Row[]> {
    const { data, options } = bench
    const pros = await data.sql<{ id: string }[]>`
      select id from professionals p where active and has_bookable_service(p) order by md5(id::text) limit ${PLACES}`
    // The day after tomorrow in UTC is at least tomorrow in every time zone.
    const date = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
    const requests = fromManyAddresses(
      pros.map(({ id }) => ({ path: `/api/v1/pros/${id}/availability?date=${date}&days=${DAYS}` })),
    )
    const requestFile = writeRequests('availability', requests)
    const hearth = await bench.hearth()
    const command = await peerCommand('express-prisma/server.ts', (line) => bench.log(line))
    const express = await bench.server('express', command, '/health')
    await expectSameResponses(hearth, express, requests.slice(0, 50), (body) => body)
    await checkOldBuild(bench, 'availability', requests, (body) => body)
    const now = new Date().toISOString()
    const calls = pros.map(({ id }) => [id, null, date, DAYS, now, hearth.url, null, null, null, null])
    const samples = await measureInTurns(
      [
        bench.overHttp('Hearth', hearth, requestFile),
        bench.overPgbench('pgbench', await bench.preparePgbench('availability', statementText('open-slots'), calls)),
        bench.overHttp('Express + Prisma', express, requestFile, { connections: 16 }),
        ...(await oldBuildContenders(bench, requestFile)),
      ],
      options.rounds,
    )
    const { Hearth: ours = [], pgbench = [], 'Express + Prisma': theirs = [] } = samples
    return [
      {
        id: 'availability',
        title: `GET /pros/{id}/availability, ${DAYS} days`,
        metrics: metricsOfAll(samples),
        aims: [
          { name: '× Express + Prisma', value: ratio(ours, theirs, rateOf), target: 5 },
          { name: '× pgbench', value: ratio(ours, pgbench, rateOf), target: 0.6 },
          { name: '× pgbench in CPU', value: ratio(ours, pgbench, cpuOf), lessIsBetter: true },
          ...oldBuildAims(samples, { cpu: 0.6 }),
        ],
      },
    ]
  },
}
