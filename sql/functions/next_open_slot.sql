-- The first open slot of `minutes` with a pro within 60 days from `from_day`, as { "date", "time", "bookingUrl" }; null
-- when all are taken. The page at bookingUrl books that time: for the chosen service or package, if given.
-- `except_booking` is a booking being rescheduled: its time counts as free.
drop function if exists next_open_slot(professionals, integer, date, timestamptz, text);
drop function if exists next_open_slot(professionals, integer, date, timestamptz, text, uuid);
create or replace function next_open_slot(
  pro professionals, minutes integer, from_day date, as_of timestamptz, base_url text, except_booking uuid default null,
  chosen_service uuid default null, chosen_package uuid default null
) returns json
  language plpgsql stable parallel safe as $$
declare
  earliest constant timestamptz := earliest_start(pro, as_of);
  earliest_day constant date := (earliest at time zone pro.time_zone)::date;
  -- Lists reach 365 days beyond the earliest today on Earth, that of UTC−12; reservations accept all of them.
  last_day constant date := least(from_day + 60, ((as_of - interval '12 hours') at time zone 'UTC')::date + 365);
  first_day date := greatest(from_day, earliest_day);
  days integer := 1;
  day date;
  starts text;
begin
  if minutes is null then
    return null;
  end if;
  -- Most pros have a slot today or tomorrow, so this searches one day, then the next 2, 4, 8 … days.
  while first_day <= last_day loop
    days := least(days, last_day - first_day + 1);
    select s.day, s.starts into day, starts
    from open_slots(pro.business_hours, pro.time_zone, first_day, days, pro.default_slot_minutes, minutes, earliest,
      busy_time(pro.id, pro.buffer_minutes, local_days(first_day, days, pro.time_zone), as_of, except_booking)) s
    where s.available
    order by s.starts_at
    limit 1;
    if found then
      return json_build_object('date', day, 'time', starts,
        'bookingUrl', format('%s/pros/%s/book?%s', base_url, pro.slug, concat_ws('&',
          'package=' || chosen_package, case when chosen_package is null then 'service=' || chosen_service end,
          'date=' || day, 'time=' || starts)));
    end if;
    first_day := first_day + days;
    days := days * 2;
  end loop;
  return null;
end $$;
