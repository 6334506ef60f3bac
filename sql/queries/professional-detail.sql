-- The public detail of one active pro, as the JSON text of the response body: one row, or none.
-- $1 pro id, or null · $2 slug, or null · $3 test account, or null
select json_build_object(
  'id', p.id, 'slug', p.slug, 'businessName', p.business_name, 'description', p.description, 'verified', p.verified,
  'verificationDetails', json_build_object(
    'backgroundCheck', p.background_check, 'insurance', p.insurance, 'credentials', p.credentials),
  'contact', json_build_object('website', p.website, 'phone', p.phone),
  'location', json_build_object(
    'city', c.name, 'state', c.state, 'latitude', p.latitude, 'longitude', p.longitude),
  'serviceRadius', p.service_radius_miles,
  'yearsOfExperience', p.years_of_experience,
  'categories', catalog.categories,
  'services', catalog.services,
  'reviews', json_build_object(
    'stats', json_build_object(
      'count', p.review_count,
      'average', coalesce(trim_scale(round(p.rating_sum::numeric / nullif(p.review_count, 0), 2)), 0),
      'breakdown', review_breakdown(stats), 'scored', review_scored(stats)),
    'recent', coalesce(latest.reviews, '[]'::json)),
  'booking', json_build_object(
    'instantBookingEnabled', has_bookable_service(p), 'leadTimeHours', p.lead_time_hours,
    'bufferMinutes', p.buffer_minutes, 'defaultSlotMinutes', p.default_slot_minutes,
    'depositRequired', p.deposit_required, 'depositPercentage', p.deposit_percentage)
)::text as body
from professionals p
join cities c on c.id = p.city_id
cross join lateral (
  select coalesce(json_agg(distinct k.name), '[]') as categories,
    coalesce(json_agg(json_build_object(
      'id', s.id, 'name', s.name, 'slug', s.slug, 'description', coalesce(ps.description, s.description),
      'pricing', offer_price(ps),
      'booking', json_strip_nulls(json_build_object(
        'durationMinutes', service_minutes(ps, s),
        'instantBookEnabled', booking.obstacle is null,
        'deposit', case when booking.obstacle is null then
          dollars(nullif(deposit_for(p, coalesce(ps.base_price_cents, ps.min_price_cents)), 0)) end)),
      'atCustomer', s.at_customer
    ) order by s.ordinal), '[]') as services
  from professional_services ps
  join services s on s.id = ps.service_id and s.active
  join categories k on k.id = s.category_id
  cross join lateral (select booking_obstacle(p, ps, service_minutes(ps, s)) as obstacle) booking
  -- Of a service that is being merged and its target, a pro is said to offer one.
  where ps.professional_id = p.id and not exists (
    select from professional_services t where t.professional_id = p.id and t.service_id = s.merged_into)
) catalog
left join review_stats stats on stats.professional_id = p.id
cross join lateral (
  select json_agg(json_build_object(
    'id', r.id, 'rating', r.rating, 'title', r.title, 'content', r.content, 'date', iso_instant(r.created_at))
    order by r.created_at desc, r.id desc) as reviews
  from (
    select * from reviews where professional_id = p.id and status = 'approved' order by created_at desc, id desc limit 5
  ) r
) latest
where is_visible(p.active, p.test_account_id, $3::uuid) and (p.id = $1::uuid or p.slug = $2::text)
