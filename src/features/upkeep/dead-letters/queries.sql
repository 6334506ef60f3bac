-- name: upsertDeadLetter :exec on write
insert into dead_letters (id, actor, message_id, data, error, attempts, traceparent, failed_at)
values (:id, :actor, :message_id, :data::text::jsonb,
  :error, :attempts, :traceparent?, :now)
on conflict (actor, message_id) do update set
  error = excluded.error, attempts = dead_letters.attempts + excluded.attempts, failed_at = excluded.failed_at,
  retried_at = null

-- name: deleteDeadLetter :exec on write
delete from dead_letters where id = :id

-- name: markRetried :one on write
update dead_letters set retried_at = :now where id = :id returning *

-- name: claimUnacknowledged :many on write
with unacknowledged as materialized (
  select id from dead_letters where retried_at < :before
  order by retried_at limit :limit for update skip locked)
update dead_letters set retried_at = :now where id in (select id from unacknowledged)
returning *

-- name: selectDeadLetterCount :one on read
-- not null: count
select count(*)::int as count from dead_letters where actor = :actor
