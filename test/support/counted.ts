// The counters of pros that differ from the rows that they count.
import type { Sql } from '../../src/platform/postgres/database.ts'

export interface Drift {
  counter: string
  kept: number | null
  counted: number | null
}

/** Counts and adds up all rows of the marketplace anew. */
export const countersAdrift = (sql: Sql): Promise<Drift[]> => sql<Drift[]>`
  with fact as materialized (
    select b.professional_id, 'booking' as kind, b.status, b.created_at as at, b.service_id, 0::bigint as cents from bookings b
    union all
    select r.professional_id, 'rfq', r.status, r.created_at, r.service_id, 0 from rfqs r
    union all
    select q.professional_id, 'quote', q.status, q.sent_at, null, q.amount_cents from quotes q
    union all
    select q.professional_id, 'acceptance', q.status, q.accepted_at, null, q.amount_cents from quotes q
    where q.accepted_at is not null
    union all
    select j.professional_id, 'job', j.status, j.completed_at, j.service_id, j.amount_cents from jobs j
    union all
    select r.professional_id, 'review', r.status, r.approved_at, null, r.rating from reviews r
    union all
    select y.professional_id, 'deposit', 'made', y.captured_at, coalesce(b.service_id, j.service_id), s.deposit_cents
    from payments y cross join lateral payment_sums(y) s
    left join bookings b on b.id = y.booking_id
    left join jobs j on j.quote_id = y.quote_id and j.status = 'cancelled'
    where s.deposit_cents > 0 and (b.id is not null or j.id is not null)
    union all
    select j.professional_id, 'return', 'made', j.completed_at, j.service_id, -least(j.amount_cents, back.cents)
    from payments y join jobs j on j.quote_id = y.quote_id and j.status = 'completed'
    cross join lateral (
      select sum(cents)::bigint as cents from (
        select r.amount_cents as cents from payment_refunds r
        where r.payment_id = y.id and r.status in ('pending', 'part', 'submitted', 'done') and r.created_at >= j.completed_at
        union all
        select d.amount_cents from payment_disputes d
        where d.payment_id = y.id and d.state = 'lost' and d.closed_at >= j.completed_at) part) back
    where y.captured_currency = y.currency and back.cents > 0
  ), day as (
    select f.professional_id, f.kind, f.status, (f.at at time zone coalesce(former.time_zone, p.time_zone))::date as day,
      f.service_id, count(*) as total, sum(f.cents)::bigint as cents
    from fact f join professionals p on p.id = f.professional_id
    left join (
      select z.*, lag(z.until, 1, '-infinity') over (partition by z.professional_id order by z.until) as since
      from former_time_zones z) former
      on former.professional_id = p.id and f.at >= former.since and f.at < former.until
    where f.at is not null
    group by 1, 2, 3, 4, 5
  ), state as (
    select professional_id, kind, status, count(*) as total from fact group by 1, 2, 3
  )
  select concat_ws(' ', coalesce(k.kind, d.kind), coalesce(k.status, d.status), coalesce(k.day, d.day)) as counter, k.total::int as kept, d.total::int as counted
  from pro_days k full join day d
    on (k.professional_id, k.kind, k.status, k.day, coalesce(k.service_id, k.professional_id))
      = (d.professional_id, d.kind, d.status, d.day, coalesce(d.service_id, d.professional_id))
  where (coalesce(k.total, 0), coalesce(k.cents, 0)) is distinct from (coalesce(d.total, 0), coalesce(d.cents, 0))
  union all
  select concat_ws(' ', kind, status), k.total::int, s.total::int
  from pro_counts k full join state s using (professional_id, kind, status)
  where coalesce(k.total, 0) <> coalesce(s.total, 0)
  limit 20`
