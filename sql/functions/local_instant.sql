-- Local time to instants. PostgreSQL's own AT TIME ZONE takes the second of a doubled local time and moves a skipped
-- one; ours takes the first and says that the skipped one does not exist. Both look one day back or ahead for a
-- change of the clock, so they hold for any zone whose changes lie more than a day apart.

-- The instant of `minute` minutes past midnight of `day` in `zone`, as that local clock reads it: null when the clock
-- skips that reading, the first one when it shows it twice. Minute 1440 is the next day's midnight.
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
  -- The same reading under the offset of a day before: it is earlier only where the clock was put back in between.
  earlier := instant - (((instant - interval '24 hours') at time zone zone) - (wall - interval '24 hours'));
  if earlier < instant and earlier at time zone zone = wall then
    return earlier;
  end if;
  return instant;
end $$;

-- The first instant at which the local clock is at or past that reading: local_instant, and where the clock skips the
-- reading, the moment of the skip. Business hours that begin or end in a skipped hour begin or end there.
create or replace function clock_reaches(day date, minute integer, zone text) returns timestamptz
  language plpgsql immutable strict parallel safe as $$
declare
  instant timestamptz := local_instant(day, minute, zone);
  skipped integer := 0;
begin
  -- Changes fall on whole minutes: the skip is one minute after the last reading that exists. Apia skipped 1,440.
  while instant is null loop
    skipped := skipped + 1;
    instant := local_instant(day, minute - skipped, zone) + interval '1 minute';
  end loop;
  return instant;
end $$;
