-- Time zones. PostgreSQL's data is the source of all local times: availability is computed with it, and processes load it to
-- format times (src/features/calendar/time-zones).

-- Whether PostgreSQL has a zone of those in use. Its data loses some: Debian 13 has no US/Central without tzdata-legacy.
create or replace function has_time_zone(zone text) returns boolean
  language plpgsql stable as $$
begin
  perform timestamptz '2000-01-01 00:00Z' at time zone zone;
  return true;
exception when invalid_parameter_value then
  return false;
end $$;

-- Refuses a zone in a column of a table.
create or replace function refuse_time_zone(zone text, in_table text, in_column text) returns void
  language plpgsql immutable as $$
begin
  raise check_violation using constraint = 'time_zone_exists', table = in_table, column = in_column,
    message = format('PostgreSQL has no time zone %L', zone);
end $$;

-- Refuses zones that PostgreSQL does not have. Names that only a machine or the leap seconds define are no zones of places. Reading all
-- names takes 80 ms, so those of a statement are compared together.
create or replace function check_new_time_zones() returns trigger
  language plpgsql as $$
declare
  refused text;
begin
  if not exists (select from new_rows) then
    return null;
  end if;
  select n.name into refused from new_rows n
  where n.name not in (
    select z.name from pg_timezone_names z where z.name !~ '^(posix|right/|localtime$|Factory$)')
  limit 1;
  if found then
    perform refuse_time_zone(refused, tg_table_name, 'name');
  end if;
  return null;
end $$;

create or replace trigger time_zone_exists after insert on time_zones
  referencing new table as new_rows for each statement execute function check_new_time_zones();
create or replace trigger renamed_time_zones_exist after update on time_zones
  referencing new table as new_rows for each statement execute function check_new_time_zones();

-- Adds a zone to those in use. False when PostgreSQL has no zone of this name.
create or replace function add_time_zone(wanted text) returns boolean
  language plpgsql volatile as $$
begin
  if exists (select from time_zones z where z.name = wanted) then
    return has_time_zone(wanted);
  end if;
  insert into time_zones (name) values (wanted) on conflict do nothing;
  if found then
    perform pg_notify('time_zones_changed', '');
  end if;
  return true;
exception when check_violation or not_null_violation then
  return false;
end $$;

-- "Central Time", from America/Chicago: what people call a zone. Its identifier if that is not known.
create or replace function zone_name(zone text) returns text
  language sql stable parallel safe as $$
  select coalesce((select n.name from time_zone_names n where n.zone = zone_name.zone), zone)
$$;

-- "Tuesday, June 2, 2:15 PM Central Time": an instant as the people at the visit say it. Null without an instant.
create or replace function local_time(instant timestamptz, zone text) returns text
  language sql stable parallel safe as $$
  select to_char(instant at time zone zone, 'FMDay, FMMonth FMDD, FMHH12:MI AM ') || zone_name(zone)
$$;

create or replace function check_time_zone() returns trigger
  language plpgsql as $$
begin
  if not add_time_zone(new.time_zone) then
    perform refuse_time_zone(new.time_zone, tg_table_name, 'time_zone');
  end if;
  return new;
end $$;

create or replace trigger professional_time_zone before insert or update of time_zone on professionals
  for each row execute function check_time_zone();
create or replace trigger city_time_zone before insert or update of time_zone on cities
  for each row execute function check_time_zone();
-- A new booking has the zone of its pro (keep_agreed_start). A foreign key would lock the zone's row for each booking.
create or replace trigger booking_time_zone before update of time_zone on bookings
  for each row when (new.time_zone <> old.time_zone) execute function check_time_zone();

-- Gives pros whose zone PostgreSQL no longer has the zone of their city, and their bookings with them. Returns the pros' ids.
create or replace function replace_lost_zones(as_of timestamptz) returns setof uuid
  language plpgsql volatile as $$
declare
  lost text[] := array(select z.name from time_zones z where not has_time_zone(z.name));
begin
  if lost = '{}' then
    return;
  end if;
  return query
    update professionals p set time_zone = c.time_zone, updated_at = as_of from cities c
    where p.time_zone = any (lost) and c.id = p.city_id and c.time_zone <> all (lost)
    returning p.id;
  update bookings b set time_zone = p.time_zone, local_start = b.starts_at at time zone p.time_zone from professionals p
  where b.time_zone = any (lost) and p.id = b.professional_id and p.time_zone <> all (lost);
  update former_time_zones f set time_zone = p.time_zone from professionals p
  where f.time_zone = any (lost) and p.id = f.professional_id and p.time_zone <> all (lost);
end $$;

-- Floating times and whole days of imported calendars are in the pro's zone: they are due for another expansion.
create or replace function read_calendars_again() returns trigger
  language plpgsql as $$
begin
  update imported_calendars c set next_read_at = new.updated_at
  where c.professional_id = new.id and c.next_read_at > new.updated_at;
  perform ask_wake_up('calendars_due', '');
  return null;
end $$;

create or replace trigger professional_zone_of_calendars after update of time_zone on professionals
  for each row when (new.time_zone <> old.time_zone) execute function read_calendars_again();

-- The seconds by which the local clock is ahead of UTC.
create or replace function zone_offset(at timestamptz, zone text) returns integer
  language sql stable parallel safe as $$
  select extract(epoch from (at at time zone zone) - (at at time zone 'UTC'))::integer
$$;

-- The offsets of a zone in a span of time, as src/platform/clock/zones.ts keeps them, in milliseconds. Looks at one instant of
-- eight days and then for the second of a change: no rule of a zone lasts for less.
create or replace function zone_offsets(zone text, since timestamptz, until timestamptz) returns json
  language plpgsql stable as $$
declare
  changes text := '';
  shown integer;
  reached timestamptz := since;
  ahead timestamptz;
  low timestamptz;
  high timestamptz;
begin
  shown := zone_offset(since, zone);
  changes := format('[%s,%s]', (extract(epoch from since) * 1000)::bigint, shown * 1000);
  while reached < until loop
    ahead := reached + interval '192 hours';
    if zone_offset(ahead, zone) <> shown then
      low := reached;
      high := ahead;
      while high - low > interval '1 second' loop
        ahead := date_trunc('second', low + (high - low) / 2);
        if zone_offset(ahead, zone) = shown then
          low := ahead;
        else
          high := ahead;
        end if;
      end loop;
      ahead := high;
      shown := zone_offset(high, zone);
      changes := changes || format(',[%s,%s]', (extract(epoch from high) * 1000)::bigint, shown * 1000);
    end if;
    reached := ahead;
  end loop;
  return json_build_object('name', zone, 'title', zone_name(zone), 'until', (extract(epoch from until) * 1000)::bigint,
    'changes', format('[%s]', changes)::json);
end $$;
