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

-- What a quote says to its customer; and, of a draft, for how long it is to be good once it is sent.
alter table quotes
  add column message text check (length(message) <= 5000),
  add column valid_for_days integer check (valid_for_days between 1 and 365),
  add constraint quotes_valid_for_days check (status = 'draft' or valid_for_days is null);
create index quotes_drafts on quotes (rfq_id) where status = 'draft';

-- A price by the hour or by the piece names what it is for.
alter table professional_services
  add constraint professional_services_unit
    check ((price_type = 'flat') = (unit is null) and length(unit) between 1 and 40);
