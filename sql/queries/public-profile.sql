-- The fields of a pro's public profile that are not in the detail, as one JSON object: one row, or none.
-- $1 pro id, or null · $2 slug, or null · $3 base URL · $4 test account, or null
select json_build_object(
  'timezone', p.time_zone,
  'businessHours', hours.week,
  'acceptsEmergency', p.accepts_emergency,
  'memberSince', (p.created_at at time zone p.time_zone)::date,
  'headline', texts.headline,
  'about', texts.about,
  'highlights', to_json(coalesce(texts.highlights, '{}')),
  'serviceAreas', texts.service_areas,
  'languages', to_json(coalesce(texts.languages, '{}')),
  'faq', coalesce(texts.faq, '[]'),
  'business', json_build_object(
    'legalName', e.legal_name, 'licenseNumber', e.license_number, 'licenseState', e.license_state,
    'foundedYear', e.founded_year, 'insuranceCarrier', e.insurance_carrier,
    'licenseChecked', p.credentials and e.license_number is not null,
    'insuranceChecked', p.insurance and e.insurance_carrier is not null),
  'site', json_build_object(
    'themeColor', site.theme_color, 'heroTitle', site.hero_title, 'heroText', site.hero_text,
    'callToAction', site.call_to_action, 'callToActionLabel', site.call_to_action_label,
    'sections', to_json(coalesce(site.sections, array[
      'about', 'highlights', 'services', 'packages', 'reviews', 'service_areas', 'faq', 'contact']))),
  'counts', json_build_object(
    'services', (
      select count(*) from professional_services o join services s on s.id = o.service_id and s.active
      where o.professional_id = p.id and not exists (
        select from professional_services t where t.professional_id = p.id and t.service_id = s.merged_into)),
    'completedBookings', count_of_pro(p.id, 'booking', 'completed'),
    'completedJobs', count_of_pro(p.id, 'job', 'completed'),
    'reviews', p.review_count),
  'ratingDistribution', review_stats_object(stats) -> 'distribution',
  'recentReviews', (
    select coalesce(json_agg(review_object(r, w.name) order by r.created_at desc, r.id desc), '[]')
    from (
      select * from reviews r where r.professional_id = p.id and r.status = 'approved'
      order by r.created_at desc, r.id desc limit 10
    ) latest
    join reviews r on r.professional_id = p.id and r.id = latest.id
    left join jobs j on j.professional_id = r.professional_id and j.id = r.job_id
    left join services w on w.id = j.service_id),
  'profileUrl', $3::text || '/pros/' || p.slug,
  'bookingUrl', case when has_bookable_service(p) then $3 || '/pros/' || p.slug || '/book' end
)::text as body
from professionals p
left join review_stats stats on stats.professional_id = p.id
left join pro_public_profiles texts on texts.professional_id = p.id
left join pro_business_entities e on e.professional_id = p.id
left join pro_site_configs site on site.professional_id = p.id
cross join lateral (
  select json_object_agg(day.name, coalesce(p.business_hours -> day.name, '[]') order by day.position) as week
  from unnest(array['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'])
    with ordinality as day (name, position)
) hours
where is_visible(p.active, p.test_account_id, $4::uuid) and (p.id = $1::uuid or p.slug = $2::text)
