-- Brings the statistics in step with the changes noted since the last time, and gives how many services they were of.
-- One at a time, so that each sees what the ones before it saw and more.
create or replace function refresh_changed_prices(as_of timestamptz) returns integer
  language plpgsql volatile as $$
declare
  touched uuid[];
begin
  -- One number among PostgreSQL's advisory locks, for the statistics of prices.
  perform pg_advisory_xact_lock(7236815);
  with taken as (delete from pricing_changes returning service_id)
  select array_agg(distinct service_id) into touched from taken;
  if touched is null then
    return 0;
  end if;
  perform refresh_pricing(as_of, touched);
  return cardinality(touched);
end $$;
