-- Pros of one facet with limits and orders that no index has: price, rating, open times. It reads a bounded number of
-- candidates (around a point the nearest, otherwise the best rated) and says whether there are more of them.
-- $1 facet · $2 mask of flags, $3 their wanted values · $4 the point on the unit sphere, or null · $5 the radius as in
-- search-near.sql · $6 areas as in search-ranked.sql, read without a point · $7 city ids, or null · $8 a state's ordinal, or
-- null: both limit a search around a point · $9 a second facet, or null · $10 the highest price in cents, or null · $11 the
-- lowest rating, or null · $12 open before this instant, or null · $13 order: usual, best, rating, price or time · $14 now
-- $15 the most candidates · $16 the most of them whose open times are looked up · $17 for how many days, without $12
-- $18 limit · $19 offset · $20 base URL · $21 only pros whose service area contains the point · $22 only open times on this
-- date, or null · $23 from this time of day, HH:MM, and $24 before this one, or null
with input as materialized (
  select $1::smallint as facet, $2::integer as mask, $3::integer as wanted, $6::integer[] as areas, $9::smallint as second_facet,
    $15::integer + 1 as candidates, limits.is_timed, limits.is_timed or $13::text = 'time' as needs_times,
    ($10::integer is not null or $13::text = 'price') as needs_prices,
    s.id as service_id, s.unit, s.duration_minutes,
    search_service_head(s) as head,
    search_booking_path(s) as booking_path
  from (
    select $12::timestamptz is not null or $22::date is not null or $23::text is not null or $24::text is not null as is_timed
  ) limits
  left join services s on s.ordinal = $1::smallint
), found as (
  select near.*
  from (
    select e.professional_id, e.standing, e.flags, search_metres(st_3ddistance(e.position, $4::geometry)) as metres,
      st_3ddistance(e.position, $4::geometry) <= search_reach(e.flags >> 3) as in_area
    from pro_search_entry e
    where $4::geometry is not null
      and e.facet = $1::smallint and e.flags & $2::integer = $3::integer
      and e.position &&& st_expand($4::geometry, $5::float8) and st_3ddistance(e.position, $4::geometry) <= $5
      and (not $21::boolean or st_3ddistance(e.position, $4::geometry) <= search_reach(e.flags >> 3))
      and ($7::integer[] is null or e.city_id = any ($7))
      and ($8::smallint is null or e.state = $8)
      and ($9::smallint is null or exists (select from pro_search s where s.slot = e.slot and $9 = any (s.facets)))
    order by e.position <<->> $4::geometry
    limit $15::integer + 1
  ) near
  union all
  select hit.professional_id, hit.standing, hit.flags, null, null
  from input
  cross join lateral unnest(input.areas) area
  cross join lateral (
    select e.professional_id, e.standing, e.flags from pro_search_entry e
    where e.facet = input.facet and e.flags & input.mask = input.wanted
      and (input.second_facet is null or exists (
        select from pro_search s where s.professional_id = e.professional_id and input.second_facet = any (s.facets)))
    order by e.standing desc, e.professional_id limit input.candidates
  ) hit
  where area = 0 and $4::geometry is null
  union all
  select hit.professional_id, hit.standing, hit.flags, null, null
  from input
  cross join lateral unnest(input.areas) area
  cross join lateral (
    select e.professional_id, e.standing, e.flags from pro_search_entry e
    where e.facet = input.facet and e.state = -area and e.flags & input.mask = input.wanted
      and (input.second_facet is null or exists (
        select from pro_search s where s.professional_id = e.professional_id and input.second_facet = any (s.facets)))
    order by e.standing desc, e.professional_id limit input.candidates
  ) hit
  where area < 0 and $4::geometry is null
  union all
  select hit.professional_id, hit.standing, hit.flags, null, hit.flags & 4 = 4
  from input
  cross join lateral unnest(input.areas) area
  cross join lateral (
    select e.professional_id, e.standing, e.flags from pro_search_entry e
    where e.facet = input.facet and e.city_id = area and e.flags & input.mask = input.wanted
      and (input.second_facet is null or exists (
        select from pro_search s where s.professional_id = e.professional_id and input.second_facet = any (s.facets)))
    order by e.standing desc, e.professional_id limit input.candidates
  ) hit
  where area > 0 and $4::geometry is null
), candidate as materialized (
  -- Around a point by distance and then id, otherwise by standing and then id: as the other searches.
  select found.*, row_number() over (
    order by metres, case when metres is null then standing end desc, professional_id) as rank
  from found
), narrowed as materialized (
  select c.*, price.cents, row_number() over (order by c.rank) as nth
  from input
  join candidate c on c.rank < input.candidates
  -- The lowest price that the card shows, looked up only where prices are compared. A price of another unit than the
  -- service's own cannot be compared with the others.
  left join lateral (
    select coalesce(o.min_price_cents, o.base_price_cents, o.max_price_cents) as cents
    from professional_services o
    where input.needs_prices and o.professional_id = c.professional_id and o.service_id = input.service_id
      and o.unit is not distinct from input.unit
    offset 0
  ) price on true
  where ($10::integer is null or price.cents <= $10)
    and ($11::numeric is null or (
      select round(p.rating_sum::numeric / nullif(p.review_count, 0), 2) from professionals p where p.id = c.professional_id
    ) >= $11)
  -- Stops at one more than those whose times are looked up.
  order by nth limit (select case when needs_times then $16::integer + 1 end from input)
), timed as materialized (
  select n.*, case when input.needs_times and n.flags & 2 = 2 then (
    select first_open_within(p, coalesce(o.duration_minutes, input.duration_minutes, p.default_slot_minutes),
      greatest(today, $22::date),
      coalesce($22::date, ($12::timestamptz at time zone p.time_zone)::date, today + $17::integer), $14::timestamptz, null,
      coalesce($23::text, '00:00'), coalesce($24::text, '24:00'))
    from professionals p
    left join professional_services o on o.professional_id = p.id and o.service_id = input.service_id
    cross join lateral (select ($14::timestamptz at time zone p.time_zone)::date as today) clock
    where p.id = n.professional_id
  ) end as opens_at
  from input
  join narrowed n on not input.needs_times or n.nth <= $16::integer
), hit as materialized (
  select timed.* from input
  join timed on not input.is_timed or (opens_at is not null and ($12::timestamptz is null or opens_at < $12))
), page as (
  select *, row_number() over (
    order by case when $13::text = 'rating' then standing end desc nulls last,
      -- Stars less a fiftieth for each mile; see SearchOrder.
      case when $13::text = 'best' then (standing >> 22) / 1e9 - coalesce(metres, 0) / 1609.344 / 50 end desc nulls last,
      case when $13::text = 'price' then cents end nulls last,
      case when $13::text = 'time' then opens_at end nulls last,
      rank) as nth_of_page
  from hit order by nth_of_page limit $18::integer offset $19::integer
)
select
  (select count(*) from hit)::integer as total,
  (select count(*) from candidate) >= input.candidates
    or (input.needs_times and (select count(*) from narrowed) > $16::integer) as is_partial,
  (
    select '[' || coalesce(string_agg(result.item, ',' order by page.nth_of_page), '') || ']'
    from page
    cross join lateral (
      select search_result(
        doc, offers, facets, input.facet, input.head, page.metres, slug, page.flags, page.in_area, input.booking_path,
        $20::text) as item
      from pro_search where professional_id = page.professional_id offset 0
    ) result
  ) as professionals,
  -- By pro id, the first open time of each that was looked up.
  (
    select coalesce(json_object_agg(page.professional_id, json_build_object(
      'startDateTime', iso_second(page.opens_at), 'localTime', local_time(page.opens_at, p.time_zone))), '{}')
    from page join professionals p on p.id = page.professional_id
    where page.opens_at is not null
  ) as open_times
from input
