-- name: selectDeliveries :one on read
-- not null: total
select (
    select count(*) from webhook_deliveries
    where endpoint_id = :endpoint_id and (:state?::text is null or state = :state?))::integer as total,
  coalesce((
    select json_agg(delivery_object(page.id, false) order by page.id desc)
    from (
      select id from webhook_deliveries
      where endpoint_id = :endpoint_id and (:state?::text is null or state = :state?)
      order by id desc limit :limit offset :offset
    ) page), '[]') as deliveries

-- name: findDelivery :one on read
select delivery_object(d.id, true) as delivery
from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
where d.endpoint_id = :endpoint_id and d.event_id = :event_id and e.account_id = :account_id

-- name: insertTestEvent :exec on tx
with event as (
  insert into webhook_events (id, type, body, traceparent, created_at)
  values (:id, :type,
    webhook_body(:id::uuid, :type, :now, 1,
      jsonb_build_object('object', :object::text::jsonb)),
    :traceparent?, :now)
  returning id
)
insert into webhook_deliveries (endpoint_id, event_id, next_attempt_at, created_at)
select :endpoint_id, event.id, :now, :now from event

-- name: replayDelivery :many on tx
update webhook_deliveries set state = 'pending', round = 0, next_attempt_at = :now, finished_at = null
where endpoint_id = :endpoint_id and event_id = :event_id and state <> 'pending' returning id

-- name: hastenDelivery :many on write
update webhook_deliveries set next_attempt_at = :now
where endpoint_id = :endpoint_id and event_id = :event_id and state = 'pending' and courier_id is null
  and next_attempt_at > :now returning id

-- name: replayRange :one on tx
-- not null: replayed
with picked as (
  select d.id, v.created_at from webhook_deliveries d join webhook_events v on v.id = d.event_id
  where d.endpoint_id = :endpoint_id and d.state = any (:states::text[])
    and v.created_at >= :from and v.created_at < :to
  order by v.created_at, d.id limit :limit for update of d
), replayed as (
  update webhook_deliveries d set state = 'pending', round = 0, next_attempt_at = :now,
    finished_at = null
  from picked where d.id = picked.id
)
select count(*)::integer as replayed, max(created_at) as last_at from picked
