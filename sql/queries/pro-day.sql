-- One day of a pro's calendar, as the JSON text of the daily brief: one row, or none for an unknown pro. Times are local.
-- $1 pro id · $2 the date, null for today in the pro's time zone · $3 now
with pro as materialized (
  select p.id, p.time_zone as zone, p.business_hours, p.buffer_minutes, input.day,
    local_days(input.day, 1, p.time_zone) as span
  from professionals p
  cross join lateral (select coalesce($2::date, ($3::timestamptz at time zone p.time_zone)::date) as day) input
  where p.id = $1
), visit as materialized (
  select b.*, left((b.starts_at at time zone pro.zone)::time::text, 5) as starts,
    left((b.ends_at at time zone pro.zone)::time::text, 5) as ends,
    extract(epoch from b.starts_at - lag(b.ends_at) over (order by b.starts_at, b.id))::integer / 60 as minutes_before
  from pro join bookings stored on stored.professional_id = pro.id
    and stored.starts_at >= lower(pro.span) and stored.starts_at < upper(pro.span)
  cross join lateral booking_as_of(stored, $3::timestamptz) b
  where b.status in ('pending', 'confirmed', 'completed', 'no_show')
), opening as (
  select w.opens_at, w.closes_at from pro cross join lateral working_time(pro.business_hours, pro.day, pro.zone) w
  where w.opens_at < w.closes_at
), closed as (
  select k.starts_at, k.ends_at, k.reason
  from pro join availability_blocks k on k.professional_id = pro.id and tstzrange(k.starts_at, k.ends_at) && pro.span
  union all
  select i.starts_at, i.ends_at, c.name
  from pro
  cross join lateral imported_time(pro.id, pro.span) i
  join imported_calendars c on c.professional_id = pro.id and c.id = i.calendar_id
), free as (
  select unnest(
    coalesce((select range_agg(tstzrange(opens_at, closes_at)) from opening), '{}')
    - coalesce((select range_agg(tstzrange(starts_at, ends_at)) from visit where status <> 'no_show'), '{}')
    - coalesce((select range_agg(tstzrange(starts_at, ends_at)) from closed), '{}')
    -- What is over of today is not free any more.
    - tstzmultirange(tstzrange(null, $3::timestamptz))) as gap
), work as (
  select j.id, j.status, s.name as service, q.estimated_days, r.*, q.line_items
  from pro join jobs j on j.professional_id = pro.id and j.status in ('scheduled', 'in_progress')
  left join quotes q on q.professional_id = j.professional_id and q.id = j.quote_id
  left join lateral (
    select customer_name, customer_phone, address, preferred_date from rfqs where professional_id = q.professional_id and id = q.rfq_id
  ) r on true
  left join services s on s.id = j.service_id
  where j.status = 'in_progress' or r.preferred_date = pro.day
  order by j.status, j.created_at, j.id limit 20
)
select json_build_object(
  'date', pro.day,
  'timezone', pro.zone,
  'open', (
    select coalesce(json_agg(json_build_object('start', o.starts, 'end', o.ends) order by o.opens_at), '[]')
    from (
      select w.opens_at, clock_reading(w.from_minute) as starts, clock_reading(w.to_minute) as ends
      from working_time(pro.business_hours, pro.day, pro.zone) w
    ) o),
  'stops', (
    select coalesce(json_agg(json_build_object(
      'bookingId', v.id, 'status', v.status, 'start', v.starts, 'end', v.ends, 'service', s.name,
      'customer', json_build_object('name', v.customer_name, 'phone', v.customer_phone), 'address', v.address,
      'notes', v.description, 'package', k.name, 'includes', coalesce(to_json(k.includes), '[]'), 'assignedTo', m.name,
      'minutesBefore', v.minutes_before) order by v.starts_at, v.id), '[]')
    from visit v join services s on s.id = v.service_id
    left join packages k on k.professional_id = v.professional_id and k.id = v.package_id
    left join members m on m.id = v.assigned_member_id and m.professional_id = v.professional_id),
  'gaps', (
    select coalesce(json_agg(json_build_object(
      'start', left((lower(gap) at time zone pro.zone)::time::text, 5),
      'end', left((upper(gap) at time zone pro.zone)::time::text, 5),
      'minutes', extract(epoch from upper(gap) - lower(gap))::integer / 60) order by lower(gap)), '[]')
    from free where not isempty(gap)),
  'blocks', (
    select coalesce(json_agg(json_build_object(
      'start', case when k.starts_at > lower(pro.span) then left((k.starts_at at time zone pro.zone)::time::text, 5)
        else '00:00' end,
      'end', case when k.ends_at < upper(pro.span) then left((k.ends_at at time zone pro.zone)::time::text, 5)
        else '24:00' end,
      'reason', k.reason) order by k.starts_at), '[]')
    from (select * from closed order by starts_at limit 20) k),
  'jobs', (
    select coalesce(json_agg(json_build_object(
      'jobId', w.id, 'status', w.status, 'service', w.service,
      'customer', case when w.customer_name is not null then
        json_build_object('name', w.customer_name, 'phone', w.customer_phone) end,
      'address', w.address, 'lineItems', coalesce(w.line_items, '[]')) order by w.status, w.id), '[]')
    from work w)
)::text as body
from pro
