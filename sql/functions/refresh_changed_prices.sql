-- Brings the statistics in step with the changes noted since the last time, or with `at_most` of them, and gives how many
-- changes that were.
-- One at a time, so that each sees what the ones before it saw and more. A change that commits meanwhile may be seen now
-- and is still noted: it is looked at once more the next time.
drop function if exists refresh_changed_prices(timestamptz);
create or replace function refresh_changed_prices(as_of timestamptz, at_most integer default null) returns integer
  language plpgsql volatile as $$
declare
  noted integer;
  service_ids uuid[];
  city_ids integer[];
  pro_ids uuid[];
begin
  -- One number among PostgreSQL's advisory locks, for the statistics of prices.
  perform pg_advisory_xact_lock(7236815);
  with batch as materialized (
    select c.ctid from pricing_changes c limit at_most
  ), taken as (
    delete from pricing_changes c using batch where c.ctid = batch.ctid
    returning c.service_id, c.city_id, c.professional_id
  ), touched as (
    select service_id, city_id, professional_id, count(*) as times
    from taken group by service_id, city_id, professional_id
  )
  select array_agg(service_id), array_agg(city_id), array_agg(professional_id), coalesce(sum(times), 0)
  into service_ids, city_ids, pro_ids, noted
  from touched;
  if noted > 0 then
    perform refresh_price_groups(as_of, service_ids, city_ids, pro_ids);
  end if;
  return noted;
end $$;

-- Makes all statistics anew and gives how many figures were wrong: null when someone else is at them, and the pass is to be
-- tried again. Call it in a transaction of its own that sees one moment (repeatable read), where every change that is seen
-- is either in the figures or noted: what is wrong then is drift.
create or replace function correct_prices(as_of timestamptz, pass_day date) returns integer
  language plpgsql volatile as $$
declare
  drift integer;
begin
  if not pg_try_advisory_xact_lock(7236815) then
    return null;
  end if;
  perform refresh_changed_prices(as_of);
  drift := refresh_pricing(as_of);
  insert into pricing_passes (day, drift, finished_at) values (pass_day, drift, as_of);
  return drift;
end $$;
