-- What test mode must never do is refused by the database, whatever code runs.

-- 0.1.0 runs with this: it does not call the function.
--
-- The mode of a key is that of its account.
create function check_key_mode() returns trigger language plpgsql as $$
begin
  if (new.mode = 'test') is distinct from (select a.test_of is not null from accounts a where a.id = new.account_id) then
    raise exception 'A key of mode % must not belong to account %.', new.mode, new.account_id
      using errcode = 'check_violation', constraint = 'api_keys_test_mode';
  end if;
  return new;
end $$;
-- 0.1.0 runs with this: its live keys pass; while both releases run, it cannot create test keys.
create trigger key_mode before insert or update of mode, account_id on api_keys
  for each row execute function check_key_mode();

-- 0.1.0 runs with this: it does not call the function.
--
-- Only the test account of a test pro, and it alone, has work with that pro; a test account has work with no other pro.
create function check_test_mode() returns trigger language plpgsql as $$
begin
  if (select p.test_account_id from professionals p where p.id = new.professional_id)
    is distinct from (select a.id from accounts a where a.id = new.account_id and a.test_of is not null) then
    raise exception 'Account % must not have work with pro %: one of them is in test mode.', new.account_id,
      new.professional_id using errcode = 'check_violation', constraint = 'work_in_test_mode';
  end if;
  return new;
end $$;
-- 0.1.0 runs with this: it has neither test accounts nor test pros.
create trigger booking_mode before insert or update of professional_id, account_id on bookings
  for each row execute function check_test_mode();
-- 0.1.0 runs with this: it has neither test accounts nor test pros.
create trigger rfq_mode before insert or update of professional_id, account_id on rfqs
  for each row execute function check_test_mode();
-- 0.1.0 runs with this: it has neither test accounts nor test pros.
create trigger review_mode before insert or update of professional_id, account_id on reviews
  for each row execute function check_test_mode();

-- 0.1.0 runs with this: it does not call the function.
--
-- Payments to test pros go through the sandbox, whichever provider is configured.
create function choose_test_provider() returns trigger language plpgsql as $$
begin
  if exists (select from professionals p where p.id = new.professional_id and p.test_account_id is not null) then
    new.provider := 'sandbox';
  end if;
  return new;
end $$;
-- 0.1.0 runs with this: it has no test pros.
create trigger payment_provider before insert or update of provider, professional_id on payments
  for each row execute function choose_test_provider();
