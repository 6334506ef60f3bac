-- What is left of the address of an erased customer whom operators have blocked. A block that ends with an erasure would be none:
-- the customer would only have to ask for it. It tells the address to those who have the row and guess the address.
create or replace function customer_digest(profile_id uuid, email text) returns text
  language sql immutable parallel safe as $$
  select encode(sha256(convert_to(profile_id::text || email, 'UTF8')), 'hex')
$$;

-- Whether operators have blocked the customer with this normal e-mail address: from booking, asking, reviewing and accepting quotes
-- with any pro. Test pros are for trying out, with any address.
create or replace function is_blocked_customer(pro_id uuid, email text) returns boolean
  language sql stable parallel safe as $$
  select not is_test_pro(pro_id) and exists (
    select from customer_profiles c where c.email = is_blocked_customer.email and c.blocked_at is not null
    union all
    select from customer_profiles c
    where c.email is null and c.email_digest = customer_digest(c.id, is_blocked_customer.email))
$$;
