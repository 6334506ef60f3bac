// GET /pro/analytics: every number of every period equals a count of the rows in JavaScript, also in time zones whose
// clocks change at midnight, by day and by month.
import { beforeAll, describe, expect, test } from 'bun:test'

import type { Analytics } from '../../../../src/features/business/analytics/schemas.ts'
import { openTestApp } from '../../../support/app.ts'
import { SEEDED_AT } from '../../../support/database.ts'
import { type SeededPro, findPros } from '../../../support/reviews.ts'
import { opened } from '../../../support/fixture.ts'

const app = await opened(openTestApp())

/** Time zones whose clocks, in the 90 days before the test's now, skip midnight, skip 02:00, never change, or are far ahead. */
const ZONES = ['America/Havana', 'America/Chicago', 'Africa/Cairo', 'Pacific/Honolulu', 'Pacific/Kiritimati']
const [first, second] = await findPros(app, 2)
if (!first || !second) throw new Error('The seed has no pros.')
const [busy, idle] = [first, second]
await app.deps.write.begin('gatherHistory', async (tx) => {
  await tx.run('past triggers', (sql) => sql`set local session_replication_role = replica`)
  // A history of 150 rows of each kind per pro, at instants around local midnights.
  await tx.run(
    'bookings',
    (sql) => sql`
        update bookings set professional_id = ${busy.id} where id in (
          select id from bookings where status not in ('pending', 'confirmed') order by id limit 150)`,
  )
  for (const table of ['rfqs', 'quotes', 'jobs', 'reviews'])
    await tx.run(
      table,
      (sql) => sql`
          update ${sql(table)} set professional_id = ${busy.id}
          where id in (select id from ${sql(table)} order by id limit 150)`,
    )
  for (const table of ['bookings', 'rfqs', 'quotes', 'jobs', 'reviews'])
    await tx.run('forget', (sql) => sql`delete from ${sql(table)} where professional_id = ${idle.id}`)
  await tx.run('count', (sql) => sql`select rebuild_pro_revenue(${[busy.id, idle.id]}::uuid[])`)
})

/** Moves all rows to instants `everyMinutes` apart, back from now, so that some are close to local midnights. */
async function spreadEvents(everyMinutes: number): Promise<void> {
  const at = (sql: Parameters<Parameters<typeof app.deps.write.run>[1]>[0], offset: number) => sql`
    ${SEEDED_AT}::timestamptz - (n * ${everyMinutes} + ${offset}) * interval '1 minute'`
  await app.deps.write.begin('spreadEvents', async (tx) => {
    await tx.run('past triggers', (sql) => sql`set local session_replication_role = replica`)
    const numbered = (table: string) => (sql: Parameters<Parameters<typeof tx.run>[1]>[0]) =>
      sql`
      (select id, row_number() over (order by id)::integer - 1 as n from ${sql(table)} where professional_id = ${busy.id}) t`
    await tx.run(
      'bookings',
      (sql) => sql`
      update bookings b set created_at = ${at(sql, 0)},
        completed_at = case when status = 'completed' then ${at(sql, 47)} end
      from ${numbered('bookings')(sql)} where t.id = b.id`,
    )
    await tx.run(
      'rfqs',
      (sql) => sql`
      update rfqs r set created_at = ${at(sql, 29)} from ${numbered('rfqs')(sql)} where t.id = r.id`,
    )
    await tx.run(
      'quotes',
      (sql) => sql`
      update quotes q set sent_at = ${at(sql, 31)}, valid_until = ${at(sql, 31)} + interval '30 days',
        expired_at = case when status = 'expired' then ${at(sql, 31)} + interval '30 days' end,
        accepted_at = case when status = 'accepted' then ${at(sql, 31)} + interval '30 minutes' end
      from ${numbered('quotes')(sql)} where t.id = q.id`,
    )
    await tx.run(
      'jobs',
      (sql) => sql`
      update jobs j set completed_at = ${at(sql, 59)} from ${numbered('jobs')(sql)}
      where t.id = j.id and status = 'completed'`,
    )
    await tx.run(
      'reviews',
      (sql) => sql`
      update reviews r set approved_at = ${at(sql, 1)} from ${numbered('reviews')(sql)} where t.id = r.id and r.status = 'approved'`,
    )
    await tx.run('count', (sql) => sql`select rebuild_pro_revenue(${[busy.id, idle.id]}::uuid[])`)
  })
}

interface Row {
  kind: string
  at: string
  status: string | null
  amount: number
}

/** The raw rows, counted in JavaScript. */
async function countRows(pro: SeededPro, zone: string, days: number | null) {
  const rows = await app.deps.write.run<Row>(
    'rawEvents',
    (sql) => sql`
    select 'booking' as kind, created_at as at, status, 0 as amount from bookings where professional_id = ${pro.id}
    union all select 'job', completed_at, status, amount_cents from jobs where professional_id = ${pro.id} and completed_at is not null
    union all select 'visit', completed_at, 'priced', round(base_price_cents
        * case price_type when 'hourly' then duration_minutes / 60.0 else 1 end) - deposit_cents
      from bookings where professional_id = ${pro.id} and completed_at is not null and job_id is null
        and price_type in ('flat', 'hourly') and base_price_cents > 0 and min_price_cents is null and max_price_cents is null
    union all select 'visit', completed_at, 'unpriced', 0
      from bookings where professional_id = ${pro.id} and completed_at is not null and job_id is null
        and (price_type = 'per_unit' or coalesce(base_price_cents, 0) = 0 or min_price_cents + max_price_cents > 0)
    union all select 'rfq', created_at, status, 0 from rfqs where professional_id = ${pro.id}
    union all select 'quote', sent_at, status, amount_cents from quotes where professional_id = ${pro.id} and sent_at is not null
    union all select 'acceptance', accepted_at, status, amount_cents from quotes where professional_id = ${pro.id} and accepted_at is not null
    union all select 'review', approved_at, status, rating from reviews where professional_id = ${pro.id} and status = 'approved'`,
  )
  const calendar = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
  const dated = rows.map((row) => ({ ...row, day: calendar.format(new Date(row.at)) }))
  const today = calendar.format(new Date(SEEDED_AT))
  const earliest = dated.map(({ day }) => day).sort()[0] ?? today
  const from = days === null ? earliest : dayBefore(today, days - 1)
  const within = dated.filter(({ day }) => day >= from && day <= today)
  const monthly = days === null && from <= dayBefore(today, 366)
  const bucketOf = (day: string) => (monthly ? `${day.slice(0, 7)}-01` : day)
  const steps: string[] = []
  for (let day = from; day <= today; day = dayBefore(day, -1))
    if (steps.at(-1) !== bucketOf(day)) steps.push(bucketOf(day))
  const of = (kind: string, status?: string) =>
    within.filter((row) => row.kind === kind && (status === undefined || row.status === status))
  const dollars = (some: Row[]) => some.reduce((sum, { amount }) => sum + amount, 0) / 100
  return {
    from,
    to: today,
    monthly,
    of,
    dollars,
    steps,
    in: (kind: string, step: string) => of(kind).filter(({ day }) => bucketOf(day) === step),
  }
}

const dayBefore = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10)

async function analyticsOf(pro: SeededPro, period?: string): Promise<Analytics> {
  const key = await app.key(['pro:read'], pro.email)
  const response = await app.send(`/api/v1/pro/analytics${period ? `?period=${period}` : ''}`, { key })
  expect(response.status).toBe(200)
  return (await response.json()) as Analytics
}

/** As if the pro had always lived there. */
const setZone = (pro: SeededPro, zone: string) =>
  app.deps.write.begin('setZone', async (tx) => {
    await tx.run('setZone', (sql) => sql`update professionals set time_zone = ${zone} where id = ${pro.id}`)
    await tx.run('forgetZones', (sql) => sql`delete from former_time_zones where professional_id = ${pro.id}`)
    await tx.run('countAgain', (sql) => sql`select rebuild_pro_counts(array[${pro.id}]::uuid[])`)
  })

const PERIODS: [Analytics['period'], number | null][] = [
  ['7d', 7],
  ['30d', 30],
  ['90d', 90],
  ['1y', 365],
  ['all', null],
]

// Every 13 hours reaches back 81 days; every 37, most of a year; every 7 days, three years.
describe.each([13 * 60, 37 * 60 + 30, 7 * 24 * 60])('events every %i minutes', (everyMinutes) => {
  beforeAll(() => spreadEvents(everyMinutes))

  test.each(ZONES)('are counted on the calendar of %s', async (zone) => {
    await setZone(busy, zone)
    for (const [period, days] of PERIODS) {
      const [actual, counted] = [await analyticsOf(busy, period), await countRows(busy, zone, days)]
      const { of, dollars } = counted
      const sent = of('quote')
      const { series, services: _, ...totals } = actual
      expect(totals).toEqual({
        period,
        timezone: zone,
        from: counted.from,
        to: counted.to,
        granularity: counted.monthly ? 'month' : 'day',
        currency: 'USD',
        bookings: {
          total: of('booking').length,
          pending: 0,
          confirmed: 0,
          completed: of('booking', 'completed').length,
          noShow: of('booking', 'no_show').length,
          cancelled: of('booking', 'cancelled').length,
        },
        jobs: { completed: of('job').length },
        visits: { completed: of('visit').length, unpriced: of('visit', 'unpriced').length },
        revenue: {
          total: dollars([...of('job'), ...of('visit')]),
          jobs: dollars(of('job')),
          visits: dollars(of('visit')),
          deposits: 0,
        },
        rfqs: { total: of('rfq').length, unanswered: of('rfq', 'new').length },
        quotes: {
          sent: sent.length,
          sentAmount: dollars(sent),
          accepted: of('acceptance').length,
          acceptedAmount: dollars(of('acceptance')),
          acceptanceRate:
            sent.length === 0 ? null : Math.round((of('quote', 'accepted').length / sent.length) * 10_000) / 10_000,
        },
        reviews: {
          total: of('review').length,
          average:
            of('review').length === 0
              ? null
              : Math.round((of('review').reduce((sum, { amount }) => sum + amount, 0) / of('review').length) * 100) /
                100,
        },
      })
      expect(series).toEqual(
        counted.steps.map((date) => ({
          date,
          bookings: counted.in('booking', date).length,
          completedJobs: counted.in('job', date).length,
          completedVisits: counted.in('visit', date).length,
          revenue: dollars([...counted.in('job', date), ...counted.in('visit', date)]),
          rfqs: counted.in('rfq', date).length,
          quotesSent: counted.in('quote', date).length,
          quotesAccepted: counted.in('acceptance', date).length,
          reviews: counted.in('review', date).length,
        })),
      )
    }
  })
})

test('the default period is 30 days, and the series contains each day', async () => {
  const { period, series, from, to } = await analyticsOf(busy)
  expect([period, series.length, series[0]?.date, series.at(-1)?.date]).toEqual(['30d', 30, from, to])
})

test('the services are listed by revenue, each with its own numbers', async () => {
  const { services, revenue, jobs } = await analyticsOf(busy, 'all')
  expect(services.length).toBe(10)
  expect(services.map((service) => service.revenue)).toEqual(
    services.map((service) => service.revenue).toSorted((a, b) => b - a),
  )
  expect(services.reduce((sum, service) => sum + service.revenue, 0)).toBeLessThanOrEqual(revenue.total)
  expect(services.reduce((sum, service) => sum + service.completedJobs, 0)).toBeLessThanOrEqual(jobs.completed)
})

test('a pro without any history gets zeros for today', async () => {
  const actual = await analyticsOf(idle, 'all')
  expect(actual.series).toHaveLength(1)
  expect(actual).toMatchObject({ revenue: { total: 0 }, quotes: { acceptanceRate: null }, reviews: { average: null } })
  expect(actual.services).toEqual([])
})

test('paid deposits count as revenue; fees and refunds do not', async () => {
  const before = await analyticsOf(busy)
  await app.deps.write.begin('pay', async (tx) => {
    await tx.run('past triggers', (sql) => sql`set local session_replication_role = replica`)
    await tx.run(
      'payments',
      (sql) => sql`
        insert into payments (id, booking_id, professional_id, status, fee_cents, deposit_cents, amount_cents, provider,
          expires_at, created_at, captured_at, captured_cents, captured_currency)
        select gen_random_uuid(), id, professional_id,
          case n when 1 then 'succeeded' when 2 then 'refunded' else 'requires_payment' end, 500, 2550, 3050, 'sandbox',
          ${SEEDED_AT}, ${SEEDED_AT}, case when n < 3 then ${SEEDED_AT}::timestamptz end, case when n < 3 then 3050 end,
          case when n < 3 then 'USD' end
        from (select id, professional_id, row_number() over (order by id) as n from bookings
          where professional_id = ${busy.id} limit 3) b`,
    )
    await tx.run(
      'refunds',
      (sql) => sql`
        insert into payment_refunds (id, payment_id, professional_id, reason, status, amount_cents, next_attempt_at, created_at,
          done_at)
        select gen_random_uuid(), id, professional_id, 'cancelled', 'done', captured_cents, ${SEEDED_AT}, ${SEEDED_AT}, ${SEEDED_AT}
        from payments where professional_id = ${busy.id} and status = 'refunded'`,
    )
    await tx.run('count', (sql) => sql`select rebuild_pro_revenue(${[busy.id]}::uuid[])`)
  })
  const { revenue, series } = await analyticsOf(busy)
  expect(revenue).toEqual({ ...before.revenue, deposits: 25.5, total: before.revenue.total + 25.5 })
  expect((series.at(-1)?.revenue ?? 0) - (before.series.at(-1)?.revenue ?? 0)).toBe(25.5)
})
