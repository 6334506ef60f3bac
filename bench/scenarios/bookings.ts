// POST /bookings of free slots with an API key and an Idempotency-Key, compared with pgbench calling the same function.
import { randomUUID } from 'node:crypto'

import type { Bench, Scenario } from '../support/bench.ts'
import { OWNER_EMAIL } from '../support/account.ts'
import { bookingRequest, listFreeSlots, createFreeSlots, deleteBookings } from '../support/free-slots.ts'
import { writeRequests } from '../support/http-load.ts'
import { oldBuildAims, oldBuildContenders } from '../support/old-build-contender.ts'
import { copyKeys } from '../support/old-build.ts'
import { writeScript } from '../support/pgbench.ts'
import { type Row, metricsOfAll } from '../support/result.ts'
import { cpuOf, measureInTurns, rateOf, ratio } from '../support/rounds.ts'

const KEYS = 16
/** More bookings per second than a machine can reach, so that no slot is requested twice. */
const MAX_PER_SECOND = 10_000

export const bookings: Scenario = {
  name: 'bookings',
  async run(bench: Bench): Promise<Row[]> {
    const { data, options } = bench
    const { rounds, seconds, warmUpSeconds } = options.rounds
    const each = Math.ceil((rounds * seconds + warmUpSeconds) * MAX_PER_SECOND)
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
          bench.overPgbench('pgbench', writeScript('bookings', reservations(OWNER_EMAIL))),
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

/** A pgbench script that calls reserve_slot for the next slot, as src/features/bookings/queries/bookings.ts does. */
const reservations = (owner: string): string => `
\\if :is_prepared
\\else
prepare reservation as
  select result.outcome, result.booking, result.deposit_required, result.deposit_percentage, result.payment, result.next_available,
    result.replayed
  from (select *, gen_random_uuid() as id from bench_slots where n = (select nextval('bench_slot_numbers'))) slot
  cross join (select id from accounts where email = '${owner}') account
  cross join lateral reserve_slot(
    pro_id => slot.pro_id, wanted_service_id => slot.service_id, on_day => slot.day,
    at_minute => left(slot.time, 2)::integer * 60 + right(slot.time, 2)::integer, at_instant => null, duration => null,
    by_service => false,
    name => 'Demo Customer', email => slot.id || '@demo.example', phone => '(555) 555-0100',
    address => '{"street":"1 Main Street","city":"Austin","state":"TX","zipCode":"78701"}'::jsonb,
    description => 'The kitchen sink drips.', source => 'api', source_agent_id => null,
    caller_id => account.id, booking_id => slot.id, code => 'HTH-' || upper(left(md5(slot.id::text), 12)),
    event_ids => array[gen_random_uuid(), gen_random_uuid()], traceparent => null, as_of => $1::timestamptz,
    base_url => $2, operation => 'createBooking', idempotency_key => slot.id::text,
    request_hash => sha256(slot.id::text::bytea), fee_cents => 0, hold_seconds => 900, payment_id => gen_random_uuid(),
    provider => 'sandbox', wanted_package_id => null, max_unpaid => 3, free_cancellation_hours => 24) result;
\\set is_prepared true
\\endif
execute reservation('${new Date().toISOString()}', 'http://127.0.0.1:3000');
`
