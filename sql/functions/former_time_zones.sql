-- The day on which what happened counts is that of the time zone in which the pro was then.

-- The time zone in which what happened at an instant counts: the one that the pro had then, or the present one.
create or replace function counted_zone(pro_id uuid, present text, at timestamptz) returns table (time_zone text)
  language sql stable parallel safe as $$
  select coalesce((
    select z.time_zone from former_time_zones z
    where z.professional_id = counted_zone.pro_id and z.until > counted_zone.at order by z.until limit 1), counted_zone.present)
$$;

-- What is counted keeps its day when the pro changes the time zone: it is that of the zone in which it happened. The zone ends with
-- its last counted day, so that no clock decides where a row counts. What changes the counters of this pro waits.
create or replace function keep_former_time_zone() returns trigger
  language plpgsql as $$
begin
  -- The days of a zone that PostgreSQL no longer has count in the new one.
  if not has_time_zone(old.time_zone) then
    return null;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('days:' || new.id, 0));
  insert into former_time_zones (professional_id, until, time_zone)
  select new.id, ended.at, old.time_zone
  from (
    select clock_reaches(max(d.day) + 1, 0, old.time_zone) as at from pro_days d where d.professional_id = new.id) ended
  where ended.at > coalesce((
    select max(z.until) from former_time_zones z where z.professional_id = new.id), '-infinity');
  return null;
end $$;

create or replace trigger time_zone_counted after update of time_zone on professionals
  for each row when (old.time_zone <> new.time_zone) execute function keep_former_time_zone();
