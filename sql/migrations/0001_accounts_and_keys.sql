-- Who may call: accounts and the API keys they own.
create extension if not exists postgis;
create extension if not exists btree_gist;

create table accounts (
  id uuid primary key,
  kind text not null check (kind in ('developer', 'pro', 'client')),
  email text not null check (email = lower(email) and length(email) between 3 and 320),
  name text not null check (length(name) between 1 and 200),
  created_at timestamptz not null,
  constraint accounts_email_key unique (email)
);

-- The secret itself is never stored: only its SHA-256, and what a list may show of it.
create table api_keys (
  id uuid primary key,
  account_id uuid not null references accounts,
  name text not null check (length(name) between 1 and 200),
  mode text not null check (mode in ('live', 'test')),
  hash bytea not null check (length(hash) = 32),
  last_four text not null check (length(last_four) = 4),
  scopes text[] not null check (cardinality(scopes) > 0),
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  constraint api_keys_hash_key unique (hash)
);
create index api_keys_account on api_keys (account_id, created_at);
