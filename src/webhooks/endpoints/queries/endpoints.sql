-- name: insertEndpoint :one on tx
-- shape: events
insert into webhook_endpoints (id, account_id, name, url, events, ordered, max_retries, secret_sealed, created_at,
  updated_at)
values (:id, :account_id, :name, :url, :events::text[], :ordered,
  :max_retries, :secret_sealed, :now, :now)
returning id, name, url, events, ordered, max_retries, status, disabled_reason, disabled_at, failing_since, secret_sealed, previous_secret_sealed, previous_secret_until, created_at, updated_at

-- name: findEndpoint :one on read
-- shape: events
select id, name, url, events, ordered, max_retries, status, disabled_reason, disabled_at, failing_since, secret_sealed, previous_secret_sealed, previous_secret_until, created_at, updated_at from webhook_endpoints where id = :id and account_id = :account_id

-- name: findOwnerOfEndpoint :one on write
select account_id from webhook_endpoints
where id = :id and account_id in (
  select id from accounts where id = :account_id or test_of = :account_id and kind <> 'pro')

-- name: lockEndpoint :one on tx
-- shape: events
select id, name, url, events, ordered, max_retries, status, disabled_reason, disabled_at, failing_since, secret_sealed, previous_secret_sealed, previous_secret_until, created_at, updated_at from webhook_endpoints where id = :id and account_id = :account_id for update

-- name: selectEndpoints :many on read
-- shape: events
select id, name, url, events, ordered, max_retries, status, disabled_reason, disabled_at, failing_since, secret_sealed, previous_secret_sealed, previous_secret_until, created_at, updated_at from webhook_endpoints where account_id = :account_id
order by created_at desc, id desc limit :limit offset :offset

-- name: countEndpoints :one on read
-- not null: total
select count(*)::integer as total from webhook_endpoints where account_id = :account_id

-- name: updateEndpoint :one on tx
-- shape: events
update webhook_endpoints set name = :name, url = :url, events = :events::text[],
  ordered = :ordered, max_retries = :max_retries, updated_at = :now
where id = :id returning id, name, url, events, ordered, max_retries, status, disabled_reason, disabled_at, failing_since, secret_sealed, previous_secret_sealed, previous_secret_until, created_at, updated_at

-- name: enableEndpoint :exec on tx
-- Clears `failing_since`: the owner is assumed to have repaired the endpoint.
update webhook_endpoints set status = 'enabled', disabled_reason = null, disabled_at = null, failing_since = null,
  updated_at = :now
where id = :id

-- name: replaceSecret :one on tx
-- shape: events
update webhook_endpoints set previous_secret_sealed = secret_sealed,
  previous_secret_until = :overlap_until, secret_sealed = :secret_sealed,
  updated_at = :now
where id = :id returning id, name, url, events, ordered, max_retries, status, disabled_reason, disabled_at, failing_since, secret_sealed, previous_secret_sealed, previous_secret_until, created_at, updated_at

-- name: deleteEndpoint :many on write
delete from webhook_endpoints where id = :id and account_id = :account_id returning id

-- name: selectFailingEndpoints :many on read
-- Endpoints of all accounts whose deliveries fail, the latest first, without those that their owners turned off. `waiting` counts
-- to 1,000, `missed` among the latest 1,000 deliveries.
-- not null: failing_since, waiting, missed
select e.id, e.name, e.url, e.disabled_reason, iso_instant(e.failing_since) as failing_since, a.email as owner,
  (select u.id from users u where u.account_id = coalesce(a.test_of, a.id) order by u.created_at limit 1) as user_id,
  last.status as last_status, last.error as last_error, (
    select count(*) from (
      select from webhook_deliveries d where d.endpoint_id = e.id and d.state = 'pending' limit 1000) pending)::integer as waiting, (
    select count(*) from (
      select d.state, d.finished_at from webhook_deliveries d where d.endpoint_id = e.id order by d.id desc limit 1000) latest
    where latest.state = 'failed' and latest.finished_at >= e.failing_since)::integer as missed
from webhook_endpoints e join accounts a on a.id = e.account_id
left join lateral (
  select t.status, t.error from (
    select d.id from webhook_deliveries d where d.endpoint_id = e.id and d.attempts > 0 order by d.id desc limit 1) tried
  join webhook_attempts t on t.delivery_id = tried.id order by t.number desc limit 1) last on true
where e.failing_since is not null and e.disabled_reason is distinct from 'by_owner'
order by e.failing_since desc, e.id limit :limit::integer offset :offset::integer

-- name: lockFailingEndpoint :one on tx
select e.name, e.disabled_reason, e.failing_since, (
    select p.id from professionals p where e.account_id in (p.account_id, p.test_account_id) limit 1) as professional_id
from webhook_endpoints e where e.id = :id for update of e

-- name: replayMissed :one on tx
-- Sends again what failed since then, and now what waits for its next attempt: up to :limit of each.
-- not null: again
with missed as (
  select id from webhook_deliveries where endpoint_id = :endpoint_id and state = 'failed' and finished_at >= :since
  order by id desc limit :limit for update
), waiting as (
  select id from webhook_deliveries
  where endpoint_id = :endpoint_id and state = 'pending' and courier_id is null and next_attempt_at > :now
  order by id limit :limit for update
), replayed as (
  update webhook_deliveries set state = 'pending', round = 0, next_attempt_at = :now, finished_at = null
  where id in (select id from missed) returning 1
), hastened as (
  update webhook_deliveries set next_attempt_at = :now where id in (select id from waiting) returning 1
)
select ((select count(*) from replayed) + (select count(*) from hastened))::integer as again
