-- The schema of release 0.1.0, made at once. 0061_baseline.sha256 lists the migrations that made it step by step: a database that
-- has all of them has this one. Functions, triggers and views come after all migrations, from sql/functions; the two functions
-- that are needed before are replaced there.

create extension if not exists postgis;
create extension if not exists btree_gist;

-- Accounts: who may call, by key or by login.

create table accounts (
  id uuid primary key,
  kind text not null check (kind in ('developer', 'pro', 'client')),
  email text not null check (email = lower(email collate "C") and length(email) between 3 and 320),
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
  -- A widget's key works from pages of this origin only.
  origin text check (origin ~ '^https?://[^/?#]+$'),
  -- All limits of the key, times this.
  rate_multiplier numeric not null default 1 check (rate_multiplier > 0 and rate_multiplier <= 1000000),
  -- The key that took this one's place: both work until this one expires.
  replaced_by uuid references api_keys,
  constraint api_keys_hash_key unique (hash),
  constraint api_keys_widget_origin
    check (origin is not null or not scopes && array['widget:public', 'widget:book'])
);
create index api_keys_account on api_keys (account_id, created_at);
create index api_keys_revoked on api_keys (revoked_at) where revoked_at is not null;
-- Deleting a key checks both references to it.
create index api_keys_replaced_by on api_keys (replaced_by) where replaced_by is not null;

-- How often keys were used, by day in UTC. Counted in memory and added here every few seconds, never per request.
create table key_usage (
  key_id uuid not null references api_keys on delete cascade,
  day date not null,
  requests bigint not null check (requests > 0),
  -- Of these: answered 4xx other than 429, 429, and 5xx.
  refused bigint not null default 0,
  limited bigint not null default 0,
  failed bigint not null default 0,
  primary key (key_id, day),
  constraint key_usage_parts check (refused >= 0 and limited >= 0 and failed >= 0 and refused + limited + failed <= requests)
) partition by range (day);
create index key_usage_day on key_usage (day);
-- By month, of which the old ones are dropped: that gives the space back at once. The default partition has what was counted
-- without one. Workers create the months (sql/functions/partitions.sql).
create table key_usage_default partition of key_usage default;
alter index key_usage_default_day_idx rename to key_usage_default_day;

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

-- People who use the console, and where they are logged in.
create table users (
  id uuid primary key,
  email text not null check (email = lower(email collate "C") and length(email) between 3 and 320),
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

-- The catalog: what can be asked for and where.

create table categories (
  id uuid primary key,
  -- A small number beside the id, so that the read models can name a category in two bytes.
  ordinal smallint not null,
  name text not null,
  slug text not null,
  -- What people call a service or a category besides its name, such as "maid" for house cleaning. Operators may add to them;
  -- the triggers of both tables tell the servers.
  synonyms text[] not null default '{}',
  constraint categories_ordinal_key unique (ordinal),
  constraint categories_slug_key unique (slug),
  -- A facet is what a list is about: 0 every pro, 1–99 a category by its ordinal, 100 and up a service by its ordinal.
  constraint categories_ordinal_range check (ordinal between 1 and 99)
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
  -- Whether the work is done where the customer is, so that an address is needed.
  at_customer boolean not null default true,
  synonyms text[] not null default '{}',
  constraint services_ordinal_key unique (ordinal),
  constraint services_slug_key unique (slug),
  constraint services_ordinal_range check (ordinal >= 100)
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

-- Pros: who they are, what they offer, when they work, and how they present themselves.

-- sql/functions/longest_interval.sql replaces it; a generated column calls it.
create function longest_interval_minutes(business_hours jsonb) returns integer
  language sql immutable strict parallel safe as 'select 0';

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
  -- What brings agent tasks.
  plan text not null default 'none'
    constraint professionals_plan check (plan in ('none', 'verified', 'business')),
  longest_interval_minutes integer not null
    generated always as (longest_interval_minutes(business_hours)) stored,
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
  primary key (professional_id, service_id),
  -- A price by the hour or by the piece names what it is for.
  constraint professional_services_unit
    check ((price_type = 'flat') = (unit is null) and length(unit) between 1 and 40)
);
create index professional_services_service on professional_services (service_id);

-- Who works for a pro. One who leaves stays in the table, because past bookings name them.
create table members (
  id uuid primary key,
  professional_id uuid not null references professionals,
  name text not null check (length(name) between 1 and 200),
  email text not null check (email = lower(email collate "C") and length(email) between 3 and 320),
  role text not null check (role in ('manager', 'crew', 'office')),
  active boolean not null default true,
  created_at timestamptz not null,
  removed_at timestamptz,
  constraint members_of_professional unique (professional_id, id),
  check (active = (removed_at is null))
);
create index members_professional on members (professional_id, created_at desc, id desc) where active;
create unique index members_email_key on members (professional_id, email) where active;

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
create index availability_blocks_listing on availability_blocks (professional_id, starts_at, id);
create index availability_blocks_age on availability_blocks (ends_at);

-- Customers who cannot book with a pro again, by e-mail address in lower case.
create table customer_blocks (
  professional_id uuid not null references professionals on delete cascade,
  email text not null check (email = lower(email collate "C") and length(email) between 3 and 320),
  reason text check (length(reason) <= 5000),
  created_at timestamptz not null,
  -- A customer block gets an id of its own, so that an e-mail address need not stand in a path.
  id uuid not null unique,
  primary key (professional_id, email)
);

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

-- How a pro presents themselves: the texts of their page, the business behind it, and what the page looks like. A pro
-- without a row has said nothing yet.
create table pro_public_profiles (
  professional_id uuid primary key references professionals on delete cascade,
  headline text check (length(headline) between 1 and 200),
  about text check (length(about) <= 5000),
  highlights text[] not null default '{}' check (cardinality(highlights) <= 10),
  service_areas text check (length(service_areas) <= 1000),
  -- [{ "question": …, "answer": … }]
  faq jsonb not null default '[]' check (jsonb_typeof(faq) = 'array' and jsonb_array_length(faq) <= 20),
  updated_at timestamptz not null
);

-- Telephone and website are columns of professionals.
create table pro_business_entities (
  professional_id uuid primary key references professionals on delete cascade,
  legal_name text check (length(legal_name) between 1 and 200),
  license_number text check (length(license_number) between 1 and 100),
  license_state text references states,
  founded_year integer check (founded_year between 1800 and 2100),
  insurance_carrier text check (length(insurance_carrier) between 1 and 200),
  updated_at timestamptz not null,
  constraint pro_business_entities_license check ((license_number is null) = (license_state is null))
);

create table pro_site_configs (
  professional_id uuid primary key references professionals on delete cascade,
  theme_color text check (theme_color ~ '^#[0-9a-f]{6}$'),
  hero_title text check (length(hero_title) between 1 and 200),
  hero_text text check (length(hero_text) <= 500),
  call_to_action text check (call_to_action in ('book', 'quote', 'call')),
  call_to_action_label text check (length(call_to_action_label) between 1 and 60),
  -- What the page shows, in this order; null for the usual.
  sections text[] check (cardinality(sections) between 1 and 8 and sections <@ array[
    'about', 'highlights', 'services', 'packages', 'service_areas', 'reviews', 'faq', 'contact']),
  updated_at timestamptz not null
);

-- Bookings. The exclusion constraint makes a double booking impossible, whatever code runs.
create table bookings (
  id uuid primary key,
  professional_id uuid not null references professionals,
  service_id uuid not null references services,
  -- Whose key made it; null for demo history.
  account_id uuid references accounts,
  confirmation_code text not null check (confirmation_code ~ '^HTH-[0-9A-HJKMNP-TV-Z]{12}$'),
  status text not null check (status in ('pending', 'confirmed', 'completed', 'no_show', 'cancelled')),
  starts_at timestamptz not null,
  duration_minutes integer not null check (duration_minutes between 15 and 720 and duration_minutes % 5 = 0),
  buffer_minutes integer not null check (buffer_minutes between 0 and 240),
  ends_at timestamptz not null check (ends_at = starts_at + duration_minutes * interval '1 minute'),
  -- The time it takes from the pro while pending or confirmed: [start, end + buffer).
  holds tstzrange not null check (holds = tstzrange(starts_at, ends_at + buffer_minutes * interval '1 minute')),
  customer_name text not null check (length(customer_name) between 1 and 200),
  customer_email text not null
    check (customer_email = lower(customer_email collate "C") and length(customer_email) between 3 and 320),
  customer_phone text check (length(customer_phone) <= 50),
  address jsonb,
  description text check (length(description) <= 5000),
  source text not null check (source in ('web', 'api', 'chatgpt', 'gemini', 'perplexity', 'agent')),
  source_agent_id text check (length(source_agent_id) <= 200),
  created_at timestamptz not null,
  confirmed_at timestamptz,
  cancelled_at timestamptz,
  completed_at timestamptz,
  cancellation_reason text,
  -- The sequence of the last event about this booking.
  event_sequence integer not null default 0,
  -- Until when an unpaid booking keeps its time. Past it the booking counts as cancelled, whether or not anyone has
  -- written that down yet: see booking_as_of().
  hold_expires_at timestamptz,
  -- The id that the event of that cancellation will have. Given with the hold, so that all who write it down (another
  -- customer's reservation, the sweeper) make the same event, and the outbox takes it once.
  lapse_event_id uuid,
  assigned_member_id uuid,
  -- The package that a booking is of, where it is of one.
  package_id uuid references packages,
  -- Whether a booking was moved when cancelling it would have cost what was paid: then it costs that wherever it was moved to.
  moved_late boolean not null default false,
  -- What was agreed stays with the booking: later changes of the service, the offer or the package do not reach it.
  service_name text not null,
  price_type text not null,
  price_unit text,
  base_price_cents integer,
  min_price_cents integer,
  max_price_cents integer,
  package_name text,
  package_includes text[],
  fee_cents integer not null default 0,
  deposit_cents integer not null default 0,
  deposit_percentage numeric(5,2),
  free_cancellation_hours integer not null default 24,
  -- Null for bookings that a customer or a pro cancelled before this was noted.
  cancelled_by text,
  approved_at timestamptz,
  constraint bookings_confirmation_code_key unique (confirmation_code),
  constraint bookings_no_overlap exclude using gist (professional_id with =, holds with &&)
    where (status in ('pending', 'confirmed')),
  -- What each state implies; the transition table is drawn in ARCHITECTURE.md.
  constraint bookings_state check (
    (status <> 'pending' or (confirmed_at is null and cancelled_at is null and completed_at is null))
    and (status not in ('confirmed', 'completed', 'no_show') or (confirmed_at is not null and cancelled_at is null))
    and ((status = 'cancelled') = (cancelled_at is not null))
    and ((status = 'completed') = (completed_at is not null))),
  constraint bookings_hold check (
    (hold_expires_at is null or status = 'pending') and ((hold_expires_at is null) = (lapse_event_id is null))),
  constraint bookings_assigned_member foreign key (professional_id, assigned_member_id)
    references members (professional_id, id),
  constraint bookings_price check (
    price_type in ('flat', 'hourly', 'per_unit') and (price_type = 'flat') = (price_unit is null)
    and base_price_cents >= 0 and min_price_cents >= 0 and max_price_cents >= min_price_cents),
  constraint bookings_package check (
    (package_id is null) = (package_name is null) and (package_id is null) = (package_includes is null)),
  constraint bookings_payment check (fee_cents >= 0 and deposit_cents >= 0),
  constraint bookings_free_cancellation check (free_cancellation_hours between 0 and 720),
  constraint bookings_cancelled_by check (
    cancelled_by in ('customer', 'pro', 'hearth') and (cancelled_by is null or status = 'cancelled')),
  constraint bookings_approved check (approved_at is null or confirmed_at is not null)
);
create index bookings_professional on bookings (professional_id, starts_at);
create index bookings_account on bookings (account_id, created_at) where account_id is not null;
create index bookings_hold on bookings (hold_expires_at) where hold_expires_at is not null;
create index bookings_made on bookings (professional_id, created_at desc, id desc);
create index bookings_assigned on bookings (assigned_member_id) where assigned_member_id is not null;
-- Bookings that a pro never answered, found by their start: few wait at any time.
create index bookings_unanswered on bookings (starts_at) where status = 'pending';
-- A customer's copy and erasure: everything that is stored about one e-mail address is found by index, here and below.
create index bookings_customer on bookings (customer_email);

-- Another time that a pro proposes for a booking. A booking has at most one, which ends when its state or time changes. A
-- declined one stays until then, so that the pro sees the answer.
create table booking_proposed_times (
  booking_id uuid primary key references bookings on delete cascade,
  starts_at timestamptz not null,
  message text check (length(message) <= 5000),
  created_at timestamptz not null,
  declined_at timestamptz check (declined_at >= created_at)
);

-- What follows a request: quotes, and the jobs they become.

create table rfqs (
  id uuid primary key,
  professional_id uuid not null references professionals,
  service_id uuid references services,
  account_id uuid references accounts,
  status text not null check (status in ('new', 'responded', 'archived')),
  description text not null check (length(description) between 1 and 5000),
  budget text check (length(budget) <= 200),
  timeline text check (length(timeline) <= 200),
  preferred_date date,
  customer_name text not null check (length(customer_name) between 1 and 200),
  customer_email text not null
    check (customer_email = lower(customer_email collate "C") and length(customer_email) between 3 and 320),
  customer_phone text check (length(customer_phone) <= 50),
  address jsonb,
  photos jsonb not null default '[]',
  source text not null check (source in ('web', 'api', 'chatgpt', 'gemini', 'perplexity', 'agent')),
  source_agent_id text check (length(source_agent_id) <= 200),
  event_sequence integer not null default 0,
  created_at timestamptz not null,
  constraint rfqs_photos check (jsonb_typeof(photos) = 'array' and jsonb_array_length(photos) <= 10)
);
create index rfqs_professional on rfqs (professional_id, created_at desc, id desc);
-- For the statistics of a service.
create index rfqs_service on rfqs (service_id);
create index rfqs_account on rfqs (account_id, customer_email, created_at desc, id desc) where account_id is not null;
create index rfqs_customer on rfqs (customer_email);

create table quotes (
  id uuid primary key,
  rfq_id uuid not null references rfqs,
  professional_id uuid not null references professionals,
  status text not null check (status in ('draft', 'sent', 'viewed', 'accepted', 'declined', 'expired', 'superseded')),
  amount_cents integer not null check (amount_cents > 0),
  -- How many of the service's units the amount covers (hours, square feet); 1 for a flat price, null when unknown.
  units numeric check (units > 0),
  line_items jsonb not null default '[]',
  event_sequence integer not null default 0,
  created_at timestamptz not null,
  accepted_at timestamptz,
  estimated_days integer check (estimated_days between 1 and 3650),
  deposit_required boolean not null default false,
  deposit_percentage numeric(5, 2) check (deposit_percentage > 0 and deposit_percentage <= 100),
  payment_terms text check (length(payment_terms) <= 5000),
  -- From this moment on the quote counts as expired, whether or not anyone has written that down yet: quote_status().
  valid_until timestamptz,
  sent_at timestamptz,
  viewed_at timestamptz,
  declined_at timestamptz,
  decline_reason text check (length(decline_reason) <= 5000),
  expired_at timestamptz,
  superseded_at timestamptz,
  -- What a quote says to its customer; and, of a draft, for how long it is to be good once it is sent.
  message text check (length(message) <= 5000),
  valid_for_days integer check (valid_for_days between 1 and 365),
  -- What a quote's lines of the service's unit amount to, in cents; null: the whole amount. Materials are other lines.
  units_cents integer,
  check ((status = 'accepted') = (accepted_at is not null)),
  constraint quotes_deposit check (deposit_required or deposit_percentage is null),
  -- What each state implies; the transition table is drawn in ARCHITECTURE.md.
  constraint quotes_state check (
    (status = 'draft') = (sent_at is null)
    and (status = 'draft') = (valid_until is null)
    and (status <> 'viewed' or viewed_at is not null)
    and (status = 'declined') = (declined_at is not null)
    and (status = 'declined' or decline_reason is null)
    and (status = 'expired') = (expired_at is not null)
    and (status = 'superseded') = (superseded_at is not null)
    and accepted_at < valid_until
    and expired_at >= valid_until),
  constraint quotes_valid_for_days check (status = 'draft' or valid_for_days is null),
  constraint quotes_units_cents check (units_cents is null or (units_cents > 0 and units is not null))
);
create index quotes_rfq on quotes (rfq_id, created_at);
create index quotes_accepted on quotes (professional_id) where status = 'accepted';
-- One offer at a time is on the table, and one of them at most is taken, whatever code runs.
create unique index quotes_one_open on quotes (rfq_id) where status in ('sent', 'viewed');
create unique index quotes_one_accepted on quotes (rfq_id) where status = 'accepted';
create index quotes_professional on quotes (professional_id, created_at desc, id desc);
create index quotes_due on quotes (valid_until) where status in ('sent', 'viewed');
create index quotes_drafts on quotes (rfq_id) where status = 'draft';

create table jobs (
  id uuid primary key,
  professional_id uuid not null references professionals,
  service_id uuid references services,
  quote_id uuid references quotes,
  status text not null check (status in ('scheduled', 'in_progress', 'completed', 'cancelled')),
  amount_cents integer not null check (amount_cents > 0),
  units numeric check (units > 0),
  created_at timestamptz not null,
  completed_at timestamptz,
  started_at timestamptz,
  cancelled_at timestamptz,
  cancellation_reason text check (length(cancellation_reason) <= 5000),
  check ((status = 'completed') = (completed_at is not null)),
  constraint jobs_state check (
    (status <> 'scheduled' or started_at is null)
    and (status <> 'in_progress' or started_at is not null)
    and (status = 'cancelled') = (cancelled_at is not null)
    and (status = 'cancelled' or cancellation_reason is null))
);
create index jobs_completed on jobs (professional_id) where status = 'completed';
-- A quote becomes one job.
create unique index jobs_quote on jobs (quote_id);
create index jobs_professional on jobs (professional_id, created_at desc, id desc);

-- Money: of a booking, or of a quote's deposit.

-- What a booking costs before it is confirmed. The provider's own names of it come after the row: a crash in between
-- leaves an unpaid hold, which lapses.
create table payments (
  id uuid primary key,
  booking_id uuid references bookings,
  professional_id uuid not null references professionals,
  status text not null
    check (status in ('requires_payment', 'failed', 'succeeded', 'expired', 'refunding', 'refunded')),
  fee_cents integer not null check (fee_cents >= 0),
  deposit_cents integer not null check (deposit_cents >= 0),
  amount_cents integer not null check (amount_cents > 0 and amount_cents = fee_cents + deposit_cents),
  currency text not null default 'USD' check (currency = 'USD'),
  provider text not null check (provider in ('sandbox', 'stripe')),
  intent_id text,
  client_secret text,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  -- What the provider took, which is what a refund gives back; it differs from the amount only where it is refused.
  captured_cents integer check (captured_cents > 0),
  captured_currency text check (captured_currency ~ '^[A-Z]{3}$'),
  captured_at timestamptz,
  -- The customer cancelled too late to have it back.
  retained boolean not null default false,
  quote_id uuid references quotes,
  constraint payments_booking_key unique (booking_id),
  constraint payments_intent_key unique (intent_id),
  constraint payments_client_secret_key unique (client_secret),
  constraint payments_intent check (client_secret is null or intent_id is not null),
  constraint payments_captured check (
    (status in ('succeeded', 'refunding', 'refunded')) = (captured_at is not null)
    and (captured_at is null) = (captured_cents is null) and (captured_at is null) = (captured_currency is null)
    and (status <> 'succeeded' or (captured_cents = amount_cents and captured_currency = currency))
    and (not retained or status = 'succeeded')),
  constraint payments_purpose check (num_nonnulls(booking_id, quote_id) = 1)
);
create index payments_professional on payments (professional_id, created_at);
-- A payment of the wrong amount is refunded and the quote stays open: its next payment is a new row.
create unique index payments_quote_open on payments (quote_id) where status in ('requires_payment', 'failed', 'succeeded');
create index payments_quote on payments (quote_id, created_at) where quote_id is not null;

-- Money to give back: written with the change that makes it due, sent to the provider afterwards, until it is done.
create table payment_refunds (
  id uuid primary key,
  payment_id uuid not null references payments,
  professional_id uuid not null references professionals,
  reason text not null check (reason in ('cancelled', 'rejected', 'paid_too_late', 'wrong_amount')),
  status text not null check (status in ('pending', 'done')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  provider_refund_id text,
  created_at timestamptz not null,
  done_at timestamptz,
  constraint payment_refunds_payment_key unique (payment_id),
  check ((status = 'done') = (done_at is not null))
);
create index payment_refunds_due on payment_refunds (next_attempt_at) where status = 'pending';

-- Notifications that were taken: a provider sends each one at least once.
create table payment_notifications (
  provider text not null,
  id text not null check (length(id) <= 255),
  received_at timestamptz not null,
  primary key (provider, id)
);
create index payment_notifications_age on payment_notifications (received_at);

-- Reviews of the work.

create table reviews (
  id uuid primary key,
  professional_id uuid not null references professionals,
  booking_id uuid references bookings,
  job_id uuid references jobs,
  status text not null check (status in ('pending', 'approved', 'rejected')),
  rating smallint not null check (rating between 1 and 5),
  title text check (length(title) <= 200),
  content text not null check (length(content) between 1 and 5000),
  punctuality smallint check (punctuality between 1 and 5),
  communication smallint check (communication between 1 and 5),
  quality smallint check (quality between 1 and 5),
  value smallint check (value between 1 and 5),
  customer_name text not null check (length(customer_name) between 1 and 200),
  customer_email text not null
    check (customer_email = lower(customer_email collate "C") and length(customer_email) between 3 and 320),
  verified boolean not null default false,
  created_at timestamptz not null,
  approved_at timestamptz,
  -- Whose key sent it; null for demo history.
  account_id uuid references accounts,
  -- URLs, in the order they were given.
  photos jsonb not null default '[]' check (jsonb_typeof(photos) = 'array' and jsonb_array_length(photos) <= 10),
  source text not null default 'api'
    check (source in ('web', 'api', 'chatgpt', 'gemini', 'perplexity', 'agent')),
  rejected_at timestamptz,
  rejection_reason text check (length(rejection_reason) between 1 and 5000),
  response text check (length(response) between 1 and 5000),
  responded_at timestamptz,
  -- Votes, counted as they come: review_votes has them one by one.
  helpful_yes integer not null default 0 check (helpful_yes >= 0),
  helpful_no integer not null default 0 check (helpful_no >= 0),
  event_sequence integer not null default 0,
  check ((status = 'approved') = (approved_at is not null)),
  constraint reviews_rejected check (
    (status = 'rejected') = (rejected_at is not null) and (rejected_at is null) = (rejection_reason is null)),
  constraint reviews_responded check (
    (response is null) = (responded_at is null) and (response is null or status = 'approved')),
  -- A review is of one piece of work at most, and only of such can it be known that the work was done.
  constraint reviews_subject check (booking_id is null or job_id is null),
  constraint reviews_verified check (not verified or booking_id is not null or job_id is not null)
);
create index reviews_recent on reviews (professional_id, created_at desc, id desc) where status = 'approved';
create index reviews_rating on reviews (professional_id, rating, created_at desc, id desc) where status = 'approved';
create index reviews_helpful on reviews (professional_id, (helpful_yes - helpful_no) desc, created_at desc, id desc)
  where status = 'approved';
create index reviews_to_moderate on reviews (created_at, id) where status = 'pending';
-- What names a booking is found by it: without these, deleting one reads all reviews.
create index reviews_booking on reviews (booking_id) where booking_id is not null;
create index reviews_job on reviews (job_id) where job_id is not null;
create unique index reviews_one_each on reviews (professional_id, customer_email, booking_id, job_id)
  nulls not distinct where status <> 'rejected';
create index reviews_rejected_age on reviews (rejected_at) where status = 'rejected';
create index reviews_customer on reviews (customer_email);

create table review_votes (
  review_id uuid not null references reviews on delete cascade,
  account_id uuid not null references accounts,
  helpful boolean not null,
  voted_at timestamptz not null,
  primary key (review_id, account_id)
);

-- What GET /reviews says of all approved reviews of a pro: kept in the transaction that approves one. Reading a row is
-- 5 times as fast as adding up 20 or 1,000 reviews from an index made for it, and 90 times for 20,000 (measured).
-- The sums count the scores that were given.
create table review_stats (
  professional_id uuid primary key references professionals on delete cascade,
  rated_1 integer not null check (rated_1 >= 0),
  rated_2 integer not null check (rated_2 >= 0),
  rated_3 integer not null check (rated_3 >= 0),
  rated_4 integer not null check (rated_4 >= 0),
  rated_5 integer not null check (rated_5 >= 0),
  punctuality_sum integer not null,
  communication_sum integer not null,
  quality_sum integer not null,
  value_sum integer not null,
  punctuality_count integer not null default 0,
  communication_count integer not null default 0,
  quality_count integer not null default 0,
  value_count integer not null default 0
);

-- The homes of property managers, and erased customers.

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

-- Proof that a customer was erased. The e-mail address itself is not kept: its keyed digest answers whether it was erased.
create table customer_erasures (
  id uuid primary key,
  email_digest text not null check (length(email_digest) = 43),
  pseudonym text not null unique,
  requested_by text not null check (length(requested_by) between 1 and 200),
  erased_at timestamptz not null,
  -- Rows by table.
  counts jsonb not null check (jsonb_typeof(counts) = 'object')
);
create index customer_erasures_digest on customer_erasures (email_digest, erased_at desc);

-- Agent tasks: a double-entry ledger of them per pro, and notices to accounts.

-- What an account should know, of whatever kind; the console shows it until it is read.
create table notices (
  id uuid primary key,
  account_id uuid not null references accounts,
  kind text not null check (kind ~ '^[a-z][a-z_]{0,49}$'),
  data jsonb not null check (jsonb_typeof(data) = 'object'),
  created_at timestamptz not null,
  read_at timestamptz
);
create index notices_account on notices (account_id, created_at desc, id desc);
create index notices_unread on notices (account_id) where read_at is null;
create index notices_age on notices (created_at);

-- One per pro, made on first use. Its row is the lock: what moves a pro's tasks comes one after the other.
create table credit_ledgers (
  professional_id uuid primary key references professionals,
  -- The month whose allowance may be used, on the pro's own calendar, and when it ends.
  month text not null check (month ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  month_ends_at timestamptz not null,
  -- What there was when tasks last came in, and the lowest share of it, in per cent, that was reached since.
  full_tasks bigint not null default 0 check (full_tasks >= 0),
  reached smallint not null default 100 check (reached in (0, 20, 100)),
  -- Reached, and not told yet.
  notice_due smallint check (notice_due in (0, 20))
);
create index credit_ledgers_month on credit_ledgers (month_ends_at);
create index credit_ledgers_notices on credit_ledgers (professional_id) where notice_due is not null;

-- 'granted' and 'sold' are where tasks come from; 'allowance 2026-11' (one per month), 'prepaid', 'reserved' and 'spent'
-- where they are. The balances of a ledger add up to zero.
create table credit_accounts (
  professional_id uuid not null references credit_ledgers,
  name text not null
    check (name ~ '^(granted|sold|prepaid|reserved|spent|allowance \d{4}-(0[1-9]|1[0-2]))$'),
  balance bigint not null default 0,
  primary key (professional_id, name),
  constraint credit_accounts_balance check (case when name in ('granted', 'sold') then balance <= 0 else balance >= 0 end)
);

-- One unit of agent work, as far as it is counted: the ledger does not know what the agent does.
create table metered_tasks (
  professional_id uuid not null references credit_ledgers,
  id uuid not null,
  kind text not null check (kind ~ '^(run_agent|chat_on_thread|prepare_[a-z_]{1,50})$'),
  status text not null check (status in ('reserved', 'settled', 'released')),
  -- Where its credit came from, and goes back to when it is released.
  funded_by text not null check (funded_by = 'prepaid' or funded_by like 'allowance %'),
  reserved_at timestamptz not null,
  -- Past this the reservation counts as stuck.
  deadline_at timestamptz not null,
  ended_at timestamptz,
  primary key (professional_id, id),
  constraint metered_tasks_funded_by foreign key (professional_id, funded_by) references credit_accounts,
  constraint metered_tasks_deadline check (deadline_at > reserved_at),
  constraint metered_tasks_state check ((status = 'reserved') = (ended_at is null))
);
create index metered_tasks_days on metered_tasks (professional_id, reserved_at);
create index metered_tasks_deadlines on metered_tasks (deadline_at) where status = 'reserved';

-- A row is both legs: `amount` leaves one account and arrives in another of the same pro. Nothing can be out of balance.
create table credit_transfers (
  id bigint generated always as identity primary key,
  professional_id uuid not null,
  kind text not null,
  from_account text not null,
  to_account text not null,
  amount integer not null constraint credit_transfers_amount check (amount > 0),
  task_id uuid,
  -- Of a grant the plan, of a top-up whatever names the payment: each counts once.
  reference text check (length(reference) between 1 and 200),
  created_at timestamptz not null,
  constraint credit_transfers_from foreign key (professional_id, from_account) references credit_accounts,
  constraint credit_transfers_to foreign key (professional_id, to_account) references credit_accounts,
  constraint credit_transfers_task foreign key (professional_id, task_id) references metered_tasks,
  constraint credit_transfers_kind check (
    case kind
      when 'grant' then from_account = 'granted' and to_account like 'allowance %'
      when 'top_up' then from_account = 'sold' and to_account = 'prepaid'
      when 'reserve' then (from_account = 'prepaid' or from_account like 'allowance %') and to_account = 'reserved'
      when 'settle' then from_account = 'reserved' and to_account = 'spent'
      when 'release' then from_account = 'reserved' and (to_account = 'prepaid' or to_account like 'allowance %')
      else false
    end),
  constraint credit_transfers_cause check (
    case when kind in ('grant', 'top_up') then reference is not null and task_id is null
      else task_id is not null and reference is null and amount = 1 end)
);
create unique index credit_transfers_reference on credit_transfers (professional_id, to_account, reference)
  where reference is not null;
create unique index credit_transfers_begin on credit_transfers (professional_id, task_id) where kind = 'reserve';
create unique index credit_transfers_end on credit_transfers (professional_id, task_id)
  where kind in ('settle', 'release');

-- The pro's agent: threads, runs, and changes that it proposes.

-- Threads: what a pro and their agent have said to each other. The messages of one are numbered without gaps.
create table threads (
  professional_id uuid not null references professionals,
  id uuid not null,
  title text not null check (length(title) between 1 and 200),
  -- Also the position of its last message.
  message_count integer not null default 0 check (message_count >= 0),
  created_at timestamptz not null,
  last_activity_at timestamptz not null check (last_activity_at >= created_at),
  primary key (professional_id, id)
);
create index threads_listing on threads (professional_id, last_activity_at desc, id desc);
-- What is past its time of an agent's history is found by its time.
create index threads_past on threads (last_activity_at);

-- Runs: goals that a pro gave to their agent. One is paid for by the agent task of the same id, and ends with it.
create table agent_runs (
  professional_id uuid not null references professionals,
  id uuid not null,
  -- Who asked: the tools of the run are called on behalf of this account.
  account_id uuid not null references accounts,
  kind text not null check (kind in ('run_agent', 'chat_on_thread')),
  thread_id uuid,
  -- The message of the thread that holds the goal: what comes before it is what the agent knows.
  goal_position integer,
  goal text not null check (length(goal) between 1 and 5000),
  status text not null check (status in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  -- How often a worker took it up. A worker writes only as long as this is still its own.
  attempt smallint not null default 0 check (attempt >= 0),
  -- Put off with every step. Past it, the worker of the run is gone.
  held_until timestamptz,
  -- Who decides: a model's name, or the built-in planner.
  model text check (length(model) between 1 and 200),
  answer text check (length(answer) between 1 and 5000),
  failure text check (failure ~ '^[a-z_]{1,50}$'),
  step_count smallint not null default 0 check (step_count >= 0),
  input_tokens integer not null default 0 check (input_tokens >= 0),
  output_tokens integer not null default 0 check (output_tokens >= 0),
  -- The request's trace, which the run goes on with.
  traceparent text,
  queued_at timestamptz not null,
  -- That of the task: past it the run is called off.
  deadline_at timestamptz not null check (deadline_at > queued_at),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (professional_id, id),
  constraint agent_runs_task foreign key (professional_id, id) references metered_tasks,
  constraint agent_runs_goal check ((thread_id is null) = (goal_position is null)),
  constraint agent_runs_chat check (kind = 'run_agent' or thread_id is not null),
  constraint agent_runs_started check ((started_at is null) = (attempt = 0) and (started_at is null) = (model is null)),
  constraint agent_runs_state check (
    (status = 'running') = (held_until is not null)
    and (status in ('queued', 'running')) = (finished_at is null)
    and (status = 'succeeded') = (answer is not null)
    and (status in ('failed', 'cancelled')) = (failure is not null)
    and case status when 'queued' then started_at is null when 'cancelled' then true else started_at is not null end),
  constraint agent_runs_thread foreign key (professional_id, thread_id) references threads (professional_id, id)
    on delete cascade
);
-- A pro's runs take turns, whatever the workers do.
create unique index agent_runs_one_at_a_time on agent_runs (professional_id) where status = 'running';
create index agent_runs_open on agent_runs (professional_id, queued_at, id) where status in ('queued', 'running');
create index agent_runs_deadlines on agent_runs (deadline_at) where status in ('queued', 'running');
create index agent_runs_past on agent_runs (finished_at) where thread_id is null and finished_at is not null;
create index agent_runs_thread on agent_runs (professional_id, thread_id) where thread_id is not null;

create table thread_messages (
  professional_id uuid not null,
  thread_id uuid not null,
  position integer not null check (position > 0),
  -- 'tool': a step that the agent took; 'system': what became of a run that did not succeed.
  role text not null check (role in ('person', 'agent', 'tool', 'system')),
  content text not null check (length(content) between 1 and 5000),
  -- The run that it began, or that it came from.
  run_id uuid not null,
  -- Which step of the run, of the role 'tool'.
  step smallint,
  created_at timestamptz not null,
  primary key (professional_id, thread_id, position),
  constraint thread_messages_step check ((role = 'tool') = (step is not null)),
  -- A run's goal is in its thread before the run is there, in one transaction.
  constraint thread_messages_of_run foreign key (professional_id, run_id) references agent_runs
    deferrable initially deferred,
  constraint thread_messages_thread foreign key (professional_id, thread_id)
    references threads (professional_id, id) on delete cascade
);
create index thread_messages_run on thread_messages (professional_id, run_id);

-- What a run did: tools that it called. A step is written before its tool is called, and once more after it; one that a
-- dead worker left planned is called again, under the same idempotency key.
create table agent_steps (
  professional_id uuid not null,
  run_id uuid not null,
  number smallint not null check (number between 1 and 100),
  -- The model's turn that wanted it: one turn may want several.
  turn smallint not null check (turn between 1 and number),
  -- What the model calls it, and said with it.
  call_id text not null check (length(call_id) between 1 and 200),
  remark text check (length(remark) between 1 and 5000),
  tool text not null check (length(tool) between 1 and 100),
  -- JSON; as text, because JSON of strangers may hold what PostgreSQL's cannot.
  input text not null check (length(input) <= 20000),
  status text not null check (status in ('planned', 'done', 'refused')),
  -- What the model got to see, and a line of it for people.
  result text check (length(result) <= 20000),
  summary text check (length(summary) between 1 and 500),
  duration_ms integer check (duration_ms >= 0),
  -- Of the turn; noted with its first step.
  input_tokens integer not null default 0 check (input_tokens >= 0),
  output_tokens integer not null default 0 check (output_tokens >= 0),
  planned_at timestamptz not null,
  finished_at timestamptz,
  primary key (professional_id, run_id, number),
  constraint agent_steps_state check (
    (status = 'planned') = (result is null) and (result is null) = (summary is null)
    and (result is null) = (duration_ms is null) and (result is null) = (finished_at is null)),
  constraint agent_steps_run foreign key (professional_id, run_id) references agent_runs (professional_id, id)
    on delete cascade
);

-- Changes that an agent proposes and its pro confirms or dismisses; and what an agent prepared, kept to be found again.
create table proposals (
  id uuid primary key,
  professional_id uuid not null references professionals,
  -- Which editor makes the change, and of what: a quote, a service, or (the pro's own id) what is the pro's own.
  kind text not null check (kind in ('quote_content', 'service_pricing', 'service_content', 'business_profile',
    'public_profile', 'business_entity', 'site_config')),
  target_id uuid not null,
  status text not null check (status in ('open', 'confirmed', 'dismissed', 'expired', 'conflict')),
  -- What is given to the editor.
  change jsonb not null check (jsonb_typeof(change) = 'object'),
  -- [{ "field": …, "before": …, "after": … }]: what the change does. It is applied to exactly this, or not at all.
  differences jsonb not null check (jsonb_typeof(differences) = 'array' and jsonb_array_length(differences) > 0),
  summary text not null check (length(summary) between 1 and 500),
  -- Who made it: a key, or a run of the pro's agent (by its id, and that of the thread it belongs to).
  key_id uuid references api_keys,
  run_id uuid,
  thread_id uuid,
  created_at timestamptz not null,
  -- From this moment on it counts as expired, whether or not anyone has written that down yet: proposal_status().
  expires_at timestamptz not null check (expires_at > created_at),
  confirmed_at timestamptz,
  dismissed_at timestamptz,
  expired_at timestamptz,
  conflicted_at timestamptz,
  -- { "reason": …, "fields": […] }
  conflict jsonb,
  -- What each state implies; the transition table is drawn in ARCHITECTURE.md.
  constraint proposals_state check (
    (status = 'confirmed') = (confirmed_at is not null)
    and (status = 'dismissed') = (dismissed_at is not null)
    and (status = 'expired') = (expired_at is not null)
    and (status = 'conflict') = (conflicted_at is not null)
    and (status = 'conflict') = (conflict is not null)
    and confirmed_at < expires_at and dismissed_at < expires_at and conflicted_at < expires_at
    and expired_at >= expires_at),
  constraint proposals_of_the_pro check (kind in ('quote_content', 'service_pricing', 'service_content')
    or target_id = professional_id)
);
create index proposals_professional on proposals (professional_id, created_at desc, id desc);
create index proposals_open on proposals (professional_id) where status = 'open';
create index proposals_due on proposals (expires_at) where status = 'open';
create index proposals_age on proposals (created_at) where status <> 'open';
create index proposals_key on proposals (key_id) where key_id is not null;

-- Work that was prepared from what is known, for the pro to read: none of it has gone to anyone.
create table prepared_work (
  id uuid primary key,
  professional_id uuid not null references professionals,
  kind text not null
    check (kind in ('quote_draft', 'assessment_notes', 'day_brief', 'job_spec', 'customer_message')),
  -- What it is about; a day's brief is about its day.
  rfq_id uuid references rfqs,
  booking_id uuid references bookings,
  job_id uuid references jobs,
  day date,
  -- The draft that a 'quote_draft' explains; gone when the draft is deleted.
  quote_id uuid references quotes on delete cascade,
  content jsonb not null check (jsonb_typeof(content) = 'object'),
  created_at timestamptz not null,
  constraint prepared_work_subject check (num_nonnulls(rfq_id, booking_id, job_id, day) = 1),
  constraint prepared_work_day check ((kind = 'day_brief') = (day is not null)),
  constraint prepared_work_quote check ((kind = 'quote_draft') = (quote_id is not null))
);
create index prepared_work_listing on prepared_work (professional_id, kind, created_at desc, id desc);
create index prepared_work_quote on prepared_work (quote_id) where quote_id is not null;
create index prepared_work_past on prepared_work (created_at);
create index prepared_work_booking on prepared_work (booking_id) where booking_id is not null;

-- Events leave through the outbox: written in the transaction of the change, read by the relay.
create table outbox_events (
  -- The commit-independent order of writing; per aggregate the order is `sequence`.
  position bigint generated always as identity primary key,
  id uuid not null,
  type text not null,
  professional_id uuid not null,
  aggregate_type text not null,
  aggregate_id uuid not null,
  sequence integer not null check (sequence > 0),
  data jsonb not null,
  -- W3C trace context of the request, so that one trace spans request, event and deliveries.
  traceparent text,
  created_at timestamptz not null,
  -- What workers need: which events were relayed, messages that were given up, and which prices changed.
  -- Events of one aggregate are in one partition, and one relay at a time works on a partition.
  partition smallint not null generated always as ((uuid_hash(aggregate_id) & 7)::smallint) stored,
  relayed_at timestamptz,
  constraint outbox_events_id_key unique (id),
  constraint outbox_events_sequence_key unique (aggregate_id, sequence)
);
create index outbox_events_waiting on outbox_events (partition, professional_id, position) where relayed_at is null;

-- Commits that notify take turns (PostgreSQL holds one lock from before the flush to after it): at 32 clients a third of
-- the rate. A busy relay looks again by itself; until the time that it writes here it needs no wake-up.
create table outbox_relay (
  is_the_one boolean primary key default true check (is_the_one),
  awake_until timestamptz not null
);
insert into outbox_relay (awake_until) values ('-infinity');

-- Messages that an actor gave up. They stay until another try has succeeded.
create table dead_letters (
  id uuid primary key,
  actor text not null,
  message_id text not null,
  data jsonb not null,
  error text not null,
  attempts integer not null check (attempts > 0),
  traceparent text,
  failed_at timestamptz not null,
  -- Sent off again, and nothing heard since.
  retried_at timestamptz,
  constraint dead_letters_message_key unique (actor, message_id)
);
create index dead_letters_retried on dead_letters (retried_at) where retried_at is not null;
create index dead_letters_age on dead_letters (failed_at);

-- Webhooks: who wants to hear of what, what is to be delivered, and what came of each attempt.
create table webhook_endpoints (
  id uuid primary key,
  account_id uuid not null references accounts,
  name text not null check (length(name) between 1 and 200),
  url text not null check (length(url) between 1 and 2048),
  events text[] not null check (cardinality(events) between 1 and 50),
  -- One delivery at a time, in the order of the events.
  ordered boolean not null,
  max_retries integer not null check (max_retries between 0 and 15),
  -- Sealed, never readable in the database. After a rotation the previous one signs too, until its time is over.
  secret_sealed text not null,
  previous_secret_sealed text,
  previous_secret_until timestamptz,
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  disabled_reason text check (disabled_reason in ('by_owner', 'gone', 'failing')),
  disabled_at timestamptz,
  -- Since when no delivery has succeeded; null while they do.
  failing_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint webhook_endpoints_previous_secret
    check ((previous_secret_sealed is null) = (previous_secret_until is null)),
  constraint webhook_endpoints_disabled
    check ((status = 'disabled') = (disabled_reason is not null) and (disabled_reason is null) = (disabled_at is null))
);
create index webhook_endpoints_account on webhook_endpoints (account_id, created_at desc, id desc);

-- An event as it is sent, kept apart from the outbox, which is emptied sooner: for retries and replays.
create table webhook_events (
  id uuid primary key,
  type text not null,
  -- The exact bytes: every attempt sends and signs the same body.
  body text not null,
  traceparent text,
  created_at timestamptz not null,
  -- What an event is about: the outbox, which also knows it, keeps events for a shorter time. Null for test events.
  aggregate_id uuid
);
create index webhook_events_age on webhook_events (created_at);
create index webhook_events_aggregate on webhook_events (aggregate_id) where aggregate_id is not null;

-- Which worker has a delivery in hand. A courier holds an advisory lock of its id as long as its process lives, so that what
-- a dead one held comes up again at once, and not when the longest attempt would be over.
create table webhook_couriers (
  id uuid primary key,
  enlisted_at timestamptz not null
);

-- An event for an endpoint. `id` is the order in which an ordered endpoint gets them.
create table webhook_deliveries (
  id bigint generated always as identity primary key,
  endpoint_id uuid not null references webhook_endpoints on delete cascade,
  event_id uuid not null references webhook_events on delete cascade,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  -- All that were made, and those since it was planned or replayed: the retry schedule counts the latter.
  attempts integer not null default 0 check (attempts >= 0),
  round integer not null default 0 check (round between 0 and attempts),
  -- While an attempt is under way this lies ahead: were its worker to die, the delivery comes up again then.
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz,
  -- Of the attempt under way.
  courier_id uuid,
  -- Couriers that died over it since its last result: what kills its worker rests longer each time.
  interruptions smallint not null default 0 check (interruptions >= 0),
  -- In this order it also serves the deletion of events.
  constraint webhook_deliveries_event_key unique (event_id, endpoint_id),
  constraint webhook_deliveries_state check (
    (state = 'pending') = (next_attempt_at is not null) and (state = 'pending') = (finished_at is null))
);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_attempt_at, id) where state = 'pending';
-- For ordered endpoints: the first that is left.
create index webhook_deliveries_queue on webhook_deliveries (endpoint_id, id) where state = 'pending';
create index webhook_deliveries_listing on webhook_deliveries (endpoint_id, id desc);

create table webhook_attempts (
  delivery_id bigint not null references webhook_deliveries on delete cascade,
  number integer not null check (number > 0),
  at timestamptz not null,
  duration_ms integer not null check (duration_ms >= 0),
  -- The status of the answer, or the reason why no answer came.
  status integer,
  error text,
  response text check (octet_length(response) <= 16384),
  primary key (delivery_id, number),
  constraint webhook_attempts_outcome check ((status is null) = (error is not null))
);

-- The search read model: kept in step by triggers, in the transaction of the change; rebuilt whole by rebuild_search().
--
-- What it is built on:
--   * one narrow row per pro and facet, with its position as a point of the unit sphere: an index of PostGIS finds the page;
--   * counters per grid cell, so that only pros near the rim of the circle are tested for the total.
-- bench/NOTES.md has what was measured.

-- One row per active pro: the finished result, and what its entries are made from.
create table pro_search (
  professional_id uuid primary key,
  -- Rows are found by this number: a rebuild gives neighbours on the map neighbouring ones, so that the results of one
  -- page share pages of the index too (half the time of 20 look-ups by id at 1,000,000 pros).
  slot integer generated always as identity,
  slug text not null,
  -- The result as JSON text, open at its end: the query adds distance and URLs.
  doc text not null,
  position geography(Point, 4326) not null,
  -- 1 verified, 2 instant booking.
  flags smallint not null check (flags between 0 and 3),
  city_id integer not null,
  state smallint not null,
  -- Bayesian mean of the ratings, then their number, as one number to order by: see search_standing().
  standing bigint not null,
  facets smallint[] not null,
  -- The facets with a service that can be booked at once (booking_obstacle); empty when the pro has none.
  bookable smallint[] not null default '{}',
  -- By position in `facets`: what matchedService says about the offer, as JSON text; null where the facet is no service.
  offers text[] not null default '{}',
  constraint pro_search_slot unique (slot)
) with (toast_tuple_target = 8160);
-- Results are read in every search: never compressed, and beside the row as long as they fit a page.
alter table pro_search alter column doc set storage external, alter column offers set storage external;

-- One row per facet and pro. `place` is facet, grid band and longitude in one number: see search_place().
create table pro_search_entry (
  place bigint not null,
  standing bigint not null,
  professional_id uuid not null,
  slot integer not null,
  city_id integer not null,
  facet smallint not null,
  state smallint not null,
  flags smallint not null,
  position geometry(PointZ) not null
);
create index pro_search_entry_everywhere on pro_search_entry (facet, standing desc, professional_id) include (flags);
create index pro_search_entry_state on pro_search_entry (facet, state, standing desc, professional_id) include (flags);
create index pro_search_entry_city on pro_search_entry (facet, city_id, standing desc, professional_id) include (flags);
-- Nearest first within a facet. Entries are read from the table: this index cannot return positions.
create index pro_search_entry_position on pro_search_entry using gist (facet, position gist_geometry_ops_nd);
-- The rim of a circle.
create index pro_search_entry_place on pro_search_entry (place) include (position, flags);

-- Pros per facet and grid cell, at two sizes of cells: see search_cell(). Read in ranges of neighbouring cells.
create table pro_search_cell (
  cell bigint not null,
  pros integer not null,
  verified integer not null,
  instant integer not null,
  verified_instant integer not null
);
create unique index pro_search_cell_key on pro_search_cell (cell) include (pros, verified, instant, verified_instant);

-- Pros per area and facet. Area: 0 everywhere, a positive number the city of that id, a negative one the state of that
-- ordinal. Also what GET /services and GET /cities count.
create table pro_search_area (
  area integer not null,
  facet smallint not null,
  pros integer not null,
  verified integer not null,
  instant integer not null,
  verified_instant integer not null,
  primary key (area, facet)
);
create index pro_search_area_cities on pro_search_area (area) include (pros) where facet = 0 and area > 0;

-- Prices: statistics per service and place, and what they are made from.

-- Pricing statistics per service and place, made by refresh_pricing() and read as they are.
create table pricing_aggregates (
  service_id uuid not null references services on delete cascade,
  -- '' and 0 stand for "anywhere": the three scopes are service, service + state, service + city.
  state text not null,
  city_id integer not null,
  average_cents integer not null,
  median_cents integer not null,
  min_cents integer not null,
  max_cents integer not null,
  professional_listings integer not null,
  accepted_quotes integer not null,
  completed_projects integer not null,
  -- The day on which one of these figures last changed.
  last_updated date not null,
  primary key (service_id, state, city_id),
  check (city_id = 0 or state <> ''),
  check (min_cents <= median_cents and median_cents <= max_cents)
);

-- The prices of a service in a city, as of the last refresh. Statistics are counted from these lists, so that one change costs
-- the reading of one pro's prices, not of every pro who offers the service.
create table price_lists (
  service_id uuid not null references services on delete cascade,
  state text not null,
  city_id integer not null,
  -- Three arrays of one length, by ascending price.
  cents double precision[] not null,
  professional_ids uuid[] not null,
  sources smallint[] not null,
  ranks smallint[] not null,
  pros integer not null,
  primary key (service_id, state, city_id),
  constraint price_lists_length check (
    pros between 1 and cardinality(cents)
    and (cardinality(professional_ids), cardinality(sources), cardinality(ranks))
      = (cardinality(cents), cardinality(cents), cardinality(cents)))
);
-- For pros who leave a city.
create index price_lists_city on price_lists (city_id);

-- Which prices changed since the statistics were made: a row per change, written in its transaction. Rows are only ever
-- added and deleted, so that changes of one service do not wait for each other, and no change is lost between two refreshes.
create table pricing_changes (
  position bigint generated always as identity primary key,
  service_id uuid references services on delete cascade,
  city_id integer references cities,
  changed_at timestamptz not null default clock_timestamp(),
  -- What changed is noted as what can be said whatever happens beside it: a price of a pro, for a service (service and pro); a
  -- pro who was in a city, and moved, came back or went (city and pro); a service, everywhere (service alone). Where the pro
  -- is, and what they have, the refresh sees for itself.
  professional_id uuid,
  constraint pricing_changes_kind check (
    (service_id is not null and city_id is null)
    or (service_id is null and city_id is not null and professional_id is not null))
);

-- The days on which all statistics were made anew, and how many figures were found wrong.
create table pricing_passes (
  day date primary key,
  drift integer not null,
  finished_at timestamptz not null
);

-- What operators look at: kept traces, and what each process did in the last hour. Unlogged: it costs no WAL, a crash of
-- the database empties it, and nothing else depends on it.

-- What one process did of one trace. A trace is all rows with its id.
create unlogged table trace_parts (
  id bigint generated always as identity primary key,
  trace_id text not null check (trace_id ~ '^[0-9a-f]{32}$'),
  because text not null check (because in ('sampled', 'failed', 'refused')),
  service text not null,
  name text not null,
  method text,
  route text,
  status smallint,
  started_at timestamptz not null,
  duration_us bigint not null,
  spans jsonb not null,
  left_out integer not null
);
create index trace_parts_trace on trace_parts (trace_id);
create index trace_parts_because on trace_parts (because, id);
create index trace_parts_age on trace_parts (started_at);

-- A line per process and few seconds: gauges as they stand, and what counters and histograms grew by since the line before.
create unlogged table process_reports (
  id bigint generated always as identity primary key,
  process uuid not null,
  service text not null,
  host text not null,
  pid integer not null,
  at timestamptz not null,
  seconds real not null,
  figures jsonb not null
);
create index process_reports_at on process_reports (at);

-- The transition table of all states.

-- Which state may follow which, once for all aggregates: the law behind the transition tables in src/features/*/states.ts.
create table state_transitions (
  aggregate text not null,
  -- '' stands for "not there yet".
  from_state text not null,
  to_state text not null,
  primary key (aggregate, from_state, to_state)
);

insert into state_transitions (aggregate, from_state, to_state) values
  ('booking', '', 'pending'), ('booking', '', 'confirmed'), ('booking', 'pending', 'confirmed'),
  ('booking', 'pending', 'cancelled'), ('booking', 'confirmed', 'completed'), ('booking', 'confirmed', 'no_show'),
  ('booking', 'confirmed', 'cancelled'),
  ('rfq', '', 'new'), ('rfq', 'new', 'responded'), ('rfq', 'new', 'archived'), ('rfq', 'responded', 'archived'),
  ('quote', '', 'draft'), ('quote', '', 'sent'), ('quote', 'draft', 'sent'), ('quote', 'sent', 'viewed'),
  ('quote', 'sent', 'accepted'), ('quote', 'sent', 'declined'), ('quote', 'sent', 'expired'),
  ('quote', 'sent', 'superseded'), ('quote', 'viewed', 'accepted'), ('quote', 'viewed', 'declined'),
  ('quote', 'viewed', 'expired'), ('quote', 'viewed', 'superseded'),
  ('job', '', 'scheduled'), ('job', 'scheduled', 'in_progress'), ('job', 'scheduled', 'completed'),
  ('job', 'scheduled', 'cancelled'), ('job', 'in_progress', 'completed'), ('job', 'in_progress', 'cancelled'),
  ('review', '', 'pending'), ('review', 'pending', 'approved'), ('review', 'pending', 'rejected'),
  ('payment', '', 'requires_payment'), ('payment', 'requires_payment', 'succeeded'),
  ('payment', 'requires_payment', 'failed'), ('payment', 'requires_payment', 'expired'),
  ('payment', 'requires_payment', 'refunding'), ('payment', 'failed', 'succeeded'), ('payment', 'failed', 'expired'),
  ('payment', 'failed', 'refunding'), ('payment', 'expired', 'refunding'), ('payment', 'succeeded', 'refunding'),
  ('payment', 'refunding', 'refunded'),
  ('agent task', '', 'reserved'), ('agent task', 'reserved', 'settled'), ('agent task', 'reserved', 'released'),
  ('proposal', '', 'open'), ('proposal', 'open', 'confirmed'), ('proposal', 'open', 'dismissed'),
  ('proposal', 'open', 'expired'), ('proposal', 'open', 'conflict'),
  ('agent run', '', 'queued'), ('agent run', 'queued', 'running'), ('agent run', 'queued', 'cancelled'),
  ('agent run', 'running', 'succeeded'), ('agent run', 'running', 'failed'), ('agent run', 'running', 'cancelled');

-- sql/functions/transitions.sql replaces it; later migrations create triggers that call it.
create function check_transition() returns trigger language plpgsql as 'begin return new; end';
