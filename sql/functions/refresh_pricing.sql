-- Every known price of a service, in cents per its unit: what pros list, what customers accepted, what work cost.
-- A listing counts only when it is priced the way the service is (an hourly price says nothing about a flat one).
create or replace function price_points(p_service_ids uuid[])
returns table (service_id uuid, state text, city_id integer, source smallint, cents double precision)
language sql stable as $$
  select ps.service_id, c.state, c.id, 1::smallint,
    coalesce(ps.base_price_cents, (ps.min_price_cents + ps.max_price_cents) / 2.0)::double precision
  from professional_services ps
  join services s on s.id = ps.service_id
  join professionals p on p.id = ps.professional_id and p.active
  join cities c on c.id = p.city_id
  where (p_service_ids is null or ps.service_id = any (p_service_ids))
    and ps.price_type = s.price_type and ps.unit is not distinct from s.unit
    and (ps.base_price_cents is not null or (ps.min_price_cents is not null and ps.max_price_cents is not null))
  union all
  select r.service_id, c.state, c.id, 2::smallint, q.amount_cents / coalesce(q.units, 1)::double precision
  from quotes q
  join rfqs r on r.id = q.rfq_id
  join services s on s.id = r.service_id
  join professionals p on p.id = q.professional_id
  join cities c on c.id = p.city_id
  where q.status = 'accepted' and (p_service_ids is null or r.service_id = any (p_service_ids))
    and (q.units is not null or s.unit is null)
  union all
  select j.service_id, c.state, c.id, 3::smallint, j.amount_cents / coalesce(j.units, 1)::double precision
  from jobs j
  join services s on s.id = j.service_id
  join professionals p on p.id = j.professional_id
  join cities c on c.id = p.city_id
  where j.status = 'completed' and (p_service_ids is null or j.service_id = any (p_service_ids))
    and (j.units is not null or s.unit is null)
$$;

-- Recomputes the statistics of the given services (null: all) in every place, in one transaction: readers see the old
-- set or the new one. Rows whose figures did not change keep their day.
create or replace function refresh_pricing(p_now timestamptz, p_service_ids uuid[] default null)
returns integer language plpgsql as $$
declare
  changed integer;
begin
  create temporary table fresh_prices on commit drop as
    select pp.service_id, coalesce(pp.state, '') as state, coalesce(pp.city_id, 0) as city_id,
      round(avg(cents))::integer as average_cents,
      round(percentile_cont(0.5) within group (order by cents))::integer as median_cents,
      round(min(cents))::integer as min_cents, round(max(cents))::integer as max_cents,
      (count(*) filter (where source = 1))::integer as professional_listings,
      (count(*) filter (where source = 2))::integer as accepted_quotes,
      (count(*) filter (where source = 3))::integer as completed_projects
    from price_points(p_service_ids) pp
    group by grouping sets ((pp.service_id), (pp.service_id, pp.state), (pp.service_id, pp.state, pp.city_id));

  insert into pricing_aggregates as a
    select f.*, (p_now at time zone 'UTC')::date from fresh_prices f
  on conflict (service_id, state, city_id) do update set
    average_cents = excluded.average_cents, median_cents = excluded.median_cents,
    min_cents = excluded.min_cents, max_cents = excluded.max_cents,
    professional_listings = excluded.professional_listings, accepted_quotes = excluded.accepted_quotes,
    completed_projects = excluded.completed_projects, last_updated = excluded.last_updated
  where (a.average_cents, a.median_cents, a.min_cents, a.max_cents, a.professional_listings, a.accepted_quotes,
      a.completed_projects)
    is distinct from (excluded.average_cents, excluded.median_cents, excluded.min_cents, excluded.max_cents,
      excluded.professional_listings, excluded.accepted_quotes, excluded.completed_projects);
  get diagnostics changed = row_count;

  delete from pricing_aggregates a
  where (p_service_ids is null or a.service_id = any (p_service_ids))
    and not exists (
      select 1 from fresh_prices f
      where (f.service_id, f.state, f.city_id) = (a.service_id, a.state, a.city_id));
  drop table fresh_prices;
  return changed;
end $$;
