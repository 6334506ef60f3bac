-- Whether [starts_at, ends_at) can be booked with the pro at `as_of`: within one interval of the business hours of the
-- local date `day`, after the lead time, outside busy time. False for a null start: a local time that a clock change
-- skips. `except_booking` is a booking that is being moved. Reliable only while lock_schedule is held.
create or replace function slot_fits(
  pro professionals, day date, starts_at timestamptz, ends_at timestamptz, as_of timestamptz,
  except_booking uuid default null
) returns boolean
  language plpgsql stable parallel safe as $$
begin
  return starts_at is not null
    and exists (
      select from working_time(pro.business_hours, day, pro.time_zone) w
      where w.opens_at <= starts_at and ends_at <= w.closes_at)
    and slot_is_open(starts_at, ends_at, earliest_start(pro, as_of),
      busy_time(pro.id, pro.buffer_minutes, tstzrange(starts_at, ends_at), as_of, except_booking));
end $$;

-- The earliest start of a booking that is made at `as_of`.
create or replace function earliest_start(pro professionals, as_of timestamptz) returns timestamptz
  language sql stable parallel safe as $$
  select as_of + pro.lead_time_hours * interval '1 hour'
$$;
