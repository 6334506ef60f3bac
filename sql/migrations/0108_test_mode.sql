-- Test mode: what a developer tries out belongs to an account of its own, so that no rule about owners needs to know of it.
alter table accounts
  -- The account whose test mode this is: a test account, or that of one of its test pros. Null for all others.
  -- 0.1.0 runs with this: it leaves the column null.
  add column test_of uuid references accounts on delete cascade;

-- 0.1.0 runs with this: no row is in the index, and it is built at once.
create unique index accounts_test_of on accounts (test_of) where kind <> 'pro';

alter table professionals
  -- The test account that alone sees this pro; null for real pros.
  -- 0.1.0 runs with this: it leaves the column null.
  add column test_account_id uuid references accounts on delete set null;

-- 0.1.0 runs with this: it has no test pros.
--
-- A test pro is never active, so each statement that was not written for test mode leaves it out.
alter table professionals
  add constraint professionals_test_hidden check (test_account_id is null or not active) not valid;
alter table professionals validate constraint professionals_test_hidden;

-- 0.1.0 runs with this: no row is in the index, and it is built at once.
create index professionals_test_account on professionals (test_account_id) where test_account_id is not null;

-- Test keys of before test mode acted on real pros. They move to the test account of their owner.
insert into accounts (id, kind, email, name, created_at, test_of)
select gen_random_uuid(), case a.kind when 'client' then 'client' else 'developer' end,
  'test-' || a.id || '@hearth.invalid', left('Test mode of ' || a.name, 200), now(), a.id
from accounts a where exists (select from api_keys k where k.account_id = a.id and k.mode = 'test');
update api_keys k set account_id = a.id from accounts a where a.test_of = k.account_id and k.mode = 'test';
