-- Brings up again what couriers had in hand that are dead: nobody holds their lock. At once where it is the first that a
-- delivery was interrupted; each further time 4 s later, until its time would have been over anyway. Answers how many.
create or replace function free_deliveries(as_of timestamptz) returns integer
  language plpgsql volatile as $$
declare
  dead uuid;
  freed integer;
  all_freed integer := 0;
begin
  for dead in
    select c.id from webhook_couriers c
    where pg_try_advisory_xact_lock(hashtextextended('webhook courier ' || c.id, 0))
  loop
    -- Waits for a claim that is still under way, and lets none begin.
    delete from webhook_couriers where id = dead;
    with held as materialized (
      -- A result that is still under way stands.
      select d.id from webhook_deliveries d
      where d.state = 'pending' and d.courier_id = dead and d.next_attempt_at > as_of
      for update skip locked
    )
    update webhook_deliveries d
    set courier_id = null, interruptions = least(d.interruptions + 1, 1000),
      next_attempt_at = least(d.next_attempt_at, as_of + d.interruptions * interval '4 seconds')
    from held where d.id = held.id;
    get diagnostics freed = row_count;
    all_freed := all_freed + freed;
  end loop;
  return all_freed;
end $$;
