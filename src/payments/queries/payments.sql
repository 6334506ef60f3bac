-- name: findPaymentOfIntent :one on write
-- The payment of a provider's intent.
select id, booking_id, quote_id, professional_id, status, amount_cents, currency, provider, intent_id, client_secret, expires_at, captured_cents, captured_currency, captured_at from payments where intent_id = :intent_id and provider = :provider

-- name: startReading :one on write
update payments set readings = readings + 1 where id = :id returning readings

-- name: isTestPro :one on write
-- not null: is_test
select is_test_pro(:professional_id) as is_test

-- name: countUnhandled :one on write
-- not null: payments, refunds
select
  (select count(*)::integer from payments p
  where p.status in ('requires_payment', 'failed') and p.expires_at > :now
    and p.provider <> all (:providers::text[])) as payments,
  (select count(*)::integer from payment_refunds r
  join payments p on p.professional_id = r.professional_id and p.id = r.payment_id
  where r.status in ('pending', 'part', 'submitted') and p.provider <> all (:providers::text[])) as refunds
where restored_copy() is null

-- name: selectPaymentsOf :many on write
-- The payments of bookings.
select id, booking_id, quote_id, professional_id, status, amount_cents, currency, provider, intent_id, client_secret, expires_at, captured_cents, captured_currency, captured_at from payments where booking_id = any (:booking_ids::uuid[])

-- name: insertDepositPayment :exec on tx
insert into payments (id, quote_id, professional_id, status, fee_cents, deposit_cents, amount_cents, currency, provider,
  expires_at, created_at)
values (:id, :quote_id, :professional_id, 'requires_payment', 0, :deposit_cents,
  :deposit_cents, marketplace_currency(), :provider, :expires_at, :now)

-- name: attachIntent :one on write
-- Stores the provider's intent. Of concurrent callers the first one's intent is stored, and all of them get it.
update payments set intent_id = coalesce(intent_id, :intent_id), client_secret = coalesce(client_secret, :client_secret)
where id = :payment_id returning id, booking_id, quote_id, professional_id, status, amount_cents, currency, provider, intent_id, client_secret, expires_at, captured_cents, captured_currency, captured_at

-- name: insertNotification :many on tx
insert into payment_notifications (provider, id, received_at) values (:provider, :id, :now)
on conflict do nothing returning id

-- name: retainPayment :exec on tx
-- Marks the payment of a cancelled booking as kept.
update payments set retained = true where id = :id

-- name: findPayment :one on write
select id, booking_id, quote_id, professional_id, status, amount_cents, currency, provider, intent_id, client_secret,
  expires_at, captured_cents, captured_currency, captured_at
from payments where id = :id

-- name: findPaymentByClientSecret :one on write
select id, booking_id, quote_id, professional_id, status, amount_cents, currency, provider, intent_id, client_secret,
  expires_at, captured_cents, captured_currency, captured_at
from payments where client_secret = :client_secret

-- name: findCapturedOfBooking :one on write
-- The payment of the booking, or of the quote whose visit it is.
select id, booking_id, quote_id, professional_id, status, amount_cents, currency, provider, intent_id, client_secret,
  expires_at, captured_cents, captured_currency, captured_at
from payments
where (booking_id = :booking_id or quote_id = (
    select j.quote_id from bookings b join jobs j on j.professional_id = b.professional_id and j.id = b.job_id
    where b.id = :booking_id))
  and captured_at is not null
order by created_at desc limit 1

-- name: findCapturedOfQuote :one on write
select id, booking_id, quote_id, professional_id, status, amount_cents, currency, provider, intent_id, client_secret,
  expires_at, captured_cents, captured_currency, captured_at
from payments
where quote_id = :quote_id and captured_at is not null
order by created_at desc limit 1

-- name: lockPayment :one on tx
select id, booking_id, quote_id, professional_id, status, amount_cents, currency, provider, intent_id, client_secret,
  expires_at, captured_cents, captured_currency, captured_at
from payments where id = :id for update

-- name: lockPaymentOfBooking :one on tx
select id, booking_id, quote_id, professional_id, status, amount_cents, currency, provider, intent_id, client_secret,
  expires_at, captured_cents, captured_currency, captured_at
from payments where booking_id = :booking_id for update

-- name: lockPaymentOfQuote :one on tx
-- The one that is due or paid.
select id, booking_id, quote_id, professional_id, status, amount_cents, currency, provider, intent_id, client_secret,
  expires_at, captured_cents, captured_currency, captured_at
from payments
where quote_id = :quote_id and status in ('requires_payment', 'failed', 'succeeded')
for update

-- name: savePayment :exec on tx
update payments set status = :status, retained = retained and :status = 'succeeded',
  captured_cents = coalesce(:amount_cents?, captured_cents), captured_currency = coalesce(:currency?, captured_currency),
  captured_at = coalesce(:at?, captured_at), intent_id = coalesce(:intent_id?, intent_id)
where id = :id
