-- Claims the imported calendar that has been due for the longest time, of a pro of whom no other one is being read. The
-- claim ends when its reader has saved, or at `until`. A restored copy reads none.
create or replace function claim_calendar(as_of timestamptz, until timestamptz) returns setof imported_calendars
  language plpgsql volatile as $$
declare
  due record;
begin
  if restored_copy() is not null then
    return;
  end if;
  for due in
    select c.id, c.professional_id from imported_calendars c
    where c.next_read_at <= as_of
      and not exists (
        select from imported_calendars other
        where other.professional_id = c.professional_id and other.reading_until > as_of)
    order by c.next_read_at, c.id
  loop
    -- Two readers at the same moment: the second passes over this pro.
    continue when not pg_try_advisory_xact_lock(hashtextextended('calendars:' || due.professional_id, 0));
    -- Sees what the previous holder of the lock committed.
    return query
      update imported_calendars c set next_read_at = until, reading_until = until, claims = c.claims + 1
      where c.id = due.id and c.next_read_at <= as_of
        and not exists (
          select from imported_calendars other
          where other.professional_id = c.professional_id and other.reading_until > as_of)
      returning c.*;
    if found then
      return;
    end if;
  end loop;
end $$;
