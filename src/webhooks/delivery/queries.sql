-- name: insertDeliveries :many on tx
-- Inserts deliveries of events in the outbox, except those planned before.
-- not null: id, endpoint_id
select id, endpoint_id from plan_deliveries(:event_ids::uuid[], :now)

-- name: claim_deliveries :many on write
-- not null: id, endpoint_id, event_id, type, body, event_at, attempts, round, url, ordered, max_retries, secrets
select * from claim_deliveries(:endpoint_ids::uuid[], :counts::integer[],
  :worker_id, :now, :lease_until)

-- name: insertLease :exec on write
-- The caller holds the worker's lock. Called again after the session was lost and others deleted the lease.
insert into webhook_couriers (id, enlisted_at) values (:worker_id, :now) on conflict do nothing

-- name: deleteLease :exec on write
delete from webhook_couriers where id = :worker_id

-- name: free_deliveries :one on write
-- not null: reclaimed
select free_deliveries(:now) as reclaimed

-- name: releaseUnknownClaims :exec on write
-- Releases claims that the worker does not know of: committed, but their result was lost on the way.
update webhook_deliveries set courier_id = null, next_attempt_at = :now
where state = 'pending' and courier_id = :worker_id and next_attempt_at > :now
  and id <> all(:known::bigint[])

-- name: releaseClaims :exec on write
-- Releases claims that the worker will not attempt now.
update webhook_deliveries set courier_id = null, next_attempt_at = :now
where state = 'pending' and courier_id = :worker_id and id = any(:ids::bigint[])

-- name: due_endpoints :many on write
-- not null: endpoint_id
select d.endpoint_id from due_endpoints(:now) d
join webhook_endpoints e on e.id = d.endpoint_id and e.status = 'enabled'

-- name: finish_attempts :exec on write
select finish_attempts(:results::text::jsonb)

-- name: measureBacklog :one on read
-- not null: due, oldest_seconds, due_to_failing, failing_endpoints, enabled_endpoints
with due as (
  select e.failing_since is not null as fails, d.next_attempt_at
  from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id and e.status = 'enabled'
  where d.state = 'pending' and d.next_attempt_at <= :now
)
select (select count(*) from due where not fails)::integer as due,
  coalesce(extract(epoch from :now::timestamptz
    - (select min(next_attempt_at) from due where not fails)), 0)::float8 as oldest_seconds,
  (select count(*) from due where fails)::integer as due_to_failing,
  count(*) filter (where failing_since is not null)::integer as failing_endpoints,
  count(*)::integer as enabled_endpoints
from webhook_endpoints where status = 'enabled'

-- name: updateToDisabled :one on write
-- Disables an enabled endpoint and fails its pending deliveries. Returns undefined when it was not enabled.
with disabled as (
  update webhook_endpoints set status = 'disabled', disabled_reason = :reason, disabled_at = :now,
    failing_since = case when :reason = 'by_owner' then failing_since else coalesce(failing_since, :now) end, updated_at = :now
  where id = :endpoint_id and status = 'enabled' returning id, account_id, name
), failed as (
  update webhook_deliveries d set state = 'failed', next_attempt_at = null, finished_at = :now
  from disabled where d.endpoint_id = disabled.id and d.state = 'pending'
)
select disabled.account_id, disabled.name, a.email from disabled join accounts a on a.id = disabled.account_id
