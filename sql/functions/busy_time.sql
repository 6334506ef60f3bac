-- Everything within `span` that a candidate [start, end) must not touch, for the pro's `buffer_minutes` of now. Blocks
-- count as they are. A booking that holds its time keeps the buffer free on both sides: before it, because the candidate
-- would need the buffer after its own end; after it, as long as the booking was promised or as the pro wants now,
-- whichever is longer. So whatever passes here passes the constraint bookings_no_overlap too.
-- An unpaid booking whose hold is over at `as_of` takes nothing; neither does `except_booking`, which is to be moved.
drop function if exists busy_time(uuid, integer, tstzrange);
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
        -- A booking lasts 12 hours and its buffer 4 at most (the CHECKs of the table): none further away can reach in.
        and b.starts_at > lower(span) - interval '16 hours' and b.starts_at < upper(span) + buffer
      union all
      select tstzrange(k.starts_at, k.ends_at)
      from availability_blocks k
      where k.professional_id = pro_id and tstzrange(k.starts_at, k.ends_at) && span
    ) as everything
  );
end $$;
