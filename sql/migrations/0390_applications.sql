-- Applications of people who want to join as pros: what they give step by step, and what an operator decides. An applicant is no pro:
-- no row of `professionals` is made before the approval, so that nothing that reads pros can show one.
create table pro_applications (
  id uuid primary key,
  -- Proven by a code: only the signed-in owner of the address writes the row.
  email text not null constraint pro_applications_email_key unique
    constraint pro_applications_email check (email = lower(email collate "C")),
  status text not null default 'draft',
  business_name text,
  person_name text,
  phone text,
  description text,
  place text,
  city_id integer references cities on delete cascade,
  is_place_hidden boolean not null default false,
  radius_miles integer constraint pro_applications_radius check (radius_miles between 1 and 500),
  services jsonb,
  business_hours jsonb,
  has_declared boolean not null default false,
  license_number text,
  license_state text,
  license_expires date,
  insurance_carrier text,
  insurance_policy text,
  insurance_expires date,
  operator_words text,
  professional_id uuid references professionals on delete cascade,
  created_at timestamptz not null,
  sent_at timestamptz,
  -- When the row is deleted; null while it waits for an operator.
  expires_at timestamptz,
  constraint pro_applications_status check (status in ('draft', 'sent', 'asked', 'approved', 'refused')),
  constraint pro_applications_approved check ((status = 'approved') = (professional_id is not null)),
  constraint pro_applications_waits check (status <> 'sent' or expires_at is null),
  constraint pro_applications_words check (status not in ('asked', 'refused') or operator_words is not null),
  constraint pro_applications_license check ((license_number is null) = (license_state is null)),
  constraint pro_applications_complete check (status in ('draft', 'asked') or (
    business_name is not null and person_name is not null and phone is not null and place is not null and city_id is not null
    and radius_miles is not null and jsonb_array_length(services) > 0 and business_hours is not null and sent_at is not null))
);
create index pro_applications_waiting on pro_applications (status, sent_at);
create index pro_applications_expiry on pro_applications (expires_at) where expires_at is not null;
create index pro_applications_city on pro_applications (city_id);
create index pro_applications_pro on pro_applications (professional_id);

insert into state_transitions (aggregate, from_state, to_state) values
  ('application', '', 'draft'), ('application', 'draft', 'sent'), ('application', 'sent', 'asked'), ('application', 'asked', 'sent'),
  ('application', 'sent', 'approved'), ('application', 'sent', 'refused'), ('application', 'asked', 'refused'),
  ('application', 'refused', 'sent');
