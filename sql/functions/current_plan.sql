-- The plan that a pro has at an instant: after its last day, in the pro's time zone, the pro is as without one. Everything that a
-- plan decides asks this function.
create or replace function current_plan(pro professionals, as_of timestamptz) returns plans
  language sql stable parallel safe as $$
  select p from plans p
  where p.id = case when pro.plan_until < (as_of at time zone pro.time_zone)::date then 'none' else pro.plan end
$$;
