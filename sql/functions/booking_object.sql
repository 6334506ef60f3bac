-- A booking in its state at `as_of`: it is cancelled from the end of an unpaid hold on, even if the row does not say so
-- yet.
create or replace function booking_as_of(booking bookings, as_of timestamptz) returns bookings
  language plpgsql immutable strict parallel safe as $$
begin
  if booking.hold_expires_at <= as_of then
    booking.status := 'cancelled';
    booking.cancelled_at := booking.hold_expires_at;
    booking.cancellation_reason := 'payment_expired';
    booking.cancelled_by := 'hearth';
    booking.hold_expires_at := null;
  end if;
  return booking;
end $$;

-- The agreed price of a booking, as in a pro's list of services; a package has one flat price.
create or replace function booking_price(booking bookings) returns json
  language sql stable parallel safe as $$
  select price_object(booking.price_type, booking.base_price_cents, booking.min_price_cents, booking.max_price_cents,
    booking.price_unit, marketplace_currency(), booking.fee_cents)
$$;

-- The booked package as it was then; null without one.
create or replace function booking_package(booking bookings) returns json
  language sql stable parallel safe as $$
  select case when booking.package_id is not null then json_build_object(
    'id', booking.package_id, 'name', booking.package_name, 'includes', to_json(booking.package_includes),
    'price', dollars(booking.base_price_cents)) end
$$;

-- The payment of a booking with its refund; null if nothing was due. Of the visit of a quote, the deposit of the quote.
create or replace function booking_payment(booking bookings) returns json
  language plpgsql stable parallel safe as $$
begin
  if booking.job_id is not null then
    return (
      select quote_payment(q, booking.created_at)
      from jobs j join quotes q on q.professional_id = j.professional_id and q.id = j.quote_id
      where j.professional_id = booking.professional_id and j.id = booking.job_id);
  end if;
  if booking.fee_cents + booking.deposit_cents = 0 then
    return null;
  end if;
  return (
    select payment_object(y, booking.status = 'cancelled') from payments y
    where y.professional_id = booking.professional_id and y.booking_id = booking.id
  );
end $$;

-- The job whose visit a booking is; null for other bookings. A completed visit begins its job in the same statement, whose snapshot
-- still has the job as it was before.
create or replace function booking_job(booking bookings) returns json
  language sql stable parallel safe as $$
  select case when booking.job_id is not null then (
    select json_build_object('id', j.id, 'quoteId', j.quote_id, 'status',
      case when booking.status = 'completed' and j.status = 'scheduled' then 'in_progress' else j.status end)
    from jobs j where j.professional_id = booking.professional_id and j.id = booking.job_id) end
$$;

-- Until when the customer can cancel without losing the payment: null after a late move, which ends that right.
create or replace function free_cancellation_until(booking bookings) returns timestamptz
  language sql stable parallel safe as $$
  select case when not booking.moved_late
    then booking.starts_at - booking.free_cancellation_hours * interval '1 hour' end
$$;

-- A booking in look-ups, lists and events (section 2 of the API, "Lookup response"). Date and time are in the pro's time
-- zone.
create or replace function booking_object(booking bookings) returns json
  language plpgsql stable strict parallel safe as $$
begin
  return (
    select booking_shown(booking, p, c.name || ', ' || c.state, proposed_time(booking, p.time_zone))
    from professionals p
    join cities c on c.id = p.city_id
    where p.id = booking.professional_id
  );
end $$;

-- The same with what is known already: its pro, the pro's city and state, the time that the pro proposes.
create or replace function booking_shown(booking bookings, pro professionals, place text, proposed json) returns json
  language sql stable parallel safe as $$
  select json_build_object(
    'id', booking.id,
    'confirmationCode', booking.confirmation_code,
    'status', booking.status,
    'scheduledDate', (booking.starts_at at time zone pro.time_zone)::date,
    'scheduledTime', left((booking.starts_at at time zone pro.time_zone)::time::text, 5),
    'timeZone', pro.time_zone,
    'localTime', local_time(booking.starts_at, pro.time_zone),
    'durationMinutes', booking.duration_minutes,
    'service', json_build_object('id', booking.service_id, 'name', booking.service_name),
    'package', booking_package(booking),
    'price', booking_price(booking),
    'professional', json_build_object('id', pro.id, 'businessName', pro.business_name, 'phone', pro.phone,
      'location', place),
    'customer', json_build_object('name', booking.customer_name, 'email', booking.customer_email),
    'address', booking.address,
    'description', booking.description,
    'payment', booking_payment(booking),
    'balance', booking_balance(booking),
    'job', booking_job(booking),
    'holdExpiresAt', iso_instant(booking.hold_expires_at),
    'freeCancellationHours', booking.free_cancellation_hours,
    'freeCancellationUntil', iso_instant(free_cancellation_until(booking)),
    'proposedTime', proposed,
    'createdAt', iso_instant(booking.created_at),
    'confirmedAt', iso_instant(booking.confirmed_at),
    'cancelledAt', iso_instant(booking.cancelled_at),
    'cancelledBy', booking.cancelled_by,
    'cancellationReason', booking.cancellation_reason)
$$;

-- A booking in the response that creates it (section 2 of the API, "Create response").
create or replace function booking_receipt(booking bookings, pro professionals, place text) returns json
  language sql stable parallel safe as $$
  select json_build_object(
    'id', booking.id,
    'confirmationCode', booking.confirmation_code,
    'status', booking.status,
    'scheduledAt', iso_instant(booking.starts_at),
    'timeZone', pro.time_zone,
    'localTime', local_time(booking.starts_at, pro.time_zone),
    'durationMinutes', booking.duration_minutes,
    'service', json_build_object('id', booking.service_id, 'name', booking.service_name),
    'package', booking_package(booking),
    'price', booking_price(booking),
    'professional', json_build_object('id', pro.id, 'slug', pro.slug, 'businessName', pro.business_name,
      'phone', pro.phone, 'location', place),
    'fee', dollars(booking.fee_cents),
    'deposit', dollars(booking.deposit_cents),
    'freeCancellationHours', booking.free_cancellation_hours,
    'freeCancellationUntil', iso_instant(free_cancellation_until(booking)),
    'inServiceArea', booking.in_service_area)
$$;

-- A booking as its pro sees it: the look-up, the customer's phone number, and the assigned team member.
create or replace function pro_booking_object(booking bookings) returns json
  language plpgsql stable strict parallel safe as $$
begin
  return (
    booking_object(booking)::jsonb || jsonb_build_object(
      'assignedTo', (
        select jsonb_build_object('id', m.id, 'name', m.name) from members m
        where m.professional_id = booking.professional_id and m.id = booking.assigned_member_id),
      'customerPhone', booking.customer_phone, 'inServiceArea', booking.in_service_area))::json;
end $$;
