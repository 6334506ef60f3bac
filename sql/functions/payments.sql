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
