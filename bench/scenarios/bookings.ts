// POST /bookings of free slots with an API key and an Idempotency-Key, compared with pgbench calling the same function.
import { randomUUID } from 'node:crypto'

import type { Bench, Scenario } from '../support/bench.ts'
import { OWNER_EMAIL } from '../support/account.ts'
import { bookingRequest, listFreeSlots, createFreeSlots, deleteBookings } from '../support/free-slots.ts'
import { writeRequests } from '../support/http-load.ts'
import { oldBuildAims, oldBuildContenders } from '../support/old-build-contender.ts'
import { copyKeys } from '../support/old-build.ts'
import { writeScript } from '../support/pgbench.ts'
import { reservationScript } from '../support/reservations.ts'
import { type Row, metricsOfAll } from '../support/result.ts'
import { cpuOf, measureInTurns, rateOf, ratio } from '../support/rounds.ts'

const KEYS = 16
/** More bookings per second than a machine can reach, so that no slot is requested twice. */
const MAX_PER_SECOND = 10_000

export const bookings: Scenario = {
  name: 'bookings',
  async run(bench: Bench): Promise<Row[]> {
    const { data, options } = bench
    const { rounds, seconds, warmUpSeconds, startSeconds } = options.rounds
    // A warm-up is a row of rounds of at most a second.
    const starts = (rounds + Math.ceil(warmUpSeconds / Math.min(1, seconds))) * startSeconds
    const each = Math.ceil((rounds * seconds + warmUpSeconds + starts) * MAX_PER_SECOND)
    await createFreeSlots(data.sql, 2 * each)
    const keys = await bench.createKeys(['bookings:write'], KEYS)
    const slots = await listFreeSlots(data.sql, 1, each)
    const requests = writeRequests(
      'bookings',
      slots.map((slot, place) => bookingRequest(slot, keys[place % KEYS] ?? '', randomUUID())),
    )
    await data.sql`select setval('bench_slot_numbers', ${each})`
    const { against } = options
    if (against) await copyKeys(data.sql, against)
    const hearth = await bench.hearth()
    const load = { maxPerSecond: MAX_PER_SECOND }
    try {
      const samples = await measureInTurns(
        [
          bench.overHttp('Hearth', hearth, requests, load),
          ...(await oldBuildContenders(bench, requests, load)),
          bench.overPgbench('pgbench', writeScript('bookings', await reservationScript(OWNER_EMAIL))),
        ],
        options.rounds,
      )
      const { Hearth: ours = [], pgbench = [] } = samples
      return [
        {
          id: 'bookings',
          title: 'POST /bookings of free slots, with API key and Idempotency-Key',
          metrics: metricsOfAll(samples),
          aims: [
            { name: '× pgbench calling the same function', value: ratio(ours, pgbench, rateOf), target: 0.5 },
            { name: '× pgbench in CPU', value: ratio(ours, pgbench, cpuOf), lessIsBetter: true },
            ...oldBuildAims(samples, { postgres: 0.6 }),
          ],
        },
      ]
    } finally {
      bench.log(`${await deleteBookings(data.sql)} bookings deleted`)
      if (against) await deleteBookings(against.data.sql)
    }
  },
}
