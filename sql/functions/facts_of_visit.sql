-- A completed visit that is not one of a job, on the day of its completion, with what was left to pay there: the price where it is known
-- to the cent, without the deposit, which counts on the day on which it was paid.
create or replace function facts_of_visit(
  pro_id uuid, state text, of_job_id uuid, completed_at timestamptz, for_service_id uuid, price_cents integer, deposit_cents integer
) returns setof pro_fact language sql immutable parallel safe as $$
  select pro_id, 'visit', case when price_cents > 0 then 'priced' else 'unpriced' end, completed_at, for_service_id, 1,
    greatest(0, coalesce(price_cents, 0) - deposit_cents)::bigint
  where state = 'completed' and of_job_id is null
$$;
