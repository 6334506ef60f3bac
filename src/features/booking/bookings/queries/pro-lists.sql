-- name: selectBookingsBetween :many on read
select pro_booking_object(b) as booking
from professionals p join bookings stored on stored.professional_id = p.id
  cross join lateral booking_as_of(stored, :now) b
where p.id = :professional_id and b.status <> 'cancelled'
  and (:only_member_id?::uuid is null or stored.assigned_member_id = :only_member_id?::uuid)
  and stored.starts_at >= clock_reaches(:from::date, 0, p.time_zone)
  and stored.starts_at < clock_reaches(:from::date + :days::integer, 0, p.time_zone)
order by stored.starts_at, stored.id
