-- Stores another time for a booking that its pro proposes, in place of an earlier one, or returns why not. The caller holds
-- lock_schedule and the row lock. The form of the start is that of reserve_slot; the proposed time must be free now, but is
-- not held.
-- outcome: proposed | unchanged (the booking has this time) | date_out_of_range | pro_not_found | slot_unavailable
-- (`next_available` is the next time that fits).
create or replace function propose_time(
  proposed_id uuid, on_day date, at_minute integer, at_instant timestamptz, message text, as_of timestamptz, base_url text,
  out outcome text, out next_available json
)
  language plpgsql volatile as $$
declare
  booked bookings;
  pro professionals;
  day date;
  today date;
  starts timestamptz;
begin
  select b.* into booked from bookings b where b.id = proposed_id;
  select p.* into pro from professionals p where p.id = booked.professional_id;
  if pro.id is null then
    outcome := 'pro_not_found';
    return;
  end if;
  day := coalesce((at_instant at time zone pro.time_zone)::date, on_day);
  today := (as_of at time zone pro.time_zone)::date;
  starts := coalesce(at_instant, local_instant(on_day, at_minute, pro.time_zone));
  if day not between today and today + 365 then
    outcome := 'date_out_of_range';
  elsif starts = booked.starts_at then
    outcome := 'unchanged';
  elsif slot_fits(pro, day, starts, starts + booked.duration_minutes * interval '1 minute', as_of, proposed_id) then
    insert into booking_proposed_times as t (booking_id, starts_at, message, created_at)
    values (proposed_id, starts, propose_time.message, as_of)
    on conflict (booking_id) do update set
      starts_at = excluded.starts_at, message = excluded.message, created_at = excluded.created_at, declined_at = null;
    perform plan_booking_message('proposed:' || proposed_id || ':' || iso_instant(as_of), 'booking-time-proposed', proposed_id,
      jsonb_build_object('proposed', jsonb_build_object('startsAt', iso_instant(starts),
        'endsAt', iso_instant(starts + booked.duration_minutes * interval '1 minute'), 'message', propose_time.message)),
      as_of, as_of);
    outcome := 'proposed';
  else
    outcome := 'slot_unavailable';
    next_available := next_open_slot(pro, booked.duration_minutes, day, as_of, base_url, proposed_id, booked.service_id,
      booked.package_id);
  end if;
end $$;

-- The time that the pro proposes for a booking, as { "startDateTime", "date", "time", "message", "proposedAt",
-- "declinedAt" }; null without one.
create or replace function proposed_time(booking bookings, time_zone text) returns json
  language plpgsql stable parallel safe as $$
begin
  if booking.status not in ('pending', 'confirmed') then
    return null;
  end if;
  return (
    select json_build_object(
      'startDateTime', iso_instant(t.starts_at),
      'date', (t.starts_at at time zone proposed_time.time_zone)::date,
      'time', left((t.starts_at at time zone proposed_time.time_zone)::time::text, 5),
      'localTime', local_time(t.starts_at, proposed_time.time_zone),
      'message', t.message,
      'proposedAt', iso_instant(t.created_at),
      'declinedAt', iso_instant(t.declined_at))
    from booking_proposed_times t where t.booking_id = booking.id
  );
end $$;

-- A booking that moves or ends takes the time that its pro proposed with it.
create or replace function end_proposed_time() returns trigger language plpgsql as $$
begin
  delete from booking_proposed_times where booking_id = new.id;
  return null;
end $$;

create or replace trigger booking_ends_proposed_time after update of status, starts_at on bookings
  for each row when (old.status <> new.status or old.starts_at <> new.starts_at) execute function end_proposed_time();
