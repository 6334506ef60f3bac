-- One page of the test pros of an account, by name, and the exact total. Places do not count: test pros are few, and they are
-- found wherever a developer searches.
-- $1 test account · $2 facet: service, category or 0 · $3 second facet, or null · $4 flags to compare · $5 their values ·
-- $6 limit · $7 offset · $8 base URL of profiles and booking pages
with offered as (
  select p.id, o as offer, s, k.ordinal as category, k.name as category_name, length.minutes,
    booking_obstacle(p, o, length.minutes) is null as is_bookable
  from professionals p
  join professional_services o on o.professional_id = p.id
  join services s on s.id = o.service_id and s.active
  join categories k on k.id = s.category_id
  cross join lateral (select service_minutes(o, s) as minutes) length
  where p.test_account_id = $1::uuid
), matching as (
  select p, bool_or(f.is_bookable) filter (where $2::smallint in (0, (f.s).ordinal, f.category)) as is_bookable,
    json_agg(distinct f.category_name) as categories,
    json_agg(json_build_object('id', (f.s).id, 'name', (f.s).name, 'slug', (f.s).slug) order by (f.s).ordinal) as services,
    min((f.offer).base_price_cents) as least, max((f.offer).base_price_cents) as most
  from professionals p
  join offered f on f.id = p.id
  group by p.id
  having bool_or($2 in (0, (f.s).ordinal, f.category)) and ($3::smallint is null or bool_or($3 in ((f.s).ordinal, f.category)))
), shown as (
  select * from matching m
  where ((m.p).verified::integer | (m.is_bookable::integer << 1)) & $4::integer = $5::integer
), page as (
  select * from shown order by (p).id limit $6::integer offset $7::integer
)
select (select count(*) from shown)::integer as total,
  (
    select coalesce(json_agg(json_build_object(
      'id', (page.p).id, 'slug', (page.p).slug, 'businessName', (page.p).business_name, 'description', (page.p).description,
      'verified', (page.p).verified,
      'verificationDetails', json_build_object('backgroundCheck', (page.p).background_check,
        'insurance', (page.p).insurance, 'credentials', (page.p).credentials),
      'rating', trim_scale(round((page.p).rating_sum::numeric / nullif((page.p).review_count, 0), 2)),
      'reviewCount', (page.p).review_count, 'categories', page.categories, 'services', page.services,
      'pricing', case when page.least is not null then
        json_build_object('min', dollars(page.least), 'max', dollars(page.most), 'currency', marketplace_currency()) end,
      'location', json_build_object('city', c.name, 'state', c.state, 'latitude', (page.p).latitude,
        'longitude', (page.p).longitude),
      'instantBookingEnabled', page.is_bookable,
      'matchedService', matched.service, 'distance', null,
      'serviceRadius', (page.p).service_radius_miles, 'inServiceArea', null,
      'profileUrl', $8::text || '/pros/' || (page.p).slug,
      'bookingUrl', case when page.is_bookable then
        $8::text || '/pros/' || (page.p).slug || '/book' || coalesce('?service=' || matched.id, '') end)
      order by (page.p).id), '[]')::text
    from page
    join cities c on c.id = (page.p).city_id
    left join lateral (
      select (f.s).id, concat('{"id":"', (f.s).id, '","name":', to_json((f.s).name), ',"slug":"', (f.s).slug, '",',
        with_deposit(search_offer(f.offer, f.minutes, f.is_bookable), case when f.is_bookable then
          deposit_for(page.p, coalesce((f.offer).base_price_cents, (f.offer).min_price_cents)) end))::json as service
      from offered f where f.id = (page.p).id and (f.s).ordinal = $2
    ) matched on true
  ) as professionals
