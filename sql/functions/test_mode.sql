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

-- The mode of a key is that of its account.
create or replace function check_key_mode() returns trigger language plpgsql as $$
begin
  if (new.mode = 'test') is distinct from (select a.test_of is not null from accounts a where a.id = new.account_id) then
    raise exception 'A key of mode % must not belong to account %.', new.mode, new.account_id
      using errcode = 'check_violation', constraint = 'api_keys_test_mode';
  end if;
  return new;
end $$;

-- Only the test account of a test pro, and it alone, has work with that pro; a test account has work with no other pro.
create or replace function check_test_mode() returns trigger language plpgsql as $$
begin
  if (select p.test_account_id from professionals p where p.id = new.professional_id)
    is distinct from (select a.id from accounts a where a.id = new.account_id and a.test_of is not null) then
    raise exception 'Account % must not have work with pro %: one of them is in test mode.', new.account_id,
      new.professional_id using errcode = 'check_violation', constraint = 'work_in_test_mode';
  end if;
  return new;
end $$;

-- Payments to test pros go through the sandbox, whichever provider is configured.
create or replace function choose_test_provider() returns trigger language plpgsql as $$
begin
  if exists (select from professionals p where p.id = new.professional_id and p.test_account_id is not null) then
    new.provider := 'sandbox';
  end if;
  return new;
end $$;

create or replace trigger key_mode before insert or update of mode, account_id on api_keys
  for each row execute function check_key_mode();
create or replace trigger booking_mode before insert or update of professional_id, account_id on bookings
  for each row execute function check_test_mode();
create or replace trigger review_mode before insert or update of professional_id, account_id on reviews
  for each row execute function check_test_mode();
create or replace trigger rfq_mode before insert or update of professional_id, account_id on rfqs
  for each row execute function check_test_mode();
create or replace trigger payment_provider before insert or update of provider, professional_id on payments
  for each row execute function choose_test_provider();
