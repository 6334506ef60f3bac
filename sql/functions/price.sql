-- The price of an offer, package, booking or quote in the one form that every interface shows.

-- What the work costs in cents; null for a price that is not known to the cent before the work is done.
create or replace function exact_cents(price_type text, base_cents integer, min_cents integer, max_cents integer)
  returns integer
  language sql immutable parallel safe as $$
  select case when price_type = 'flat' and min_cents is null and max_cents is null then base_cents end
$$;

-- `from` is the lowest price, `total` all that is to be paid: the price and the fee, null while the price is not known to the
-- cent. Text put together, because search keeps it, and other JSON functions add spaces.
create or replace function price_object(
  price_type text, base_cents integer, min_cents integer, max_cents integer, unit text, currency text, fee_cents integer
) returns json
  language sql immutable parallel safe as $$
  select concat('{"type":"', price_type,
    '","basePrice":', coalesce(dollars(base_cents)::text, 'null'),
    ',"base":', coalesce(dollars(base_cents)::text, 'null'),
    ',"min":', coalesce(dollars(min_cents)::text, 'null'),
    ',"max":', coalesce(dollars(max_cents)::text, 'null'),
    ',"unit":', coalesce(to_json(unit)::text, 'null'),
    ',"from":', coalesce(dollars(coalesce(min_cents, base_cents))::text, 'null'),
    ',"total":', coalesce(dollars(exact_cents(price_type, base_cents, min_cents, max_cents) + fee_cents)::text, 'null'),
    ',"currency":"', currency, '"}')::json
$$;
