-- Pros of one facet, best rated first: everywhere, in a state or in cities; the page as JSON text, and the exact total.
-- $1 facet · $2 flags that matter, $3 what they must be · $4 areas: 0 everywhere, a city's id, a state's ordinal negated
-- $5 second facet whose list must name the pro too, or null · $6 limit · $7 offset · $8 base URL
with asked as materialized (
  -- Read through a row of their own, values cannot sway the planner: one generic plan serves every search.
  select $1::smallint as facet, $2::integer as mask, $3::integer as want, $4::integer[] as areas, $5::smallint as also,
    $6::integer as page_size, $7::integer as skip, $8::text as base_url
), hits as (
  select hit.professional_id, hit.standing
  from asked
  cross join lateral unnest(asked.areas) area
  cross join lateral (
    select e.professional_id, e.standing from pro_search_entry e
    where e.facet = asked.facet and e.flags & asked.mask = asked.want
      and (asked.also is null or exists (
        select from pro_search s where s.professional_id = e.professional_id and asked.also = any (s.facets)))
    order by e.standing desc, e.professional_id limit asked.page_size + asked.skip
  ) hit
  where area = 0
  union all
  select hit.professional_id, hit.standing
  from asked
  cross join lateral unnest(asked.areas) area
  cross join lateral (
    select e.professional_id, e.standing from pro_search_entry e
    where e.facet = asked.facet and e.state = -area and e.flags & asked.mask = asked.want
      and (asked.also is null or exists (
        select from pro_search s where s.professional_id = e.professional_id and asked.also = any (s.facets)))
    order by e.standing desc, e.professional_id limit asked.page_size + asked.skip
  ) hit
  where area < 0
  union all
  select hit.professional_id, hit.standing
  from asked
  cross join lateral unnest(asked.areas) area
  cross join lateral (
    select e.professional_id, e.standing from pro_search_entry e
    where e.facet = asked.facet and e.city_id = area and e.flags & asked.mask = asked.want
      and (asked.also is null or exists (
        select from pro_search s where s.professional_id = e.professional_id and asked.also = any (s.facets)))
    order by e.standing desc, e.professional_id limit asked.page_size + asked.skip
  ) hit
  where area > 0
), page as (
  select professional_id, standing from hits order by standing desc, professional_id
  limit (select page_size from asked) offset (select skip from asked)
)
select
  case when asked.also is null then (
    select coalesce(sum(search_count(a.pros, a.verified, a.instant, a.verified_instant, asked.mask, asked.want)), 0)
    from pro_search_area a where a.area = any (asked.areas) and a.facet = asked.facet
  ) else (
    -- A join of the two lists: look-ups pro by pro took 15 times as long for the longest ones.
    select coalesce(sum(case
      when area = 0 then (
        select count(*) from pro_search_entry e join pro_search_entry o using (professional_id)
        where e.facet = asked.facet and o.facet = asked.also and e.flags & asked.mask = asked.want
      ) when area < 0 then (
        select count(*) from pro_search_entry e join pro_search_entry o using (professional_id)
        where e.facet = asked.facet and o.facet = asked.also and e.flags & asked.mask = asked.want
          and e.state = -area and o.state = -area
      ) else (
        select count(*) from pro_search_entry e join pro_search_entry o using (professional_id)
        where e.facet = asked.facet and o.facet = asked.also and e.flags & asked.mask = asked.want
          and e.city_id = area and o.city_id = area
      ) end), 0)
    from unnest(asked.areas) area
  ) end::integer as total,
  (
    select '[' || coalesce(string_agg(result.item, ','), '') || ']'
    from page
    -- The page comes in its order, and a look-up per row keeps it: OFFSET 0 leaves the planner no other way.
    cross join lateral (
      select doc || concat(',"distance":', 'null',
        ',"profileUrl":"', asked.base_url, '/pros/', slug,
        case when flags & 2 = 2 then concat('","bookingUrl":"', asked.base_url, '/pros/', slug, '/book"}')
          else '","bookingUrl":null}' end) as item
      from pro_search where professional_id = page.professional_id offset 0
    ) result
  ) as professionals
from asked
