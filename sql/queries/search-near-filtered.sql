-- Pros of one facet around a point, also limited to cities, a state or a second facet, nearest first: the page as JSON
-- text, and the exact total. No counter covers such combinations, so it reads the whole circle. Without a filter it is exact
-- where the index alone is not: where a page ends between pros of the same distance.
-- $1 … $7 as in search-near.sql · $8 city ids, or null · $9 a state's ordinal, or null · $10 a second facet, or null
-- $11 limit · $12 offset · $13 base URL
with hit as materialized (
  select e.slot, e.professional_id, search_metres(e.position <<->> st_makepoint($4, $5, $6)) as metres
  from pro_search_entry e
  where e.facet = $1::smallint and e.flags & $2::integer = $3::integer
    and e.position &&& st_expand(st_makepoint($4, $5, $6), $7) and e.position <<->> st_makepoint($4, $5, $6) <= $7
    and ($8::integer[] is null or e.city_id = any ($8))
    and ($9::smallint is null or e.state = $9)
    and ($10::smallint is null or exists (
      select from pro_search s where s.slot = e.slot and $10 = any (s.facets)))
), page as (
  select slot, metres from hit order by metres, professional_id limit $11 offset $12
)
select
  (select count(*) from hit)::integer as total,
  (
    select '[' || coalesce(string_agg(result.item, ','), '') || ']'
    from page
    -- The page is already sorted, and a lookup per row keeps the order. OFFSET 0 prevents another plan.
    cross join lateral (
      select doc || concat(
        case when service.head is null then ',"matchedService":null'
          else service.head || offers[array_position(facets, $1::smallint)] end,
        ',"distance":', round(page.metres / 1609.344 * 100) / 100, ',"profileUrl":"', $13::text,
        '/pros/', slug,
        case when $1::smallint = any (bookable)
          then concat('","bookingUrl":"', $13::text, '/pros/', slug, '/book', service.booking_query, '"}')
          else '","bookingUrl":null}' end) as item
      from pro_search where slot = page.slot offset 0
    ) result
  ) as professionals
from (
  -- The service that is searched for, if any: the head of its matchedService, and the query of its booking page.
  select ',"matchedService":{"id":"' || s.id || '","name":' || to_json(s.name) || ',"slug":"' || s.slug || '",' as head,
    '?service=' || s.id as booking_query
  from (select) call left join services s on s.ordinal = $1::smallint
) service
