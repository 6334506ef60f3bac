-- name: selectCategories :many on read
select k.id, k.ordinal, k.name, k.slug, to_jsonb(k.synonyms) as synonyms, (
    select coalesce(jsonb_agg(f.slug order by f.slug), '[]') from former_slugs f where f.category_id = k.id) as former_slugs, (
    select coalesce(jsonb_agg(m.id order by m.id), '[]') from categories m
    where m.merged_into = k.id and m.replaced_at is not null) as former_ids
from categories k where k.active and k.replaced_at is null order by k.position nulls last, k.ordinal

-- name: selectServices :many on read
-- The services of a category that was merged belong to its target.
-- not null: category_id
select s.id, s.ordinal, case when k.replaced_at is null then k.id else k.merged_into end as category_id, s.name, s.slug, s.description, s.price_type, s.unit, s.duration_minutes, s.at_customer,
  s.questions,
  to_jsonb(s.synonyms) as synonyms, (
    select coalesce(jsonb_agg(f.slug order by f.slug), '[]') from former_slugs f where f.service_id = s.id) as former_slugs, (
    select coalesce(jsonb_agg(m.id order by m.id), '[]') from services m
    where m.merged_into = s.id and m.replaced_at is not null) as former_ids
from services s join categories k on k.id = s.category_id
where s.active and s.replaced_at is null order by k.position nulls last, k.ordinal, s.position nulls last, s.ordinal

-- name: selectStates :many on read
-- Those of the marketplace's country.
select code, name, ordinal, country from states where country = marketplace_country() order by code

-- name: selectCities :many on read
-- Those of the marketplace's country.
select id, name, state, latitude, longitude, population from cities
where state in (select code from states where country = marketplace_country()) order by population desc, id

-- name: selectSearchWords :many on read
select phrase, kind, means from search_words order by phrase

-- name: selectServiceCounts :many on read
-- not null: pros, verified
select facet, sum(pros)::integer as pros, sum(verified)::integer as verified
from pro_search_area where area = any (:areas) and facet >= 100
group by facet

-- name: selectCityCounts :many on read
-- Every city with active pros, most pros first.
-- not null: pros
select area as city_id, sum(pros)::integer as pros from pro_search_area where facet = 0 and area > 0
group by area having sum(pros) > 0 order by pros desc, area

-- name: selectCityFacetCounts :many on read
-- not null: pros
select area as city_id, sum(pros)::integer as pros from pro_search_area
where area = any (:city_ids) and facet = :facet
group by area having sum(pros) > 0

-- name: insertStates :exec on tx
insert into states (code, name, ordinal, country)
select code, name, (select coalesce(max(ordinal), 0) from states) + row_number() over (order by code), :country
from unnest(:codes::text[], :names::text[]) as row (code, name)
on conflict do nothing

-- name: insertZones :exec on tx
-- Together: each zone that a city brings by itself would be looked up alone.
insert into time_zones (name) select distinct unnest(:zones::text[]) on conflict do nothing

-- name: insertCities :exec on tx
insert into cities (id, name, state, latitude, longitude, time_zone, population)
select * from unnest(:ids::integer[], :names::text[], :states::text[], :latitudes::float8[], :longitudes::float8[], :zones::text[],
  :populations::integer[])
on conflict do nothing

-- name: lockDistricts :one on tx
-- Operators change districts one after the other: a name is compared with all of them.
select pg_advisory_xact_lock(hashtextextended('districts', 0)) is null as locked

-- name: findFreeDistrictId :one on tx
-- not null: id
select coalesce(max(id) + 1, 1000000000) as id from districts

-- name: saveDistrict :exec on tx
insert into districts (id, name, state, is_removed, by_user_id, at) values (:id, :name, :state, :is_removed, :by?, :now)
on conflict (id) do update set name = excluded.name, is_removed = excluded.is_removed, by_user_id = excluded.by_user_id,
  at = excluded.at

-- name: insertDistrictCity :exec on tx
-- In the time zone of the nearest city.
insert into cities (id, name, state, latitude, longitude, time_zone, population)
select :id, :name, :state, :latitude, :longitude, c.time_zone, :population from cities c where c.id = :nearest_id

-- name: renameDistrictCity :exec on tx
update cities set name = :name where id = :id

-- name: removeDistrictCity :many on tx
-- Nothing while pros are there.
delete from cities c where c.id = :id and not exists (select from professionals p where p.city_id = c.id)
  and not exists (select from pricing_changes r where r.city_id = c.id)
returning c.id

-- name: listDistricts :many on read
-- The present ones, by name.
-- not null: pros
-- nullable: by
select d.id, d.name, d.state, c.latitude, c.longitude, d.at, u.email as by,
  (select count(*)::int from professionals p where p.city_id = d.id) as pros
from districts d join cities c on c.id = d.id left join users u on u.id = d.by_user_id
order by d.name, d.id
