-- Rebuilds search tables whose rows do not say yet what can be booked at once (before migration 0038), or that a migration
-- has emptied (0061). Runs after all other search functions.
drop function if exists search_source(uuid[]);
do $$
begin
  if exists (select from pro_search where offers = '{}')
    or exists (select from pro_search) and not exists (select from pro_search_entry)
  then
    perform rebuild_search();
  end if;
end $$;
