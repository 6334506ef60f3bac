-- Pros of one facet around a point who are also in some cities, in a state, or on a second facet's list, nearest first:
-- the page as JSON text, and the exact total. No counter knows such combinations: the total reads the whole circle.
-- $1 … $10 as in search-near.sql · $11 city ids, or null · $12 a state's ordinal, or null · $13 a second facet, or
-- null · $14 limit · $15 offset · $16 base URL
with asked as materialized (
  -- Read through a row of their own, values cannot sway the planner: one generic plan serves every search.
  select $1::float8 as x, $2::float8 as y, $3::float8 as z, $4::integer as mask, $5::integer as want,
    $6::bigint[] as trial_low, $7::bigint[] as trial_high, $8::integer[] as first, $9::integer[] as last,
    $10::float8[] as chord2, $11::integer[] as cities, $12::smallint as state, $13::smallint as also,
    $14::integer as page_size, $15::integer as skip, $16::text as base_url
), trial as materialized (
  -- The first circle that holds the page: LIMIT 1 keeps the larger ones from being looked at.
  select circle.last = cardinality(asked.trial_low) as whole, circle.found, circle.slots, circle.ids, circle.chord2s
  from asked
  cross join lateral (
    select trial.last, hits.*
    from unnest(asked.first, asked.last, asked.chord2) trial (first, last, chord2)
    cross join lateral (
      select count(*) as found, array_agg(hit.slot) as slots, array_agg(hit.professional_id) as ids,
        array_agg(hit.chord2) as chord2s
      from unnest(asked.trial_low[trial.first : trial.last], asked.trial_high[trial.first : trial.last])
        range (low, high)
      cross join lateral (
        select e.slot, e.professional_id, search_chord2(e.x, e.y, e.z, asked.x, asked.y, asked.z) as chord2
        from pro_search_entry e
        where e.place between range.low and range.high and e.flags & asked.mask = asked.want
          and search_chord2(e.x, e.y, e.z, asked.x, asked.y, asked.z) <= trial.chord2
          and (asked.cities is null or e.city_id = any (asked.cities))
          and (asked.state is null or e.state = asked.state)
          and (asked.also is null or exists (
            select from pro_search s where s.slot = e.slot and asked.also = any (s.facets)))
        offset 0
      ) hit
    ) hits
  ) circle
  where circle.last = cardinality(asked.trial_low) or circle.found >= asked.page_size + asked.skip
  limit 1
), page as (
  select hit.slot, search_metres(hit.chord2) as metres
  from trial cross join lateral unnest(trial.slots, trial.ids, trial.chord2s) hit (slot, professional_id, chord2)
  order by metres, hit.professional_id
  limit (select page_size from asked) offset (select skip from asked)
)
select
  case when trial.whole then trial.found else (
    select count(*)
    from (select asked.first[cardinality(asked.first)] as first) circle
    cross join lateral unnest(asked.trial_low[circle.first : ], asked.trial_high[circle.first : ]) range (low, high)
    cross join lateral (
      select from pro_search_entry e
      where e.place between range.low and range.high and e.flags & asked.mask = asked.want
          and search_chord2(e.x, e.y, e.z, asked.x, asked.y, asked.z) <= asked.chord2[cardinality(asked.chord2)]
          and (asked.cities is null or e.city_id = any (asked.cities))
          and (asked.state is null or e.state = asked.state)
          and (asked.also is null or exists (
            select from pro_search s where s.slot = e.slot and asked.also = any (s.facets)))
      offset 0
    ) hit
  ) end::integer as total,
  (
    select '[' || coalesce(string_agg(result.item, ','), '') || ']'
    from page
    -- The page comes in its order, and a look-up per row keeps it: OFFSET 0 leaves the planner no other way.
    cross join lateral (
      select doc || concat(',"distance":', round(page.metres / 1609.344 * 100) / 100,
        ',"profileUrl":"', asked.base_url, '/pros/', slug,
        case when flags & 2 = 2 then concat('","bookingUrl":"', asked.base_url, '/pros/', slug, '/book"}')
          else '","bookingUrl":null}' end) as item
      from pro_search where slot = page.slot offset 0
    ) result
  ) as professionals
from asked cross join trial
