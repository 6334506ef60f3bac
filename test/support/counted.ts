// The counters of pros that differ from the rows that they count.
import type { Sql } from '../../src/platform/postgres/database.ts'

export interface Drift {
  counter: string
  kept: number | null
  counted: number | null
}

/** Counts and adds up all rows of the marketplace anew. */
export const countersAdrift = (sql: Sql): Promise<Drift[]> => sql<Drift[]>`
  with back as materialized (
    -- What went back after the work was completed.
    select part.payment_id, sum(part.cents)::bigint as cents
    from (
      select r.payment_id, r.amount_cents as cents, r.created_at as at from payment_refunds r
      where r.status in ('pending', 'part', 'submitted', 'done')
      union all
      select d.payment_id, d.amount_cents, d.closed_at from payment_disputes d where d.state = 'lost'
    ) part
    join payments y on y.id = part.payment_id
    left join bookings b on b.id = y.booking_id
    left join jobs j on j.quote_id = y.quote_id
    where part.at >= coalesce(b.completed_at, j.completed_at)
    group by 1
  ), fact as materialized (
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
    select b.professional_id, 'visit', price.state, b.completed_at, b.service_id, greatest(0, price.cents - b.deposit_cents)
    from bookings b
    cross join lateral (select b.base_price_cents * case b.price_type when 'hourly' then b.duration_minutes / 60.0 else 1 end) p (cents)
    cross join lateral (
      select 'priced', round(p.cents)::bigint
      where b.price_type <> 'per_unit' and p.cents > 0 and b.min_price_cents is null and b.max_price_cents is null
      union all select 'unpriced', 0 limit 1) price (state, cents)
    where b.status = 'completed' and b.job_id is null
    union all
    select y.professional_id, 'deposit', 'made', y.captured_at, coalesce(b.service_id, j.service_id), left_of.deposit_cents
    from payments y cross join lateral payment_sums(y) s
    left join bookings b on b.id = y.booking_id
    left join jobs j on j.quote_id = y.quote_id and j.status = 'cancelled'
    left join back on back.payment_id = y.id
    cross join lateral (
      select case when b.status = 'completed' then greatest(0, least(y.deposit_cents, s.paid_cents) - coalesce(back.cents, 0))
        else s.deposit_cents end as deposit_cents) left_of
    where left_of.deposit_cents > 0 and (b.id is not null or j.id is not null)
    union all
    select j.professional_id, 'return', 'made', j.completed_at, j.service_id, -least(j.amount_cents, back.cents)
    from payments y join jobs j on j.quote_id = y.quote_id and j.status = 'completed' join back on back.payment_id = y.id
    where y.captured_currency = y.currency
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
