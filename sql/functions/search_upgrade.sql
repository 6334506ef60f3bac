-- Rows stored by 0.2.0 have prices without `from` and `total`: all of them, or none, because one transaction writes them anew.
do $$
declare
  ids uuid[];
begin
  if (
    select array_to_string(s.offers, '') not like '%"total":%' from pro_search s
    where cardinality(s.facets) > 1 order by s.professional_id limit 1)
  then
    for ids in
      select array_agg(professional_id) from (
        select professional_id, (row_number() over (order by professional_id) - 1) / 5000 as batch from pro_search) s
      group by batch
    loop
      perform refresh_search(ids);
    end loop;
  end if;
end $$;

-- Rows stored by 0.1.0 do not tell the deposit, or tell one that is too small to be asked. Runs after all other search functions.
do $$
begin
  perform refresh_search(array(
    select p.id from professionals p join pro_search s on s.professional_id = p.id
    where p.deposit_required and s.bookable <> '{}'
      and (array_to_string(s.offers, '') not like '%"deposit":%' or array_to_string(s.offers, '') ~ '"deposit":0?\.[0-4]')));
end $$;

-- Rows stored by 0.2.0 do not tell the service radius. Readers go on meanwhile.
update pro_search s set flags = search_flags(s.flags & 1 = 1, s.flags & 2 = 2,
  search_reaches(p.service_radius_miles, p.latitude, p.longitude, c.latitude, c.longitude), p.service_radius_miles)
from professionals p join cities c on c.id = p.city_id
where p.id = s.professional_id and s.flags < 8;
update pro_search_entry e set flags = ((s.flags & ~2) + (e.flags & 2))::smallint
from pro_search s
where s.professional_id = e.professional_id and e.flags < 8;
