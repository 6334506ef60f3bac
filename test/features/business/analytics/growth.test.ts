// /console/growth: every number equals a count of the rows in SQL, over borders of days, and an empty marketplace says what to do next.
import { beforeAll, describe, expect, test } from 'bun:test'

import { type GrowthNumbers, RANGES, getGrowth } from '../../../../src/features/business/analytics/verbs.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import { openTestApp } from '../../../support/app.ts'
import { SEEDED_AT } from '../../../support/database.ts'
import { opened } from '../../../support/fixture.ts'
import { loggedInVisitor } from '../../../support/visitor.ts'

const app = await opened(openTestApp())
const { sql } = app
const ctx = ctxOf(app.deps)
const operator = await loggedInVisitor(app, 'operator')

/** Spreads bookings, payments and pros over the half year before now, back from now, so that many are close to the border of a day. */
async function makeHistory(): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    const at = tx`${SEEDED_AT}::timestamptz - n * interval '7 hours 11 minutes'`
    await tx`
      update bookings b set created_at = ${at},
        cancelled_at = case when status = 'cancelled' then ${at} + interval '5 hours' end,
        cancelled_by = case when status = 'cancelled' then (array['customer', 'pro', 'hearth', null])[n % 4 + 1] end
      from (select id, (row_number() over (partition by status order by id))::integer - 1 as n from bookings) t where t.id = b.id`
    await tx`
      insert into payments (id, booking_id, professional_id, status, fee_cents, deposit_cents, amount_cents, provider,
        expires_at, created_at, captured_at, captured_cents, captured_currency)
      select gen_random_uuid(), id, professional_id, (array['succeeded', 'succeeded', 'refunded', 'expired'])[n % 4 + 1],
        n + 1, 1000, n + 1001, 'sandbox', ${at}, ${at}, case when n % 4 < 3 then ${at} end, case when n % 4 < 3 then n + 1001 end,
        case when n % 4 < 3 then 'USD' end
      from (select id, professional_id, (row_number() over (order by id desc))::integer - 1 as n from bookings) b`
    await tx`
      update professionals p set created_at = ${at}
      from (select id, (row_number() over (order by id))::integer - 1 as n from professionals) t where t.id = p.id`
    // One pro of those who joined lately is a test pro, of whom nothing counts.
    await tx`
      update professionals set active = false, test_account_id = account_id
      where id = (select id from professionals order by created_at desc limit 1)`
    await tx`select rebuild_pro_revenue(null)`
    await tx`
      insert into search_days (day, way, searches, misses)
      select (${SEEDED_AT}::timestamptz at time zone 'UTC')::date - n, way, n % 17 + 3 + length(way), n % 3
      from generate_series(0, 800) n, unnest(array['pages', 'api', 'agents']) way`
  })
}

/** The numbers of the days from `first` to `last`, from the rows themselves. */
async function countRows(first: string, last: string): Promise<GrowthNumbers> {
  const [numbers] = await sql<GrowthNumbers[]>`
    with real as (select * from professionals where test_account_id is null),
    made as (
      select b.status from bookings b join real p on p.id = b.professional_id
      where (b.created_at at time zone p.time_zone)::date between ${first}::date and ${last}::date),
    ended as (
      select b.cancelled_by from bookings b join real p on p.id = b.professional_id
      where b.status = 'cancelled' and (b.cancelled_at at time zone 'UTC')::date between ${first}::date and ${last}::date)
    select (select count(*)::int from made) as made,
      (select count(*)::int from made where status = 'completed') as completed,
      (select count(*)::int from made where status = 'no_show') as missed,
      (select count(*)::int from made where status = 'cancelled') as cancelled,
      (select count(*)::int from ended where cancelled_by = 'customer') as "byCustomers",
      (select count(*)::int from ended where cancelled_by = 'pro') as "byPros",
      (select count(*)::int from ended where cancelled_by is null or cancelled_by = 'hearth') as "byHearth",
      (select coalesce(sum(y.fee_cents), 0)::float8 from payments y join real p on p.id = y.professional_id
        where y.status = 'succeeded' and (y.created_at at time zone 'UTC')::date between ${first}::date and ${last}::date) as cents,
      (select count(*)::int from real where (created_at at time zone 'UTC')::date between ${first}::date and ${last}::date) as joined,
      (select coalesce(sum(searches), 0)::float8 from search_days where way = 'pages' and day between ${first}::date and ${last}::date) as "byPages",
      (select coalesce(sum(searches), 0)::float8 from search_days where way = 'api' and day between ${first}::date and ${last}::date) as "byPrograms",
      (select coalesce(sum(searches), 0)::float8 from search_days where way = 'agents' and day between ${first}::date and ${last}::date) as "byAgents",
      (select coalesce(sum(misses), 0)::float8 from search_days where day between ${first}::date and ${last}::date) as misses`
  if (!numbers) throw new Error('A count has one row.')
  return numbers
}

const dayBefore = (date: string, days: number) =>
  new Date(Date.parse(date) - days * 86_400_000).toISOString().slice(0, 10)

/** The first and last days of the steps of a range that ends on a day and those of as many before, from the database. */
async function stepsOf(range: keyof typeof RANGES, today: string): Promise<{ first: string; last: string }[]> {
  const { steps, by } = RANGES[range]
  return await sql<{ first: string; last: string }[]>`
    select (${today}::date + 1 - n * ${`1 ${by}`}::interval)::date::text as first,
      ((${today}::date + 1 - (n - 1) * ${`1 ${by}`}::interval)::date - 1)::text as last
    from generate_series(${2 * steps}::int, 1, -1) n`
}

/** The page as an operator gets it. */
async function readPage(query = ''): Promise<string> {
  const { status, text } = await operator.get(`/console/growth${query}`)
  expect(status).toBe(200)
  return text
}

test('a marketplace where nothing has happened is told what will appear and where pros join', async () => {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      update bookings set created_at = '2020-01-01', cancelled_at = case when status = 'cancelled' then '2020-01-01'::timestamptz end`
    await tx`update payments set created_at = '2020-01-01'`
    await tx`update professionals set created_at = '2020-01-01'`
    await tx`select rebuild_pro_revenue(null)`
  })
  const page = await readPage()
  expect(page).toContain('Nothing to count in this time')
  expect(page).toContain('href="/for-pros"')
  expect(page).not.toContain('data-chart')
})

describe('after half a year', () => {
  beforeAll(makeHistory)

  test.each(['30d', '12w', '12m'] as const)(
    'each number of the range %s equals a count of the rows, and so does the range before',
    async (range) => {
      const { steps } = RANGES[range]
      const growth = await getGrowth(ctx, { range })
      const today = app.deps.clock.now().toISOString().slice(0, 10)
      const expected = await stepsOf(range, today)
      expect(growth.steps.map(({ first, last }) => ({ first, last }))).toEqual(expected.slice(steps))
      expect(growth.steps.at(-1)?.last).toBe(today)
      for (const { first, last, ...numbers } of growth.steps)
        expect([first, numbers]).toEqual([first, await countRows(first, last)])
      const start = growth.steps[0]?.first ?? ''
      expect(growth.total).toEqual(await countRows(start, today))
      expect(growth.before).toEqual(await countRows(expected[0]?.first ?? '', dayBefore(start, 1)))
      // Each number has something to be wrong about.
      for (const value of Object.values(growth.total)) expect(value).toBeGreaterThan(0)
      const page = await readPage(`?range=${range}`)
      expect(page.match(/data-chart/g)).toHaveLength(6)
      expect(page.match(/<table/g)).toHaveLength(6)
      const { made, completed, missed, cancelled, cents, misses } = growth.total
      expect(page).toContain(
        `<span class="value">${misses.toLocaleString('en-US')}</span> <span class="label">without results`,
      )
      expect(page).toContain(`<span class="value">${made.toLocaleString('en-US')}</span>`)
      expect(page).toContain(
        `<span class="value">${Math.round((100 * completed) / (completed + missed + cancelled))}%</span>`,
      )
      expect(page).toContain(`<span class="value">$${(cents / 100).toLocaleString('en-US')}`)
    },
  )
})
