-- Updates the search tables for these pros, in the caller's transaction. Skips pros whose results and counts stay the
-- same.
-- One plan fits all: by default PostgreSQL planned these statements for each call, which took five times as long as they do.
create or replace function refresh_search(p_ids uuid[]) returns void language plpgsql
set plan_cache_mode = 'force_generic_plan' set enable_seqscan = off
as $$
declare
  old_rows pro_search[];
  new_rows pro_search[];
  moved uuid[];
begin
  if coalesce(cardinality(p_ids), 0) = 0 then
    return;
  end if;
  -- Serializes transactions that change the same pro, so that each statement below sees the earlier change.
  perform from professionals where id = any (p_ids) order by id for no key update;

  old_rows := array(select s from pro_search s where s.professional_id = any (p_ids));
  with gone as (
    delete from pro_search s
    where s.professional_id = any (p_ids)
      and not exists (select from professionals p where p.id = s.professional_id and p.active)
    returning s.professional_id, s.slot
  )
  insert into pro_search_kept_slots
  select g.professional_id, g.slot from gone g join professionals p on p.id = g.professional_id;

  -- An insert with ON CONFLICT would take a number of the slots' sequence for each update, too.
  with current as materialized (
    select * from search_pro_rows(p_ids)
  ), updated as (
    update pro_search s set
      slug = c.slug, doc = c.doc, position = c.position, flags = c.flags, city_id = c.city_id, state = c.state,
      standing = c.standing, facets = c.facets, bookable = c.bookable, offers = c.offers
    from current c
    where s.professional_id = c.professional_id
      and (s.slug, s.doc, s.position::bytea, s.flags, s.city_id, s.state, s.standing, s.facets, s.bookable, s.offers)
        is distinct from (c.slug, c.doc, c.position::bytea, c.flags, c.city_id, c.state, c.standing, c.facets,
          c.bookable, c.offers)
  ), returned as (
    delete from pro_search_kept_slots k using current c where k.professional_id = c.professional_id
    returning k.professional_id, k.slot
  )
  insert into pro_search
    (professional_id, slot, slug, doc, position, flags, city_id, state, standing, facets, bookable, offers)
    overriding system value
  select c.professional_id, coalesce(r.slot, nextval('pro_search_slot_seq')::integer), c.slug, c.doc, c.position, c.flags,
    c.city_id, c.state, c.standing, c.facets, c.bookable, c.offers
  from current c left join returned r on r.professional_id = c.professional_id
  where not exists (select from pro_search s where s.professional_id = c.professional_id);
  new_rows := array(select s from pro_search s where s.professional_id = any (p_ids));

  moved := array(
    select coalesce(o.professional_id, n.professional_id)
    from unnest(old_rows) o full join unnest(new_rows) n on n.professional_id = o.professional_id
    where (n.position::bytea, n.flags, n.city_id, n.state, n.standing, n.facets, n.bookable)
      is distinct from (o.position::bytea, o.flags, o.city_id, o.state, o.standing, o.facets, o.bookable));
  if cardinality(moved) = 0 then
    return;
  end if;
  old_rows := array(select o from unnest(old_rows) o where o.professional_id = any (moved));
  new_rows := array(select n from unnest(new_rows) n where n.professional_id = any (moved));
  delete from pro_search_entry entry
  using unnest(old_rows) o cross join lateral search_entries(o) e
  where entry.place = e.place and entry.professional_id = e.professional_id;
  insert into pro_search_entry select e.* from unnest(new_rows) n cross join lateral search_entries(n) e;
  -- A rating changes no counter.
  if exists (
    select from unnest(old_rows) o full join unnest(new_rows) n on n.professional_id = o.professional_id
    where (n.position::bytea, n.flags, n.city_id, n.state, n.facets, n.bookable)
      is distinct from (o.position::bytea, o.flags, o.city_id, o.state, o.facets, o.bookable))
  then
    perform add_search_counts(old_rows, new_rows);
  end if;
end $$;

-- Subtracts the old rows from the counters and adds the new ones. A counter is the sum of its rows: a transaction replaces those
-- that no other one holds by one row, and adds a row of its own when all are held. So none waits for another, each snapshot
-- has the exact sum, and a counter has at most as many rows as transactions that changed it at once.
create or replace function add_search_counts(p_old pro_search[], p_new pro_search[]) returns void
language plpgsql as $$
declare
  areas pro_search_area[];
  cells pro_search_cell[];
begin
  with change as (
    select 1 as n, c.* from unnest(p_new) r cross join lateral search_counts(r) c
    union all
    select -1, c.* from unnest(p_old) r cross join lateral search_counts(r) c
  ), total as (
    select area, facet, cell, sum(n)::integer as pros, sum(n * verified)::integer as verified,
      sum(n * instant)::integer as instant, sum(n * verified * instant)::integer as verified_instant
    -- The cell already includes the facet.
    from (select n, area, case when area is not null then facet end as facet, cell, verified, instant from change) c
    group by area, facet, cell
    having sum(n) <> 0 or sum(n * verified) <> 0 or sum(n * instant) <> 0 or sum(n * verified * instant) <> 0
  )
  select
    array_agg((area, facet, pros, verified, instant, verified_instant)::pro_search_area)
      filter (where area is not null),
    array_agg((cell, pros, verified, instant, verified_instant)::pro_search_cell)
      filter (where cell is not null)
  into areas, cells from total;

  if areas is not null then
    with free as materialized (
      select a.ctid as place
      from unnest(areas) changed join pro_search_area a on a.area = changed.area and a.facet = changed.facet
      for update of a skip locked
    ), replaced as (
      delete from pro_search_area a using free where a.ctid = free.place returning a.*
    )
    insert into pro_search_area
    select area, facet, sum(pros), sum(verified), sum(instant), sum(verified_instant)
    from (select * from replaced union all select * from unnest(areas)) part
    group by area, facet
    having sum(pros) <> 0 or sum(verified) <> 0 or sum(instant) <> 0 or sum(verified_instant) <> 0;
  end if;
  if cells is not null then
    with free as materialized (
      select c.ctid as place
      from unnest(cells) changed join pro_search_cell c on c.cell = changed.cell
      for update of c skip locked
    ), replaced as (
      delete from pro_search_cell c using free where c.ctid = free.place returning c.*
    )
    insert into pro_search_cell
    select cell, sum(pros), sum(verified), sum(instant), sum(verified_instant)
    from (select * from replaced union all select * from unnest(cells)) part
    group by cell
    having sum(pros) <> 0 or sum(verified) <> 0 or sum(instant) <> 0 or sum(verified_instant) <> 0;
  end if;
end $$;

-- Statement trigger of professionals. A deposit decides what can be booked at once, and results tell it.
create or replace function search_pros_updated() returns trigger language plpgsql as $$
begin
  -- As in search_pros_inserted().
  perform from cities c
  where c.id in (select n.city_id from new_rows n join old_rows o on o.id = n.id where n.city_id <> o.city_id) order by c.id for share;
  perform refresh_search(array(
    select n.id from new_rows n join old_rows o on o.id = n.id
    where (n.slug, n.business_name, n.description, n.active, n.verified, n.background_check, n.insurance, n.credentials, n.city_id,
        n.latitude, n.longitude, n.review_count, n.rating_sum, n.instant_booking_enabled, n.deposit_required,
        n.deposit_percentage, n.longest_interval_minutes, n.service_radius_miles)
      is distinct from (o.slug, o.business_name, o.description, o.active, o.verified, o.background_check, o.insurance, o.credentials, o.city_id,
        o.latitude, o.longitude, o.review_count, o.rating_sum, o.instant_booking_enabled, o.deposit_required,
        o.deposit_percentage, o.longest_interval_minutes, o.service_radius_miles)));
  return null;
end $$;

create or replace trigger search_updated after update on professionals
  referencing old table as old_rows new table as new_rows for each statement execute function search_pros_updated();
