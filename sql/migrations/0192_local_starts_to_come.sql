-- Only visits to come need it.
update bookings b set local_start = b.starts_at at time zone p.time_zone, time_zone = p.time_zone
from professionals p
where p.id = b.professional_id and b.status in ('pending', 'confirmed') and b.starts_at > now() and b.local_start is null;
