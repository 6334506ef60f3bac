-- Offers at a fixed price, and the homes of property managers.

-- A package is a pro's service at a fixed price, described so that it can be compared.
create table packages (
  id uuid primary key,
  professional_id uuid not null,
  service_id uuid not null,
  sku text not null check (sku ~ '^[A-Z0-9]+(-[A-Z0-9]+)*$' and length(sku) <= 60),
  kind text not null check (kind ~ '^[a-z][a-z0-9_]*$' and length(kind) <= 40),
  name text not null check (length(name) between 1 and 200),
  description text check (length(description) <= 5000),
  price_cents integer not null check (price_cents > 0),
  currency text not null default 'USD' check (currency = 'USD'),
  includes text[] not null default '{}' check (cardinality(includes) <= 20),
  cadence text not null check (cadence in ('once', 'weekly', 'biweekly', 'monthly', 'quarterly', 'yearly')),
  duration_minutes integer not null check (duration_minutes between 15 and 720 and duration_minutes % 5 = 0),
  -- The home it is for; null where it fits any.
  bedrooms integer check (bedrooms between 0 and 20),
  bathrooms numeric(3, 1) check (bathrooms between 0 and 20),
  active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint packages_sku_key unique (sku),
  constraint packages_offer_key unique (professional_id, service_id),
  constraint packages_offer foreign key (professional_id, service_id)
    references professional_services on delete cascade
);
create index packages_listing on packages (price_cents, id) where active;

create table properties (
  id uuid primary key,
  account_id uuid not null references accounts,
  name text not null check (length(name) between 1 and 200),
  street text not null check (length(street) between 1 and 200),
  city text not null check (length(city) between 1 and 200),
  state text not null references states,
  zip_code text not null check (zip_code ~ '^\d{5}(-\d{4})?$'),
  bedrooms integer check (bedrooms between 0 and 100),
  bathrooms numeric(4, 1) check (bathrooms between 0 and 100),
  area_square_feet integer check (area_square_feet between 1 and 1000000),
  access_notes text check (length(access_notes) <= 5000),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index properties_account on properties (account_id, created_at desc, id desc);

create index availability_blocks_listing on availability_blocks (professional_id, starts_at, id);
