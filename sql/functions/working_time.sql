-- The business hours of one local date, one row per interval, in order. `from_minute` and `to_minute` are local times in
-- minutes past midnight (1440 for an end of 24:00), `opens_at` and `closes_at` the corresponding instants.
create or replace function working_time(business_hours jsonb, day date, zone text)
  returns table (from_minute integer, to_minute integer, opens_at timestamptz, closes_at timestamptz)
  language sql stable parallel safe rows 2 as $$
  select h.from_minute, h.to_minute, clock_reaches(day, h.from_minute, zone), clock_reaches(day, h.to_minute, zone)
  from (
    select clock_minute(hours ->> 'start') as from_minute, clock_minute(hours ->> 'end') as to_minute
    from jsonb_array_elements(business_hours -> to_char(day, 'fmday')) hours
    offset 0
  ) h
$$;

-- `09:30` to 570.
create or replace function clock_minute(reading text) returns integer
  language sql immutable strict parallel safe as $$
  select left(reading, 2)::integer * 60 + right(reading, 2)::integer
$$;

-- 570 to `09:30`, 1440 to `24:00`.
create or replace function clock_reading(minute integer) returns text
  language sql immutable strict parallel safe as $$
  select lpad((minute / 60)::text, 2, '0') || ':' || lpad((minute % 60)::text, 2, '0')
$$;

-- `days` local dates from `first_day`, as one range of instants.
create or replace function local_days(first_day date, days integer, zone text) returns tstzrange
  language sql immutable parallel safe as $$
  select tstzrange(clock_reaches(first_day, 0, zone), clock_reaches(first_day + days, 0, zone))
$$;
