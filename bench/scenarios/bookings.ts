// POST /bookings, each of a time that is free, with a key and an Idempotency-Key, beside pgbench calling the same function.
import { randomUUID } from 'node:crypto'

import type { Bench, Scenario } from '../support/bench.ts'
import { OWNER, bookingOf, freeSlots, makeFreeSlots, takeBookingsBack } from '../support/free-slots.ts'
import { keepRequests } from '../support/http-load.ts'
import { keepScript } from '../support/pgbench.ts'
import { type Row, figuresOfAll } from '../support/result.ts'
import { cpuOf, race, rateOf, ratio } from '../support/rounds.ts'

const KEYS = 16
/** More than can be made in a second here: a slot is never asked for twice. */
const MOST_PER_SECOND = 10_000

export const bookings: Scenario = {
  name: 'bookings',
  async run(bench: Bench): Promise<Row[]> {
    const { data, options } = bench
    const { rounds, seconds, warmUpSeconds } = options.rounds
    const each = Math.ceil((rounds * seconds + warmUpSeconds) * MOST_PER_SECOND)
    await makeFreeSlots(data.sql, 2 * each)
    const keys = await bench.keys(['bookings:write'], KEYS)
    const slots = await freeSlots(data.sql, 1, each)
    const requests = keepRequests(
      'bookings',
      slots.map((slot, place) => bookingOf(slot, keys[place % KEYS] ?? '', randomUUID())),
    )
    await data.sql`select setval('bench_slot_numbers', ${each})`
    const hearth = await bench.hearth()
    try {
      const samples = await race(
        [
          bench.overHttp('Hearth', hearth, requests, { consuming: MOST_PER_SECOND }),
          bench.overPgbench('pgbench', keepScript('bookings', reservations(OWNER))),
        ],
        options.rounds,
      )
      const { Hearth: ours = [], pgbench = [] } = samples
      return [
        {
          id: 'bookings',
          title: 'POST /bookings, free times, with key and Idempotency-Key',
          figures: figuresOfAll(samples),
          aims: [
            { name: '× pgbench calling the same function', value: ratio(ours, pgbench, rateOf), target: 0.5 },
            { name: '× pgbench in CPU', value: ratio(ours, pgbench, cpuOf), lessIsBetter: true },
          ],
        },
      ]
    } finally {
      bench.note(`${await takeBookingsBack(data.sql)} bookings taken back`)
    }
  },
}

/** One call of reserve_slot as src/features/bookings/queries/bookings.ts makes it, of the next slot in line. */
const reservations = (owner: string): string => `
\\if :ready
\\else
prepare called as
  select made.outcome, made.booking, made.deposit_required, made.deposit_percentage, made.payment, made.next_available,
    made.replayed
  from (select *, gen_random_uuid() as id from bench_slots where n = (select nextval('bench_slot_numbers'))) slot
  cross join (select id from accounts where email = '${owner}') account
  cross join lateral reserve_slot(
    pro_id => slot.pro_id, wanted_service_id => slot.service_id, on_day => slot.day,
    at_minute => left(slot.time, 2)::integer * 60 + right(slot.time, 2)::integer, at_instant => null, duration => null,
    name => 'Demo Customer', email => 'customer@demo.example', phone => '(555) 555-0100',
    address => '{"street":"1 Main Street","city":"Austin","state":"TX","zipCode":"78701"}'::jsonb,
    description => 'The kitchen sink drips.', source => 'api', source_agent_id => null,
    caller_id => account.id, booking_id => slot.id, code => 'HTH-' || upper(left(md5(slot.id::text), 12)),
    event_ids => array[gen_random_uuid(), gen_random_uuid()], traceparent => null, as_of => $1::timestamptz,
    base_url => $2, operation => 'createBooking', idempotency_key => slot.id::text,
    request_hash => sha256(slot.id::text::bytea), fee_cents => 0, hold_seconds => 900, payment_id => gen_random_uuid(),
    provider => 'sandbox', wanted_package_id => null) made;
\\set ready true
\\endif
execute called('${new Date().toISOString()}', 'http://127.0.0.1:3000');
`
