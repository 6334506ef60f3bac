-- Events leave through this table: written in the transaction of the change, read by the relay.
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
  constraint outbox_events_id_key unique (id),
  constraint outbox_events_sequence_key unique (aggregate_id, sequence)
);
