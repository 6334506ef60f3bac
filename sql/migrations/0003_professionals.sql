-- Pros: who they are, what they offer, when they work.
create table professionals (
  id uuid primary key,
  account_id uuid not null references accounts,
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 200),
  business_name text not null check (length(business_name) between 1 and 200),
  description text check (length(description) <= 5000),
  active boolean not null default true,
  verified boolean not null default false,
  background_check boolean not null default false,
  insurance boolean not null default false,
  credentials boolean not null default false,
  website text check (length(website) <= 2048),
  phone text check (length(phone) <= 50),
  city_id integer not null references cities,
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  time_zone text not null,
  service_radius_miles integer not null default 25 check (service_radius_miles between 1 and 500),
  years_of_experience integer check (years_of_experience between 0 and 120),
  accepts_emergency boolean not null default false,
  -- Sums over approved reviews, kept in the transaction that approves one.
  review_count integer not null default 0 check (review_count >= 0),
  rating_sum integer not null default 0 check (rating_sum between review_count and review_count * 5),
  instant_booking_enabled boolean not null default false,
  requires_approval boolean not null default false,
  lead_time_hours integer not null default 24 check (lead_time_hours between 0 and 720),
  buffer_minutes integer not null default 0 check (buffer_minutes between 0 and 240),
  default_slot_minutes integer not null default 60
    check (default_slot_minutes between 15 and 720 and default_slot_minutes % 5 = 0),
  deposit_required boolean not null default false,
  deposit_percentage numeric(5, 2) check (deposit_percentage > 0 and deposit_percentage <= 100),
  -- { "monday": [{"start": "09:00", "end": "17:00"}], …, "sunday": [] }: at most 4 intervals a day, in order, apart.
  business_hours jsonb not null,
  -- The sequence of the last event about this pro (availability.updated).
  event_sequence integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint professionals_slug_key unique (slug),
  constraint professionals_account_key unique (account_id),
  constraint professionals_deposit check (deposit_required = (deposit_percentage is not null))
);
create index professionals_city on professionals (city_id);

create table professional_services (
  professional_id uuid not null references professionals on delete cascade,
  service_id uuid not null references services,
  description text check (length(description) <= 5000),
  price_type text not null check (price_type in ('flat', 'hourly', 'per_unit')),
  unit text,
  base_price_cents integer check (base_price_cents >= 0),
  min_price_cents integer check (min_price_cents >= 0),
  max_price_cents integer check (max_price_cents >= min_price_cents),
  currency text not null default 'USD' check (currency = 'USD'),
  duration_minutes integer check (duration_minutes between 15 and 720 and duration_minutes % 5 = 0),
  instant_book_enabled boolean not null default true,
  primary key (professional_id, service_id)
);
create index professional_services_service on professional_services (service_id);

-- Time a pro has taken out of their business hours.
create table availability_blocks (
  id uuid primary key,
  professional_id uuid not null references professionals on delete cascade,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  reason text check (length(reason) <= 5000),
  created_at timestamptz not null,
  check (starts_at < ends_at)
);
create index availability_blocks_time on availability_blocks using gist (professional_id, tstzrange(starts_at, ends_at));
