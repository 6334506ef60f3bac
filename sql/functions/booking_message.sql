-- Plans a message about a booking that no event tells: a proposed time, a refund. `more` is further data of the kind.
create or replace function plan_booking_message(
  message_key text, message_kind text, told_id uuid, more jsonb, send_at timestamptz, as_of timestamptz
) returns void
  language sql volatile as $$
  insert into messages (key, kind, recipient, data, professional_id, booking_id, customer_email, send_at, next_attempt_at,
    created_at)
  select message_key, message_kind, b.customer_email,
    jsonb_build_object('booking', current_message_booking(b.id, as_of)) || more, b.professional_id, b.id, b.customer_email,
    plan_booking_message.send_at, plan_booking_message.send_at, as_of
  from bookings b where b.id = told_id and b.customer_email not like '%@erased.invalid'
  on conflict on constraint messages_once do nothing
$$;

-- Tells the customer of a refund that was made, or that the bank sent back later, of a booking or of a quote's deposit: after the
-- cancellation, which the relay plans at about the same time.
create or replace function plan_refund_message(refund_id uuid, as_of timestamptz, is_failed boolean default false) returns void
  language sql volatile as $$
  select plan_booking_message(case when is_failed then 'refund-failed:' else 'refund:' end || r.id,
    case when is_failed then 'booking-refund-failed' else 'booking-refunded' end, p.booking_id,
    message_refund(r.amount_cents, p.captured_currency, r.note), as_of + interval '10 seconds', as_of)
  from payment_refunds r join payments p on p.id = r.payment_id
  where r.id = refund_id and p.booking_id is not null;
  insert into messages (key, kind, recipient, data, professional_id, customer_email, send_at, next_attempt_at, created_at)
  select case when is_failed then 'refund-failed:' else 'refund:' end || d.id,
    case when is_failed then 'quote-refund-failed' else 'quote-refunded' end, r.customer_email,
    jsonb_build_object('quote', message_quote(quote_object(q, as_of)::jsonb, o.time_zone))
      || message_refund(d.amount_cents, p.captured_currency, d.note),
    o.id, r.customer_email, as_of + interval '10 seconds', as_of + interval '10 seconds', as_of
  from payment_refunds d
  join payments p on p.id = d.payment_id
  join quotes q on q.professional_id = p.professional_id and q.id = p.quote_id
  join rfqs r on r.professional_id = q.professional_id and r.id = q.rfq_id
  join professionals o on o.id = p.professional_id
  where d.id = refund_id and r.customer_email not like '%@erased.invalid'
  on conflict on constraint messages_once do nothing
$$;

create or replace function message_refund(cents integer, currency text, note text) returns jsonb
  language sql immutable as $$
  select jsonb_build_object('refund', jsonb_build_object('amount', dollars(cents), 'currency', currency, 'note', note))
$$;

-- Plans the reminders of a pro's bookings anew, after the pro changed when customers are reminded. Reminders that were sent
-- stay, and count.
create or replace function plan_reminders(pro_id uuid, as_of timestamptz) returns void
  language sql volatile as $$
  delete from messages m
  where m.kind = 'booking-reminder' and m.status = 'pending' and m.attempts = 0 and m.booking_id in (
    select b.id from bookings b
    where b.professional_id = pro_id and b.status in ('pending', 'confirmed') and b.starts_at > as_of);
  insert into messages (key, kind, recipient, data, professional_id, booking_id, customer_email, send_at, next_attempt_at,
    created_at)
  select r.key, r.kind, r.recipient, r.data, b.professional_id, b.id, b.customer_email, r.send_at, r.send_at, as_of
  from professionals p
  join bookings b on b.professional_id = p.id and b.status = 'confirmed' and b.starts_at > as_of
  cross join lateral reminder_message(b.id, b.customer_email, b.starts_at,
    b.starts_at - p.reminder_hours * interval '1 hour') r
  where p.id = pro_id and r.send_at > as_of
  on conflict on constraint messages_once do nothing
$$;

-- Tells the pro that the customer cancelled the work of a quote before it had a time.
create or replace function plan_job_cancelled_message(job jobs, as_of timestamptz) returns void
  language sql volatile as $$
  insert into messages (key, kind, recipient, data, professional_id, customer_email, send_at, next_attempt_at, created_at)
  select 'job-cancelled:' || job.id, 'job-cancelled-for-pro', a.email,
    jsonb_build_object('quote', message_quote(quote_object(q, as_of)::jsonb, p.time_zone), 'rfqId', q.rfq_id, 'jobId', job.id,
      'reason', job.cancellation_reason),
    p.id, r.customer_email, as_of, as_of, as_of
  from quotes q
  join rfqs r on r.professional_id = q.professional_id and r.id = q.rfq_id
  join professionals p on p.id = q.professional_id
  join accounts a on a.id = p.account_id
  where q.professional_id = job.professional_id and q.id = job.quote_id and r.customer_email not like '%@erased.invalid'
  on conflict on constraint messages_once do nothing
$$;
