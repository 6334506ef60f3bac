-- Local time to instants. PostgreSQL's AT TIME ZONE takes the second instant of an ambiguous local time and shifts a
-- skipped one. These functions take the first instant and return null for a skipped one. They look one day around for a
-- clock change, so they are correct for every zone whose changes are more than a day apart.

-- The instant at which the local clock of `zone` shows `minute` minutes past midnight of `day`: null when the clock skips
-- that time, the first instant when it shows it twice. Minute 1440 is the next midnight.
create or replace function local_instant(day date, minute integer, zone text) returns timestamptz
  language plpgsql immutable strict parallel safe as $$
declare
  wall constant timestamp := day + minute * interval '1 minute';
  instant constant timestamptz := wall at time zone zone;
  earlier timestamptz;
begin
  if instant at time zone zone <> wall then
    return null;
  end if;
  -- The same local time with yesterday's offset is earlier only if the clock was set back in between.
  earlier := instant - (((instant - interval '24 hours') at time zone zone) - (wall - interval '24 hours'));
  if earlier < instant and earlier at time zone zone = wall then
    return earlier;
  end if;
  return instant;
end $$;

-- The first instant at which the local clock is at or past that time: local_instant, or the moment of the skip when the
-- clock skips it. Business hours that begin or end in a skipped hour begin or end at the skip.
create or replace function clock_reaches(day date, minute integer, zone text) returns timestamptz
  language plpgsql immutable strict parallel safe as $$
declare
  instant timestamptz := local_instant(day, minute, zone);
  skipped integer := 0;
begin
  -- Clock changes fall on whole minutes: the skip is one minute after the last existing time. Apia skipped 1,440 minutes.
  while instant is null loop
    skipped := skipped + 1;
    instant := local_instant(day, minute - skipped, zone) + interval '1 minute';
  end loop;
  return instant;
end $$;
