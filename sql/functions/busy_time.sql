-- The time within `span` that a candidate [start, end) must not touch, with the pro's current `buffer_minutes`. Blocks
-- and the busy time of imported calendars count without a buffer. Bookings count with the buffer on both sides: before them,
-- because the candidate needs the buffer after its end; after them, the longer of the booking's own buffer and the current
-- one. A time that passes here also passes the constraint bookings_no_overlap.
-- A booking whose hold has expired at `as_of` does not count, nor does `except_booking`, which is being moved.
create or replace function busy_time(
  pro_id uuid, buffer_minutes integer, span tstzrange, as_of timestamptz, except_booking uuid default null
) returns tstzmultirange
  language plpgsql stable parallel safe as $$
declare
  buffer constant interval := make_interval(mins => buffer_minutes);
begin
  return (
    select coalesce(range_agg(taken), '{}')
    from (
      select tstzrange(b.starts_at - buffer, greatest(upper(b.holds), b.ends_at + buffer)) as taken
      from bookings b
      where b.professional_id = pro_id and b.status in ('pending', 'confirmed')
        and (b.hold_expires_at is null or b.hold_expires_at > as_of)
        and b.id is distinct from except_booking
        -- CHECKs limit a booking to 12 hours and its buffer to 4, so no booking that starts earlier can reach into `span`.
        and b.starts_at > lower(span) - interval '16 hours' and b.starts_at < upper(span) + buffer
      union all
      select tstzrange(k.starts_at, k.ends_at)
      from availability_blocks k
      where k.professional_id = pro_id and tstzrange(k.starts_at, k.ends_at) && span
      union all
      select tstzrange(i.starts_at, i.ends_at)
      from imported_busy i
      where i.professional_id = pro_id and i.ends_at > lower(span) and i.starts_at < upper(span)
        -- No row is longer than a day.
        and i.starts_at > lower(span) - interval '24 hours'
    ) as everything
  );
end $$;
