-- The slots of `minutes` on `days` local dates from `first_day`: one begins every `grid` minutes of local time from the
-- start of each interval of business hours, as long as it ends within the interval. A start that the clock skips is not a
-- slot.
-- `starts` and `ends` are local times, `24:00` at the end of the day.
-- Loops instead of one set-returning query: measured 2.4 times faster for one day and 1.3 times for 14, and a wrong row
-- estimate cannot trigger the JIT (it did: 220 ms).
drop function if exists open_slots(jsonb, text, date, integer, integer, timestamptz, tstzmultirange);
create or replace function open_slots(
  business_hours jsonb, zone text, first_day date, days integer, grid integer, minutes integer,
  earliest timestamptz, busy tstzmultirange
) returns table (day date, starts_at timestamptz, starts text, ends text, available boolean)
  language plpgsql stable strict parallel safe rows 50 as $$
declare
  duration constant interval := make_interval(mins => minutes);
  hours record;
  ends_at timestamptz;
  ends_clock timestamp;
begin
  for n in 0 .. days - 1 loop
    day := first_day + n;
    for hours in select * from working_time(business_hours, day, zone) loop
      for minute in hours.from_minute .. hours.to_minute - 1 by grid loop
        starts_at := local_instant(day, minute, zone);
        ends_at := starts_at + duration;
        continue when starts_at is null or ends_at > hours.closes_at;
        ends_clock := ends_at at time zone zone;
        starts := clock_reading(minute);
        ends := case when ends_clock >= day + 1 then '24:00' else left(ends_clock::time::text, 5) end;
        available := slot_is_open(starts_at, ends_at, earliest, busy);
        return next;
      end loop;
    end loop;
  end loop;
end $$;

-- Whether a time within business hours can be booked. Both the slot list and the reservation use it.
create or replace function slot_is_open(
  starts_at timestamptz, ends_at timestamptz, earliest timestamptz, busy tstzmultirange
) returns boolean
  language sql immutable parallel safe as $$
  select starts_at >= earliest and not tstzrange(starts_at, ends_at) && busy
$$;
