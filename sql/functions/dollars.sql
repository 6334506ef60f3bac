-- Cents as the API's number of dollars: 9550 → 95.5.
create or replace function dollars(cents integer) returns numeric
  language sql immutable strict parallel safe as $$
  select trim_scale(cents / 100.0)
$$;
