-- name: upsertDeadLetter :exec on write
insert into dead_letters (id, actor, message_id, data, error, attempts, traceparent, first_failed_at, failed_at)
values (:id, :actor, :message_id, :data::text::jsonb,
  :error, :attempts, :traceparent?, :now, :now)
on conflict (actor, message_id) do update set
  error = excluded.error, attempts = dead_letters.attempts + excluded.attempts, failed_at = excluded.failed_at,
  retried_at = null

-- name: updateFailedRetry :exec on write
-- Changes nothing when the dead letter was discarded meanwhile.
update dead_letters set error = :error, attempts = attempts + :attempts, failed_at = :now, retried_at = null where id = :id

-- name: deleteDeadLetter :exec on write
delete from dead_letters where id = :id

-- name: markRetried :one on write
update dead_letters set retried_at = :now where id = :id returning *

-- name: markSentAgain :many on tx
-- Those of one id or of one actor that are not on their way, the oldest first.
with chosen as materialized (
  select id from dead_letters
  where (:id?::uuid is null or id = :id?) and (:actor?::text is null or actor = :actor?) and retried_at is null
  order by failed_at, id limit :limit for update skip locked)
update dead_letters set retried_at = :now where id in (select id from chosen)
returning *

-- name: takeDeadLetter :one on tx
delete from dead_letters where id = :id returning actor, message_id, error, attempts

-- name: findKept :one on write
-- not null: is_kept, is_on_its_way
select count(*) > 0 as is_kept, count(retried_at) > 0 as is_on_its_way from dead_letters where id = :id

-- name: selectLetters :many on read
-- The latest first, with the event and the pro that each is about. `relay-outbox` names an event, and `run-agent-tasks` a pro.
-- not null: first_failed_at, failed_at
-- nullable: event_type, professional_id, business_name
select d.id, d.actor, d.error, d.attempts, iso_instant(coalesce(d.first_failed_at, d.failed_at)) as first_failed_at,
  iso_instant(d.failed_at) as failed_at, iso_instant(d.retried_at) as retried_at,
  o.type as event_type, case when o.aggregate_type = 'booking' then o.aggregate_id end as booking_id,
  p.id as professional_id, p.business_name
from dead_letters d
left join outbox_events o on o.id = case
  when d.actor = 'relay-outbox' and d.data ->> 'eventId' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (d.data ->> 'eventId')::uuid end
left join professionals p on p.id = coalesce(o.professional_id, case
  when d.data ->> 'professionalId' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (d.data ->> 'professionalId')::uuid end)
where :id?::uuid is null or d.id = :id?
order by d.failed_at desc, d.id desc limit :limit offset :offset

-- name: claimUnacknowledged :many on write
with unacknowledged as materialized (
  select id from dead_letters where retried_at < :before
  order by retried_at limit :limit for update skip locked)
update dead_letters set retried_at = :now where id in (select id from unacknowledged)
returning *

-- name: selectDeadLetterCount :one on read
-- not null: count
select count(*)::int as count from dead_letters where actor = :actor
