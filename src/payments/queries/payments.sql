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
insert into payments (id, quote_id, professional_id, status, fee_cents, deposit_cents, amount_cents, provider,
  expires_at, created_at)
values (:id, :quote_id, :professional_id, 'requires_payment', 0, :deposit_cents,
  :deposit_cents, :provider, :expires_at, :now)

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
