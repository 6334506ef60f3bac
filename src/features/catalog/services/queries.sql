-- name: selectCategories :many on read
select id, ordinal, name, slug, to_jsonb(synonyms) as synonyms from categories order by ordinal

-- name: selectServices :many on read
select id, ordinal, category_id, name, slug, description, price_type, unit, duration_minutes, at_customer,
  to_jsonb(synonyms) as synonyms
from services where active order by ordinal

-- name: selectStates :many on read
select code, name, ordinal from states order by code

-- name: selectCities :many on read
select id, name, state, latitude, longitude, population from cities order by population desc, id

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
