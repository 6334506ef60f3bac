-- The account if it is a test account, otherwise null.
create or replace function test_account(wanted_id uuid) returns uuid
  language sql stable parallel safe as $$
  select a.id from accounts a where a.id = wanted_id and a.test_of is not null
$$;

-- Whether callers see the pro: with a test account only its test pros, without one (null) all active pros.
create or replace function is_visible(pro professionals, test_account_id uuid) returns boolean
  language sql immutable parallel safe as $$
  select case when $2 is null then pro.active else pro.test_account_id is not distinct from $2 end
$$;

-- Whether the pro does the work that was agreed: test pros are never active.
create or replace function is_at_work(pro professionals) returns boolean
  language sql immutable parallel safe as $$
  select pro.active or pro.test_account_id is not null
$$;

create or replace function is_test_pro(pro_id uuid) returns boolean
  language sql stable parallel safe as $$
  select exists (select from professionals p where p.id = pro_id and p.test_account_id is not null)
$$;
