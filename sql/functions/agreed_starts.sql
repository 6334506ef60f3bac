-- A booking keeps the local time that was agreed, also when a law changes its zone: `hearth zones update` reschedules it.

-- Stores the agreed local time of a new booking and of one that is rescheduled.
create or replace function keep_agreed_start() returns trigger
  language plpgsql as $$
begin
  select p.time_zone, new.starts_at at time zone p.time_zone into new.time_zone, new.local_start
  from professionals p where p.id = new.professional_id;
  return new;
end $$;

create or replace trigger booking_agreed_start before insert on bookings
  for each row execute function keep_agreed_start();
create or replace trigger booking_moved_start before update of starts_at on bookings
  for each row when (new.starts_at <> old.starts_at) execute function keep_agreed_start();

-- Whether a booking to come starts at another local time than agreed. Both instants of a doubled local time are that time.
create or replace function has_drifted(booking bookings, as_of timestamptz) returns boolean
  language sql stable parallel safe as $$
  select booking.status in ('pending', 'confirmed') and booking.starts_at > as_of
    and (booking.hold_expires_at is null or booking.hold_expires_at > as_of)
    and booking.starts_at at time zone booking.time_zone <> booking.local_start
$$;

-- The instant at which the agreed local time is now; the moment of the skip for one that is skipped.
create or replace function agreed_start(booking bookings) returns timestamptz
  language sql stable parallel safe as $$
  select clock_reaches(booking.local_start::date, (extract(epoch from booking.local_start::time) / 60)::integer,
    booking.time_zone)
$$;

-- Reschedules a locked booking to its agreed local time. The caller holds lock_schedule. Business hours, lead time and
-- blocks do not count: the time was agreed. Only another booking stands in its way.
-- outcome: rescheduled | conflict (the booking stays where it is)
create or replace function reschedule_to_agreed_start(
  rescheduled_id uuid, as_of timestamptz, out outcome text, out booking json, out event_sequence integer
)
  language plpgsql volatile as $$
declare
  present bookings;
  pro professionals;
  starts timestamptz;
  ends timestamptz;
begin
  select b.* into present from bookings b where b.id = rescheduled_id;
  select p.* into pro from professionals p where p.id = present.professional_id;
  starts := agreed_start(present);
  ends := starts + present.duration_minutes * interval '1 minute';
  perform lapse_overlapping_holds(pro, starts, ends, as_of);
  update bookings b set
    starts_at = starts, ends_at = ends, holds = tstzrange(starts, ends + b.buffer_minutes * interval '1 minute'),
    event_sequence = b.event_sequence + 1
  where b.professional_id = pro.id and b.id = rescheduled_id
  returning booking_object(b), b.event_sequence into booking, event_sequence;
  outcome := 'rescheduled';
exception when exclusion_violation then
  outcome := 'conflict';
  booking := null;
  event_sequence := null;
end $$;

create or replace function move_to_agreed_start(
  moved_id uuid, as_of timestamptz, out outcome text, out booking json, out event_sequence integer
)
  language sql volatile as $$
  select case when r.outcome = 'rescheduled' then 'moved' else r.outcome end, r.booking, r.event_sequence
  from reschedule_to_agreed_start(moved_id, as_of) r
$$;
comment on function move_to_agreed_start is 'Unused since 0.2.0: reschedule_to_agreed_start.';
