-- Moves a booking to another time of the same length or returns why not. The caller holds lock_schedule and the row lock.
-- The booking's own time counts as free; otherwise the rules and the form of the start are those of reserve_slot. `late`
-- is whether cancelling now keeps the payment; a move does not change that.
-- outcome: moved | unchanged (the same time) | pro_not_found | date_out_of_range | slot_unavailable (`next_available` is
-- the next time that fits).
drop function if exists move_booking(uuid, date, integer, timestamptz, timestamptz, text);
create or replace function move_booking(
  moved_id uuid, on_day date, at_minute integer, at_instant timestamptz, late boolean, as_of timestamptz, base_url text,
  out outcome text, out booking json, out event_sequence integer, out next_available json
)
  language plpgsql volatile as $$
declare
  moved bookings;
  pro professionals;
  day date;
  today date;
  starts timestamptz;
  ends timestamptz;
begin
  select b.* into moved from bookings b where b.id = moved_id;
  select p.* into pro from professionals p where p.id = moved.professional_id and (p.active or p.test_account_id is not null);
  if pro.id is null then
    outcome := 'pro_not_found';
    return;
  end if;
  day := coalesce((at_instant at time zone pro.time_zone)::date, on_day);
  today := (as_of at time zone pro.time_zone)::date;
  if day not between today and today + 365 then
    outcome := 'date_out_of_range';
    return;
  end if;

  starts := coalesce(at_instant, local_instant(on_day, at_minute, pro.time_zone));
  if starts = moved.starts_at then
    outcome := 'unchanged';
    booking := booking_object(moved);
    return;
  end if;

  ends := starts + moved.duration_minutes * interval '1 minute';
  outcome := 'slot_unavailable';
  if slot_fits(pro, day, starts, ends, as_of, moved_id) then
    perform lapse_overlapping_holds(pro, starts, ends, as_of);
    begin
      update bookings b set
        starts_at = starts, ends_at = ends, buffer_minutes = pro.buffer_minutes,
        holds = tstzrange(starts, ends + pro.buffer_minutes * interval '1 minute'),
        moved_late = late,
        event_sequence = b.event_sequence + 1
      where b.professional_id = pro.id and b.id = moved_id
      returning booking_object(b), b.event_sequence into booking, event_sequence;
      outcome := 'moved';
    exception when exclusion_violation then
      -- A writer without the lock has booked the time.
      booking := null;
      event_sequence := null;
    end;
  end if;
  if outcome = 'slot_unavailable' then
    next_available := next_open_slot(pro, moved.duration_minutes, day, as_of, base_url, moved_id, moved.service_id,
      moved.package_id);
  end if;
end $$;
