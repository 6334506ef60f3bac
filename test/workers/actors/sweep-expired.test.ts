// Expired records are swept within seconds, each exactly once, by any number of concurrent sweepers; others are untouched.
import { afterAll, beforeAll, expect, test } from 'bun:test'

import { propose } from '../../../src/features/agents/proposals/verbs/proposals.ts'
import { sendQuote } from '../../../src/features/quoting/quotes/verbs/quotes.ts'
import { createRfq } from '../../../src/features/quoting/rfqs/verbs/rfqs.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { type Metrics, openMetrics } from '../../../src/platform/telemetry/metrics.ts'
import { type RunningActor, startActor } from '../../../workers/runtime/process.ts'
import { sweepExpired } from '../../../workers/actors/sweep-expired.ts'
import { type BookingFixture, book, eventsOf, openBookingFixture, pay, rowsOf } from '../../support/booking-fixture.ts'
import { ctxOf } from '../../../src/ctx.ts'

const SWEEPERS = 3

let world: BookingFixture
let metrics: Metrics
let sweepers: RunningActor[] = []

beforeAll(async () => {
  world = await openBookingFixture()
  metrics = openMetrics('test')
})
afterAll(async () => {
  await Promise.all(sweepers.map((sweeper) => sweeper.stop()))
  await metrics.close()
  await world.close()
})

const startSweepers = async () => {
  const start = () => startActor(world.app.deps, sweepExpired, { metrics, crash: () => undefined })
  sweepers = await Promise.all(Array.from({ length: SWEEPERS }, start))
}
const count = async (statement: string) =>
  (await world.sql.unsafe<{ n: number }[]>(`select count(*)::int as n from ${statement}`))[0]?.n

test('holds, quotes, records and refunds that are due are each processed once', async () => {
  const { app, clock, sql } = world
  const pros = [await world.pro(), await world.pro(), await world.pro()]
  const holds = (await Promise.all(pros.flatMap((pro) => [0, 1, 2, 3, 4, 5].map((n) => book(world, pro, n))))).map(
    ({ booking }) => booking.id,
  )
  const [first] = pros
  if (!first) throw new RangeError('There are three pros.')

  const unanswered = await book(world, await world.pro({ requiresApproval: true }))
  await pay(world, unanswered.payment?.clientSecret ?? '')

  const rfqs = await Promise.all(
    Array.from({ length: 30 }, () =>
      createRfq(ctxOf(app.deps, { accountId: first.accountId }), {
        professionalId: first.id,
        serviceId: first.serviceId,
        customer: { name: 'Homeowner in Austin', email: 'homeowner@test.example' },
        description: 'The gutter leaks at the corner.',
      }),
    ),
  )
  const quotes = await Promise.all(
    rfqs.map(async ({ rfq }, n) => {
      const input = { rfqId: rfq.id, amount: 480, validForDays: n < 20 ? 1 : 100 }
      return (await sendQuote(ctxOf(app.deps, { accountId: first.accountId, professionalId: first.id }), input)).quote
        .id
    }),
  )
  const now = clock.now()
  await sql`
    insert into idempotency_records (account_id, operation, key, request_hash, result, created_at, expires_at)
    select ${first.accountId}, 'test', n::text, sha256('x'), '{}', ${now.toISOString()},
      ${now.toISOString()}::timestamptz + (n % 2) * interval '90 days' + interval '1 hour'
    from generate_series(1, 5000) n`
  // On the day of the sweep, half of them are older than 90 days.
  await sql`
    insert into payment_notifications (provider, id, received_at)
    select 'stripe', n::text, timestamptz '2026-11-23T18:00:00Z' - interval '90 days' + (n % 2 - 0.5) * interval '1 hour'
    from generate_series(1, 5000) n`

  // Proposed five days ago, and now: one of them has waited for seven days on the day of the sweep.
  const fiveDaysAgo = { ...app.deps, clock: { now: () => new Date(now.getTime() - 5 * 86_400_000) } }
  const proposer = { accountId: first.accountId, professionalId: first.id }
  const change = { kind: 'business_profile', change: { description: 'Gutters.' } } as const
  const waiting = [
    await propose(ctxOf(fiveDaysAgo, proposer), change),
    await propose(ctxOf(app.deps, proposer), change),
  ]

  // The Monday at noon: the holds ended on Thursday, the bookings would have begun at nine.
  clock.set('2026-11-23T18:00:00.000Z')
  await startSweepers()
  expect(await waitUntil(async () => (await count('bookings where hold_expires_at is not null')) === 0, 20_000)).toBe(
    true,
  )
  for (const id of holds) expect(await eventsOf(world, id)).toEqual(['booking.created', 'booking.cancelled'])
  expect(await waitUntil(async () => (await count(`quotes where status = 'expired'`)) === 20, 20_000)).toBe(true)
  for (const [n, id] of quotes.entries())
    expect(await eventsOf(world, id)).toEqual(n < 20 ? ['quote.sent', 'quote.expired'] : ['quote.sent'])
  expect(await waitUntil(async () => (await count('idempotency_records')) === 2500, 30_000)).toBe(true)
  expect(
    await waitUntil(async () => (await count(`payment_notifications where provider = 'stripe'`)) === 2500, 30_000),
  ).toBe(true)
  expect(await waitUntil(async () => (await count(`proposals where status = 'expired'`)) === 1, 20_000)).toBe(true)
  expect(await count(`proposals where status = 'open' and id = '${waiting[1]?.id}'`)).toBe(1)
  const isRefunded = async () => (await rowsOf(world, unanswered.booking.id)).refund === 'done'
  expect(await waitUntil(isRefunded, 20_000)).toBe(true)
  expect((await rowsOf(world, unanswered.booking.id)).booking).toBe('cancelled')
}, 90_000)

test('a refund whose next attempt lies in the future is settled when that time comes', async () => {
  const { clock, sql } = world
  const [refund] = await sql<{ id: string }[]>`select id from payment_refunds limit 1`
  // As after an outage of the provider: due again in a minute.
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      update payment_refunds set status = 'pending', done_at = null, provider_refund_id = null,
        next_attempt_at = ${new Date(clock.now().getTime() + 60_000).toISOString()}`
    await tx`update payments set status = 'refunding' where id = (select payment_id from payment_refunds limit 1)`
  })
  const isDone = async () => (await count(`payment_refunds where status = 'done' and id = '${refund?.id}'`)) === 1
  expect(await waitUntil(isDone, 2500)).toBe(false)
  clock.advance(2)
  expect(await waitUntil(isDone, 10_000)).toBe(true)
}, 60_000)
