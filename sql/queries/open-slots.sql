-- A pro's open times over some days, as the JSON text of the response body: one row, or none for an unknown pro.
-- Without a service or package, slots last the pro's default; with one, as long as it takes, and there are none if it cannot
-- be booked: then `obstacle` says why. `service` is null without one or if the pro does not offer it. The slots for a booking
-- that is being moved last as long as it does, and its own time is free. The slots for a visit that the pro has agreed to
-- last `$10` minutes, whether or not its service can be booked at once.
-- $1 pro id, or null · $2 slug, or null · $3 first date, null for today in the pro's time zone · $4 days ·
-- $5 now · $6 base URL of the booking page · $7 service id, or null · $8 package id, or null · $9 moved booking, or null ·
-- $10 minutes of a visit, or null · $11 test account, or null · $12 hours before the start until which cancelling is free
select
  p.id as professional_id,
  p.slug,
  p.time_zone,
  p.deposit_required as takes_deposit,
  offer.terms as service,
  offer.obstacle,
  '{"professionalId":"' || p.id || '","slug":"' || p.slug || '","businessName":' || to_json(p.business_name)
    || ',"instantBookingEnabled":' || input.is_bookable
    || ',"slotDurationMinutes":' || input.minutes
    || ',"leadTimeHours":' || p.lead_time_hours
    || ',"timezone":' || to_json(p.time_zone)
    || ',"timeZoneName":' || to_json(zone.title)
    || ',"availability":[' || listed.days
    || '],"nextAvailable":'
    || coalesce(case when input.is_bookable then
      next_listed_slot(p, input.minutes, input.first_day, listed.first_open, $5::timestamptz, $6::text, moved.id,
        $7::uuid, $8::uuid) end, 'null')
    || '}' as body
from professionals p
left join chosen_offer(p, $7::uuid, $8::uuid) offer on true
left join bookings moved on moved.professional_id = p.id and moved.id = $9::uuid
cross join lateral (select zone_name(p.time_zone) as title offset 0) zone
cross join lateral (
  select coalesce($3::date, ($5::timestamptz at time zone p.time_zone)::date) as first_day,
    earliest_start(p, $5::timestamptz) as earliest,
    coalesce(moved.duration_minutes, $10::integer, offer.minutes, p.default_slot_minutes) as minutes,
    case
      when moved.id is not null or $10::integer is not null then true
      when $7::uuid is null and $8::uuid is null then has_bookable_service(p)
      else offer.minutes is not null and offer.obstacle is null
    end as is_bookable
  offset 0
) input
cross join lateral (
  select busy_time(p.id, p.buffer_minutes, local_days(input.first_day, $4::integer, p.time_zone), $5::timestamptz,
    moved.id) as busy
  offset 0
) taken
cross join lateral (
  select string_agg('{"date":"' || d.day || '","dayOfWeek":"' || to_char(d.day, 'FMDay') || '","slots":['
    || coalesce(s.slots, '') || ']}', ',' order by d.day) as days, min(s.first_open) as first_open
  from (select input.first_day + n as day from generate_series(0, $4::integer - 1) n offset 0) d
  cross join lateral (
    select string_agg(offered_slot(o.starts_at, o.starts, o.ends, o.available,
        coalesce(moved.free_cancellation_hours, $12::integer), $5::timestamptz, p.time_zone, zone.title), ',' order by o.starts_at) as slots,
      min(o.starts_at) filter (where o.available) as first_open
    from day_slots(p.business_hours, p.time_zone, d.day, p.default_slot_minutes, input.minutes, input.earliest, taken.busy) o
    where input.is_bookable or ($7::uuid is null and $8::uuid is null)
  ) s
) listed
where (is_visible(p.active, p.test_account_id, $11::uuid) or moved.id is not null or $10::integer is not null)
  and (p.id = $1::uuid or p.slug = $2::text)
