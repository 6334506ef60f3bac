-- Pros of one facet around a point, also limited to cities, a state or a second facet, nearest first: the page as JSON
-- text, and the exact total. No counter covers such combinations, so it reads the whole circle. Without a filter it is exact
-- where the index alone is not: where a page ends between pros of the same distance.
-- $1 … $5 as in search-near.sql · $6 city ids, or null · $7 a state's ordinal, or null · $8 a second facet, or null
-- $9 limit · $10 offset · $11 base URL · $12 only pros whose service area contains the point
with hit as materialized (
  select e.slot, e.professional_id, e.flags, search_metres(st_3ddistance(e.position, $4::geometry)) as metres,
    st_3ddistance(e.position, $4::geometry) <= search_reach(e.flags >> 3) as in_area
  from pro_search_entry e
  where e.facet = $1::smallint and e.flags & $2::integer = $3::integer
    and e.position &&& st_expand($4::geometry, $5) and st_3ddistance(e.position, $4::geometry) <= $5
    and (not $12::boolean or st_3ddistance(e.position, $4::geometry) <= search_reach(e.flags >> 3))
    and ($6::integer[] is null or e.city_id = any ($6))
    and ($7::smallint is null or e.state = $7)
    and ($8::smallint is null or exists (
      select from pro_search s where s.slot = e.slot and $8 = any (s.facets)))
), page as (
  select slot, flags, metres, in_area from hit order by metres, professional_id limit $9 offset $10
)
select
  (select count(*) from hit)::integer as total,
  (
    select '[' || coalesce(string_agg(result.item, ','), '') || ']'
    from page
    -- The page is already sorted, and a lookup per row keeps the order. OFFSET 0 prevents another plan.
    cross join lateral (
      select search_result(
        doc, offers, facets, $1::smallint, service.head, page.metres, slug, page.flags, page.in_area, service.booking_path,
        $11::text) as item
      from pro_search where slot = page.slot offset 0
    ) result
  ) as professionals
from (
  -- The service that is searched for, if any: the start of its matchedService, and the path of its booking page.
  select search_service_head(s) as head,
    search_booking_path(s) as booking_path
  from (select) call left join services s on s.ordinal = $1::smallint
) service
