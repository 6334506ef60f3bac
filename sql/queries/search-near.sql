-- Pros of one facet around a point, nearest first: the page as JSON text, and the exact total.
-- $1 facet · $2 mask of flags, $3 their wanted values
-- $4 the point on the unit sphere · $5 the radius as a straight distance between two such points
-- $6 $7 ranges (from, to) of cells wholly inside the circle · $8 $9 ranges of places on its rim
-- $10 limit · $11 offset · $12 base URL
-- $13 only pros whose service area contains the point: then no counter helps, and the whole circle is rim
with nearest as materialized (
  select slot, professional_id, flags, chord, search_metres(chord) as metres
  from (
    -- The GiST index gives the entries in order, and &&& keeps it from looking beyond the circle. One entry more than the
    -- page ends with, to compare their distances.
    select e.slot, e.professional_id, e.flags, st_3ddistance(e.position, $4::geometry) as chord
    from pro_search_entry e
    where e.facet = $1::smallint and e.flags & $2::integer = $3::integer
      and e.position &&& st_expand($4::geometry, $5)
      and (not $13::boolean or st_3ddistance(e.position, $4::geometry) <= search_reach(e.flags >> 3))
    order by e.position <<->> $4::geometry
    limit $10::integer + $11::integer + 1
  ) entry
), page as (
  select slot, flags, metres, chord <= search_reach(flags >> 3) as in_area
  from nearest where chord <= $5 order by metres, professional_id limit $10 offset $11
)
select
  case when found.entries <= $10 + $11 then found.within else (
    select coalesce(sum((
      select sum(search_count(c.pros, c.verified, c.instant, c.verified_instant, $2, $3))
      from pro_search_cell c where c.cell between range.low and range.high
    )), 0) from unnest($6::bigint[], $7::bigint[]) range (low, high)
  ) + (
    select coalesce(sum((
      select count(*) from pro_search_entry e
      where e.place between range.low and range.high and e.flags & $2 = $3
        and st_3ddistance(e.position, $4::geometry) <= case when $13 then least($5, search_reach(e.flags >> 3)) else $5 end
    )), 0) from unnest($8::bigint[], $9::bigint[]) range (low, high)
  ) end::integer as total,
  -- Whether the page ends between pros of the same distance: then their ids decide, and the index does not know them.
  found.metres[$10 + $11] = found.metres[$10 + $11 + 1] as ends_in_tie,
  (
    select '[' || coalesce(string_agg(result.item, ','), '') || ']'
    from page
    -- The page is already sorted, and a lookup per row keeps the order. OFFSET 0 prevents another plan.
    cross join lateral (
      select search_result(
        doc, offers, facets, $1::smallint, service.head, page.metres, slug, page.flags, page.in_area, service.booking_path,
        $12::text) as item
      from pro_search where slot = page.slot offset 0
    ) result
  ) as professionals
from (
  -- Fewer entries than asked for are all that the circle has, and need no counters.
  select count(*) as entries, count(*) filter (where chord <= $5) as within, array_agg(metres) as metres from nearest
) found
cross join (
  -- The service that is searched for, if any: the start of its matchedService, and the path of its booking page.
  select search_service_head(s) as head,
    search_booking_path(s) as booking_path
  from (select) call left join services s on s.ordinal = $1::smallint
) service
