-- Pros of one facet around a point who are also in some cities, in a state, or on a second facet's list, nearest first:
-- the page as JSON text, and the exact total. No counter knows such combinations: the total reads the whole circle.
-- $1 … $10 as in search-near.sql · $11 city ids, or null · $12 a state's ordinal, or null · $13 a second facet, or null
-- $14 limit · $15 offset · $16 base URL
with trial as materialized (
  -- The first radius that holds the page: LIMIT 1 keeps the larger ones from being looked at.
  select first, last, chord2
  from unnest($8::integer[], $9::integer[], $10::float8[]) trial (first, last, chord2)
  where last = cardinality($6::bigint[]) or (
    select count(*)
    from unnest($6[first : last], ($7::bigint[])[first : last]) range (low, high)
    cross join lateral (
      select from pro_search_entry e
      where e.place between range.low and range.high and e.flags & $4::integer = $5::integer
        and ($11::integer[] is null or e.city_id = any ($11)) and ($12::smallint is null or e.state = $12)
        and ($13::smallint is null or exists (
          select from pro_search s where s.professional_id = e.professional_id and $13 = any (s.facets)))
        and search_chord2(e.x, e.y, e.z, $1::float8, $2::float8, $3::float8) <= trial.chord2
      offset 0
    ) hit
  ) >= $14::integer + $15::integer
  limit 1
), hits as materialized (
  select hit.professional_id, search_metres(hit.chord2) as metres
  from trial
  cross join lateral unnest($6[first : last], $7[first : last]) range (low, high)
  cross join lateral (
    select e.professional_id, search_chord2(e.x, e.y, e.z, $1, $2, $3) as chord2
    from pro_search_entry e
    where e.place between range.low and range.high and e.flags & $4 = $5
        and ($11::integer[] is null or e.city_id = any ($11)) and ($12::smallint is null or e.state = $12)
        and ($13::smallint is null or exists (
          select from pro_search s where s.professional_id = e.professional_id and $13 = any (s.facets)))
      and search_chord2(e.x, e.y, e.z, $1, $2, $3) <= trial.chord2
    offset 0
  ) hit
), page as (
  select professional_id, metres from hits order by metres, professional_id limit $14 offset $15
)
select
  case when (select last from trial) = cardinality($6) then (select count(*) from hits) else (
    select count(*)
    from (
      select first, last, chord2
      from unnest($8, $9, $10) asked (first, last, chord2) where last = cardinality($6)
    ) asked
    cross join lateral unnest($6[first : last], $7[first : last]) range (low, high)
    cross join lateral (
      select from pro_search_entry e
      where e.place between range.low and range.high and e.flags & $4 = $5
        and ($11::integer[] is null or e.city_id = any ($11)) and ($12::smallint is null or e.state = $12)
        and ($13::smallint is null or exists (
          select from pro_search s where s.professional_id = e.professional_id and $13 = any (s.facets)))
        and search_chord2(e.x, e.y, e.z, $1, $2, $3) <= asked.chord2
      offset 0
    ) hit
  ) end::integer as total,
  (
    select '[' || coalesce(string_agg(
      concat(p.doc, ',"distance":',
        round(page.metres / 1609.344 * 100) / 100,
        ',"profileUrl":"', $16::text, '/pros/', p.slug, '","bookingUrl":',
        case when p.flags & 2 = 2 then concat('"', $16, '/pros/', p.slug, '/book"}') else 'null}' end),
      ',' order by page.metres, page.professional_id), '') || ']'
    from page
    -- OFFSET 0 keeps this a look-up per row, whatever the planner believes about the page's length.
    cross join lateral (
      select doc, slug, flags from pro_search where professional_id = page.professional_id offset 0
    ) p
  ) as professionals
