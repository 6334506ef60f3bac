-- What follows a request: quotes, the jobs they become, and reviews of the work.
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
  customer_email text not null check (length(customer_email) between 3 and 320),
  customer_phone text check (length(customer_phone) <= 50),
  address jsonb,
  photos jsonb not null default '[]',
  source text not null check (source in ('web', 'api', 'chatgpt', 'gemini', 'perplexity', 'agent')),
  source_agent_id text check (length(source_agent_id) <= 200),
  event_sequence integer not null default 0,
  created_at timestamptz not null
);
create index rfqs_professional on rfqs (professional_id, created_at);
create index rfqs_customer on rfqs (customer_email, created_at);

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
  check ((status = 'accepted') = (accepted_at is not null))
);
create index quotes_rfq on quotes (rfq_id, created_at);
create index quotes_accepted on quotes (professional_id) where status = 'accepted';

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
  check ((status = 'completed') = (completed_at is not null))
);
create index jobs_completed on jobs (professional_id) where status = 'completed';

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
  customer_email text not null check (length(customer_email) between 3 and 320),
  verified boolean not null default false,
  created_at timestamptz not null,
  approved_at timestamptz,
  check ((status = 'approved') = (approved_at is not null))
);
create index reviews_professional on reviews (professional_id, created_at desc) where status = 'approved';
