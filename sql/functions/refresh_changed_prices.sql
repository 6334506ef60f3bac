-- Applies the recorded changes, at most `at_most` of them, to the price statistics. Returns how many.
-- Calls run one at a time, so that each sees everything the previous one saw. A change that commits meanwhile may already
-- be included and stays recorded: the next call applies it again, without effect.
create or replace function refresh_changed_prices(as_of timestamptz, at_most integer default null) returns integer
  language plpgsql volatile as $$
declare
  applied integer;
  service_ids uuid[];
  city_ids integer[];
  pro_ids uuid[];
begin
  -- The advisory lock of the price statistics.
  perform pg_advisory_xact_lock(7236815);
  with batch as materialized (
    select c.ctid from pricing_changes c limit at_most
  ), deleted as (
    delete from pricing_changes c using batch where c.ctid = batch.ctid
    returning c.service_id, c.city_id, c.professional_id
  ), grouped as (
    select service_id, city_id, professional_id, count(*) as times
    from deleted group by service_id, city_id, professional_id
  )
  select array_agg(service_id), array_agg(city_id), array_agg(professional_id), coalesce(sum(times), 0)
  into service_ids, city_ids, pro_ids, applied
  from grouped;
  if applied > 0 then
    perform refresh_price_groups(as_of, service_ids, city_ids, pro_ids);
  end if;
  return applied;
end $$;

-- Recomputes all statistics and returns how many were wrong, or null while another session recomputes them. Call it in a
-- separate repeatable read transaction: every visible change is then either applied or recorded, so that any other
-- difference is drift.
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
