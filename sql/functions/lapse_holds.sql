-- Record expired holds. A booking with an expired hold counts as cancelled at once (booking_as_of, busy_time); these
-- functions update its row: cancelled at the end of the hold, the payment expired, the event with its reserved id.

-- Records the end of one booking's hold. The caller has locked the row.
create or replace function lapse_hold(booking bookings, as_of timestamptz) returns void
  language plpgsql volatile as $$
declare
  lapsed bookings;
begin
  update bookings b set
    status = 'cancelled', cancelled_at = b.hold_expires_at, cancellation_reason = 'payment_expired',
    cancelled_by = 'hearth',
    hold_expires_at = null, lapse_event_id = null, event_sequence = b.event_sequence + 1
  where b.professional_id = booking.professional_id and b.id = booking.id
  returning b.* into lapsed;
  update payments p set status = 'expired'
  where p.professional_id = booking.professional_id and p.booking_id = booking.id and p.status in ('requires_payment', 'failed');
  perform emit_booking_events(lapsed, booking_object(lapsed), '{booking.cancelled}', array[booking.lapse_event_id], null, as_of);
end $$;

-- Records up to `max` expired holds, oldest first, skipping locked rows. Returns how many.
create or replace function lapse_holds(as_of timestamptz, max integer) returns integer
  language plpgsql volatile as $$
declare
  held bookings;
  lapsed integer := 0;
begin
  for held in
    select b.* from bookings b where b.hold_expires_at <= as_of
    order by b.hold_expires_at limit max for update skip locked
  loop
    perform lapse_hold(held, as_of);
    lapsed := lapsed + 1;
  end loop;
  return lapsed;
end $$;

-- Records the expired holds of the pro that overlap [starts_at, ends_at), so that the constraint allows a booking there.
-- Returns whether there were any. The caller holds lock_schedule.
create or replace function lapse_overlapping_holds(
  pro professionals, starts_at timestamptz, ends_at timestamptz, as_of timestamptz
) returns boolean
  language plpgsql volatile as $$
declare
  held bookings;
  lapsed boolean := false;
begin
  for held in
    select b.* from bookings b
    where b.professional_id = pro.id and b.status in ('pending', 'confirmed') and b.hold_expires_at <= as_of
      and b.holds && tstzrange(
        lapse_overlapping_holds.starts_at,
        lapse_overlapping_holds.ends_at + pro.buffer_minutes * interval '1 minute')
    for update
  loop
    perform lapse_hold(held, as_of);
    lapsed := true;
  end loop;
  return lapsed;
end $$;
