-- The gate: what keys may do beyond their scopes, and which creating requests were answered before.

alter table api_keys
  -- A widget's key works from pages of this origin only.
  add column origin text check (origin ~ '^https?://[^/?#]+$'),
  -- All limits of the key, times this.
  add column rate_multiplier numeric not null default 1 check (rate_multiplier > 0 and rate_multiplier <= 1000000),
  -- The key that took this one's place: both work until this one expires.
  add column replaced_by uuid references api_keys,
  add constraint api_keys_widget_origin
    check (origin is not null or not scopes && array['widget:public', 'widget:book']);

-- What a creating request with an Idempotency-Key was answered: written in the transaction of what it made.
create table idempotency_records (
  account_id uuid not null references accounts,
  operation text not null,
  key text not null check (length(key) between 1 and 255),
  request_hash bytea not null check (length(request_hash) = 32),
  -- The outcome from which the answer is made again.
  result json not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (account_id, operation, key)
);
create index idempotency_records_expiry on idempotency_records (expires_at);
