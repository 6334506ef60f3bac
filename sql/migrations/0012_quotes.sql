-- The lives of quotes and jobs: what a quote says, until when it is good, and what became of it.

alter table rfqs
  add constraint rfqs_photos check (jsonb_typeof(photos) = 'array' and jsonb_array_length(photos) <= 10);
drop index rfqs_professional;
create index rfqs_professional on rfqs (professional_id, created_at desc, id desc);
drop index rfqs_customer;
create index rfqs_account on rfqs (account_id, lower(customer_email), created_at desc, id desc)
  where account_id is not null;
-- For the statistics of a service.
create index rfqs_service on rfqs (service_id);

alter table quotes
  add column estimated_days integer check (estimated_days between 1 and 3650),
  add column deposit_required boolean not null default false,
  add column deposit_percentage numeric(5, 2) check (deposit_percentage > 0 and deposit_percentage <= 100),
  add column payment_terms text check (length(payment_terms) <= 5000),
  -- From this moment on the quote counts as expired, whether or not anyone has written that down yet: quote_status().
  add column valid_until timestamptz,
  add column sent_at timestamptz,
  add column viewed_at timestamptz,
  add column declined_at timestamptz,
  add column decline_reason text check (length(decline_reason) <= 5000),
  add column expired_at timestamptz,
  add column superseded_at timestamptz;

-- What is there already was good for 30 days and keeps the only day that is known of it.
update quotes set
  sent_at = created_at,
  valid_until = created_at + interval '30 days',
  viewed_at = case when status in ('viewed', 'accepted', 'declined') then created_at end,
  declined_at = case when status = 'declined' then created_at end,
  expired_at = case when status = 'expired' then created_at + interval '30 days' end,
  superseded_at = case when status = 'superseded' then created_at end
where status <> 'draft';

alter table quotes
  add constraint quotes_deposit check (deposit_required or deposit_percentage is null),
  -- What each state implies; the transition table is drawn in ARCHITECTURE.md.
  add constraint quotes_state check (
    (status = 'draft') = (sent_at is null)
    and (status = 'draft') = (valid_until is null)
    and (status <> 'viewed' or viewed_at is not null)
    and (status = 'declined') = (declined_at is not null)
    and (status = 'declined' or decline_reason is null)
    and (status = 'expired') = (expired_at is not null)
    and (status = 'superseded') = (superseded_at is not null)
    and accepted_at < valid_until
    and expired_at >= valid_until);

-- One offer at a time is on the table, and one of them at most is taken, whatever code runs.
create unique index quotes_one_open on quotes (rfq_id) where status in ('sent', 'viewed');
create unique index quotes_one_accepted on quotes (rfq_id) where status = 'accepted';
create index quotes_professional on quotes (professional_id, created_at desc, id desc);
create index quotes_due on quotes (valid_until) where status in ('sent', 'viewed');

alter table jobs
  add column started_at timestamptz,
  add column cancelled_at timestamptz,
  add column cancellation_reason text check (length(cancellation_reason) <= 5000);

update jobs set
  started_at = case when status in ('in_progress', 'completed') then created_at end,
  cancelled_at = case when status = 'cancelled' then created_at end;

alter table jobs
  add constraint jobs_state check (
    (status <> 'scheduled' or started_at is null)
    and (status <> 'in_progress' or started_at is not null)
    and (status = 'cancelled') = (cancelled_at is not null)
    and (status = 'cancelled' or cancellation_reason is null));

-- A quote becomes one job.
create unique index jobs_quote on jobs (quote_id);
create index jobs_professional on jobs (professional_id, created_at desc, id desc);

-- Which prices changed since the statistics were made: a row per change, written in its transaction. Rows are only ever
-- added and deleted, so that changes of one service do not wait for each other, and none is lost between two refreshes.
create table pricing_changes (
  position bigint generated always as identity primary key,
  service_id uuid not null references services on delete cascade,
  city_id integer not null references cities,
  changed_at timestamptz not null
);
