-- Recomputes the price lists that changed and returns their keys. The three arrays of equal length are rows of
-- `pricing_changes`. All lists of a service that changed everywhere are recomputed too, but not returned.
create or replace function refresh_price_lists(service_ids uuid[], city_ids integer[], pro_ids uuid[])
  returns table (service_id uuid, state text, city_id integer)
  language plpgsql volatile as $$
#variable_conflict use_column
declare
  whole constant uuid[] := price_services_whole(service_ids, pro_ids);
begin
  return query
  with changes as materialized (
    select distinct n.service_id, n.city_id, n.pro_id
    from unnest(service_ids, city_ids, pro_ids) n (service_id, city_id, pro_id) where n.pro_id is not null
  ), touched as materialized (
    select distinct t.service_id, c.state, t.city_id, t.pro_id
    from (
      select n.service_id, p.city_id, n.pro_id
      from changes n
      join professionals p on p.id = n.pro_id
      where n.service_id is not null
      union all
      -- Pros who moved: their prices in the new city, and their entries in the old one.
      select v.service_id, p.city_id, p.id
      from changes n
      join professionals p on p.id = n.pro_id
      cross join lateral (select o.service_id from price_points o where o.professional_id = p.id offset 0) v
      where n.service_id is null
      union all
      select l.service_id, l.city_id, e.pro_id
      from (select distinct n.city_id from changes n where n.service_id is null) n
      join price_lists l on l.city_id = n.city_id
      cross join unnest(l.professional_ids) e (pro_id)
      where (l.city_id, e.pro_id) in (select n.city_id, n.pro_id from changes n where n.service_id is null)
    ) t
    join cities c on c.id = t.city_id
    where t.service_id <> all (whole)
  ), points as (
    select v.service_id, p.city_id, p.id as professional_id, v.source, v.cents
    from price_points v
    join professionals p on p.id = v.professional_id
    where cardinality(whole) > 0 and v.service_id = any (whole) and (p.active or v.source <> 1)
    union all
    -- The current prices of the changed pros, in their current city.
    select v.service_id, p.city_id, p.id, v.source, v.cents
    from (
      select t.pro_id, t.city_id, array_agg(t.service_id) as service_ids from touched t group by t.pro_id, t.city_id
    ) t
    join professionals p on p.id = t.pro_id and p.city_id = t.city_id
    cross join lateral (
      -- `offset 0` prevents the planner from joining all prices before it filters by pro.
      select o.service_id, o.source, o.cents from price_points o
      where o.professional_id = p.id and o.service_id = any (t.service_ids) offset 0
    ) v
    where p.active or v.source <> 1
    union all
    -- The unchanged entries of the other pros. `not in` is always hashed, which matters with thousands of rows.
    select l.service_id, l.city_id, e.professional_id, e.source, e.cents
    from (select distinct t.service_id, t.state, t.city_id from touched t) t
    join price_lists l on (l.service_id, l.state, l.city_id) = (t.service_id, t.state, t.city_id)
    cross join unnest(l.professional_ids, l.sources, l.cents) e (professional_id, source, cents)
    where (l.service_id, l.city_id, e.professional_id) not in (select t.service_id, t.city_id, t.pro_id from touched t)
  ), fresh as materialized (
    select p.service_id, p.state, p.city_id, array_agg(p.cents) as cents,
      array_agg(p.professional_id) as professional_ids, array_agg(p.source) as sources,
      -- Numeric, because a sum of doubles depends on their order.
      sum(p.cents::numeric) as sum_cents, (count(*) filter (where p.source = 1))::integer as professional_listings,
      (count(*) filter (where p.source = 2))::integer as accepted_quotes,
      (count(*) filter (where p.source = 3))::integer as completed_projects
    from (
      -- The same order for all three arrays and for the table.
      select p.*, c.state from points p join cities c on c.id = p.city_id
      order by p.service_id, c.state, p.city_id, p.cents, p.professional_id, p.source
    ) p
    group by p.service_id, p.state, p.city_id
  ), written as (
    insert into price_lists as l (
      service_id, state, city_id, cents, professional_ids, sources, sum_cents, professional_listings, accepted_quotes,
      completed_projects)
    select f.* from fresh f
    on conflict (service_id, state, city_id) do update set
      cents = excluded.cents, professional_ids = excluded.professional_ids, sources = excluded.sources,
      sum_cents = excluded.sum_cents, professional_listings = excluded.professional_listings,
      accepted_quotes = excluded.accepted_quotes, completed_projects = excluded.completed_projects
    where (l.cents, l.professional_ids, l.sources)
      is distinct from (excluded.cents, excluded.professional_ids, excluded.sources)
  ), removed as (
    -- Lists without any price left. `except` stays fast with thousands of rows.
    delete from price_lists l using (
      (
        select t.service_id, t.state, t.city_id from touched t
        union all
        select w.service_id, w.state, w.city_id from price_lists w
        where cardinality(whole) > 0 and w.service_id = any (whole)
      )
      except
      select f.service_id, f.state, f.city_id from fresh f
    ) empty
    where (l.service_id, l.state, l.city_id) = (empty.service_id, empty.state, empty.city_id)
  )
  select distinct t.service_id, t.state, t.city_id from touched t;
end $$;

-- The services that changed everywhere: rows of `pricing_changes` without a pro.
create or replace function price_services_whole(service_ids uuid[], pro_ids uuid[]) returns uuid[]
  language sql immutable as $$
  select array(select distinct n.service_id from unnest(service_ids, pro_ids) n (service_id, pro_id) where n.pro_id is null)
$$;

-- Recomputes the statistics of all places with changes, with the parameters of refresh_price_lists. Statistics that stay
-- the same keep their date. Returns how many changed.
drop function if exists refresh_price_groups(timestamptz, uuid[], integer[]);
create or replace function refresh_price_groups(
  as_of timestamptz, service_ids uuid[], city_ids integer[], pro_ids uuid[]
) returns integer
  language plpgsql volatile as $$
declare
  whole constant uuid[] := price_services_whole(service_ids, pro_ids);
  touched_services uuid[];
  touched_states text[];
  touched_cities integer[];
  changed integer;
begin
  select array_agg(l.service_id), array_agg(l.state), array_agg(l.city_id)
  into touched_services, touched_states, touched_cities
  from refresh_price_lists(service_ids, city_ids, pro_ids) l;
  with touched as materialized (
    select * from unnest(touched_services, touched_states, touched_cities) t (service_id, state, city_id)
  ), wide as not materialized (
    select l.service_id, '' as state, l.cents, l.sum_cents, l.professional_listings, l.accepted_quotes,
      l.completed_projects
    from (select distinct service_id from touched union all select unnest(whole)) t
    join price_lists l on l.service_id = t.service_id
    union all
    select l.service_id, l.state, l.cents, l.sum_cents, l.professional_listings, l.accepted_quotes,
      l.completed_projects
    from (select distinct service_id, state from touched) t
    join price_lists l on (l.service_id, l.state) = (t.service_id, t.state)
    union all
    select l.service_id, l.state, l.cents, l.sum_cents, l.professional_listings, l.accepted_quotes,
      l.completed_projects
    from price_lists l
    where cardinality(whole) > 0 and l.service_id = any (whole)
  ), medians as (
    select w.service_id, w.state, percentile_cont(0.5) within group (order by c.cents) as cents
    from wide w
    cross join unnest(w.cents) c (cents)
    group by w.service_id, w.state
  ), sums as (
    select w.service_id, w.state, sum(w.sum_cents) / sum(cardinality(w.cents)) as average_cents,
      min(w.cents[1]) as min_cents, max(w.cents[cardinality(w.cents)]) as max_cents,
      sum(w.professional_listings) as professional_listings, sum(w.accepted_quotes) as accepted_quotes,
      sum(w.completed_projects) as completed_projects
    from wide w
    group by w.service_id, w.state
  ), figures as (
    select s.service_id, s.state, 0 as city_id, s.average_cents, m.cents as median_cents, s.min_cents, s.max_cents,
      s.professional_listings, s.accepted_quotes, s.completed_projects
    from sums s
    join medians m using (service_id, state)
    union all
    select l.service_id, l.state, l.city_id, l.sum_cents / l.n,
      -- The same interpolation as percentile_cont.
      l.cents[(l.n + 1) / 2] + 0.5 * (l.cents[l.n / 2 + 1] - l.cents[(l.n + 1) / 2]), l.cents[1], l.cents[l.n],
      l.professional_listings, l.accepted_quotes, l.completed_projects
    from (
      select l.*, cardinality(l.cents) as n
      from touched t
      join price_lists l on (l.service_id, l.state, l.city_id) = (t.service_id, t.state, t.city_id)
      union all
      select l.*, cardinality(l.cents) from price_lists l
      where cardinality(whole) > 0 and l.service_id = any (whole)
    ) l
  ), fresh as materialized (
    select f.service_id, f.state, f.city_id, round(f.average_cents)::integer as average_cents,
      round(f.median_cents)::integer as median_cents, round(f.min_cents)::integer as min_cents,
      round(f.max_cents)::integer as max_cents, f.professional_listings::integer, f.accepted_quotes::integer,
      f.completed_projects::integer
    from figures f
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
    delete from pricing_aggregates a using (
      (
        select t.service_id, '' as state, 0 as city_id from touched t
        union all
        select t.service_id, t.state, 0 from touched t
        union all
        select t.service_id, t.state, t.city_id from touched t
        union all
        select w.service_id, w.state, w.city_id from pricing_aggregates w
        where cardinality(whole) > 0 and w.service_id = any (whole)
      )
      except
      select f.service_id, f.state, f.city_id from fresh f
    ) empty
    where (a.service_id, a.state, a.city_id) = (empty.service_id, empty.state, empty.city_id)
    returning 1
  )
  select (select count(*) from written) + (select count(*) from removed) into changed;
  return changed;
end $$;

-- Recomputes the statistics of the given services (null: all) in every place.
create or replace function refresh_pricing(p_now timestamptz, p_service_ids uuid[] default null)
  returns integer
  language sql volatile as $$
  select refresh_price_groups(
    p_now, s.ids, array_fill(null::integer, array[cardinality(s.ids)]), array_fill(null::uuid, array[cardinality(s.ids)]))
  from (select coalesce(p_service_ids, array(select id from services)) as ids) s
$$;
