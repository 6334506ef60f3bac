// A pro with years of work: bookings that do not overlap, from years ago until a month ahead.
import type { Sql } from '../../src/platform/postgres/database.ts'
import type { TestPro } from './schedule.ts'

/** Inserts `count` bookings of half an hour, the last ones in the month after `now`, most of them completed, with a deposit paid. */
export async function insertManyBookings(sql: Sql, pro: TestPro, count: number, now: Date): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      insert into bookings (id, professional_id, service_id, confirmation_code, status, confirmed_at, starts_at, duration_minutes,
        buffer_minutes, ends_at, holds, customer_name, customer_email, source, created_at, service_name, price_type,
        completed_at, cancelled_at, cancelled_by, event_sequence)
      select gen_random_uuid(), ${pro.id}, ${pro.serviceId},
        'HTH-' || upper(right(md5(n::text), 12)), b.status,
        case when b.status <> 'pending' then b.starts_at - interval '2 days' end, b.starts_at, 30, 0,
        b.starts_at + interval '30 minutes', tstzrange(b.starts_at, b.starts_at + interval '30 minutes'),
        'Customer ' || n, 'customer' || n % 5000 || '@example.com', 'api', b.starts_at - interval '3 days', 'Plumbing', 'flat',
        case when b.status = 'completed' then b.starts_at + interval '1 hour' end,
        case when b.status = 'cancelled' then b.starts_at - interval '1 day' end,
        case when b.status = 'cancelled' then 'customer' end, 1
      from generate_series(1, ${count}::integer) n
      cross join lateral (
        select ${now.toISOString()}::timestamptz + interval '30 days' - n * interval '30 minutes' as starts_at) s
      cross join lateral (
        select s.starts_at, case
          when s.starts_at > ${now.toISOString()} then case when n % 40 = 0 then 'pending' else 'confirmed' end
          when n % 500 = 0 then 'no_show' when n % 50 = 0 then 'cancelled' else 'completed' end as status) b`
    await tx`
      insert into payments (id, booking_id, professional_id, status, fee_cents, deposit_cents, amount_cents, provider, expires_at,
        created_at, captured_at, captured_cents, captured_currency)
      select gen_random_uuid(), b.id, b.professional_id, 'succeeded', 500, 5000, 5500, 'sandbox', b.starts_at, b.created_at,
        b.created_at, 5500, 'USD'
      from bookings b where b.professional_id = ${pro.id} and b.status = 'completed'`
    await tx`select rebuild_pro_revenue(array[${pro.id}]::uuid[])`
  })
  await sql`vacuum (analyze) bookings, payments`
}

/** Inserts `count` requests, each with a quote, a job and a review, all of them over except each five-hundredth. */
export async function insertManyRequests(sql: Sql, pro: TestPro, count: number, now: Date): Promise<void> {
  const ids = sql`
    select n, md5('request' || n || ${pro.id})::uuid as id, n % 500 = 0 as is_new,
      ${now.toISOString()}::timestamptz - n * interval '1 hour' as at
    from generate_series(1, ${count}::integer) n`
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      insert into rfqs (id, professional_id, service_id, status, description, customer_name, customer_email, source, created_at)
      select id, ${pro.id}, ${pro.serviceId}, case when is_new then 'new' else 'archived' end, 'The tap drips ' || repeat('again ', 20),
        'Customer ' || n, 'customer' || n || '@example.com', 'api', at
      from (${ids}) r`
    await tx`
      insert into quotes (id, rfq_id, professional_id, status, amount_cents, created_at, sent_at, valid_until, accepted_at)
      select id, id, ${pro.id}, case when is_new then 'sent' else 'accepted' end, 20000, at, at, at + interval '400 days',
        case when not is_new then at end
      from (${ids}) r`
    await tx`
      insert into jobs (id, professional_id, service_id, quote_id, status, amount_cents, created_at, started_at, completed_at)
      select id, ${pro.id}, ${pro.serviceId}, id, case when is_new then 'in_progress' else 'completed' end, 20000, at, at,
        case when not is_new then at end
      from (${ids}) r`
    await tx`
      insert into reviews (id, professional_id, job_id, status, rating, content, customer_name, customer_email, created_at, approved_at)
      select id, ${pro.id}, id, case when is_new then 'pending' else 'approved' end, 4, 'Good work', 'Customer ' || n,
        'customer' || n || '@example.com', at, case when not is_new then at end
      from (${ids}) r`
    await tx`select rebuild_pro_revenue(array[${pro.id}]::uuid[])`
  })
  await sql`vacuum (analyze) rfqs, quotes, jobs, reviews`
}
