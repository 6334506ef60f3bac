-- The busy time of a pro's imported calendars that reaches into `span`, without the cuts at midnights.
create or replace function imported_time(pro_id uuid, span tstzrange)
  returns table (calendar_id uuid, starts_at timestamptz, ends_at timestamptz)
  language sql stable parallel safe as $$
  select m.calendar_id, lower(m.time), upper(m.time)
  from (
    select i.calendar_id, unnest(range_agg(tstzrange(i.starts_at, i.ends_at))) as time
    from imported_busy i
    where i.professional_id = pro_id and i.ends_at > lower(span) and i.starts_at < upper(span)
    group by i.calendar_id
  ) m
$$;
