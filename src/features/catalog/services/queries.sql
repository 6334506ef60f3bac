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
