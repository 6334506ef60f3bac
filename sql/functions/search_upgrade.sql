-- Rows stored by 0.1.0 do not tell the deposit, or tell one that is too small to be asked. Runs after all other search functions.
do $$
begin
  perform refresh_search(array(
    select p.id from professionals p join pro_search s on s.professional_id = p.id
    where p.deposit_required and s.bookable <> '{}'
      and (array_to_string(s.offers, '') not like '%"deposit":%' or array_to_string(s.offers, '') ~ '"deposit":0?\.[0-4]')));
end $$;
