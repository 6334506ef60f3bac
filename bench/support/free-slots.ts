// Numbered free slots for bookings that do not conflict, and deletion of these bookings afterwards.
import type { Sql } from '../../src/platform/postgres/database.ts'
import { OWNER_EMAIL } from './account.ts'
import type { LoadRequest } from './http-load.ts'

export interface FreeSlot {
  n: number
  proId: string
  serviceId: string
  day: string
  time: string
}

/** Days ahead, beyond the bookings of the seed. */
const [FIRST_DAY, LAST_DAY] = [40, 240]

/** Creates the table bench_slots with `count` slots and the sequence bench_slot_numbers over them. */
export async function createFreeSlots(sql: Sql, count: number): Promise<void> {
  await sql.unsafe(`
    drop table if exists bench_slots;
    drop sequence if exists bench_slot_numbers;
    create unlogged table bench_slots as
      select row_number() over (order by md5(p.id || d.day::text)) as n, p.id as pro_id, o.service_id, d.day,
        p.business_hours -> to_char(d.day, 'fmday') -> 0 ->> 'start' as time
      from (
        select * from professionals
        where active and instant_booking_enabled and not requires_approval and not deposit_required
        order by md5(id::text) limit ${Math.ceil(count / 40)}
      ) p
      cross join lateral (
        select service_id from professional_services
        where professional_id = p.id and instant_book_enabled order by service_id limit 1) o
      -- One slot per day, because the pro's buffer could block a second one.
      cross join lateral (
        select current_date + n as day from generate_series(${FIRST_DAY}, ${LAST_DAY}) n) d
      where jsonb_array_length(p.business_hours -> to_char(d.day, 'fmday')) > 0
        and not exists (
          select from bookings b where b.professional_id = p.id and b.starts_at > current_date + ${FIRST_DAY - 1})
        and not exists (
          select from availability_blocks k where k.professional_id = p.id and k.ends_at > current_date + ${FIRST_DAY - 1})
      limit ${count};
    create unique index on bench_slots (n);
    create sequence bench_slot_numbers;
    analyze bench_slots`)
}

/** Lists `count` slots starting at the number `first`. */
export const listFreeSlots = (sql: Sql, first: number, count: number): Promise<FreeSlot[]> =>
  sql<FreeSlot[]>`
    select n, pro_id, service_id, day, time from bench_slots where n >= ${first} and n < ${first + count} order by n`

/** The POST /bookings request for a slot. */
export const bookingRequest = (
  { proId, serviceId, day, time }: FreeSlot,
  key: string,
  idempotencyKey: string,
): LoadRequest => ({
  path: '/api/v1/bookings',
  headers: { authorization: `Bearer ${key}`, 'idempotency-key': idempotencyKey },
  body: JSON.stringify({
    professionalId: proId,
    serviceId,
    date: day,
    time,
    customer: { name: 'Demo Customer', email: `${idempotencyKey}@demo.example`, phone: '(555) 555-0100' },
    address: { street: '1 Main Street', city: 'Austin', state: 'TX', zipCode: '78701' },
    description: 'The kitchen sink drips.',
  }),
})

/** Deletes the bookings of the benchmark's account with their events and idempotency records. Returns how many. */
export async function deleteBookings(sql: Sql): Promise<number> {
  const [deleted] = await sql<{ count: number }[]>`
    with deleted as (
      delete from bookings b using accounts a where a.id = b.account_id and a.email = ${OWNER_EMAIL} returning b.id
    ), events as (
      delete from outbox_events where aggregate_id in (select id from deleted)
    ), records as (
      delete from idempotency_records r using accounts a where a.id = r.account_id and a.email = ${OWNER_EMAIL}
    )
    select count(*)::integer as count from deleted`
  await sql`vacuum bookings, outbox_events, idempotency_records`
  return deleted?.count ?? 0
}
