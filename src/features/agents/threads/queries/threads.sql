-- name: insertThread :one on tx
insert into threads (professional_id, id, title, created_at, last_activity_at)
values (:professional_id, :id, :title, :at, :at)
returning id, title, message_count, created_at, last_activity_at

-- name: selectThreads :one on read
-- not null: total
select
  (select count(*)::int from threads where professional_id = :professional_id) as total,
  (select coalesce(json_agg(json_build_object('id', t.id, 'title', t.title, 'messageCount', t.message_count,
      'createdAt', iso_instant(t.created_at), 'lastActivityAt', iso_instant(t.last_activity_at))
      order by t.last_activity_at desc, t.id desc), '[]')
    from (
      select * from threads where professional_id = :professional_id
      order by last_activity_at desc, id desc limit :limit offset :offset
    ) t) as threads

-- name: findThread :one on read
select id, title, message_count, created_at, last_activity_at from threads
where professional_id = :professional_id and id = :id

-- name: selectMessages :many on read
-- The last `limit` messages before a position, latest first. `spokenOnly` leaves out tool and system messages.
select position, role, content, run_id, step, created_at from thread_messages
where professional_id = :professional_id and thread_id = :thread_id and position < :before
  and (not :spoken_only or role in ('person', 'agent'))
order by position desc limit :limit

-- name: appendThreadMessage :one on tx
with place as (
  update threads set message_count = message_count + 1, last_activity_at = greatest(last_activity_at, :now)
  where professional_id = :professional_id and id = :thread_id returning message_count)
insert into thread_messages (professional_id, thread_id, position, role, content, run_id, step, created_at)
select :professional_id, :thread_id, message_count, :role, :content, :run_id, :step?::smallint, :now
from place returning position
