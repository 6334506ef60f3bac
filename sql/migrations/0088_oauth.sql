-- Apps that people connect (src/auth/oauth).

-- A grant is a key without a secret of its own: its tokens stand for it. So limits, usage, last use, proposals and revocation
-- treat it like any key. It expires with its refresh token.
alter table api_keys add column is_grant boolean not null default false;

create table oauth_clients (
  -- The URL of the app's metadata document, or a registered id.
  id text primary key check (length(id) between 1 and 2048),
  -- As the app calls itself.
  name text not null check (length(name) between 1 and 200),
  redirect_uris text[] not null check (cardinality(redirect_uris) between 1 and 20),
  uri text check (length(uri) <= 2048),
  created_at timestamptz not null,
  -- When the metadata document was read; null for a registered app.
  read_at timestamptz,
  -- The latest request for access.
  used_at timestamptz not null
);
create index oauth_clients_used on oauth_clients (used_at);

create table oauth_grants (
  key_id uuid primary key references api_keys on delete cascade,
  client_id text not null references oauth_clients,
  -- The only resource that takes its tokens (RFC 8707).
  resource text not null check (resource in ('pro-agent', 'customer-agent', 'rest')),
  -- The pro's user who granted it; null for a customer.
  user_id uuid references users on delete cascade,
  -- Of the customer's address, keyed: the grant ends when the customer gets another one.
  email_digest text check (length(email_digest) = 43),
  check ((user_id is null) = (email_digest is not null))
);
create index oauth_grants_client on oauth_grants (client_id);
create index oauth_grants_user on oauth_grants (user_id) where user_id is not null;

create table oauth_tokens (
  hash bytea primary key check (length(hash) = 32),
  key_id uuid not null references oauth_grants on delete cascade,
  kind text not null check (kind in ('access', 'refresh')),
  scopes text[] not null check (cardinality(scopes) > 0),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When a refresh token was exchanged: it works once. A second use ends the grant.
  used_at timestamptz check (used_at is null or kind = 'refresh')
);
create index oauth_tokens_grant on oauth_tokens (key_id);
create index oauth_tokens_expiry on oauth_tokens (expires_at);

-- Requests for access: waiting for a person, then with a code, then exchanged.
create table oauth_requests (
  id uuid primary key,
  client_id text not null references oauth_clients on delete cascade,
  redirect_uri text not null check (length(redirect_uri) <= 2048),
  state text check (length(state) <= 4096),
  resource text not null check (resource in ('pro-agent', 'customer-agent', 'rest')),
  side text not null check (side in ('pro', 'customer')),
  scopes text[] not null check (cardinality(scopes) > 0),
  -- Of PKCE with S256 (RFC 7636).
  code_challenge text not null check (length(code_challenge) = 43),
  created_at timestamptz not null,
  -- Of the request, then of its code. An exchanged one is kept for a day, so that a second use of the code is recognized.
  expires_at timestamptz not null,
  code_hash bytea unique check (length(code_hash) = 32),
  -- Who approved it.
  account_id uuid references accounts on delete cascade,
  user_id uuid references users on delete cascade,
  email_digest text check (length(email_digest) = 43),
  -- What its code was exchanged for.
  key_id uuid references api_keys on delete cascade,
  check ((code_hash is null) = (account_id is null)),
  check (key_id is null or code_hash is not null)
);
create index oauth_requests_expiry on oauth_requests (expires_at);
create index oauth_requests_client on oauth_requests (client_id);
