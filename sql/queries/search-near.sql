-- Pros of one facet around a point, nearest first: the page as JSON text, and the exact total.
-- $1 $2 $3 the point on the unit sphere · $4 flags that matter, $5 what they must be
-- $6 $7 ranges of places (from, to) for the trial circles, the asked one last · $8 $9 which ranges are a circle's
-- (first, last) · $10 the circles' radii as squared chords
-- $11 $12 ranges of cells wholly inside the asked circle · $13 $14 ranges of places on its rim
-- $15 limit · $16 offset · $17 base URL
with asked as materialized (
  -- Read through a row of their own, values cannot sway the planner: one generic plan serves every search.
  select $1::float8 as x, $2::float8 as y, $3::float8 as z, $4::integer as mask, $5::integer as want,
    $6::bigint[] as trial_low, $7::bigint[] as trial_high, $8::integer[] as first, $9::integer[] as last,
    $10::float8[] as chord2, $11::bigint[] as inside_low, $12::bigint[] as inside_high,
    $13::bigint[] as rim_low, $14::bigint[] as rim_high, $15::integer as page_size, $16::integer as skip,
    $17::text as base_url
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
    select coalesce(sum((
      select sum(search_count(c.pros, c.verified, c.instant, c.verified_instant, asked.mask, asked.want))
      from pro_search_cell c where c.cell between range.low and range.high
    )), 0) from unnest(asked.inside_low, asked.inside_high) range (low, high)
  ) + (
    select coalesce(sum((
      select count(*) from pro_search_entry e
      where e.place between range.low and range.high and e.flags & asked.mask = asked.want
        and search_chord2(e.x, e.y, e.z, asked.x, asked.y, asked.z) <= asked.chord2[cardinality(asked.chord2)]
    )), 0) from unnest(asked.rim_low, asked.rim_high) range (low, high)
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
