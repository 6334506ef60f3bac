-- Pros of one facet around a point, nearest first: the page as JSON text, and the exact total.
-- $1 facet · $2 mask of flags, $3 their wanted values · $4 $5 $6 the point on the unit sphere · $7 the radius as a chord
-- $8 $9 ranges of cells wholly inside the circle · $10 $11 ranges of places on its rim
-- $12 limit · $13 offset · $14 base URL
with nearest as materialized (
  -- One more than the page ends with.
  select e.slot, e.professional_id, e.position <<->> st_makepoint($4, $5, $6) as chord,
    search_metres(e.position <<->> st_makepoint($4, $5, $6)) as metres
  from pro_search_entry e
  where e.facet = $1::smallint and e.flags & $2::integer = $3::integer
    and e.position &&& st_expand(st_makepoint($4, $5, $6), $7)
  order by e.position <<->> st_makepoint($4, $5, $6)
  limit $12::integer + $13::integer + 1
), page as (
  select slot, metres from nearest where chord <= $7 order by metres, professional_id limit $12 offset $13
)
select
  case when read.entries <= $12 + $13 then read.within else (
    select coalesce(sum((
      select sum(search_count(c.pros, c.verified, c.instant, c.verified_instant, $2, $3))
      from pro_search_cell c where c.cell between range.low and range.high
    )), 0) from unnest($8::bigint[], $9::bigint[]) range (low, high)
  ) + (
    select coalesce(sum((
      select count(*) from pro_search_entry e
      where e.place between range.low and range.high and e.flags & $2 = $3
        and e.position <<->> st_makepoint($4, $5, $6) <= $7
    )), 0) from unnest($10::bigint[], $11::bigint[]) range (low, high)
  ) end::integer as total,
  -- Whether the page ends between pros of the same distance: then their ids decide, and the index does not know them.
  read.metres[$12 + $13] = read.metres[$12 + $13 + 1] as ends_in_tie,
  (
    select '[' || coalesce(string_agg(result.item, ','), '') || ']'
    from page
    -- The page is already sorted, and a lookup per row keeps the order. OFFSET 0 prevents another plan.
    cross join lateral (
      select doc || concat(
        case when service.head is null then ',"matchedService":null'
          else service.head || offers[array_position(facets, $1::smallint)] end,
        ',"distance":', round(page.metres / 1609.344 * 100) / 100, ',"profileUrl":"', $14::text,
        '/pros/', slug,
        case when $1::smallint = any (bookable)
          then concat('","bookingUrl":"', $14::text, '/pros/', slug, '/book', service.booking_query, '"}')
          else '","bookingUrl":null}' end) as item
      from pro_search where slot = page.slot offset 0
    ) result
  ) as professionals
from (
  -- All that the circle has, if that is no more than the page ends with.
  select count(*) as entries, count(*) filter (where chord <= $7) as within, array_agg(metres) as metres from nearest
) read
cross join (
  -- The service that is searched for, if any: the head of its matchedService, and the query of its booking page.
  select ',"matchedService":{"id":"' || s.id || '","name":' || to_json(s.name) || ',"slug":"' || s.slug || '",' as head,
    '?service=' || s.id as booking_query
  from (select) call left join services s on s.ordinal = $1::smallint
) service
