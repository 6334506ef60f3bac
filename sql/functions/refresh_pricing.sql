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

-- Makes the statistics of some places anew, in one statement: readers see the old set or the new one. Which: of each service
-- everywhere, and in the city named beside it (two arrays of one length) and that city's state; a null city means every
-- place. Figures that did not change keep their day. Gives how many changed.
create or replace function refresh_price_groups(as_of timestamptz, service_ids uuid[], city_ids integer[])
  returns integer
  language plpgsql volatile as $$
declare
  changed integer;
begin
  with touched as materialized (
    select t.service_id, bool_or(t.city_id is null) as whole, array_agg(c.state) as states, array_agg(c.id) as cities
    from unnest(service_ids, city_ids) t (service_id, city_id)
    left join cities c on c.id = t.city_id
    group by t.service_id
  ), points as materialized (
    select p.*, t.whole or p.state = any (t.states) as in_state, t.whole or p.city_id = any (t.cities) as in_city
    from price_points(array(select t.service_id from touched t)) p
    join touched t on t.service_id = p.service_id
  ), fresh as materialized (
    select k.service_id, k.state, k.city_id,
      -- As numeric: a sum of doubles depends on their order, and a figure must not.
      round(avg(k.cents::numeric))::integer as average_cents,
      round(percentile_cont(0.5) within group (order by k.cents))::integer as median_cents,
      round(min(k.cents))::integer as min_cents, round(max(k.cents))::integer as max_cents,
      (count(*) filter (where k.source = 1))::integer as professional_listings,
      (count(*) filter (where k.source = 2))::integer as accepted_quotes,
      (count(*) filter (where k.source = 3))::integer as completed_projects
    from (
      select service_id, '' as state, 0 as city_id, source, cents from points
      union all
      select service_id, state, 0, source, cents from points where in_state
      union all
      select service_id, state, city_id, source, cents from points where in_city
    ) k
    group by k.service_id, k.state, k.city_id
  ), written as (
    insert into pricing_aggregates as a
      select f.*, (as_of at time zone 'UTC')::date from fresh f
    on conflict (service_id, state, city_id) do update set
      average_cents = excluded.average_cents, median_cents = excluded.median_cents,
      min_cents = excluded.min_cents, max_cents = excluded.max_cents,
      professional_listings = excluded.professional_listings, accepted_quotes = excluded.accepted_quotes,
      completed_projects = excluded.completed_projects, last_updated = excluded.last_updated
    where (a.average_cents, a.median_cents, a.min_cents, a.max_cents, a.professional_listings, a.accepted_quotes,
        a.completed_projects)
      is distinct from (excluded.average_cents, excluded.median_cents, excluded.min_cents, excluded.max_cents,
        excluded.professional_listings, excluded.accepted_quotes, excluded.completed_projects)
    returning 1
  ), removed as (
    delete from pricing_aggregates a using touched t
    where a.service_id = t.service_id
      and (t.whole or a.state = '' or a.city_id = 0 and a.state = any (t.states) or a.city_id = any (t.cities))
      and not exists (
        select from fresh f where (f.service_id, f.state, f.city_id) = (a.service_id, a.state, a.city_id))
    returning 1
  )
  select (select count(*) from written) + (select count(*) from removed) into changed;
  return changed;
end $$;

-- The statistics of the given services (null: all) in every place.
create or replace function refresh_pricing(p_now timestamptz, p_service_ids uuid[] default null)
  returns integer
  language sql volatile as $$
  select refresh_price_groups(p_now, s.ids, array_fill(null::integer, array[cardinality(s.ids)]))
  from (select coalesce(p_service_ids, array(select id from services)) as ids) s
$$;
