-- Pros of one facet, best rated first: everywhere, in a state or in cities; the page as JSON text, and the exact total.
-- $1 facet · $2 flags that matter, $3 what they must be · $4 areas: 0 everywhere, a city's id, minus a state's ordinal
-- $5 second facet whose list must name the pro too, or null · $6 limit · $7 offset · $8 base URL
with hits as materialized (
  select hit.professional_id, hit.standing
  from unnest($4::integer[]) area
  cross join lateral (
    select e.professional_id, e.standing from pro_search_entry e
    where e.facet = $1::smallint and e.flags & $2::integer = $3::integer
      and ($5::smallint is null or exists (
        select from pro_search s where s.professional_id = e.professional_id and $5 = any (s.facets)))
    order by e.standing desc, e.professional_id limit $6::integer + $7::integer
  ) hit
  where area = 0
  union all
  select hit.professional_id, hit.standing
  from unnest($4::integer[]) area
  cross join lateral (
    select e.professional_id, e.standing from pro_search_entry e
    where e.facet = $1::smallint and e.state = -area and e.flags & $2::integer = $3::integer
      and ($5::smallint is null or exists (
        select from pro_search s where s.professional_id = e.professional_id and $5 = any (s.facets)))
    order by e.standing desc, e.professional_id limit $6::integer + $7::integer
  ) hit
  where area < 0
  union all
  select hit.professional_id, hit.standing
  from unnest($4::integer[]) area
  cross join lateral (
    select e.professional_id, e.standing from pro_search_entry e
    where e.facet = $1::smallint and e.city_id = area and e.flags & $2::integer = $3::integer
      and ($5::smallint is null or exists (
        select from pro_search s where s.professional_id = e.professional_id and $5 = any (s.facets)))
    order by e.standing desc, e.professional_id limit $6::integer + $7::integer
  ) hit
  where area > 0
), page as (
  select professional_id, standing from hits order by standing desc, professional_id limit $6 offset $7
)
select
  case when $5 is null then (
    select coalesce(sum(search_count(a.pros, a.verified, a.instant, a.verified_instant, $2, $3)), 0)
    from pro_search_area a where a.area = any ($4) and a.facet = $1
  ) else (
    select coalesce(sum((
      select count(*) from pro_search_entry e
      where e.facet = $1 and (area <= 0 or e.city_id = area) and (area >= 0 or e.state = -area) and e.flags & $2 = $3
        and exists (select from pro_search s where s.professional_id = e.professional_id and $5 = any (s.facets))
    )), 0) from unnest($4) area
  ) end::integer as total,
  (
    select '[' || coalesce(string_agg(
      concat(p.doc, ',"distance":',
        'null,"profileUrl":"', $8::text, '/pros/', p.slug, '","bookingUrl":',
        case when p.flags & 2 = 2 then concat('"', $8, '/pros/', p.slug, '/book"}') else 'null}' end),
      ',' order by page.standing desc, page.professional_id), '') || ']'
    from page
    -- OFFSET 0 keeps this a look-up per row, whatever the planner believes about the page's length.
    cross join lateral (
      select doc, slug, flags from pro_search where professional_id = page.professional_id offset 0
    ) p
  ) as professionals
