-- The first open time of each of some pros: of one service, or without one in the pro's default slots. A pro who cannot be
-- booked at once has no row.
-- $1 pro ids · $2 service id, or null · $3 now · $4 base URL of the booking page
select p.id as professional_id, p.time_zone, next.open ->> 'date' as date, next.open ->> 'time' as time,
  next.open ->> 'bookingUrl' as booking_url
from professionals p
left join services s on s.id = $2::uuid
left join professional_services o on o.professional_id = p.id and o.service_id = s.id
cross join lateral (
  select next_open_slot(p, case when s.id is null then p.default_slot_minutes else service_minutes(o, s) end,
    ($3::timestamptz at time zone p.time_zone)::date, $3::timestamptz, $4::text, null, s.id) as open
) next
where p.id = any ($1::uuid[]) and p.active and next.open is not null
  and case when s.id is null then has_bookable_service(p)
    else o.service_id is not null and booking_obstacle(p, o, service_minutes(o, s)) is null end
