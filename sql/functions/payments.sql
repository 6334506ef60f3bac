-- Creates the payment of a new booking. Returns what the server needs to create an intent at the provider.
create or replace function start_payment(
  payment_id uuid, booking bookings, fee_cents integer, deposit_cents integer, provider text, as_of timestamptz
) returns json
  language plpgsql volatile as $$
begin
  insert into payments (
    id, booking_id, professional_id, status, fee_cents, deposit_cents, amount_cents, provider, expires_at, created_at)
  values (
    payment_id, booking.id, booking.professional_id, 'requires_payment', fee_cents, deposit_cents,
    fee_cents + deposit_cents, provider, booking.hold_expires_at, as_of);
  return json_build_object('id', payment_id, 'amountCents', fee_cents + deposit_cents, 'currency', 'USD',
    'expiresAt', iso_instant(booking.hold_expires_at));
end $$;

-- A payment with the sum of its refunds in look-ups; null for no payment. What is still unpaid has expired once its booking or quote
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
        'status', case when bool_and(r.status = 'done') then 'done' else 'pending' end)
      from payment_refunds r
      where r.professional_id = payment.professional_id and r.payment_id = payment.id
      having count(*) > 0));
end $$;
