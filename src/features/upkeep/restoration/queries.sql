-- name: countPending :one on read
-- not null: deliveries, events, refunds, runs, messages
select (select count(*)::int from webhook_deliveries where state = 'pending') as deliveries,
  (select count(*)::int from outbox_events where relayed_at is null) as events,
  (select count(*)::int from payment_refunds where status <> 'done') as refunds,
  (select count(*)::int from agent_runs where status in ('queued', 'running')) as runs,
  (select count(*)::int from messages where status = 'pending' and send_at <= now()) as messages

-- name: selectHeld :many on read
-- not null: deliveries, from, to
select d.endpoint_id, e.url, count(*)::int as deliveries, iso_instant(min(v.created_at)) as from,
  iso_instant(max(v.created_at)) as to
from restorations r
join webhook_deliveries d on d.state = 'failed' and d.finished_at = r.declared_at
join webhook_endpoints e on e.id = d.endpoint_id
join webhook_events v on v.id = d.event_id
group by d.endpoint_id, e.url order by min(v.created_at)

-- name: insertRestoration :one on tx
-- not null: declared_at
insert into restorations (target) select t from restored_copy() t where t is not null
on conflict do nothing returning declared_at::text, ask_wake_up('original_declared', '')::text

-- name: relayAll :exec on tx
-- Plans the deliveries and messages of all events that were not relayed.
with events as (
  update outbox_events set relayed_at = :at where relayed_at is null returning id, position
), relayed as (
  select array_agg(id order by position) as ids from events
)
select plan_messages(ids, :at), (select count(*) from plan_deliveries(ids, :at)) from relayed

-- name: holdMessages :many on tx
update messages set status = 'failed', outcome = :reason, next_attempt_at = null, finished_at = :at
where status = 'pending' and send_at <= :at returning 1

-- name: releaseHeldMessages :many on tx
update messages m set status = 'pending', next_attempt_at = :now, finished_at = null
from restorations r where m.status = 'failed' and m.finished_at = r.declared_at returning 1

-- name: countHeldMessages :one on read
-- not null: held
select count(*)::int as held from restorations r
join messages m on m.status = 'failed' and m.finished_at = r.declared_at

-- name: holdDeliveries :many on tx
with held as (
  update webhook_deliveries
  set state = 'failed', attempts = attempts + 1, next_attempt_at = null, finished_at = :at, courier_id = null
  where state = 'pending' returning id, attempts
)
insert into webhook_attempts (delivery_id, number, at, duration_ms, error)
select id, attempts, :at, 0, :reason from held returning 1

-- name: releaseHeld :many on tx
update webhook_deliveries d set state = 'pending', round = 0, next_attempt_at = :now,
  finished_at = null
from restorations r
where d.state = 'failed' and d.finished_at = r.declared_at returning 1
