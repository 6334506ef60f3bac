// The price statistics by a formulation of their own: see `PRICES_THAT_COUNT`.
import type { TestApp } from './app.ts'

/** The statistics that differ from those of the prices that count, by more than rounding. */
export const findWrongPrices = async ({ sql }: TestApp): Promise<object[]> => {
  const rows = await sql`
    with work as materialized (
      select r.service_id, q.professional_id, case when j.id is null then 1 else 0 end as kind,
        coalesce(j.completed_at, q.accepted_at) as done_at, coalesce(j.id, q.id) as id,
        coalesce(j.amount_cents, q.amount_cents)::numeric
          * (coalesce(q.units_cents, q.amount_cents)::numeric / q.amount_cents) / coalesce(q.units, 1) as cents
      from quotes q join rfqs r on r.id = q.rfq_id join services s on s.id = r.service_id
      left join jobs j on j.quote_id = q.id and j.completed_at is not null
      where q.accepted_at is not null and (s.unit is null or q.units > 0)
      union all
      select j.service_id, j.professional_id, 0, j.completed_at, j.id, j.amount_cents / coalesce(j.units, 1)
      from jobs j join services s on s.id = j.service_id
      where j.quote_id is null and j.completed_at is not null and (s.unit is null or j.units > 0)
    ), candidate as materialized (
      select w.service_id, w.professional_id, w.kind, w.cents, 3 * newer.n + w.kind as turn
      from work w cross join lateral (
        select count(*) as n from work o
        where (o.service_id, o.professional_id, o.kind) = (w.service_id, w.professional_id, w.kind)
          and (o.done_at, o.id) > (w.done_at, w.id)) newer
      where newer.n < 3
      union all
      select o.service_id, o.professional_id, 2, coalesce(o.base_price_cents, (o.min_price_cents + o.max_price_cents) / 2.0),
        2
      from professional_services o join services s on s.id = o.service_id
      join professionals p on p.id = o.professional_id and p.active
      where o.price_type = s.price_type and coalesce(o.unit, '') = coalesce(s.unit, '')
        and coalesce(o.base_price_cents, o.min_price_cents + o.max_price_cents) > 0
    ), price as materialized (
      select c.service_id, c.professional_id, c.kind, c.turn, c.cents, p.city_id, y.state,
        count(*) filter (where earlier.turn < c.turn) as earlier
      from candidate c join candidate earlier using (service_id, professional_id)
      join professionals p on p.id = c.professional_id join cities y on y.id = p.city_id
      group by c.service_id, c.professional_id, c.kind, c.turn, c.cents, p.city_id, y.state
    ), typical as (
      select service_id, percentile_cont(0.5) within group (order by cents) as cents
      from price where earlier = 0 group by service_id
    ), placed as (
      select service_id, '' as state, 0 as city_id, professional_id, kind, cents, earlier from price
      union all select service_id, state, 0, professional_id, kind, cents, earlier from price
      union all select service_id, state, city_id, professional_id, kind, cents, earlier from price
    ), crowd as (
      select service_id, state, city_id, count(distinct professional_id) as pros from placed group by 1, 2, 3
    ), counted as (
      select a.service_id, a.state, a.city_id, avg(a.cents) as average, min(a.cents) as lowest, max(a.cents) as highest,
        percentile_cont(0.5) within group (order by a.cents) as median, sum((a.kind = 2)::int) as listings,
        sum((a.kind = 1)::int) as quotes, sum((a.kind = 0)::int) as jobs
      from placed a join crowd using (service_id, state, city_id) join typical t on t.service_id = a.service_id
      where (a.earlier = 0 or a.earlier < floor(crowd.pros / 20)) and a.cents / t.cents between 0.2 and 5
      group by 1, 2, 3 having count(*) > 2
    )
    select k.*, a.*
    from counted k full join pricing_aggregates a using (service_id, state, city_id)
    where k.service_id is null or a.average_cents is null
      or abs(k.average - a.average_cents) > 0.5001 or abs(k.median - a.median_cents) > 0.5001
      or abs(k.lowest - a.min_cents) > 0.5001 or abs(k.highest - a.max_cents) > 0.5001
      or (k.listings, k.quotes, k.jobs) <> (a.professional_listings, a.accepted_quotes, a.completed_projects)`
  return rows.slice()
}
