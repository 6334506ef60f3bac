-- name: findProfile :one on read
select json_build_object(
  'id', p.id, 'slug', p.slug, 'businessName', p.business_name, 'description', p.description,
  'active', p.active, 'verified', p.verified,
  'verificationDetails', json_build_object(
    'backgroundCheck', p.background_check, 'insurance', p.insurance, 'credentials', p.credentials),
  'contact', json_build_object('website', p.website, 'phone', p.phone),
  'location', json_build_object(
    'city', c.name, 'state', c.state, 'latitude', p.latitude, 'longitude', p.longitude),
  'timezone', p.time_zone, 'serviceRadiusMiles', p.service_radius_miles,
  'acceptsEmergency', p.accepts_emergency, 'yearsOfExperience', p.years_of_experience,
  'rating', trim_scale(round(p.rating_sum::numeric / nullif(p.review_count, 0), 2)),
  'reviewCount', p.review_count, 'profileUrl', :base_url::text || '/pros/' || p.slug,
  'createdAt', iso_instant(p.created_at), 'updatedAt', iso_instant(p.updated_at)) as profile
from professionals p join cities c on c.id = p.city_id where p.id = :professional_id

-- name: updateProfile :exec on tx
update professionals set
  business_name = coalesce(:business_name?, business_name),
  description = case when :sets_description then :description?
    else description end,
  service_radius_miles = coalesce(:service_radius_miles?, service_radius_miles),
  accepts_emergency = coalesce(:accepts_emergency?, accepts_emergency),
  years_of_experience = case when :sets_years_of_experience
    then :years_of_experience?::integer else years_of_experience end,
  updated_at = :now
where id = :professional_id

-- name: lockProfile :exec on tx
-- Locks the pro's row until the transaction ends.
select from professionals where id = :professional_id for no key update

-- name: selectLocations :many on read
-- not null: primary
select p.id, c.name as city, c.state, p.latitude, p.longitude, p.time_zone as timezone, p.service_radius_miles,
  true as primary
from professionals p join cities c on c.id = p.city_id where p.id = :professional_id
