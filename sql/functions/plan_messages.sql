-- Plans the messages that events bring: one per event and person. Planning an event again changes nothing. `data` is that of
-- src/features/messages/messages/kinds.ts as of the event, without links. Returns the number of new messages.
create or replace function plan_messages(event_ids uuid[], as_of timestamptz) returns integer
  language sql volatile as $$
  with planned as (
    insert into messages (key, kind, recipient, data, professional_id, booking_id, customer_email, send_at, next_attempt_at,
      traceparent, created_at)
    select m.key, m.kind, m.recipient, m.data, o.professional_id,
      case when o.aggregate_type = 'booking' then o.aggregate_id end,
      -- A guest is a person of their own, who can be erased without the customer.
      case when m.kind = 'guest-visit' then m.recipient else coalesce(o.data #>> '{object,customer,email}',
        (select r.customer_email from reviews r where o.aggregate_type = 'review' and r.id = o.aggregate_id)) end,
      m.send_at, m.send_at, o.traceparent, as_of
    from outbox_events o
    cross join lateral (
      select b.* from booking_messages(o, as_of) b where o.aggregate_type = 'booking'
      union all
      select q.* from quote_messages(o, as_of) q where o.aggregate_type = 'quote'
      union all
      select r.* from request_messages(o, as_of) r where o.type = 'rfq.created'
      union all
      select v.* from review_messages(o, as_of) v where o.type = 'review.approved'
    ) m
    -- Erased customers.
    where o.id = any (event_ids) and m.recipient not like '%@erased.invalid'
    order by o.position
    on conflict on constraint messages_once do nothing
    returning 1
  )
  select count(*)::integer from planned
$$;

-- The customer hears of each change; the pro of new bookings that hold their time for good, payments, and what others changed.
create or replace function booking_messages(event outbox_events, as_of timestamptz)
  returns table (key text, kind text, recipient text, data jsonb, send_at timestamptz)
  language plpgsql stable rows 2 as $$
declare
  occasion constant text := 'event:' || event.id;
  object constant jsonb := event.data -> 'object';
  customer constant text := object #>> '{customer,email}';
  held_until constant timestamptz := object ->> 'holdExpiresAt';
  pro professionals;
  pro_email text;
  told jsonb;
  starts timestamptz;
  remind_at timestamptz;
begin
  if event.type not in ('booking.created', 'booking.pending_approval', 'booking.confirmed', 'booking.rescheduled',
    'booking.cancelled', 'booking.completed') then
    return;
  end if;
  select p.* into pro from professionals p where p.id = event.professional_id;
  select a.email into pro_email from accounts a where a.id = pro.account_id;
  select jsonb_build_object('booking', message_booking(object, event.sequence, event.created_at, b, pro, pro_email)) into told
  from bookings b where b.id = event.aggregate_id;
  starts := told #>> '{booking,startsAt}';
  remind_at := starts - pro.reminder_hours * interval '1 hour';

  if event.type = 'booking.created' and held_until is not null then
    return query values
      (occasion, 'booking-held', customer, told || hold_data(event.aggregate_id, held_until), as_of),
      ('hold-expiring:' || event.aggregate_id, 'hold-expiring', customer, '{}'::jsonb,
        held_until - least(interval '5 minutes', (held_until - event.created_at) / 3));
  elsif event.type = 'booking.pending_approval' then
    return query values (occasion, 'booking-received', customer, told, as_of);
  elsif event.type = 'booking.confirmed' then
    return query values (occasion, 'booking-confirmed', customer, told, as_of);
  elsif event.type = 'booking.rescheduled' then
    told := told || jsonb_build_object('previousStartsAt', told_start(event.aggregate_id, event.sequence - 1));
    return query values
      (occasion, 'booking-moved', customer, told, as_of),
      (occasion, 'booking-moved-for-pro', pro_email, told, as_of);
  elsif event.type = 'booking.cancelled' then
    return query values (occasion, 'booking-cancelled', customer, told, as_of);
    -- The pro never heard of a booking that was not paid.
    if object ->> 'cancelledBy' <> 'pro' and object ->> 'cancellationReason' is distinct from 'payment_expired' then
      return query values (occasion, 'booking-cancelled-for-pro', pro_email, told, as_of);
    end if;
  elsif event.type = 'booking.completed' then
    -- What the owner of the address disowned is not theirs to review.
    return query select 'review:' || event.aggregate_id, 'review-invitation', customer, '{}'::jsonb, as_of + interval '1 hour'
      from bookings b where b.id = event.aggregate_id and b.disowned_at is null;
  end if;

  if event.type in ('booking.created', 'booking.pending_approval', 'booking.confirmed') and held_until is null then
    return query values ('new-booking:' || event.aggregate_id, 'new-booking', pro_email, told, as_of);
    -- The deposit of a quote was told when the quote was accepted.
    if object #>> '{payment,status}' = 'succeeded' and not exists (
      select from bookings b
      where b.professional_id = event.professional_id and b.id = event.aggregate_id and b.job_id is not null) then
      return query select 'payment:' || event.aggregate_id, 'payment-received', pro_email, payment_message(object), as_of;
    end if;
  end if;
  -- The person whom the customer books for hears of a visit that is agreed, and of what becomes of it.
  if event.type in ('booking.confirmed', 'booking.rescheduled', 'booking.cancelled') and object ->> 'confirmedAt' is not null then
    return query select 'guest:' || event.id, 'guest-visit', g.email,
        jsonb_build_object('visit', guest_visit(told -> 'booking', pro.slug), 'bookedBy', customer, 'previousStartsAt', told -> 'previousStartsAt',
          'change', replace(replace(event.type, 'booking.', ''), 'rescheduled', 'moved')), as_of
      from booking_guests g where g.booking_id = event.aggregate_id;
  end if;
  -- A booking that begins sooner was just confirmed or moved: it needs no reminder.
  if event.type in ('booking.confirmed', 'booking.rescheduled') and remind_at > as_of then
    return query select r.* from reminder_message(event.aggregate_id, customer, starts, remind_at) r;
  end if;
end $$;

-- The reminder of a visit: a booking that moves gets another one.
create or replace function reminder_message(booking_id uuid, customer text, starts timestamptz, remind_at timestamptz)
  returns table (key text, kind text, recipient text, data jsonb, send_at timestamptz)
  language sql stable rows 1 as $$
  select 'reminder:' || booking_id || ':' || iso_instant(starts), 'booking-reminder', customer,
    jsonb_build_object('startsAt', iso_instant(starts)), remind_at
$$;

-- What a guest is told of a booking: nothing about money, no code, and no words of the customer.
create or replace function guest_visit(booking jsonb, pro_slug text) returns jsonb
  language sql immutable as $$
  select jsonb_build_object('id', booking -> 'id', 'work', booking -> 'title', 'startsAt', booking -> 'startsAt',
    'endsAt', booking -> 'endsAt', 'timeZone', booking -> 'timeZone', 'pro', (booking -> 'pro') - 'email' || jsonb_build_object('slug', pro_slug))
$$;

create or replace function hold_data(held_id uuid, held_until timestamptz) returns jsonb
  language sql stable as $$
  select jsonb_build_object('payBy', iso_instant(held_until),
    'paymentId', (select y.id from payments y where y.booking_id = held_id))
$$;

create or replace function payment_message(object jsonb) returns jsonb
  language sql immutable as $$
  select jsonb_build_object('amount', object #> '{payment,amount}', 'currency', object #> '{payment,currency}',
    'title', coalesce(object #>> '{package,name}', object #>> '{service,name}', 'Deposit'),
    'customer', object #> '{customer,name}')
$$;

create or replace function quote_messages(event outbox_events, as_of timestamptz)
  returns table (key text, kind text, recipient text, data jsonb, send_at timestamptz)
  language plpgsql stable rows 1 as $$
declare
  occasion constant text := 'event:' || event.id;
  object constant jsonb := event.data -> 'object';
  customer constant text := object #>> '{customer,email}';
  valid_until constant timestamptz := object ->> 'validUntil';
  pro_email text;
  told jsonb;
begin
  select a.email, jsonb_build_object('quote', message_quote(object, p.time_zone), 'rfqId', object -> 'rfqId')
  into pro_email, told
  from professionals p join accounts a on a.id = p.account_id where p.id = event.professional_id;
  if event.type = 'quote.sent' then
    return query values
      (occasion, 'quote-received', customer, told, as_of),
      ('quote-expiring:' || event.aggregate_id, 'quote-expiring', customer,
        jsonb_build_object('quoteId', event.aggregate_id),
        valid_until - least(interval '2 days', (valid_until - event.created_at) / 3));
  elsif event.type in ('quote.accepted', 'quote.declined') then
    -- A pro who closed the account ended the request.
    return query select occasion, replace(event.type, '.', '-'), pro_email, told, as_of
      where event.type = 'quote.accepted' or not exists (
        select from professionals p where p.id = event.professional_id and p.status = 'closed');
    -- Those who sent a quote read that it was declined, and why.
    if event.type = 'quote.accepted' then
      return query select 'request-lost:' || lost.id, 'request-lost', a.email, jsonb_build_object('rfqId', lost.id,
          'service', (select s.name from services s where s.id = lost.service_id), 'customer', lost.customer_name), as_of
        from rfqs accepted
        join rfqs lost on lost.asked_together = accepted.asked_together and lost.lost_at is not null
        join professionals p on p.id = lost.professional_id
        join accounts a on a.id = p.account_id
        where accepted.id = (object ->> 'rfqId')::uuid
          and not exists (select from quotes q where q.rfq_id = lost.id and q.status <> 'draft');
    end if;
    if event.type = 'quote.accepted' and object #>> '{payment,status}' = 'succeeded' then
      return query select 'payment:' || event.aggregate_id, 'payment-received', pro_email,
        payment_message(object) || jsonb_build_object('rfqId', object -> 'rfqId'), as_of;
    end if;
  end if;
end $$;

create or replace function request_messages(event outbox_events, as_of timestamptz)
  returns table (key text, kind text, recipient text, data jsonb, send_at timestamptz)
  language sql stable rows 2 as $$
  -- One message for all that were asked at once.
  select 'event:' || event.id, 'request-sent', r.customer_email, jsonb_build_object(
      'rfqId', r.id, 'service', (event).data #> '{object,service,name}',
      'pro', jsonb_build_object('name', p.business_name, 'phone', p.phone),
      'others', (select coalesce(jsonb_agg(op.business_name order by op.business_name), '[]')
        from rfqs o join professionals op on op.id = o.professional_id
        where o.asked_together = r.id and o.id <> r.id)), as_of
  from rfqs r join professionals p on p.id = r.professional_id
  where r.id = (event).aggregate_id and coalesce(r.asked_together, r.id) = r.id
  union all
  select 'event:' || event.id, 'new-request', a.email, jsonb_build_object('request', jsonb_build_object(
      'id', r.id, 'service', o.object #> '{service,name}', 'description', o.object -> 'description',
      'budget', o.object -> 'budget', 'timeline', o.object -> 'timeline', 'preferredDate', o.object -> 'preferredDate',
      'answers', coalesce(o.object -> 'answers', '[]'), 'address', r.address, 'customer', jsonb_build_object('name', o.object #> '{customer,name}',
        'email', o.object #> '{customer,email}', 'phone', r.customer_phone))), as_of
  from (select (event).data -> 'object' as object) o
  join rfqs r on r.id = (event).aggregate_id
  join professionals p on p.id = (event).professional_id
  join accounts a on a.id = p.account_id
$$;

create or replace function review_messages(event outbox_events, as_of timestamptz)
  returns table (key text, kind text, recipient text, data jsonb, send_at timestamptz)
  language sql stable rows 1 as $$
  select 'event:' || event.id, 'new-review', a.email, jsonb_build_object('rating', o.object -> 'rating',
      'title', o.object -> 'title', 'content', o.object -> 'content', 'author', o.object -> 'author', 'isPending', false),
    as_of
  from (select (event).data -> 'object' as object) o
  join professionals p on p.id = (event).professional_id
  join accounts a on a.id = p.account_id
$$;
