// A pro with years of work: bookings that do not overlap, from years ago until a month ahead.
import type { Sql } from '../../src/platform/postgres/database.ts'
import type { TestPro } from './schedule.ts'

/** Inserts `count` bookings of half an hour, the last ones in the month after `now`, most of them completed. */
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
    await tx`select rebuild_booking_counts(array[${pro.id}]::uuid[])`
  })
  await sql`vacuum (analyze) bookings`
}
