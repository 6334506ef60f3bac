-- A counter of search is the sum of its rows, so that transactions that change it at once do not wait for each other. The new
-- function comes in the same transaction in which its rows stop being unique.
-- 0.1.0 runs with this: it calls the function, which keeps its name and parameters.
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

-- 0.1.0 runs with this: its statements sum the rows, and only the replaced function named the key. Its pages of cities may show
-- a part of a count while several pros of a city change.
drop index pro_search_cell_key;

-- 0.1.0 runs with this: its statements sum the rows, and only the replaced function named the key.
alter table pro_search_area drop constraint pro_search_area_pkey;
