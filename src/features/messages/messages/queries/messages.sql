-- name: insertMessage :many on tx
insert into messages (key, kind, recipient, data, data_encrypted, professional_id, booking_id, customer_email, send_at,
  next_attempt_at, traceparent, created_at)
values (:key, :kind, :to, :data?::text::jsonb,
  :data_encrypted?, :professional_id?, :booking_id?,
  coalesce(:customer_email?, (select b.customer_email from bookings b where b.id = :booking_id?)),
  :at, :at, :traceparent?, :now)
on conflict on constraint messages_once do nothing returning id

-- name: plan_messages :one on tx
-- not null: planned
select plan_messages(:event_ids::uuid[], :now) as planned

-- name: callPlanReminders :exec on tx
select plan_reminders(:professional_id, :now)

-- name: claim_messages :many on write
-- not null: id, kind, recipient, attempts, refusals, send_at, created_at, is_current, is_excess, is_test
-- type: kind 'booking-cancelled' | 'booking-cancelled-for-pro' | 'booking-confirmed' | 'booking-held' | 'booking-moved' | 'booking-moved-for-pro' | 'booking-received' | 'booking-refund-failed' | 'booking-refunded' | 'booking-reminder' | 'booking-time-proposed' | 'calendar-conflict' | 'calendar-failing' | 'digest' | 'endpoint-disabled' | 'hold-expiring' | 'invitation' | 'job-cancelled-for-pro' | 'new-booking' | 'new-request' | 'new-review' | 'password-link' | 'payment-received' | 'quote-accepted' | 'quote-declined' | 'quote-expiring' | 'quote-received' | 'quote-refund-failed' | 'quote-refunded' | 'request-sent' | 'review-confirmation' | 'review-invitation' | 'sign-in' | 'tasks-used-up'
-- type: suppression message_suppressions.reason
select * from claim_messages(:limit, :optional_kinds::text[], :urgent_kinds::text[],
  :reserved_kinds::text[], :hourly, :now, :lease_until)

-- name: join_digest :one on tx
-- not null: is_joined
select join_digest(:id, :attempts, :like_kinds::text[], :now) as is_joined

-- name: selectDigestParts :many on write
-- type: kind 'booking-cancelled' | 'booking-cancelled-for-pro' | 'booking-confirmed' | 'booking-held' | 'booking-moved' | 'booking-moved-for-pro' | 'booking-received' | 'booking-refund-failed' | 'booking-refunded' | 'booking-reminder' | 'booking-time-proposed' | 'calendar-conflict' | 'calendar-failing' | 'digest' | 'endpoint-disabled' | 'hold-expiring' | 'invitation' | 'job-cancelled-for-pro' | 'new-booking' | 'new-request' | 'new-review' | 'password-link' | 'payment-received' | 'quote-accepted' | 'quote-declined' | 'quote-expiring' | 'quote-received' | 'quote-refund-failed' | 'quote-refunded' | 'request-sent' | 'review-confirmation' | 'review-invitation' | 'sign-in' | 'tasks-used-up'
select m.id, m.kind, current.data, m.booking_id
from messages m cross join lateral current_message_data(m, :now) current (data)
where m.digest_id = :digest_id and current.data is not null
  and not (m.kind = any(:optional_kinds::text[]) and exists (
    select from message_suppressions s where s.email = m.recipient and s.reason = 'unsubscribed'))
order by m.id

-- name: measureMessageBacklog :one on read
-- not null: due, oldest_seconds, retrying
select count(*)::integer as due,
  coalesce(extract(epoch from :now::timestamptz - min(next_attempt_at)), 0)::float8 as oldest_seconds,
  (select count(*)::integer from messages where status = 'pending' and outcome is not null) as retrying
from messages where status = 'pending' and next_attempt_at <= :now

-- name: findBusinessOfUser :one on tx
select p.business_name from users u join professionals p on p.account_id = u.account_id
where u.email = :email and u.role = 'pro' limit 1
