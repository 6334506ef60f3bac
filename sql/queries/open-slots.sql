-- A pro's open times over some days, as the JSON text of the response body: one row, or none for an unknown pro.
-- $1 pro id, or null · $2 slug, or null · $3 first date, null for today in the pro's time zone · $4 days ·
-- $5 now · $6 base URL of the booking page
select
  p.id as professional_id,
  p.time_zone,
  '{"professionalId":"' || p.id || '","slug":"' || p.slug || '","businessName":' || to_json(p.business_name)
    || ',"instantBookingEnabled":' || p.instant_booking_enabled
    || ',"slotDurationMinutes":' || p.default_slot_minutes
    || ',"leadTimeHours":' || p.lead_time_hours
    || ',"timezone":' || to_json(p.time_zone)
    || ',"availability":[' || listed.days
    || '],"nextAvailable":'
    || coalesce(next_open_slot(p, p.default_slot_minutes, input.first_day, $5::timestamptz, $6::text), 'null')
    || '}' as body
from professionals p
cross join lateral (
  select coalesce($3::date, ($5::timestamptz at time zone p.time_zone)::date) as first_day,
    earliest_start(p, $5::timestamptz) as earliest
) input
cross join lateral (
  select string_agg('{"date":"' || d.day || '","dayOfWeek":"' || to_char(d.day, 'FMDay') || '","slots":['
    || coalesce(s.slots, '') || ']}', ',' order by d.day) as days
  from (select input.first_day + n as day from generate_series(0, $4::integer - 1) n) d
  left join (
    select o.day, string_agg('{"start":"' || o.starts || '","end":"' || o.ends || '","available":' || o.available || '}',
      ',' order by o.starts_at) as slots
    from open_slots(p.business_hours, p.time_zone, input.first_day, $4::integer, p.default_slot_minutes, input.earliest,
      busy_time(p.id, p.buffer_minutes, local_days(input.first_day, $4::integer, p.time_zone), $5::timestamptz)) o
    group by o.day
  ) s on s.day = d.day
) listed
where p.active and (p.id = $1::uuid or p.slug = $2::text)
