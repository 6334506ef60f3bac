-- Makes everyone who would change what a pro's time is taken by wait for this transaction: a reservation, a block, a
-- change of hours. Take it before reading; what is read after it is what the one before has committed.
create or replace function lock_schedule(pro_id uuid) returns void
  language sql volatile as $$
  select pg_advisory_xact_lock(hashtextextended('schedule:' || pro_id, 0))
$$;
