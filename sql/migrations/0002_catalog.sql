-- What can be asked for and where: categories, services, states, cities.
create table categories (
  id uuid primary key,
  -- A small number beside the id, so that the read models can name a category in two bytes.
  ordinal smallint not null,
  name text not null,
  slug text not null,
  constraint categories_ordinal_key unique (ordinal),
  constraint categories_slug_key unique (slug)
);

create table services (
  id uuid primary key,
  ordinal smallint not null,
  category_id uuid not null references categories,
  name text not null,
  slug text not null,
  description text,
  price_type text not null check (price_type in ('flat', 'hourly', 'per_unit')),
  unit text check ((price_type = 'flat') = (unit is null)),
  duration_minutes integer not null check (duration_minutes between 15 and 720 and duration_minutes % 5 = 0),
  active boolean not null default true,
  constraint services_ordinal_key unique (ordinal),
  constraint services_slug_key unique (slug)
);

create table states (
  code text primary key check (code ~ '^[A-Z]{2}$'),
  name text not null,
  ordinal smallint not null,
  constraint states_name_key unique (name),
  constraint states_ordinal_key unique (ordinal)
);

create table cities (
  id integer primary key,
  name text not null,
  state text not null references states,
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  time_zone text not null,
  population integer not null check (population >= 0),
  constraint cities_name_state_key unique (state, name)
);
create index cities_lower_name on cities (lower(name));

-- Servers resolve names to ordinals from memory: tell them when the names change.
create function notify_catalog_names() returns trigger language plpgsql as $$
begin
  perform pg_notify('catalog_names_changed', '');
  return null;
end $$;
create trigger categories_changed after insert or update or delete or truncate on categories
  for each statement execute function notify_catalog_names();
create trigger services_changed after insert or update or delete or truncate on services
  for each statement execute function notify_catalog_names();
create trigger states_changed after insert or update or delete or truncate on states
  for each statement execute function notify_catalog_names();
create trigger cities_changed after insert or update or delete or truncate on cities
  for each statement execute function notify_catalog_names();
