-- name: addSearches :exec on write
-- Adds counts of searches and of what they asked for in vain. A kind has at most :room rows on a day; what has no room counts as
-- "other". Concurrent processes may each see the same room, so that a day may have one batch of each process more.
with counted as (
  insert into search_days (day, way, searches, misses)
  select c.day, c.way, c.searches, c.misses
  from unnest(:days::text[]::date[], :ways::text[], :searches::bigint[], :misses::bigint[]) as c (day, way, searches, misses)
  order by c.day, c.way
  on conflict (day, way) do update
    set searches = search_days.searches + excluded.searches, misses = search_days.misses + excluded.misses
), missed as (
  select m.*, k.day is not null as is_known
  from unnest(:missed_days::text[]::date[], :kinds::text[], :phrases::text[], :places::text[], :times::bigint[])
    as m (day, kind, phrase, place, times)
  left join search_misses k on (k.day, k.kind, k.phrase, k.place) = (m.day, m.kind, m.phrase, m.place)
), used as (
  select g.day, g.kind, (select count(*) from search_misses k where k.day = g.day and k.kind = g.kind) as used
  from (select distinct day, kind from missed) g
), placed as (
  select m.*, m.is_known or m.kind = 'other' and m.place = ''
    or u.used + row_number() over (partition by m.day, m.kind, m.is_known order by m.times desc, m.phrase, m.place) <= :room::integer as has_room
  from missed m join used u on u.day = m.day and u.kind = m.kind
)
insert into search_misses (day, kind, phrase, place, times)
select p.day, case when p.has_room then p.kind else 'other' end, case when p.has_room then p.phrase else '' end,
  case when p.has_room then p.place else '' end, sum(p.times)
from placed p
group by 1, 2, 3, 4
order by 1, 2, 3, 4
on conflict (day, kind, phrase, place) do update set times = search_misses.times + excluded.times

-- name: listMisses :many on read
-- What was searched for in vain from a day to another, most often first. Typed words only if they were on :shown_from days.
-- not null: kind, phrase, place, times, last
select m.kind, m.phrase, m.place, sum(m.times)::float8 as times, max(m.day)::text as last
from search_misses m
where m.day between :first::text::date and :last::text::date and m.kind <> 'other'
group by m.kind, m.phrase, m.place
having m.kind <> 'typed' or count(*) >= :shown_from::integer
order by sum(m.times) desc, max(m.day) desc, m.phrase, m.place limit :limit::integer
