-- What the marketplace says of itself: the last version is in use, the others say who changed what.
create table marketplace_versions (
  version integer primary key check (version > 0),
  name text not null check (length(trim(name)) between 1 and 60),
  tagline text check (length(tagline) between 1 and 160),
  email text check (email = lower(email collate "C") and length(email) between 3 and 320),
  phone text check (length(phone) between 1 and 50),
  address text check (length(address) between 1 and 500),
  by_user_id uuid,
  at timestamptz not null
);
