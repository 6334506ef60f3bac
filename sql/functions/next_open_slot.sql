-- The first open slot of `minutes` with a pro within 60 days from `from_day`, as { "date", "time", "bookingUrl" }; null
-- when all are taken. The page at bookingUrl books that time: for the chosen service or package, if given.
-- `except_booking` is a booking being rescheduled: its time counts as free.
create or replace function next_open_slot(
  pro professionals, minutes integer, from_day date, as_of timestamptz, base_url text, except_booking uuid default null,
  chosen_service uuid default null, chosen_package uuid default null
) returns json
  language plpgsql stable as $$
declare
  first_open constant timestamptz :=
    first_open_time(pro, minutes, from_day, last_searched_day(from_day, as_of), as_of, except_booking);
begin
  return case when first_open is not null
    then bookable_time(pro, first_open, base_url, chosen_service, chosen_package) end;
end $$;

-- The first open time from `from_day` to `last_day`, both in the pro's time zone; null when all are taken.
create or replace function first_open_time(
  pro professionals, minutes integer, from_day date, last_day date, as_of timestamptz, except_booking uuid default null
) returns timestamptz
  language plpgsql stable as $$
begin
  return first_open_within(pro, minutes, from_day, last_day, as_of, except_booking, '00:00', '24:00');
end $$;

-- The same among the times from `from_clock` on and before `until_clock`, both HH:MM on the pro's clock.
create or replace function first_open_within(
  pro professionals, minutes integer, from_day date, last_day date, as_of timestamptz, except_booking uuid,
  from_clock text, until_clock text
) returns timestamptz
  -- A plan for known days seems cheaper than the plan for any, by more than planning seems to cost: without this setting,
  -- each call planned the query anew, which took most of its time.
  language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
  earliest constant timestamptz := earliest_start(pro, as_of);
  first_day date := greatest(from_day, (earliest at time zone pro.time_zone)::date);
  days integer := 1;
  first_open timestamptz;
begin
  if minutes is null then
    return null;
  end if;
  -- Most pros have a slot today or tomorrow, so this searches one day, then the next 2, 4, 8 … days.
  while first_day <= last_day loop
    days := least(days, last_day - first_day + 1);
    first_open := (
      select min(s.starts_at) filter (where s.available and s.starts >= from_clock and s.starts < until_clock)
      from busy_time(pro.id, pro.buffer_minutes, local_days(first_day, days, pro.time_zone), as_of, except_booking) busy
      cross join lateral open_slots(pro.business_hours, pro.time_zone, first_day, days, pro.default_slot_minutes, minutes,
        earliest, busy) s);
    exit when first_open is not null;
    first_day := first_day + days;
    days := days * 2;
  end loop;
  return first_open;
end $$;

-- The same for a list of open times from `from_day`, in which `first_open` is the first that is available, if any is.
create or replace function next_listed_slot(
  pro professionals, minutes integer, from_day date, first_open timestamptz, as_of timestamptz, base_url text,
  except_booking uuid, chosen_service uuid, chosen_package uuid
) returns json
  language plpgsql stable parallel safe as $$
begin
  if (first_open at time zone pro.time_zone)::date <= last_searched_day(from_day, as_of) then
    return bookable_time(pro, first_open, base_url, chosen_service, chosen_package);
  end if;
  return next_open_slot(pro, minutes, from_day, as_of, base_url, except_booking, chosen_service, chosen_package);
end $$;

-- Until when next_open_slot searches. Lists reach 365 days beyond the earliest today on Earth, that of UTC−12;
-- reservations accept all of them.
create or replace function last_searched_day(from_day date, as_of timestamptz) returns date
  language sql stable parallel safe as $$
  select least(from_day + 60, ((as_of - interval '12 hours') at time zone 'UTC')::date + 365)
$$;

-- An open time as next_open_slot returns it.
create or replace function bookable_time(
  pro professionals, starts_at timestamptz, base_url text, chosen_service uuid, chosen_package uuid
) returns json
  language plpgsql stable parallel safe as $$
declare
  local constant timestamp := starts_at at time zone pro.time_zone;
  day constant date := local;
  starts constant text := left(local::time::text, 5);
begin
  return json_build_object('date', day, 'time', starts, 'localTime', local_time(starts_at, pro.time_zone),
    'bookingUrl', format('%s/pros/%s/book?%s', base_url, pro.slug, concat_ws('&',
      'package=' || chosen_package, case when chosen_package is null then 'service=' || chosen_service end,
      'date=' || day, 'time=' || starts)));
end $$;
