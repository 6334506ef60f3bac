-- Rebuilds search tables whose rows do not say yet what can be booked at once (before migration 0038), or that a migration
-- has emptied (0061). Runs after all other search functions.
do $$
begin
  if exists (select from pro_search where offers = '{}')
    or exists (select from pro_search) and not exists (select from pro_search_entry)
  then
    perform rebuild_search();
  else
    -- Rows stored by earlier releases do not tell the deposit, or tell one that is too small to be asked.
    perform refresh_search(array(
      select p.id from professionals p join pro_search s on s.professional_id = p.id
      where p.deposit_required and s.bookable <> '{}' and (array_to_string(s.offers, '') not like '%"deposit":%' or array_to_string(s.offers, '') ~ '"deposit":0?\.[0-4]')));
  end if;
end $$;
