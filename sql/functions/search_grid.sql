-- The grid of the search read model. src/features/pros/search.ts computes the same numbers: change both or neither.
-- All factors are powers of two, so both sides get the same floor of the same double.

-- Bands per degree of latitude. Many pros: thin bands, so that few of them lie on the rim of a circle; few pros: thick
-- bands, so that few ranges are read. Measured at 1,000,000 pros around the largest cities.
create or replace function search_bands(facet smallint) returns integer
language sql immutable parallel safe as $$
  select case when facet = 0 then 64 when facet < 100 then 32 else 16 end
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
  select (((facet::bigint << 1 | size) << 14 | floor((latitude + 90) * search_bands(facet) / (1 << 3 * size))::bigint) << 15)
    | floor((floor((longitude + 180) * 32768)::bigint % 11796480) * search_bands(facet) / (32768 << 3 * size)::double precision)::bigint
$$;

-- Best rated first: the mean as if ten reviews of 4 stars came on top (to nine decimals), then the number of reviews.
create or replace function search_standing(rating_sum integer, review_count integer) returns bigint
language sql immutable parallel safe as $$
  select floor((rating_sum + 40) / (review_count + 10)::double precision * 1e9)::bigint << 22
    | least(review_count, 4194303)
$$;
