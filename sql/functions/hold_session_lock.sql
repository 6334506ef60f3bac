-- Keeps a lock of session `session_pid` from passing to another session before this transaction ends: who takes it
-- tries the same second key. False if the session has lost it.
create or replace function hold_session_lock(name text, session_pid int) returns boolean
language plpgsql as $$
declare
  key bigint := hashtextextended(name, 0);
begin
  perform pg_advisory_xact_lock_shared(hashtextextended(name, 1));
  return exists (
    select from pg_locks
    where locktype = 'advisory' and objsubid = 1 and granted and pid = session_pid
      and database = (select oid from pg_database where datname = current_database())
      and (classid::bigint << 32) | objid::bigint = key);
end $$;
