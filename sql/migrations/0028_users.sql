-- People who use the console, and where they are logged in.

create table users (
  id uuid primary key,
  email text not null check (email = lower(email) and length(email) between 3 and 320),
  -- In PHC form: it brings its own salt and costs.
  password_hash text not null check (password_hash like '$argon2id$%'),
  role text not null check (role in ('operator', 'developer', 'pro')),
  -- Whose keys, webhooks and bookings they see; operators have none of their own.
  account_id uuid references accounts,
  created_at timestamptz not null,
  last_login_at timestamptz,
  disabled_at timestamptz,
  constraint users_email_key unique (email),
  constraint users_account check ((account_id is null) = (role = 'operator'))
);

-- The token itself is in the person's cookie alone.
create table sessions (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null,
  -- Moves on with each use, but never past ends_at.
  expires_at timestamptz not null,
  ends_at timestamptz not null,
  constraint sessions_times check (created_at < expires_at and expires_at <= ends_at)
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);
