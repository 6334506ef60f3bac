-- Whether an account acts for the pro, and therefore never as a customer of the pro: the account of the business, its test
-- mode, or another one whose e-mail address is that of a user of the business. The pro's team is no proof: the pro types its
-- addresses. Nor is a signed-in customer: they have what is in the name of their own address, and nothing else. Of a test pro
-- only the own account: the test account books with them, in order to try everything.
create or replace function acts_for_pro(wanted_account uuid, pro_id uuid) returns boolean
  language plpgsql stable parallel safe as $$
begin
  return exists (
    select from professionals p
    join accounts a on a.id = wanted_account
    where p.id = pro_id and (
      a.id = p.account_id
      or p.test_account_id is null and (
        a.test_of = p.account_id
        or exists (
          select from accounts held join users u on u.email = held.email
          where held.id = coalesce(a.test_of, a.id) and held.kind <> 'customer' and u.account_id = p.account_id))));
end $$;
