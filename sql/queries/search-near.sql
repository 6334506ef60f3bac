-- Pros of one facet around a point, nearest first: the page as JSON text, and the exact total.
-- $1 $2 $3 the point on the unit sphere · $4 mask of flags, $5 their wanted values
-- $6 $7 ranges of places (from, to) of the trial circles, the requested circle last · $8 $9 first and last range of each
-- circle · $10 the circles' radii as squared chords
-- $11 $12 ranges of cells wholly inside the requested circle · $13 $14 ranges of places on its rim
-- $15 limit · $16 offset · $17 base URL · $18 facet
with input as materialized (
  -- Reading the parameters from a materialized row hides their values from the planner: one generic plan serves all.
  select $1::float8 as x, $2::float8 as y, $3::float8 as z, $4::integer as mask, $5::integer as wanted,
    $6::bigint[] as trial_low, $7::bigint[] as trial_high, $8::integer[] as first, $9::integer[] as last,
    $10::float8[] as chord2, $11::bigint[] as inside_low, $12::bigint[] as inside_high,
    $13::bigint[] as rim_low, $14::bigint[] as rim_high, $15::integer as page_size, $16::integer as page_offset,
    $17::text as base_url, $18::smallint as facet,
    -- The service that is searched for, if any: the head of its matchedService, and the query of its booking page.
    ',"matchedService":{"id":"' || s.id || '","name":' || to_json(s.name) || ',"slug":"' || s.slug || '",' as head,
    '?service=' || s.id as booking_query
  from (select) call left join services s on s.ordinal = $18::smallint
), trial as materialized (
  -- The first circle that holds the page. LIMIT 1 avoids evaluating the larger ones.
  select circle.last = cardinality(input.trial_low) as whole, circle.found, circle.slots, circle.ids, circle.chord2s
  from input
  cross join lateral (
    select trial.last, hits.*
    from unnest(input.first, input.last, input.chord2) trial (first, last, chord2)
    cross join lateral (
      select count(*) as found, array_agg(hit.slot) as slots, array_agg(hit.professional_id) as ids,
        array_agg(hit.chord2) as chord2s
      from unnest(input.trial_low[trial.first : trial.last], input.trial_high[trial.first : trial.last])
        range (low, high)
      cross join lateral (
        select e.slot, e.professional_id, search_chord2(e.x, e.y, e.z, input.x, input.y, input.z) as chord2
        from pro_search_entry e
        where e.place between range.low and range.high and e.flags & input.mask = input.wanted
          and search_chord2(e.x, e.y, e.z, input.x, input.y, input.z) <= trial.chord2
        offset 0
      ) hit
    ) hits
  ) circle
  where circle.last = cardinality(input.trial_low) or circle.found >= input.page_size + input.page_offset
  limit 1
), page as (
  select hit.slot, search_metres(hit.chord2) as metres
  from trial cross join lateral unnest(trial.slots, trial.ids, trial.chord2s) hit (slot, professional_id, chord2)
  order by metres, hit.professional_id
  limit (select page_size from input) offset (select page_offset from input)
)
select
  case when trial.whole then trial.found else (
    select coalesce(sum((
      select sum(search_count(c.pros, c.verified, c.instant, c.verified_instant, input.mask, input.wanted))
      from pro_search_cell c where c.cell between range.low and range.high
    )), 0) from unnest(input.inside_low, input.inside_high) range (low, high)
  ) + (
    select coalesce(sum((
      select count(*) from pro_search_entry e
      where e.place between range.low and range.high and e.flags & input.mask = input.wanted
        and search_chord2(e.x, e.y, e.z, input.x, input.y, input.z) <= input.chord2[cardinality(input.chord2)]
    )), 0) from unnest(input.rim_low, input.rim_high) range (low, high)
  ) end::integer as total,
  (
    select '[' || coalesce(string_agg(result.item, ','), '') || ']'
    from page
    -- The page is already sorted, and a lookup per row keeps the order. OFFSET 0 prevents another plan.
    cross join lateral (
      select doc || concat(
        case when input.head is null then ',"matchedService":null'
          else input.head || offers[array_position(facets, input.facet)] end,
        ',"distance":', round(page.metres / 1609.344 * 100) / 100, ',"profileUrl":"', input.base_url, '/pros/', slug,
        case when input.facet = any (bookable)
          then concat('","bookingUrl":"', input.base_url, '/pros/', slug, '/book', input.booking_query, '"}')
          else '","bookingUrl":null}' end) as item
      from pro_search where slot = page.slot offset 0
    ) result
  ) as professionals
from input cross join trial
