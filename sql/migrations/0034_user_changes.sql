-- Links on which people choose a password, and who did what to whom among users.

-- One per user: the next takes its place. The token itself is in the link alone.
create table password_links (
  user_id uuid primary key references users on delete cascade,
  token_hash bytea not null check (length(token_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint password_links_token_key unique (token_hash),
  constraint password_links_times check (created_at < expires_at)
);

create table user_changes (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  action text not null
    check (action in ('created', 'disabled', 'enabled', 'logged_out', 'link_made', 'password_set')),
  -- Null: somebody at a terminal.
  by_user_id uuid references users on delete set null,
  at timestamptz not null
);
create index user_changes_user on user_changes (user_id, at desc, id desc);
