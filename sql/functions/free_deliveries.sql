-- Makes the deliveries of dead workers due again: of leases whose lock is free. At once after the first interruption of a
-- delivery, 4 s later after each further one, and at the latest when its claim ends. Returns how many.
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
    -- Waits for a running claim of this worker and prevents further ones.
    delete from webhook_couriers where id = dead;
    with held as materialized (
      -- Skips deliveries whose result is being written.
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
