-- How many rows of a kind a pro has, in any state or in one.
create or replace function count_of_pro(pro_id uuid, of_kind text, state text) returns bigint
  language sql stable parallel safe as $$
  select coalesce(sum(c.total), 0)::bigint from pro_counts c
  where c.professional_id = pro_id and c.kind = of_kind and (state is null or c.status = state)
$$;

-- A pro's bookings in a state, as it is at an instant: a hold that was not paid in time counts as cancelled before it is swept.
create or replace function count_bookings(pro_id uuid, states text[], as_of timestamptz) returns bigint
  language plpgsql stable as $$
declare
  kept constant bigint := (
    select coalesce(sum(c.total), 0) from pro_counts c
    where c.professional_id = pro_id and c.kind = 'booking' and c.status = any (states));
  lapsed constant bigint := (
    select count(*) from bookings b where b.professional_id = pro_id and b.hold_expires_at <= as_of);
begin
  return kept + lapsed * (('cancelled' = any (states))::integer - ('pending' = any (states))::integer);
end $$;

-- A pro's quotes in a state (null: in any), as it is at an instant: one that is too late to accept counts as expired.
create or replace function count_quotes(pro_id uuid, state text, as_of timestamptz) returns bigint
  language sql stable as $$
  select count_of_pro(pro_id, 'quote', state) + coalesce((
    select sum(case when state = 'expired' then 1 when q.status = state then -1 else 0 end) from quotes q
    where q.professional_id = pro_id and q.status in ('sent', 'viewed') and q.valid_until <= as_of), 0)::bigint
$$;
