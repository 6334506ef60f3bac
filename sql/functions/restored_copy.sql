-- What this database was restored to, while it is a copy: restored from a backup, and not declared the original. Null otherwise.
-- `ops/backup/restore` sets `hearth.restored` to a new text each time; PostgreSQL keeps the target of other restores to a point
-- in time in its settings, also on later replicas. What sends something claims it in a statement that asks this function.
create or replace function restored_copy() returns text language sql stable as $$
  select r.target
  from (select nullif(concat_ws(', ',
    nullif(current_setting('hearth.restored', true), ''),
    'time ' || nullif(current_setting('recovery_target_time'), ''),
    'name ' || nullif(current_setting('recovery_target_name'), ''),
    'position ' || nullif(current_setting('recovery_target_lsn'), ''),
    'transaction ' || nullif(current_setting('recovery_target_xid'), ''),
    nullif(current_setting('recovery_target'), '')), '') as target) r
  where r.target is not null and not exists (select from restorations d where d.target = r.target)
$$;
