-- name: findWaitingPartitions :many on read
-- not null: partition
select p as partition from generate_series(0, :last_partition::integer) p
where exists (select from outbox_events o where o.partition = p and o.relayed_at is null)

-- name: findWaitingWork :many on read
-- shape: partition, work
select p as partition, null as work from generate_series(0, :last_partition::integer) p
where exists (select from outbox_events o where o.partition = p and o.relayed_at is null)
union all
select null, d.work from due_work(:now) d

-- name: lockPartition :one on tx
-- not null: locked
select pg_try_advisory_xact_lock(:relay_lock, :partition) as locked

-- name: selectWaiting :many on tx
-- not null: turn
with recursive walk (professional_id, place) as (
  (select o.professional_id, 1 from outbox_events o
    where o.partition = :partition and o.relayed_at is null and o.professional_id > :after
    order by o.professional_id limit 1)
  union all
  select next.professional_id, w.place + 1
  from walk w
  cross join lateral (
    select o.professional_id from outbox_events o
    where o.partition = :partition and o.relayed_at is null and o.professional_id > w.professional_id
    order by o.professional_id limit 1
  ) next
  where w.place < :pros
)
select e.position, e.id, e.type, e.professional_id, e.aggregate_type, e.aggregate_id, e.sequence, e.data,
  e.traceparent, e.created_at, e.turn
from walk w
cross join lateral (
  select oldest.*, (row_number() over (order by oldest.position))::integer as turn
  from (
    select * from outbox_events o
    where o.partition = :partition and o.relayed_at is null and o.professional_id = w.professional_id
    order by o.position limit :per_pro
  ) oldest
) e
order by e.turn, e.professional_id limit :limit

-- name: markRelayed :exec on tx
update outbox_events o set relayed_at = :now
from unnest(:positions::text::bigint[]) relayed (position)
where o.position = relayed.position

-- name: findEvent :one on tx
select position, id, type, professional_id, aggregate_type, aggregate_id, sequence, data, traceparent, created_at
from outbox_events where id = :id

-- name: measureLag :one on read
-- not null: waiting, oldest_seconds
select count(*)::int as waiting,
  coalesce(greatest(0, extract(epoch from :now::timestamptz - min(created_at))), 0)::float8
    as oldest_seconds
from outbox_events where relayed_at is null
