-- Keeps the time and trace of a transaction's events for those that triggers emit at its end.
create or replace function keep_event_context(as_of timestamptz, traceparent text) returns void
  language sql volatile as $$
  select set_config('hearth.event_time', as_of::text, true), set_config('hearth.event_traceparent', coalesce(traceparent, ''), true)
$$;

-- Writes an event to the outbox in the transaction of the change. `object` is the changed resource as the API shows it;
-- `sequence` numbers the events of one aggregate from 1.
create or replace function emit_event(
  event_id uuid, event_type text, pro_id uuid, aggregate text, aggregate_id uuid, sequence integer, object jsonb,
  traceparent text, as_of timestamptz
) returns void
  language plpgsql volatile as $$
begin
  perform keep_event_context(as_of, traceparent);
  insert into outbox_events (
    id, type, professional_id, aggregate_type, aggregate_id, sequence, data, traceparent, created_at)
  values (
    event_id, event_type, pro_id, aggregate, aggregate_id, sequence, jsonb_build_object('object', object),
    traceparent, as_of);
end $$;

-- Writes the latest events of a booking, in order. `booking` is the new row; its `event_sequence` includes these events.
-- `object` is the booking as the API shows it.
create or replace function emit_booking_events(
  booking bookings, object json, types text[], event_ids uuid[], traceparent text, as_of timestamptz
) returns void
  language plpgsql volatile as $$
declare
  data constant jsonb := json_build_object('object', object);
begin
  perform keep_event_context(as_of, traceparent);
  insert into outbox_events (
    id, type, professional_id, aggregate_type, aggregate_id, sequence, data, traceparent, created_at)
  select event_ids[e.n], e.type, booking.professional_id, 'booking', booking.id,
    booking.event_sequence - cardinality(types) + e.n, data, traceparent, as_of
  from unnest(types) with ordinality e (type, n)
  order by e.n;
end $$;
