-- 0.1.0 runs with this: it makes accounts of the other kinds only.
alter table accounts drop constraint accounts_kind_check,
  add constraint accounts_kind_check check (kind in ('developer', 'pro', 'client', 'customer')) not valid;
alter table accounts validate constraint accounts_kind_check;

-- Customers who have signed in (src/auth/customers). The address stands here and not in `accounts`, where a developer, pro or
-- client may have the same one: reading somebody's mail does not open the account of their keys.
create table customers (
  account_id uuid primary key references accounts on delete cascade,
  email text not null unique check (email = lower(email collate "C") and length(email) between 3 and 320),
  created_at timestamptz not null
);

-- One-time codes, one per browser that asked.
create table sign_in_codes (
  -- Of the cookie of the browser.
  browser_hash bytea primary key check (length(browser_hash) = 32),
  email text not null check (email = lower(email collate "C") and length(email) between 3 and 320),
  -- Keyed: eight digits could be guessed from a plain hash.
  code_digest text not null check (length(code_digest) = 43),
  tries_left integer not null check (tries_left >= 0),
  -- The page to open after signing in.
  return_to text not null check (length(return_to) <= 2048),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sign_in_codes_expiry on sign_in_codes (expires_at);
create index sign_in_codes_email on sign_in_codes (email);

create table customer_sessions (
  token_hash bytea primary key check (length(token_hash) = 32),
  account_id uuid not null references customers on delete cascade,
  -- The address that was proven. The session ends when the customer gets another one.
  email text not null check (email = lower(email collate "C")),
  created_at timestamptz not null,
  -- Without further use.
  expires_at timestamptz not null,
  -- The latest end.
  ends_at timestamptz not null,
  check (expires_at <= ends_at)
);
create index customer_sessions_expiry on customer_sessions (expires_at);
create index customer_sessions_account on customer_sessions (account_id);

-- Customers who asked to be erased, until `sweep-expired` has done it, which deletes the row.
create table erasure_requests (
  account_id uuid primary key references customers on delete cascade,
  requested_at timestamptz not null,
  -- Null when it was refused, or failed too often.
  next_attempt_at timestamptz,
  attempts integer not null default 0 check (attempts >= 0),
  -- What must end first.
  open_work jsonb
);
create index erasure_requests_due on erasure_requests (next_attempt_at) where next_attempt_at is not null;
