-- The slots of `minutes` on the local date `day`: one begins every `grid` minutes of local time from the start of each
-- interval of business hours, as long as it ends within the interval. A start that the clock skips is not a slot.
-- `starts` and `ends` are local times, `24:00` at the end of the day.
-- A plain query, which becomes a part of its callers' plans: loops in PL/pgSQL took three times as long.
create or replace function day_slots(
  business_hours jsonb, zone text, day date, grid integer, minutes integer, earliest timestamptz, busy tstzmultirange
) returns table (starts_at timestamptz, starts text, ends text, available boolean)
  language sql stable parallel safe rows 10 as $$
  select s.starts_at, clock_reading(s.minute),
    case
      when not d.clock_changes then clock_reading(s.minute + minutes)
      when s.ends_at at time zone zone >= day + 1 then '24:00'
      else left((s.ends_at at time zone zone)::time::text, 5)
    end,
    slot_is_open(s.starts_at, s.ends_at, earliest, busy)
  from (
    -- Without a clock change from the day before to the day after, a local time is midnight plus its minutes. That saves
    -- conversions, which are most of the work.
    select day::timestamp at time zone zone as midnight,
      (day - 1)::timestamp at time zone zone + interval '72 hours' <> (day + 2)::timestamp at time zone zone as clock_changes
    offset 0
  ) d
  cross join lateral (
    select clock_minute(hours ->> 'start') as from_minute, clock_minute(hours ->> 'end') as to_minute
    from jsonb_array_elements(business_hours -> to_char(day, 'fmday')) hours
    offset 0
  ) h
  cross join lateral (
    select minute, i.starts_at, i.starts_at + make_interval(mins => minutes) as ends_at
    from generate_series(h.from_minute, h.to_minute - 1, grid) minute
    cross join lateral (
      select case
        when d.clock_changes then local_instant(day, minute, zone)
        else d.midnight + make_interval(mins => minute)
      end as starts_at
      offset 0
    ) i
  ) s
  where s.ends_at <= case
    when d.clock_changes then clock_reaches(day, h.to_minute, zone)
    else d.midnight + make_interval(mins => h.to_minute)
  end
$$;

-- The slots of `days` local dates from `first_day`.
create or replace function open_slots(
  business_hours jsonb, zone text, first_day date, days integer, grid integer, minutes integer,
  earliest timestamptz, busy tstzmultirange
) returns table (day date, starts_at timestamptz, starts text, ends text, available boolean)
  language sql stable parallel safe rows 50 as $$
  select d.day, s.starts_at, s.starts, s.ends, s.available
  from (select first_day + n as day from generate_series(0, days - 1) n offset 0) d
  cross join lateral day_slots(business_hours, zone, d.day, grid, minutes, earliest, busy) s
$$;

-- A slot in a list of open times. One that can be booked says until when cancelling it returns what was paid, in words of the
-- zone as well: null if that is over at `as_of`.
create or replace function offered_slot(
  starts_at timestamptz, starts text, ends text, available boolean, free_hours integer, as_of timestamptz, zone text,
  zone_title text
) returns text
  language sql stable parallel safe as $$
  select '{"start":"' || starts || '","end":"' || ends || '","startDateTime":"' || iso_second(starts_at)
    || '","available":' || case
      when not available then 'false}'
      when free.until < as_of then 'true,"freeCancellationUntil":null,"freeCancellationLocal":null}'
      else 'true,"freeCancellationUntil":"' || iso_second(free.until) || '","freeCancellationLocal":"'
        || to_char(free.until at time zone zone, 'FMDay, FMMonth FMDD, FMHH12:MI AM ') || zone_title || '"}'
    end
  from (select starts_at - make_interval(hours => free_hours) as until) free
$$;

-- Unused since 0.2.0.
create or replace function slot_text(starts_at timestamptz, starts text, ends text, available boolean) returns text
  language sql stable parallel safe as $$
  select '{"start":"' || starts || '","end":"' || ends || '","startDateTime":"' || iso_second(starts_at)
    || '","available":' || available || '}'
$$;

-- Whether a time within business hours can be booked. Both the slot list and the reservation use it.
create or replace function slot_is_open(
  starts_at timestamptz, ends_at timestamptz, earliest timestamptz, busy tstzmultirange
) returns boolean
  language sql immutable parallel safe as $$
  select starts_at >= earliest and not tstzrange(starts_at, ends_at) && busy
$$;
