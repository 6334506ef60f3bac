-- Serializes changes of a pro's schedule (reservations, moves, blocks, hours) until the transaction ends. Call it before
-- reading: later reads see what the previous holder committed.
create or replace function lock_schedule(pro_id uuid) returns void
  language sql volatile as $$
  select pg_advisory_xact_lock(hashtextextended('schedule:' || pro_id, 0))
$$;
