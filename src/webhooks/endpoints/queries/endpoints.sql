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
-- Endpoints of all accounts whose deliveries fail, the latest first. `waiting` counts to 1,000.
-- not null: failing_since, waiting
select e.id, e.name, e.url, e.status, e.failing_since, a.email as owner, (
    select count(*) from (
      select from webhook_deliveries d where d.endpoint_id = e.id and d.state = 'pending' limit 1000) pending)::integer as waiting
from webhook_endpoints e join accounts a on a.id = e.account_id
where e.failing_since is not null
order by e.failing_since desc, e.id limit :limit::integer
