-- A pro's open times on one date for one service, as the JSON text of the response body: one row, or none for an unknown
-- pro. `body` is null when the pro does not offer the service.
-- $1 pro id · $2 service id · $3 date · $4 now · $5 base URL of the booking page
select
  '{"professionalId":"' || p.id || '","serviceId":"' || offer.service_id || '","date":"' || $3::date
    || '","timezone":' || to_json(p.time_zone)
    || ',"durationMinutes":' || offer.minutes
    || ',"slots":[' || coalesce(listed.slots, '')
    || '],"nextAvailable":'
    || coalesce(next_open_slot(p, offer.minutes, $3::date, $4::timestamptz, $5::text), 'null')
    || '}' as body
from professionals p
left join lateral (
  select o.service_id, coalesce(o.duration_minutes, s.duration_minutes) as minutes
  from professional_services o
  join services s on s.id = o.service_id and s.active
  where o.professional_id = p.id and o.service_id = $2::uuid
) offer on true
cross join lateral (
  select string_agg('{"start":"' || o.starts || '","end":"' || o.ends || '","startDateTime":"' || iso_instant(o.starts_at)
    || '","available":' || o.available || '}', ',' order by o.starts_at) as slots
  from open_slots(p.business_hours, p.time_zone, $3::date, 1, offer.minutes, earliest_start(p, $4::timestamptz),
    busy_time(p.id, p.buffer_minutes, local_days($3::date, 1, p.time_zone), $4::timestamptz)) o
) listed
where p.active and p.id = $1::uuid
