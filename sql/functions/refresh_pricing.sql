-- Recomputes the price lists that changed and returns the services concerned. The three arrays of equal length are rows
-- of `pricing_changes`. All lists of a service that changed everywhere are recomputed.
create or replace function refresh_price_lists(service_ids uuid[], city_ids integer[], pro_ids uuid[]) returns uuid[]
  language plpgsql volatile as $$
declare
  -- The services that changed everywhere: rows without a pro.
  whole constant uuid[] := array(
    select distinct n.service_id from unnest(service_ids, pro_ids) n (service_id, pro_id) where n.pro_id is null);
  concerned uuid[];
begin
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
    select v.service_id, p.city_id, p.id as professional_id, v.source, v.cents, v.rank
    from price_points v
    join professionals p on p.id = v.professional_id
    where cardinality(whole) > 0 and v.service_id = any (whole) and (p.active or v.source <> 1)
      and p.test_account_id is null
    union all
    -- The current prices of the changed pros, in their current city.
    select v.service_id, p.city_id, p.id, v.source, v.cents, v.rank
    from (
      select t.pro_id, t.city_id, array_agg(t.service_id) as service_ids from touched t group by t.pro_id, t.city_id
    ) t
    join professionals p on p.id = t.pro_id and p.city_id = t.city_id
    cross join lateral (
      -- `offset 0` prevents the planner from joining all prices before it filters by pro.
      select o.service_id, o.source, o.cents, o.rank from price_points o
      where o.professional_id = p.id and o.service_id = any (t.service_ids) offset 0
    ) v
    where (p.active or v.source <> 1) and p.test_account_id is null
    union all
    -- The unchanged entries of the other pros. `not in` is always hashed, which matters with thousands of rows.
    select l.service_id, l.city_id, e.professional_id, e.source, e.cents, e.rank
    from (select distinct t.service_id, t.state, t.city_id from touched t) t
    join price_lists l on (l.service_id, l.state, l.city_id) = (t.service_id, t.state, t.city_id)
    cross join unnest(l.professional_ids, l.sources, l.cents, l.ranks) e (professional_id, source, cents, rank)
    where (l.service_id, l.city_id, e.professional_id) not in (select t.service_id, t.city_id, t.pro_id from touched t)
  ), fresh as materialized (
    select p.service_id, c.state, p.city_id,
      array_agg(p.cents order by p.professional_id, p.rank) as cents,
      array_agg(p.professional_id order by p.professional_id, p.rank) as professional_ids,
      array_agg(p.source order by p.professional_id, p.rank) as sources,
      array_agg(p.rank order by p.professional_id, p.rank) as ranks,
      (count(*) filter (where p.rank = 1))::integer as pros
    from points p
    join cities c on c.id = p.city_id
    group by p.service_id, c.state, p.city_id
  ), written as (
    insert into price_lists as l (service_id, state, city_id, cents, professional_ids, sources, ranks, pros)
    select f.* from fresh f
    on conflict (service_id, state, city_id) do update set
      cents = excluded.cents, professional_ids = excluded.professional_ids, sources = excluded.sources,
      ranks = excluded.ranks, pros = excluded.pros
    where (l.cents, l.professional_ids, l.sources, l.ranks)
      is distinct from (excluded.cents, excluded.professional_ids, excluded.sources, excluded.ranks)
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
  select whole || coalesce(array_agg(distinct t.service_id), '{}') into concerned from touched t;
  return concerned;
end $$;

-- Recomputes the statistics of all services with changes, with the parameters of refresh_price_lists. Statistics that stay
-- the same keep their date. Returns how many changed. Two rules keep a pro, or a few, from making a statistic:
-- * The service's typical price is the median over all its pros of their first price. Prices below a fifth or above five
--   times of it do not count, in no place.
-- * In a place with n pros, the first max(1, n / 20) prices of each count. A place has statistics from 3 prices on: with so
--   few, they are of 3 pros.
-- Both depend on other pros, so every place of a changed service is computed, from the lists alone.
create or replace function refresh_price_groups(
  as_of timestamptz, service_ids uuid[], city_ids integer[], pro_ids uuid[]
) returns integer
  language plpgsql volatile as $$
declare
  concerned constant uuid[] := refresh_price_lists(service_ids, city_ids, pro_ids);
  changed integer;
begin
  with typical as materialized (
    select l.service_id, percentile_cont(0.5) within group (order by p.cents) as cents
    from price_lists l
    cross join unnest(l.cents, l.ranks) p (cents, rank)
    where l.service_id = any (concerned) and p.rank = 1
    group by l.service_id
  ), places as (
    select l.service_id, l.state, l.city_id, l.cents, l.sources, l.ranks, l.pros
    from price_lists l where l.service_id = any (concerned)
    union all
    select l.service_id, l.state, 0, l.cents, l.sources, l.ranks, sum(l.pros) over (partition by l.service_id, l.state)
    from price_lists l where l.service_id = any (concerned)
    union all
    select l.service_id, '', 0, l.cents, l.sources, l.ranks, sum(l.pros) over (partition by l.service_id)
    from price_lists l where l.service_id = any (concerned)
  ), fresh as materialized (
    select l.service_id, l.state, l.city_id,
      -- Numeric, because a sum of doubles depends on their order.
      round(avg(p.cents::numeric))::integer as average_cents,
      round(percentile_cont(0.5) within group (order by p.cents))::integer as median_cents,
      round(min(p.cents))::integer as min_cents, round(max(p.cents))::integer as max_cents,
      (count(*) filter (where p.source = 1))::integer as professional_listings,
      (count(*) filter (where p.source = 2))::integer as accepted_quotes,
      (count(*) filter (where p.source = 3))::integer as completed_projects
    from places l
    join typical t on t.service_id = l.service_id
    cross join unnest(l.cents, l.sources, l.ranks) p (cents, source, rank)
    where l.pros >= 3 and p.rank <= greatest(1, l.pros / 20) and p.cents between t.cents / 5 and t.cents * 5
    group by l.service_id, l.state, l.city_id
    having count(*) >= 3
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
      select w.service_id, w.state, w.city_id from pricing_aggregates w where w.service_id = any (concerned)
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
