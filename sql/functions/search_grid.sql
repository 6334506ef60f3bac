-- The grid of the search tables. src/features/search/pros/queries/search-geometry.ts computes the same numbers: change both
-- together. All factors are powers of two, so both sides floor the same double.

-- Bands per degree of latitude: thin bands for facets with many pros, so that few pros lie on the rim of a circle; thick
-- bands for facets with few pros, so that few ranges are read. Measured at 1,000,000 pros around the largest cities.
create or replace function search_bands(facet smallint) returns integer
language sql immutable parallel safe as $$
  select case when facet = 0 then 32 when facet < 100 then 16 else 8 end
$$;

-- Facet (15 bits), band (14), longitude in 1/32768 of a degree (24): 53 bits, exact as a JavaScript number.
create or replace function search_place(facet smallint, latitude double precision, longitude double precision)
returns bigint language sql immutable parallel safe as $$
  select ((facet::bigint << 14 | floor((latitude + 90) * search_bands(facet))::bigint) << 24)
    | (floor((longitude + 180) * 32768)::bigint % 11796480)
$$;

-- Facet, size (0: as high as a band, 1: eight times that), row and column of a counter's cell.
create or replace function search_cell(
  facet smallint, size smallint, latitude double precision, longitude double precision
) returns bigint language sql immutable parallel safe as $$
  select (((facet::bigint << 1 | size) << 14
      | floor((latitude + 90) * search_bands(facet) / (1 << 3 * size))::bigint) << 15)
    | (floor((longitude + 180) * 32768)::bigint % 11796480) * search_bands(facet) / (32768 << 3 * size)
$$;

-- The sort key of the ranked search: the mean with ten extra 4-star reviews (to nine decimals), then the review count.
create or replace function search_standing(rating_sum integer, review_count integer) returns bigint
language sql immutable parallel safe as $$
  select floor((rating_sum + 40) / (review_count + 10)::double precision * 1e9)::bigint << 22
    | least(review_count, 4194303)
$$;

-- The point on the unit sphere. Straight distances between such points order like distances on the ground, everywhere on the
-- globe, and PostGIS's three-dimensional index finds the nearest ones.
create or replace function search_position(latitude double precision, longitude double precision) returns geometry
language sql immutable parallel safe as $$
  select st_makepoint(
    cos(radians(latitude)) * cos(radians(longitude)), cos(radians(latitude)) * sin(radians(longitude)), sin(radians(latitude)))
$$;

-- The straight distance on the unit sphere that a service radius of these miles reaches.
create or replace function search_reach(miles integer) returns double precision
language sql immutable parallel safe as $$
  select 2 * sin(miles * 1609.344 / 6371008.771415059 / 2)
$$;

-- What entries carry of a pro: 1 verified, 2 can be booked at once (in an entry: what its facet stands for), 4 the service area
-- contains the center of the pro's own city; above these three bits, the service radius in miles. In one number, every
-- index has it, and a column more would have broken the functions of the last release while a database is upgraded.
create or replace function search_flags(
  verified boolean, bookable boolean, reaches_center boolean, service_radius_miles integer
) returns smallint language sql immutable parallel safe as $$
  select (verified::integer + 2 * bookable::integer + 4 * reaches_center::integer + 8 * service_radius_miles)::smallint
$$;

-- Whether a place is within a radius of another.
create or replace function search_reaches(
  miles integer, latitude double precision, longitude double precision, to_latitude double precision, to_longitude double precision
) returns boolean language sql immutable parallel safe as $$
  select st_3ddistance(search_position(latitude, longitude), search_position(to_latitude, to_longitude)) <= search_reach(miles)
$$;

-- The distance in metres on the ground of two points on the unit sphere with this distance. The radius is PostGIS's mean radius
-- of WGS 84, so distances are those of ST_Distance(geography, geography, false). Rounded to a micrometre, so that equal
-- distances compare equal despite the last bits of a double.
create or replace function search_metres(chord double precision) returns double precision
language sql immutable parallel safe as $$
  select round(asin(least(chord / 2, 1)) * (2 * 6371008.771415059 * 1e6)) / 1e6
$$;

-- The number of pros in a counter with the wanted flags: `mask` selects the flags, `want` gives their values.
create or replace function search_count(
  pros integer, verified integer, instant integer, verified_instant integer, mask integer, want integer
) returns integer language sql immutable parallel safe as $$
  select case mask * 4 + want
    when 0 then pros
    when 5 then verified when 4 then pros - verified
    when 10 then instant when 8 then pros - instant
    when 15 then verified_instant when 13 then verified - verified_instant when 14 then instant - verified_instant
    else pros - verified - instant + verified_instant end
$$;
