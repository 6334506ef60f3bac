-- The text of one search result, built in one place for all searches of sql/queries. PostgreSQL puts the bodies into the statements
-- when it plans them, so that a call costs nothing: whole rows of pro_search are not passed, because their texts would be copied.

-- The start of the matchedService of results, and the path of their booking pages; null and a path without a service for none.
create or replace function search_service_head(searched services) returns text language sql stable parallel safe as $$
  select ',"matchedService":{"id":"' || searched.id || '","name":' || to_json(searched.name) || ',"slug":"' || searched.slug || '",'
$$;
create or replace function search_booking_path(searched services) returns text language sql stable parallel safe as $$
  select '/book' || coalesce('?service=' || searched.id, '')
$$;

-- `doc` is the beginning of a pro's result, `offers` the rest of matchedService by facet; `metres` is null without a point,
-- `in_area` without a place.
create or replace function search_result(
  doc text, offers text[], facets smallint[], facet smallint, head text, metres double precision, slug text, flags smallint,
  in_area boolean, booking_path text, base_url text
) returns text language sql stable parallel safe as $$
  select doc || (
    coalesce(head || offers[array_position(facets, facet)], ',"matchedService":null')
    || ',"distance":' || coalesce(round(metres / 1609.344 * 100) / 100 || '', 'null')
    || ',"serviceRadius":' || (flags >> 3) || ',"inServiceArea":' || coalesce(in_area::text, 'null')
    || ',"profileUrl":"' || base_url || '/pros/' || slug
    || case when flags & 2 = 2 then '","bookingUrl":"' || base_url || '/pros/' || slug || booking_path || '"}'
      else '","bookingUrl":null}' end)
$$;

create or replace function search_result(
  doc text, offers text[], facets smallint[], facet smallint, head text, metres double precision, slug text, flags smallint,
  booking_path text, base_url text
) returns text language sql stable parallel safe as $$
  select doc || (
    coalesce(head || offers[array_position(facets, facet)], ',"matchedService":null')
    || ',"distance":' || coalesce(round(metres / 1609.344 * 100) / 100 || '', 'null')
    || ',"profileUrl":"' || base_url || '/pros/' || slug
    || case when flags & 2 = 2 then '","bookingUrl":"' || base_url || '/pros/' || slug || booking_path || '"}'
      else '","bookingUrl":null}' end)
$$;
comment on function search_result(text, text[], smallint[], smallint, text, double precision, text, smallint, text, text)
  is 'Unused since 0.3.0: search_result with in_area.';
