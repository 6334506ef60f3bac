-- Creates the payment of a new booking. Returns what the server needs to create an intent at the provider.
create or replace function start_payment(
  payment_id uuid, booking bookings, fee_cents integer, deposit_cents integer, provider text, as_of timestamptz
) returns json
  language plpgsql volatile as $$
begin
  insert into payments (
    id, booking_id, professional_id, status, fee_cents, deposit_cents, amount_cents, currency, provider, expires_at, created_at)
  values (
    payment_id, booking.id, booking.professional_id, 'requires_payment', fee_cents, deposit_cents,
    fee_cents + deposit_cents, marketplace_currency(), provider, booking.hold_expires_at, as_of);
  return json_build_object('id', payment_id, 'amountCents', fee_cents + deposit_cents, 'currency', marketplace_currency(),
    'startedAt', iso_instant(as_of), 'expiresAt', iso_instant(booking.hold_expires_at));
end $$;

-- A payment with the sum of its refunds and its dispute in look-ups; null for no payment. What is still unpaid has expired once its booking or quote
-- `is_over`, even if the row does not say so yet.
create or replace function payment_object(payment payments, is_over boolean) returns json
  language plpgsql stable parallel safe as $$
begin
  if payment.id is null then
    return null;
  end if;
  return json_build_object(
    'status', case when is_over and payment.captured_at is null then 'expired' else payment.status end,
    'amount', dollars(payment.amount_cents), 'fee', dollars(payment.fee_cents), 'deposit', dollars(payment.deposit_cents),
    'currency', payment.currency, 'paidAt', iso_instant(payment.captured_at),
    'refund', (
      select json_build_object('amount', dollars(sum(r.amount_cents)::integer), 'currency', payment.captured_currency,
        'status', case
          when bool_or(r.status = 'failed') then 'failed' when bool_and(r.status = 'done') then 'done' else 'pending' end)
      from payment_refunds r
      where r.professional_id = payment.professional_id and r.payment_id = payment.id and r.status <> 'replaced'
      having count(*) > 0),
    'dispute', payment_dispute(payment));
end $$;

-- The dispute that matters most, null without one: an open one, then a lost one, then the latest. An inquiry takes no money.
create or replace function payment_dispute(payment payments) returns json
  language sql stable parallel safe as $$
  select json_build_object('amount', dollars(d.amount_cents), 'currency', (payment).captured_currency, 'status', d.state,
    'openedAt', iso_instant(d.opened_at))
  from payment_disputes d
  where d.professional_id = (payment).professional_id and d.payment_id = (payment).id and not d.is_inquiry
  order by d.state = 'open' desc, d.state = 'lost' desc, d.opened_at desc, d.id desc
  limit 1
$$;

-- What went back or is to go back of a payment: its refunds, and the disputes that were lost.
create or replace function returned_cents(pro_id uuid, paid_id uuid, except_refund uuid default null) returns integer
  language sql stable parallel safe as $$
  select (
    (select coalesce(sum(r.amount_cents), 0) from payment_refunds r
     where r.professional_id = pro_id and r.payment_id = paid_id and r.status <> 'replaced'
       and r.id is distinct from except_refund)
    + (select coalesce(sum(d.amount_cents), 0) from payment_disputes d
       where d.professional_id = pro_id and d.payment_id = paid_id and d.state = 'lost'))::integer
$$;

-- Refunds that are asked for never exceed what was captured. A refund without an amount is of what is left. What the provider
-- says it returned is a fact.
create or replace function check_refund_amount() returns trigger language plpgsql as $$
declare
  left_cents integer;
begin
  if new.status not in ('pending', 'part') then
    return new;
  end if;
  select p.captured_cents into left_cents from payments p
  where p.professional_id = new.professional_id and p.id = new.payment_id for update;
  left_cents := left_cents - returned_cents(new.professional_id, new.payment_id, new.id);
  new.amount_cents := coalesce(new.amount_cents, left_cents);
  if new.amount_cents > left_cents or left_cents <= 0 then
    raise exception 'Refunds of payment % exceed what was paid.', new.payment_id
      using errcode = 'check_violation', constraint = 'payment_refunds_within_payment';
  end if;
  return new;
end $$;

create or replace trigger refund_amount before insert or update of amount_cents, payment_id on payment_refunds
  for each row execute function check_refund_amount();
