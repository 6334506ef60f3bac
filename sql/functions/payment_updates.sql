-- The event payment.updated: triggers emit it for every change of a payment, its refunds and disputes, whatever code makes the change.

-- A payment in its events: as in look-ups, what it is for, each of its refunds and disputes. Without what people typed.
create or replace function payment_update_object(payment payments) returns json
  language plpgsql stable as $$
begin
  return (
    payment_object(payment, false)::jsonb || jsonb_build_object(
      'id', payment.id, 'professionalId', payment.professional_id, 'bookingId', payment.booking_id,
      'quoteId', payment.quote_id, 'kept', payment.retained,
      'refunds', (
        select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'amount', dollars(r.amount_cents),
          'currency', payment.captured_currency, 'status', refund_status(r), 'reason', r.reason,
          'createdAt', iso_instant(r.created_at), 'doneAt', iso_instant(r.done_at)) order by r.created_at, r.id), '[]')
        from payment_refunds r
        where r.professional_id = payment.professional_id and r.payment_id = payment.id
          and r.status <> 'replaced'),
      'disputes', (
        select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'amount', dollars(d.amount_cents),
          'currency', payment.captured_currency, 'status', d.state, 'openedAt', iso_instant(d.opened_at),
          'closedAt', iso_instant(d.closed_at)) order by d.opened_at, d.id), '[]')
        from payment_disputes d
        where d.professional_id = payment.professional_id and d.payment_id = payment.id)))::json;
end $$;

-- The state of a refund in events.
create or replace function refund_status(refund payment_refunds) returns text
  language sql immutable parallel safe as $$
  select case when (refund).status in ('pending', 'part') then 'requested' else (refund).status end
$$;

-- Emits payment.updated at the end of the transaction: once, however many rows of one payment it changed, and only if the
-- payment looks different than in its last event.
create or replace function emit_payment_update() returns trigger
  language plpgsql as $$
declare
  payment payments;
  object jsonb;
begin
  select y.* into payment from payments y
  where y.professional_id = new.professional_id and y.id = coalesce(to_jsonb(new) ->> 'payment_id', new.id::text)::uuid
  for update;
  -- Null after the deletion of test data.
  if payment.id is null then
    return null;
  end if;
  object := payment_update_object(payment);
  if payment.event_digest = md5(object::text) then
    return null;
  end if;
  update payments y set event_sequence = y.event_sequence + 1, event_digest = md5(object::text)
  where y.professional_id = payment.professional_id and y.id = payment.id;
  -- The id follows from the change, because it comes from no caller.
  perform emit_event(md5(payment.id || ':' || payment.event_sequence + 1)::uuid, 'payment.updated', payment.professional_id, 'payment', payment.id,
    payment.event_sequence + 1, object, nullif(current_setting('hearth.event_traceparent', true), ''),
    coalesce(nullif(current_setting('hearth.event_time', true), '')::timestamptz, payment_changed_at(payment)));
  return null;
end $$;

-- When a payment or a refund of it changed last, as far as rows say: none has the time of a failed attempt to pay.
create or replace function payment_changed_at(payment payments) returns timestamptz
  language plpgsql stable as $$
begin
  return greatest(payment.created_at, payment.captured_at, (
    select max(greatest(r.created_at, r.submitted_at, r.done_at, r.failed_at)) from payment_refunds r
    where r.professional_id = payment.professional_id and r.payment_id = payment.id));
end $$;
