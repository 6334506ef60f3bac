-- Rebuilds all search tables, such as after loading without triggers. Writes rows in the order of places, so that
-- neighbors share pages, and drops the indexes during the load. Readers wait until the transaction ends.
create or replace function rebuild_search() returns void language plpgsql
set maintenance_work_mem = '512MB' set work_mem = '128MB' set client_min_messages = warning
set plan_cache_mode = 'force_generic_plan'
as $$
declare
  indexes text[];
  definition text;
  ids uuid[];
begin
  lock table professionals, professional_services in share mode;
  truncate pro_search, pro_search_entry, pro_search_cell, pro_search_area, pro_search_kept_slots restart identity;
  select array_agg(pg_get_indexdef(i.indexrelid)) into indexes
  from pg_index i
  where i.indrelid in ('pro_search_entry'::regclass, 'pro_search_cell'::regclass);
  for definition in
    select format('drop index %s', i.indexrelid::regclass)
    from pg_index i where i.indrelid in ('pro_search_entry'::regclass, 'pro_search_cell'::regclass)
  loop
    execute definition;
  end loop;

  for ids in
    select array_agg(id order by place) from (
      select p.id, at.place, (row_number() over (order by at.place) - 1) / 5000 as batch
      from professionals p
      cross join lateral (select search_place(0::smallint, p.latitude, p.longitude) as place) at
      where p.active
    ) p
    group by batch order by batch
  loop
    insert into pro_search (professional_id, slug, doc, position, flags, city_id, state, standing, facets, bookable, offers)
      select s.* from search_pro_rows(ids) s
      order by search_place(0::smallint, st_y(s.position::geometry), st_x(s.position::geometry));
  end loop;
  -- CREATE TABLE AS can run in parallel, INSERT … SELECT cannot: hence two temporary tables, then one insert each.
  create temporary table search_pieces on commit drop as
    select e.* from pro_search s cross join lateral search_entries(s) e;
  insert into pro_search_entry select * from search_pieces order by place;
  drop table search_pieces;
  create temporary table search_pieces on commit drop as
    select c.area, case when c.area is not null then c.facet end as facet, c.cell,
      count(*)::integer as pros, sum(c.verified)::integer as verified, sum(c.instant)::integer as instant,
      sum(c.verified * c.instant)::integer as verified_instant
    from pro_search s cross join lateral search_counts(s) c
    group by 1, 2, 3;
  insert into pro_search_area
    select area, facet, pros, verified, instant, verified_instant from search_pieces where area is not null
    order by area, facet;
  insert into pro_search_cell
    select cell, pros, verified, instant, verified_instant from search_pieces where cell is not null order by cell;
  drop table search_pieces;

  foreach definition in array indexes loop
    execute definition;
  end loop;
  analyze pro_search;
  analyze pro_search_entry;
  analyze pro_search_cell;
  analyze pro_search_area;
end $$;
