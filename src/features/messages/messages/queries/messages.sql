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
-- type: suppression message_suppressions.reason
select * from claim_messages(:limit, :optional_kinds::text[], :urgent_kinds::text[],
  :reserved_kinds::text[], :hourly, :now, :lease_until)

-- name: join_digest :one on tx
-- not null: is_joined
select join_digest(:id, :attempts, :like_kinds::text[], :now) as is_joined

-- name: selectDigestParts :many on write
select m.id, m.kind, current.data, m.booking_id
from messages m cross join lateral current_message_data(m, :now) current (data)
where m.digest_id = :digest_id and current.data is not null
  and not (m.kind = any(:optional_kinds::text[]) and exists (
    select from message_suppressions s where s.email = m.recipient and s.reason = 'unsubscribed'))
order by m.id

-- name: measureMessageBacklog :one on read
-- `held`: behind an earlier message to the same recipient that its mail server put off, as claim_messages() has it. No worker may
-- send them yet, so that they say nothing about the workers.
-- not null: due, oldest_seconds, held, retrying
select count(*) filter (where not is_held)::integer as due,
  coalesce(extract(epoch from :now::timestamptz - min(next_attempt_at) filter (where not is_held)), 0)::float8 as oldest_seconds,
  count(*) filter (where is_held)::integer as held,
  (select count(*)::integer from messages where status = 'pending' and outcome is not null) as retrying
from (
  select m.next_attempt_at, m.kind <> all (:urgent_kinds::text[]) and exists (
    select from messages e
    where e.recipient = m.recipient and e.status = 'pending' and e.id < m.id and e.next_attempt_at > :now and e.send_at <= :now
      and e.kind <> all (:urgent_kinds::text[]) and e.refusals < 3
      and (m.kind = any (:optional_kinds::text[]) or e.kind <> all (:optional_kinds::text[]))) as is_held
  from messages m where m.status = 'pending' and m.next_attempt_at <= :now
) waiting

-- name: findBusinessOfUser :one on tx
select p.business_name from users u join professionals p on p.account_id = u.account_id
where u.email = :email and u.role = 'pro' limit 1
