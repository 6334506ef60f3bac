// A game day on three machines with real PostgreSQL under Patroni, HAProxy, PgBouncer and Redis with Sentinel: whatever
// fails, no acknowledged write is lost, no revoked key works, no delivery is missing and no response is a 500.
import { expect, test } from 'bun:test'

import { openCluster } from '../../ops/cluster/cluster.ts'
import { canMakeNamespaces } from '../../ops/cluster/machine.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { ACTOR_NAMES } from '../../workers/runtime/actor-names.ts'
import { type Acknowledged, checkBookings, keepBooking } from '../support/acknowledged-bookings.ts'
import { type BookingClient, openBookingClient } from '../support/booking-client.ts'
import { ALL_FAULTS, type Fault, SHORT_FAULTS, expectWhole } from '../support/cluster-faults.ts'
import { testSql } from '../support/database.ts'
import { checkDeliveries, subscribe } from '../support/event-arrivals.ts'
import { longForm } from '../support/long-form.ts'
import { openReceiver } from '../support/receiver.ts'
import { keepRevoking } from '../support/revocations.ts'

/** Machines can be cut off where each has a network of its own. */
const withNamespaces = await canMakeNamespaces()
const IS_LONG = longForm(0, 1) === 1
const CHOSEN = IS_LONG ? ALL_FAULTS : SHORT_FAULTS
const FAULTS = CHOSEN.filter(({ needsNetworks }) => withNamespaces || !needsNetworks)
/** What the short form checks comes from these. Where three machines share two cores, all actors starve what is tested. */
const OBSERVED_ACTORS = ['relay-outbox', 'deliver-webhooks', 'sweep-expired'] as const
/** Bookings that are acknowledged between two faults. */
const BOOKINGS_BETWEEN = longForm(20, 200)
const CALM_LIMIT_MS = 60_000
const PROS = 4
const SETTLE_MS = 60_000

/** How long after each fault the next booking was acknowledged, in milliseconds. */
interface Recovery {
  fault: string
  movesPrimary: boolean
  ms: number
}

test(
  `three machines lose nothing that was acknowledged, and recover, after: ${FAULTS.map(({ name }) => name).join(', ')}`,
  async () => {
    if (FAULTS.length < CHOSEN.length)
      process.stdout.write('No machine is cut off: networks of their own need root on Linux.\n')
    const cluster = await openCluster((line) => process.stdout.write(`${line}\n`), {
      withNamespaces,
      actors: IS_LONG ? ACTOR_NAMES : OBSERVED_ACTORS,
      settings: { MAX_UNPAID_BOOKINGS: '1000000', PUBLIC_RATE_PER_MINUTE: '1000000' },
    })
    const receiver = openReceiver(cluster.outside)
    try {
      const leader = (await cluster.primary()) ?? cluster.nodes[0]
      if (!leader) throw new Error('The cluster has no primary.')
      const clients: BookingClient[] = []
      for (let n = 0; n < PROS; n++) clients.push(await openBookingClient(cluster.adminUrl(leader)))
      const statuses = new Map<number, number>()
      const acknowledgedAt: number[] = []
      let turn = 0
      const target = {
        url: () => cluster.entrances[turn++ % cluster.entrances.length],
        onAnswer: (status: number) => {
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          if (status === 201) acknowledgedAt.push(performance.now())
        },
      }
      const webhooks = await subscribe(target, cluster.adminUrl(leader), receiver)
      let isOver = false
      const created: Acknowledged[] = []
      const load = Promise.all(clients.map((client) => keepBooking(target, client, () => isOver, created)))
      const revoking = keepRevoking(
        async () => {
          const now = await cluster.primary()
          return now && cluster.adminUrl(now)
        },
        cluster.entrances,
        () => isOver,
      )
      const recoveries: Recovery[] = []
      for (const fault of FAULTS) recoveries.push(await recover(cluster, fault, acknowledgedAt))
      isOver = true
      const [revocations] = await Promise.all([revoking, load])
      const sql = testSql(cluster.adminUrl((await cluster.primary()) ?? leader), 2)
      const events = await checkDeliveries(sql, receiver, webhooks, SETTLE_MS)
      const bookings = await checkBookings(sql, created)
      // What operators see goes on: its tables are unlogged, and a promoted replica has them empty.
      const [reports] = await sql<{ recent: number }[]>`
        select count(*) as recent from process_reports where at > now() - interval '1 minute'`
      await sql.end()
      process.stdout.write(`${summary(recoveries)}
${created.length} bookings acknowledged of ${bookings}; ${events} events to two endpoints; ${revocations.revoked} keys revoked;
statuses ${JSON.stringify(Object.fromEntries(statuses))}\n`)
      expect(reports?.recent).toBeGreaterThan(0)
      expect(statuses.get(500) ?? 0).toBe(0)
      expect(revocations.served).toEqual([])
      expect(revocations.revoked).toBeGreaterThan(0)
      expect(created.length).toBeGreaterThan(20)
    } finally {
      await receiver.stop()
      await cluster.close()
    }
  },
  longForm(420, 1800) * 1000,
)

/** Inflicts the fault, waits until the cluster is whole, and tells when the first booking after it was acknowledged. */
async function recover(
  cluster: Parameters<Fault['inflict']>[0],
  fault: Fault,
  acknowledgedAt: readonly number[],
): Promise<Recovery> {
  const before = acknowledgedAt.length
  expect(await waitUntil(() => acknowledgedAt.length >= before + BOOKINGS_BETWEEN, CALM_LIMIT_MS)).toBe(true)
  const startedAt = performance.now()
  await fault.inflict(cluster)
  const last = await expectWhole(cluster)
  // The longest time without an acknowledged booking, from the fault on.
  const times = [startedAt, ...acknowledgedAt.filter((at) => at > startedAt), performance.now()]
  const ms = Math.max(...times.slice(1).map((at, n) => at - (times[n] ?? at)))
  const wholeS = (performance.now() - startedAt) / 1000
  process.stdout.write(
    `${fault.name}: ${Math.round(ms)} ms without a booking, whole after ${wholeS.toFixed(1)} s, with ${last} last\n`,
  )
  return { fault: fault.name, movesPrimary: fault.movesPrimary, ms }
}

function summary(recoveries: readonly Recovery[]): string {
  const times = recoveries.filter(({ movesPrimary }) => movesPrimary).map(({ ms }) => ms)
  const sorted = times.toSorted((a, b) => a - b)
  return `without a booking when the primary moves: median ${Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)} ms, at most ${Math.round(sorted.at(-1) ?? 0)} ms`
}
