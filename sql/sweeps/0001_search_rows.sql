-- Results stored by 0.2.0 and older tell neither the whole price, what was checked nor the service radius, those of 0.1.0 no deposit.
-- A part holds the locks of its pros for some 200 ms.
with part as materialized (
  select professional_id from pro_search
  where professional_id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000')
  order by professional_id limit 250
), ids as materialized (
  select array_agg(professional_id order by professional_id) as ids from part
)
select ids[cardinality(ids)] as last, refresh_search(ids)::text as refreshed from ids where ids is not null
