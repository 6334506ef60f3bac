-- A pro's open times on one date for one service, as the JSON text of the response body: one row, or none for an unknown
-- pro. `body` is null when the pro does not offer the service. A service that cannot be booked has no slots: then `obstacle`
-- says why.
-- $1 pro id · $2 service id · $3 date · $4 now · $5 base URL of the booking page · $6 test account, or null
-- $7 hours before the start until which cancelling is free
select
  p.slug,
  offer.terms as service,
  offer.obstacle,
  '{"professionalId":"' || p.id || '","serviceId":"' || offer.service_id || '","date":"' || $3::date
    || '","timezone":' || to_json(p.time_zone)
    || ',"timeZoneName":' || to_json(zone.title)
    || ',"durationMinutes":' || offer.minutes
    || ',"slots":[' || coalesce(listed.slots, '')
    || '],"nextAvailable":'
    || coalesce(case when offer.obstacle is null then
      next_listed_slot(p, offer.minutes, $3::date, listed.first_open, $4::timestamptz, $5::text, null, offer.service_id,
        null) end, 'null')
    || '}' as body
from professionals p
left join chosen_offer(p, $2::uuid, null) offer on true
cross join lateral (select zone_name(p.time_zone) as title offset 0) zone
cross join lateral (
  select busy_time(p.id, p.buffer_minutes, local_days($3::date, 1, p.time_zone), $4::timestamptz) as busy
  offset 0
) taken
cross join lateral (
  select string_agg(offered_slot(o.starts_at, o.starts, o.ends, o.available, $7::integer, $4::timestamptz,
      p.time_zone, zone.title), ',' order by o.starts_at) as slots,
    min(o.starts_at) filter (where o.available) as first_open
  from day_slots(p.business_hours, p.time_zone, $3::date, p.default_slot_minutes, offer.minutes,
    earliest_start(p, $4::timestamptz), taken.busy) o
  where offer.obstacle is null
) listed
where is_visible(p.active, p.test_account_id, $6::uuid) and p.id = $1::uuid
