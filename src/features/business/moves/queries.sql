-- name: findPlaceOfPro :one on write
-- Where a pro is, and the earliest time at which a day opens. No row for a test pro.
-- type: status 'active' | 'paused' | 'closed'
-- nullable: opens_at
select p.account_id, p.business_name, p.status, c.id as city_id, c.name as city, c.state, p.latitude, p.longitude, p.time_zone,
  p.service_radius_miles as radius_miles, (
    select min(span ->> 'start') from jsonb_each(p.business_hours) d, jsonb_array_elements(d.value) span) as opens_at
from professionals p join cities c on c.id = p.city_id where p.id = :id and p.test_account_id is null

-- name: getTimeZoneOfCity :one on write
select time_zone from cities where id = :id

-- name: selectVisitsToCome :many on write
-- not null: starts_at
-- nullable: city, state, zip_code
select b.id, iso_instant(b.starts_at) as starts_at, b.service_name, b.address ->> 'city' as city, b.address ->> 'state' as state,
  b.address ->> 'zipCode' as zip_code
from bookings b
where b.professional_id = :id and b.status in ('pending', 'confirmed') and b.starts_at > :now
  and (b.hold_expires_at is null or b.hold_expires_at > :now)
order by b.starts_at, b.id limit :limit

-- name: savePlace :exec on tx
-- Triggers change what search finds, and read the pro's calendars again in another time zone.
update professionals p set
  city_id = c.id, latitude = :latitude, longitude = :longitude, time_zone = c.time_zone, service_radius_miles = :radius_miles,
  updated_at = :now
from cities c where c.id = :city_id and p.id = :id
