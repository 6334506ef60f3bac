-- The parameters of `reserve_slot`, by what they describe.

-- What is to be booked. The start is `at_instant`, or else `at_minute` minutes past midnight of `on_day` on the pro's clock.
create type wanted_visit as (
  pro_id uuid, service_id uuid, package_id uuid, on_day date, at_minute integer, at_instant timestamptz, duration integer,
  by_service boolean);

-- `network` is a digest of the client's network.
create type visit_customer as (
  name text, email text, phone text, address jsonb, description text, address_proof text, network text);

-- Who calls, and through what.
create type call_origin as (account_id uuid, source text, source_agent_id text, traceparent text);

-- `key` is null for calls that are not idempotent.
create type idempotent_request as (operation text, key text, hash bytea);

-- The marketplace's terms, not the pro's. Without a `provider` nothing can be paid.
create type booking_terms as (
  fee_cents integer, hold_seconds integer, free_cancellation_hours integer, max_unpaid integer, provider text);

-- New ids, used if the time is booked.
create type booking_ids as (booking_id uuid, code text, payment_id uuid, event_ids uuid[]);
