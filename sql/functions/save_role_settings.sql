-- Makes settings the defaults of the current role in this database, for connections that open later.
-- Returns the names of those that were different.
create or replace function save_role_settings(settings jsonb) returns setof text language plpgsql as $$
declare
  setting record;
begin
  -- Concurrent changes of one role fail.
  perform pg_advisory_xact_lock(hashtextextended('role settings', 0));
  for setting in
    select key as name, value from jsonb_each_text(settings)
    where key || '=' || value not in (
      select unnest(setconfig) from pg_db_role_setting
      where setrole = (select oid from pg_roles where rolname = current_user)
        and setdatabase = (select oid from pg_database where datname = current_database()))
    order by key
  loop
    execute format('alter role %I in database %I set %I = %L',
      current_user, current_database(), setting.name, setting.value);
    return next setting.name;
  end loop;
end
$$;
