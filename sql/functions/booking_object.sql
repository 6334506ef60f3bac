-- A booking in its state at `as_of`: it is cancelled from the end of an unpaid hold on, even if the row does not say so
-- yet.
create or replace function booking_as_of(booking bookings, as_of timestamptz) returns bookings
  language plpgsql immutable strict parallel safe as $$
begin
  if booking.hold_expires_at <= as_of then
    booking.status := 'cancelled';
    booking.cancelled_at := booking.hold_expires_at;
    booking.cancellation_reason := 'payment_expired';
  end if;
  return booking;
end $$;

-- A booking in look-ups, lists and events (section 2 of the API, "Lookup response"). Date and time are in the pro's time
-- zone.
create or replace function booking_object(booking bookings) returns json
  language plpgsql stable strict parallel safe as $$
begin
  return (
    select json_build_object(
      'id', booking.id,
      'confirmationCode', booking.confirmation_code,
      'status', booking.status,
      'scheduledDate', (booking.starts_at at time zone p.time_zone)::date,
      'scheduledTime', left((booking.starts_at at time zone p.time_zone)::time::text, 5),
      'durationMinutes', booking.duration_minutes,
      'service', json_build_object('id', s.id, 'name', s.name),
      'professional', json_build_object('id', p.id, 'businessName', p.business_name, 'phone', p.phone,
        'location', c.name || ', ' || c.state),
      'customer', json_build_object('name', booking.customer_name, 'email', booking.customer_email),
      'description', booking.description,
      'createdAt', iso_instant(booking.created_at),
      'confirmedAt', iso_instant(booking.confirmed_at),
      'cancelledAt', iso_instant(booking.cancelled_at))
    from professionals p
    join cities c on c.id = p.city_id
    join services s on s.id = booking.service_id
    where p.id = booking.professional_id
  );
end $$;

-- A booking in the response that creates it (section 2 of the API, "Create response").
create or replace function booking_receipt(booking bookings) returns json
  language plpgsql stable strict parallel safe as $$
begin
  return (
    select json_build_object(
      'id', booking.id,
      'confirmationCode', booking.confirmation_code,
      'status', booking.status,
      'scheduledAt', iso_instant(booking.starts_at),
      'durationMinutes', booking.duration_minutes,
      'service', json_build_object('id', s.id, 'name', s.name),
      'professional', json_build_object('id', p.id, 'slug', p.slug, 'businessName', p.business_name, 'phone', p.phone,
        'location', c.name || ', ' || c.state))
    from professionals p
    join cities c on c.id = p.city_id
    join services s on s.id = booking.service_id
    where p.id = booking.professional_id
  );
end $$;

-- A booking as its pro sees it: the look-up, the address, the package, and the assigned team member.
create or replace function pro_booking_object(booking bookings) returns json
  language plpgsql stable strict parallel safe as $$
begin
  return (
    booking_object(booking)::jsonb || jsonb_build_object(
      'assignedTo', (
        select jsonb_build_object('id', m.id, 'name', m.name) from members m
        where m.professional_id = booking.professional_id and m.id = booking.assigned_member_id),
      'address', booking.address,
      'customerPhone', booking.customer_phone,
      'package', (
        select jsonb_build_object('id', k.id, 'name', k.name, 'includes', k.includes) from packages k
        where k.id = booking.package_id)))::json;
end $$;
