-- A customer's copy and erasure (src/features/privacy): everything that is stored about one e-mail address is found by index.
create index bookings_customer on bookings (customer_email);
create index rfqs_customer on rfqs (customer_email);
create index reviews_customer on reviews (customer_email);

-- What an event is about: the outbox, which also knows it, keeps events for a shorter time. Null for test events.
alter table webhook_events add column aggregate_id uuid;
update webhook_events v set aggregate_id = o.aggregate_id from outbox_events o where o.id = v.id;
update webhook_events set aggregate_id = (body::json #>> '{data,object,id}')::uuid
where aggregate_id is null and type ~ '^(booking|rfq|quote|review)\.';
create index webhook_events_aggregate on webhook_events (aggregate_id) where aggregate_id is not null;

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
