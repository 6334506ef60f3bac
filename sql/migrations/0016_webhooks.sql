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
  created_at timestamptz not null
);
create index webhook_events_age on webhook_events (created_at);

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
  -- In this order it also serves whoever deletes events.
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
  -- The answer's status, or why there is none.
  status integer,
  error text,
  response text check (octet_length(response) <= 16384),
  primary key (delivery_id, number),
  constraint webhook_attempts_outcome check ((status is null) = (error is not null))
);
