// Every kind of process is killed repeatedly under load: no committed change is lost, and no work takes effect twice.
import { expect, test } from 'bun:test'
import { randomInt } from 'node:crypto'

import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { type Acknowledged, checkBookings, keepBooking } from '../support/acknowledged-bookings.ts'
import { type BookingClient, openBookingClient } from '../support/booking-client.ts'
import { FAILURES, type ChaosStack, openChaosStack } from '../support/chaos.ts'
import { openMeteredLoad } from '../support/chaos-metering.ts'
import { testSql } from '../support/database.ts'
import { checkDeliveries, subscribe } from '../support/event-arrivals.ts'
import { longForm } from '../support/long-form.ts'
import { openReceiver } from '../support/receiver.ts'

const SECONDS = longForm(20, 300)
const PROS = 6
/** A busy machine takes longer to restart what was killed: the load goes on until enough is booked. */
const MAX_SECONDS = SECONDS + 70
const MIN_BOOKINGS = 21
const SETTLE_MS = 30_000

/** Injects failures until the load is over. Returns the number of failures by kind. */
async function injectFailures(stack: ChaosStack, killRunner: () => void, isOver: () => boolean) {
  const counts: Record<string, number> = {}
  while (!isOver()) {
    await Bun.sleep(randomInt(500, 4000))
    const failure = [...FAILURES, 'runner' as const][randomInt(FAILURES.length + 1)] ?? 'worker'
    if (failure === 'runner') killRunner()
    else await stack.inflict(failure)
    counts[failure] = (counts[failure] ?? 0) + 1
  }
  return counts
}

test(
  `${SECONDS} s of kills under load lose no committed change, invent no event, keep the order and leave balanced ledgers`,
  async () => {
    const stack = await openChaosStack(randomInt)
    const receiver = openReceiver()
    const clients: BookingClient[] = []
    for (let n = 0; n < PROS; n++) clients.push(await openBookingClient(stack.databaseUrl))
    expect(await waitUntil(() => stack.server() !== undefined, 60_000)).toBe(true)
    const target = { url: () => stack.server()?.url }
    const webhooks = await subscribe(target, stack.databaseUrl, receiver)

    const startedAt = performance.now()
    const created: Acknowledged[] = []
    const isOver = () => {
      const seconds = (performance.now() - startedAt) / 1000
      return seconds > MAX_SECONDS || (seconds > SECONDS && created.length >= MIN_BOOKINGS)
    }
    const metered = await openMeteredLoad(stack.databaseUrl, isOver)
    const [counts] = await Promise.all([
      injectFailures(stack, () => metered.killRunner(), isOver),
      ...clients.map((client) => keepBooking(target, client, isOver, created)),
    ])
    const sql = testSql(stack.databaseUrl, 2)
    const overAt = performance.now()
    const events = await checkDeliveries(sql, receiver, webhooks, SETTLE_MS)
    const settledMs = Math.round(performance.now() - overAt)
    const bookings = await checkBookings(sql, created)
    await metered.ended
    const tasks = await metered.check(SETTLE_MS)
    process.stdout.write(
      `${JSON.stringify(counts)}; ${created.length} bookings acknowledged of ${bookings}; ${events} events, ` +
        `${receiver.received.length} deliveries to two endpoints, all arrived ${settledMs} ms after the end; ` +
        `agent tasks ${JSON.stringify(tasks)}\n`,
    )
    expect(created.length).toBeGreaterThanOrEqual(MIN_BOOKINGS)
    expect(tasks['settled']).toBeGreaterThan(100)
    await sql.end()
    await receiver.stop()
    await stack.close()
  },
  (MAX_SECONDS + 180) * 1000,
)
