-- Places that operators add are rows of `cities`, with ids above those of GeoNames. A row stays when its place is removed: no id is used
-- again.
create table districts (
  id integer primary key check (id >= 1000000000),
  name text not null check (length(trim(name)) between 1 and 100),
  state text not null,
  is_removed boolean not null default false,
  by_user_id uuid,
  at timestamptz not null
);
