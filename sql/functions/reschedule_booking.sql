-- Reschedules a booking to another time of the same length or returns why not. The caller holds lock_schedule and the row
-- lock. The booking's own time counts as free; otherwise the rules and the form of the start are those of reserve_slot.
-- `late` is whether cancelling now keeps the payment; rescheduling does not change that.
-- outcome: rescheduled | unchanged (the same time) | pro_not_found | date_out_of_range | slot_unavailable
-- (`next_available` is the next time that fits).
create or replace function reschedule_booking(
  rescheduled_id uuid, on_day date, at_minute integer, at_instant timestamptz, late boolean, as_of timestamptz,
  base_url text,
  out outcome text, out booking json, out event_sequence integer, out next_available json
)
  language plpgsql volatile as $$
declare
  present bookings;
  pro professionals;
  day date;
  today date;
  starts timestamptz;
  ends timestamptz;
begin
  select b.* into present from bookings b where b.id = rescheduled_id;
  select p.* into pro from professionals p where p.id = present.professional_id;
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
  if starts = present.starts_at then
    outcome := 'unchanged';
    booking := booking_object(present);
    return;
  end if;

  ends := starts + present.duration_minutes * interval '1 minute';
  outcome := 'slot_unavailable';
  if slot_fits(pro, day, starts, ends, as_of, rescheduled_id) then
    perform lapse_overlapping_holds(pro, starts, ends, as_of);
    begin
      update bookings b set
        starts_at = starts, ends_at = ends, buffer_minutes = pro.buffer_minutes,
        holds = tstzrange(starts, ends + pro.buffer_minutes * interval '1 minute'),
        moved_late = late,
        event_sequence = b.event_sequence + 1
      where b.professional_id = pro.id and b.id = rescheduled_id
      returning booking_object(b), b.event_sequence into booking, event_sequence;
      outcome := 'rescheduled';
    exception when exclusion_violation then
      -- A writer without the lock has booked the time.
      booking := null;
      event_sequence := null;
    end;
  end if;
  if outcome = 'slot_unavailable' then
    next_available := next_open_slot(pro, present.duration_minutes, day, as_of, base_url, rescheduled_id,
      present.service_id, present.package_id);
  end if;
end $$;

create or replace function move_booking(
  moved_id uuid, on_day date, at_minute integer, at_instant timestamptz, late boolean, as_of timestamptz, base_url text,
  out outcome text, out booking json, out event_sequence integer, out next_available json
)
  language sql volatile as $$
  select case when r.outcome = 'rescheduled' then 'moved' else r.outcome end, r.booking, r.event_sequence, r.next_available
  from reschedule_booking(moved_id, on_day, at_minute, at_instant, late, as_of, base_url) r
$$;
comment on function move_booking is 'Unused since 0.2.0: reschedule_booking.';
