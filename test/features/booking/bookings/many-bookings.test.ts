// A pro with years of bookings, requests and payments: lists, counts and analytics read what they show, not the history.
import { describe, expect, test } from 'bun:test'

import { getAnalytics } from '../../../../src/features/business/analytics/verbs.ts'
import { BOOKING } from '../../../../src/features/booking/bookings/states.ts'
import { listBookingsOfPro } from '../../../../src/features/booking/bookings/verbs/find-booking.ts'
import { listVisits, searchBookings } from '../../../../src/features/booking/bookings/verbs/pro-lists.ts'
import { listJobs } from '../../../../src/features/booking/jobs/queries.ts'
import type { JobsQuery } from '../../../../src/features/booking/jobs/schemas.ts'
import { JOB_STATES } from '../../../../src/features/booking/jobs/states.ts'
import { findPublicProfile } from '../../../../src/features/search/pros/queries/pros.ts'
import { listQuotes } from '../../../../src/features/quoting/quotes/queries/quotes.ts'
import type { QuotesQuery } from '../../../../src/features/quoting/quotes/schemas.ts'
import { QUOTE_STATES } from '../../../../src/features/quoting/quotes/states.ts'
import { selectReviews } from '../../../../src/features/reviews/reviews/queries/reviews.ts'
import type { ProReviewsQuery } from '../../../../src/features/reviews/reviews/schemas.ts'
import { REVIEW } from '../../../../src/features/reviews/reviews/states.ts'
import { listLeads } from '../../../../src/features/quoting/rfqs/queries.ts'
import type { LeadsQuery } from '../../../../src/features/quoting/rfqs/schemas.ts'
import { RFQ_STATES } from '../../../../src/features/quoting/rfqs/states.ts'
import type { Deps } from '../../../../src/deps.ts'
import { insertManyBookings, insertManyRequests } from '../../../support/big-pro.ts'
import { STARTED_AT, openBookingFixture } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { longForm } from '../../../support/long-form.ts'
import { countersAdrift } from '../../../support/counted.ts'
import { signedInCustomer } from '../../../support/customers.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const NOW = new Date(STARTED_AT)
const BOOKINGS = longForm(20_000, 200_000)
const REQUESTS = longForm(5000, 50_000)
/** 48 visits a day. */
const DAYS = BOOKINGS / 48
/** Those of the coming month, which lists pass and count, and a page. */
const BOUND = 2 * 48 * 30 + 500

const fixture = await opened(openBookingFixture())
const pro = await fixture.pro({ deposit: false })
await insertManyBookings(fixture.sql, pro, BOOKINGS, NOW)
await insertManyRequests(fixture.sql, pro, REQUESTS, NOW)

/** How many rows `work` reads of bookings and their counters. */
async function rowsRead(work: (deps: Deps) => Promise<unknown>): Promise<number> {
  const { deps } = fixture.app
  return await deps.write.begin('rowsRead', async (tx) => {
    // What the connection has not reported yet is in the sum, too.
    const sum = async () => {
      const [row] = await tx.run<{ rows: number }>(
        'readRows',
        (sql) => sql`
          select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as rows from pg_stat_xact_user_tables
          where relname in ('bookings', 'payments', 'payment_refunds', 'rfqs', 'quotes', 'jobs', 'reviews', 'pro_counts', 'pro_days')`,
      )
      return row?.rows ?? 0
    }
    const before = await sum()
    await work({ ...deps, read: tx as never, write: tx as never, replicas: tx as never })
    return (await sum()) - before
  })
}

describe('with years of bookings, few rows are read', () => {
  const views = ['upcoming', 'to_confirm', 'unpaid', 'past', 'cancelled', 'all'] as const
  test.each(views)('for the list of bookings: %s', async (view) => {
    expect(await rowsRead((deps) => searchBookings(ctxOf(deps, { professionalId: pro.id }), { view }))).toBeLessThan(
      BOUND,
    )
  })

  test.each([undefined, ...(Object.keys(BOOKING) as (keyof typeof BOOKING)[])])(
    'for GET /pro/bookings: %s',
    async (status) => {
      const read = (deps: Deps) =>
        listBookingsOfPro(ctxOf(deps), { ...(status ? { status } : {}), professionalId: pro.id })
      expect(await rowsRead(read)).toBeLessThan(BOUND)
    },
  )

  test('for the visits of a week', async () => {
    const read = (deps: Deps) => listVisits(ctxOf(deps, { professionalId: pro.id }), { from: '2026-11-16', days: 7 })
    expect(await rowsRead(read)).toBeLessThan(8 * 48)
  })

  test('for the public profile', async () => {
    const read = (deps: Deps) =>
      findPublicProfile(ctxOf(deps), { id: pro.id, slug: null, baseUrl: '', testAccountId: null })
    expect(await rowsRead(read)).toBeLessThan(100)
  })

  test('for the analytics of all time: some per day', async () => {
    const read = (deps: Deps) => getAnalytics(ctxOf(deps, { professionalId: pro.id }), { period: 'all' })
    expect(await rowsRead(read)).toBeLessThan(5 * DAYS + (10 * REQUESTS) / 24 + 100)
  })

  const lists: [string, readonly string[], (deps: Deps, status?: string) => Promise<{ total: number }>][] = [
    [
      'leads',
      RFQ_STATES,
      (deps, status) => listLeads(ctxOf(deps), { ...({ status } as LeadsQuery), professionalId: pro.id, now: NOW }),
    ],
    [
      'quotes',
      QUOTE_STATES,
      (deps, status) => listQuotes(ctxOf(deps), { ...({ status } as QuotesQuery), professionalId: pro.id, now: NOW }),
    ],
    [
      'jobs',
      JOB_STATES,
      (deps, status) =>
        listJobs(ctxOf(deps), { ...({ status } as JobsQuery), professionalId: pro.id, onlyMemberId: null }),
    ],
    [
      'reviews',
      Object.keys(REVIEW),
      (deps, status) => selectReviews(ctxOf(deps), { ...({ status } as ProReviewsQuery), professionalId: pro.id }),
    ],
  ]
  test.each(lists)('for the list of %s, in each state', async (_, states, list) => {
    const totals: number[] = []
    for (const status of [undefined, ...states]) {
      const read = async (deps: Deps) => void totals.push((await list(deps, status)).total)
      expect([status, (await rowsRead(read)) < 400]).toEqual([status, true])
    }
    const [all = 0, ...each] = totals
    expect(all).toBe(REQUESTS)
    expect(each.reduce((sum, total) => sum + total, 0)).toBe(REQUESTS)
  })
})

test('a customer sees each of 130 bookings to come, page by page', async () => {
  const email = 'regular@example.com'
  await fixture.sql`
    update bookings set customer_email = ${email} where id in (
      select id from bookings where professional_id = ${pro.id} and status = 'confirmed' and starts_at > ${STARTED_AT} limit 130)`
  const visitor = await signedInCustomer(fixture.app, email)
  expect((await visitor.get('/my')).text).toContain('href="/my/coming"')
  const seen = new Set<string>()
  for (let offset = 0; offset < 130; offset += 50)
    for (const [link] of (await visitor.get(`/my/coming?limit=50&offset=${offset}`)).text.matchAll(
      /\/my\/bookings\/[\da-f-]{36}/g,
    ))
      seen.add(link)
  expect(seen.size).toBe(130)
})

describe('the counters of bookings equal the bookings', () => {
  test('after bookings were made, moved through their states, changed otherwise and deleted', async () => {
    const { sql } = fixture
    expect(await countersAdrift(sql)).toEqual([])
    const made = await sql`
      insert into bookings select (jsonb_populate_record(null::bookings, to_jsonb(b) || jsonb_build_object(
        'id', gen_random_uuid(), 'confirmation_code', 'HTH-00000000000' || n, 'event_sequence', 1,
        'starts_at', b.starts_at + t.days, 'ends_at', b.ends_at + t.days,
        'holds', tstzrange(b.starts_at + t.days, b.ends_at + t.days)))).*
      from (select * from bookings where professional_id = ${pro.id} and status = 'confirmed' order by starts_at limit 1) b
      cross join generate_series(1, 6) n
      cross join lateral (select n * interval '60 days' as days) t
      returning id`
    const [first = '', second = '', third = '', fourth = ''] = made.map(({ id }) => id as string)
    expect(await countersAdrift(sql)).toEqual([])
    await sql`update bookings set status = 'completed', completed_at = created_at where id = any (${[first, second]}::uuid[])`
    await sql`update bookings set status = 'cancelled', cancelled_at = now(), cancelled_by = 'pro' where id = ${third}`
    await sql`update bookings set created_at = created_at - interval '40 days' where id = ${first}`
    await sql`update bookings set description = 'The gate is open' where professional_id = ${pro.id} and status = 'pending'`
    await sql`delete from bookings where id = any (${[second, fourth]}::uuid[])`
    expect(await countersAdrift(sql)).toEqual([])
  })

  test('and what was counted keeps its day when the pro changes the time zone, which reads few rows', async () => {
    const { sql } = fixture
    const daysOf = () =>
      sql`select * from pro_days where professional_id = ${pro.id} order by day, kind, service_id, status`
    // A day of one of them is mostly the day before or after in the next one.
    for (const timezone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kolkata', 'Pacific/Kiritimati']) {
      const before = await daysOf()
      const move = ({ write }: Deps) =>
        write.run('changeZone', (tx) => tx`update professionals set time_zone = ${timezone} where id = ${pro.id}`)
      expect(await rowsRead(move)).toBeLessThan(50)
      expect(await daysOf()).toEqual(before)
      await sql`
        update bookings set status = 'completed', completed_at = created_at where id in (
          select id from bookings where professional_id = ${pro.id} and status = 'confirmed' order by created_at limit 10)`
      await sql`
        update bookings set created_at = (select max(created_at) from bookings) + interval '20 hours' where id in (
          select id from bookings where professional_id = ${pro.id} and status = 'confirmed' order by created_at limit 1)`
    }
    expect(await countersAdrift(sql)).toEqual([])
    expect(await sql`select from former_time_zones where professional_id = ${pro.id}`).toHaveLength(4)
    await sql`select rebuild_pro_counts(array[${pro.id}]::uuid[])`
    expect(await countersAdrift(sql)).toEqual([])
  }, 120_000)
})
