-- name: findParties :one on read
-- Who takes part in a booking, and what it came from.
-- nullable: maker, made_by, made_by_kind, quote_id, request_id, payment_id
-- not null: is_test
select b.professional_id, p.slug, p.business_name, p.phone as pro_phone, a.email as pro_email, p.time_zone, maker.email as made_by,
  maker.kind as made_by_kind, b.source, b.made_by as maker, q.id as quote_id, r.id as request_id, pay.id as payment_id,
  is_test_pro(b.professional_id) as is_test
from bookings b join professionals p on p.id = b.professional_id join accounts a on a.id = p.account_id
  left join accounts maker on maker.id = b.account_id
  left join jobs j on j.professional_id = b.professional_id and j.id = b.job_id
  left join quotes q on q.professional_id = j.professional_id and q.id = j.quote_id
  left join rfqs r on r.professional_id = q.professional_id and r.id = q.rfq_id
  left join lateral (select id from payments where booking_id = b.id or quote_id = q.id order by created_at desc limit 1) pay on true
where b.id = :id

-- name: selectEvents :many on read
-- not null: at
-- nullable: trace_id
select type, iso_instant(created_at) as at, split_part(traceparent, '-', 2) as trace_id
from outbox_events where aggregate_id = :id order by sequence desc limit 100

-- name: selectMessages :many on read
-- not null: created_at, is_kept
select id, kind, recipient, status, outcome, iso_instant(created_at) as created_at, iso_instant(finished_at) as finished_at,
  data is not null as is_kept
from messages where booking_id = :id order by id desc limit 100

-- name: selectDeliveries :many on read
-- not null: created_at
select d.endpoint_id, d.event_id, v.type, e.name, a.email as owner, d.state, d.attempts, iso_instant(v.created_at) as created_at
from webhook_events v join webhook_deliveries d on d.event_id = v.id join webhook_endpoints e on e.id = d.endpoint_id
  join accounts a on a.id = e.account_id
where v.aggregate_id = :id order by d.id desc limit 100

-- name: findDelivery :one on read
select e.account_id, b.professional_id
from webhook_events v join webhook_deliveries d on d.event_id = v.id join webhook_endpoints e on e.id = d.endpoint_id
  join bookings b on b.id = v.aggregate_id
where v.id = :event_id and v.aggregate_id = :id and d.endpoint_id = :endpoint_id

-- name: hastenMessage :many on tx
-- Sends a message that waits or was given up.
update messages set status = 'pending', refusals = 0, next_attempt_at = :now, finished_at = null
where id = :message_id and booking_id = :id and send_at <= :now and (data is not null or data_encrypted is not null)
  and (status in ('failed', 'suppressed') or (status = 'pending' and outcome is not null))
returning professional_id, kind, recipient

-- name: copyMessage :many on tx
-- Sends a message that was sent once more, as it was.
insert into messages (key, kind, recipient, data, professional_id, booking_id, customer_email, send_at, next_attempt_at, created_at)
select 'again:' || :key::text, kind, recipient, data, professional_id, booking_id, customer_email, :now::timestamptz, :now::timestamptz,
  :now::timestamptz
from messages where id = :message_id and booking_id = :id and status = 'sent' and data is not null
returning professional_id, kind, recipient
