-- What operators know of a customer: made at their first note, or when they block the address. The notes are rows of `operator_actions`.
create table customer_profiles (
  id uuid primary key,
  -- Null once the customer is erased.
  email text constraint customer_profiles_email unique check (email = lower(email collate "C") and length(email) between 3 and 320),
  -- `customer_digest` of an erased customer, who stays blocked.
  email_digest text,
  blocked_at timestamptz,
  block_reason text check (length(block_reason) between 1 and 5000),
  created_at timestamptz not null,
  constraint customer_profiles_address check ((email is null) = (email_digest is not null)),
  constraint customer_profiles_block check ((blocked_at is null) = (block_reason is null)),
  -- An erasure leaves nothing of a customer who is not blocked.
  constraint customer_profiles_left check (email is not null or blocked_at is not null)
);
create index customer_profiles_erased on customer_profiles (id) where email is null;
