-- The data of messages, without links; src/features/messages/messages/kinds.ts has its types.

-- A booking for a message. `object` is the booking as the API shows it; `sequence` and `changed_at` are those of its event.
create or replace function message_booking(
  object jsonb, sequence integer, changed_at timestamptz, booking bookings, pro professionals, pro_email text
) returns jsonb
  language plpgsql stable as $$
declare
  shown constant timestamp := (object ->> 'scheduledDate')::date + (object ->> 'scheduledTime')::time;
  starts timestamptz := booking.starts_at;
begin
  -- An event has the local time only, and the booking may have moved since.
  if date_trunc('minute', starts at time zone pro.time_zone) <> shown then
    starts := local_instant(shown::date, (extract(epoch from shown::time) / 60)::integer, pro.time_zone);
  end if;
  return jsonb_build_object(
    'id', booking.id,
    'code', object -> 'confirmationCode',
    'sequence', sequence,
    'updatedAt', iso_instant(changed_at),
    'status', object -> 'status',
    'title', coalesce(object #>> '{package,name}', object #>> '{service,name}'),
    'startsAt', iso_instant(starts),
    'endsAt', iso_instant(starts + booking.duration_minutes * interval '1 minute'),
    'timeZone', pro.time_zone,
    'price', object -> 'price',
    'payment', object -> 'payment',
    'balance', object -> 'balance',
    'address', object -> 'address',
    'inServiceArea', booking.in_service_area,
    'madeBy', booking.made_by,
    'notes', object -> 'description',
    'freeCancellationUntil', object -> 'freeCancellationUntil',
    'cancelledBy', object -> 'cancelledBy',
    'cancellationReason', object -> 'cancellationReason',
    'wasConfirmed', object ->> 'confirmedAt' is not null,
    'pro', jsonb_build_object('name', pro.business_name, 'phone', pro.phone, 'email', pro_email),
    'customer', jsonb_build_object('name', object #> '{customer,name}', 'email', object #> '{customer,email}',
      'phone', booking.customer_phone));
end $$;

-- The same as the booking is now; null for an unknown one.
create or replace function current_message_booking(wanted_id uuid, as_of timestamptz) returns jsonb
  language sql stable as $$
  select message_booking(booking_object(b)::jsonb, b.event_sequence, as_of, b, p, a.email)
  from bookings stored
  cross join lateral booking_as_of(stored, as_of) b
  join professionals p on p.id = b.professional_id
  join accounts a on a.id = p.account_id
  where stored.id = wanted_id
$$;

-- When the booking began as of an earlier event, by the message of that event; null without one.
create or replace function told_start(wanted_id uuid, sequence integer) returns text
  language sql stable as $$
  select m.data #>> '{booking,startsAt}' from messages m
  where m.booking_id = wanted_id and (m.data #>> '{booking,sequence}')::integer = told_start.sequence limit 1
$$;

create or replace function message_quote(object jsonb, time_zone text) returns jsonb
  language sql immutable as $$
  select jsonb_build_object('id', object -> 'id', 'service', object #> '{service,name}', 'amount', object -> 'amount',
    'currency', object -> 'currency', 'depositAmount', object -> 'depositAmount', 'estimatedDays', object -> 'estimatedDays',
    'message', object -> 'message', 'validUntil', object -> 'validUntil', 'timeZone', time_zone,
    'pro', jsonb_build_object('name', object #> '{professional,businessName}', 'phone', object #> '{professional,phone}'),
    'customer', jsonb_build_object('name', object #> '{customer,name}'), 'declineReason', object -> 'declineReason')
$$;

-- The data of a message at the time of sending; null if what it says is no longer so: the visit was cancelled or moved, the
-- time to pay is over, the review was written, the quote was answered.
create or replace function current_message_data(message messages, as_of timestamptz) returns jsonb
  language plpgsql stable as $$
declare
  booking bookings;
begin
  -- A digest comes later: it leaves out what was cancelled, moved again or closed meanwhile.
  if message.digest_id is not null and (
    exists (select from bookings b where b.id = message.booking_id and (
      (b.status = 'cancelled' and message.kind = any ('{new-booking,booking-received,booking-confirmed,booking-moved,
        booking-moved-for-pro,booking-time-proposed,calendar-conflict}'::text[]))
      or (message.kind = 'guest-visit' and b.status = 'cancelled' and message.data ->> 'change' <> 'cancelled')
      or (message.kind = any ('{booking-moved,booking-moved-for-pro}'::text[])
        and b.starts_at <> (message.data #>> '{booking,startsAt}')::timestamptz)))
    or (message.kind = 'new-request' and exists (
      select from rfqs r where r.id = (message.data #>> '{request,id}')::uuid and r.status = 'archived'))) then
    return null;
  end if;
  if message.kind = 'quote-expiring' then
    return (
      select jsonb_build_object('quote', message_quote(quote_object(q, as_of)::jsonb, p.time_zone),
        'quoteId', message.data -> 'quoteId')
      from quotes q join professionals p on p.id = q.professional_id
      where q.id = (message.data ->> 'quoteId')::uuid and quote_status(q, as_of) in ('sent', 'viewed'));
  elsif message.kind not in ('booking-reminder', 'booking-held', 'hold-expiring', 'review-invitation') then
    return message.data;
  end if;
  select b.* into booking from bookings b where b.id = message.booking_id;
  if message.kind = 'booking-reminder' then
    return (
      select jsonb_build_object('booking', current_message_booking(booking.id, as_of), 'startsAt', message.data -> 'startsAt')
      from professionals p
      where p.id = booking.professional_id and p.reminder_hours is not null and booking.status = 'confirmed'
        and booking.starts_at = (message.data ->> 'startsAt')::timestamptz and booking.starts_at > as_of);
  elsif message.kind = 'review-invitation' then
    return (
      select jsonb_build_object('title', coalesce(booking.package_name, booking.service_name), 'pro', p.business_name,
        'customer', booking.customer_name, 'completedAt', iso_instant(booking.completed_at), 'timeZone', p.time_zone)
      from professionals p
      where p.id = booking.professional_id and booking.status = 'completed'
        and booking.disowned_at is null
        and not exists (select from reviews r where r.booking_id = booking.id and r.status <> 'rejected'
          and (r.proven_at is not null or r.verified)));
  elsif booking.status <> 'pending' or booking.hold_expires_at is null or booking.hold_expires_at <= as_of then
    return null;
  elsif message.kind = 'booking-held' then
    return message.data;
  end if;
  return jsonb_build_object('booking', current_message_booking(booking.id, as_of))
    || hold_data(booking.id, booking.hold_expires_at);
end $$;
