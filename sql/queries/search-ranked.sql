-- Pros of one facet, best rated first: everywhere, in a state or in cities; the page as JSON text, and the exact total.
-- $1 facet · $2 mask of flags (search_grid.sql), $3 their wanted values · $4 areas: 0 everywhere, a city's id, a state's negated ordinal
-- $5 a second facet that the pro must have, or null · $6 limit · $7 offset · $8 base URL
with input as materialized (
  -- Reading the parameters from a materialized row hides their values from the planner: one generic plan serves all.
  select $1::smallint as facet, $2::integer as mask, $3::integer as wanted, $4::integer[] as areas, $5::smallint as second_facet,
    $6::integer as page_size, $7::integer as page_offset, $8::text as base_url,
    -- The service that is searched for, if any: the start of its matchedService, and the path of its booking page.
    search_service_head(s) as head,
    search_booking_path(s) as booking_path
  from (select) call left join services s on s.ordinal = $1::smallint
), hits as (
  select hit.professional_id, hit.standing, hit.flags, null::boolean as in_area
  from input
  cross join lateral unnest(input.areas) area
  cross join lateral (
    select e.professional_id, e.standing, e.flags from pro_search_entry e
    where e.facet = input.facet and e.flags & input.mask = input.wanted
      and (input.second_facet is null or exists (
        select from pro_search s where s.professional_id = e.professional_id and input.second_facet = any (s.facets)))
    order by e.standing desc, e.professional_id limit input.page_size + input.page_offset
  ) hit
  where area = 0
  union all
  select hit.professional_id, hit.standing, hit.flags, null
  from input
  cross join lateral unnest(input.areas) area
  cross join lateral (
    select e.professional_id, e.standing, e.flags from pro_search_entry e
    where e.facet = input.facet and e.state = -area and e.flags & input.mask = input.wanted
      and (input.second_facet is null or exists (
        select from pro_search s where s.professional_id = e.professional_id and input.second_facet = any (s.facets)))
    order by e.standing desc, e.professional_id limit input.page_size + input.page_offset
  ) hit
  where area < 0
  union all
  select hit.professional_id, hit.standing, hit.flags, hit.flags & 4 = 4
  from input
  cross join lateral unnest(input.areas) area
  cross join lateral (
    select e.professional_id, e.standing, e.flags from pro_search_entry e
    where e.facet = input.facet and e.city_id = area and e.flags & input.mask = input.wanted
      and (input.second_facet is null or exists (
        select from pro_search s where s.professional_id = e.professional_id and input.second_facet = any (s.facets)))
    order by e.standing desc, e.professional_id limit input.page_size + input.page_offset
  ) hit
  where area > 0
), page as (
  select professional_id, standing, flags, in_area from hits order by standing desc, professional_id
  limit (select page_size from input) offset (select page_offset from input)
)
select
  case when input.second_facet is null and input.mask < 4 then (
    select coalesce(sum(search_count(a.pros, a.verified, a.instant, a.verified_instant, input.mask, input.wanted)), 0)
    from pro_search_area a where a.area = any (input.areas) and a.facet = input.facet
  ) when input.second_facet is null then (
    -- No counter tells whose service area contains the city's center.
    select count(*) from unnest(input.areas) area
    join pro_search_entry e on e.city_id = area and e.facet = input.facet and e.flags & input.mask = input.wanted
  ) else (
    -- A join of the two lists: lookups per pro took 15 times as long for the longest lists.
    select coalesce(sum(case
      when area = 0 then (
        select count(*) from pro_search_entry e join pro_search_entry o using (professional_id)
        where e.facet = input.facet and o.facet = input.second_facet and e.flags & input.mask = input.wanted
      ) when area < 0 then (
        select count(*) from pro_search_entry e join pro_search_entry o using (professional_id)
        where e.facet = input.facet and o.facet = input.second_facet and e.flags & input.mask = input.wanted
          and e.state = -area and o.state = -area
      ) else (
        select count(*) from pro_search_entry e join pro_search_entry o using (professional_id)
        where e.facet = input.facet and o.facet = input.second_facet and e.flags & input.mask = input.wanted
          and e.city_id = area and o.city_id = area
      ) end), 0)
    from unnest(input.areas) area
  ) end::integer as total,
  (
    select '[' || coalesce(string_agg(result.item, ','), '') || ']'
    from page
    -- The page is already sorted, and a lookup per row keeps the order. OFFSET 0 prevents another plan.
    cross join lateral (
      select search_result(
        doc, offers, facets, input.facet, input.head, null, slug, page.flags, page.in_area, input.booking_path,
        input.base_url) as item
      from pro_search where professional_id = page.professional_id offset 0
    ) result
  ) as professionals
from input
