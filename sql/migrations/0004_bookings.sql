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
  customer_email text not null check (length(customer_email) between 3 and 320),
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
  constraint bookings_confirmation_code_key unique (confirmation_code),
  constraint bookings_no_overlap exclude using gist (professional_id with =, holds with &&)
    where (status in ('pending', 'confirmed')),
  -- What each state implies; the transition table is drawn in ARCHITECTURE.md.
  constraint bookings_state check (
    (status <> 'pending' or (confirmed_at is null and cancelled_at is null and completed_at is null))
    and (status not in ('confirmed', 'completed', 'no_show') or (confirmed_at is not null and cancelled_at is null))
    and ((status = 'cancelled') = (cancelled_at is not null))
    and ((status = 'completed') = (completed_at is not null)))
);
create index bookings_professional on bookings (professional_id, starts_at);
create index bookings_account on bookings (account_id, created_at) where account_id is not null;
