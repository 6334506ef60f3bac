-- The account if it is a test account, otherwise null.
create or replace function test_account(wanted_id uuid) returns uuid
  language sql stable parallel safe as $$
  select a.id from accounts a where a.id = wanted_id and a.test_of is not null
$$;

-- Whether callers see a pro: with a test account its test pros only, without one (null) all active pros.
create or replace function is_visible(active boolean, pro_test_account_id uuid, test_account_id uuid) returns boolean
  language sql immutable parallel safe as $$
  select case when $3 is null then $1 else $2 is not distinct from $3 end
$$;

create or replace function is_test_pro(pro_id uuid) returns boolean
  language sql stable parallel safe as $$
  select exists (select from professionals p where p.id = pro_id and p.test_account_id is not null)
$$;
