-- Writes an event to the outbox in the transaction of the change. `object` is the changed resource as the API shows it;
-- `sequence` numbers the events of one aggregate from 1.
create or replace function emit_event(
  event_id uuid, event_type text, pro_id uuid, aggregate text, aggregate_id uuid, sequence integer, object jsonb,
  traceparent text, as_of timestamptz
) returns void
  language plpgsql volatile as $$
begin
  insert into outbox_events (
    id, type, professional_id, aggregate_type, aggregate_id, sequence, data, traceparent, created_at)
  values (
    event_id, event_type, pro_id, aggregate, aggregate_id, sequence, jsonb_build_object('object', object),
    traceparent, as_of);
end $$;

-- Writes the latest events of a booking, in order. `booking` is the new row; its `event_sequence` includes these events.
create or replace function emit_booking_events(
  booking bookings, types text[], event_ids uuid[], traceparent text, as_of timestamptz
) returns void
  language plpgsql volatile as $$
declare
  object constant jsonb := booking_object(booking)::jsonb;
begin
  for n in 1 .. cardinality(types) loop
    perform emit_event(event_ids[n], types[n], booking.professional_id, 'booking', booking.id,
      booking.event_sequence - cardinality(types) + n, object, traceparent, as_of);
  end loop;
end $$;
