-- name: selectBookingMessages :many on read
-- The messages about a pro's booking, oldest first.
select kind, recipient, status, case when status = 'sent' then iso_instant(finished_at) end as sent_at
from messages where booking_id = :booking_id and professional_id = :professional_id order by id limit 200

-- name: selectMessages :many on read
-- Newest first.
-- not null: send_at, created_at
select id, kind, recipient, status, attempts, outcome, iso_instant(send_at) as send_at, iso_instant(next_attempt_at) as next_attempt_at,
  iso_instant(created_at) as created_at, iso_instant(finished_at) as finished_at
from messages
where (:recipient?::text is null or recipient = :recipient?)
  and (:status?::text is null or status = :status?)
order by id desc limit :limit offset :offset

-- name: findMessage :one on read
-- not null: send_at, created_at, is_secret
select id, kind, recipient, status, attempts, outcome, iso_instant(send_at) as send_at, iso_instant(next_attempt_at) as next_attempt_at,
  iso_instant(created_at) as created_at, iso_instant(finished_at) as finished_at, booking_id, data is null as is_secret,
  case when status = 'pending' then coalesce(current_message_data(m, :now), data) else data end as data
from messages m where id = :id

-- name: updateToDue :many on write
update messages set status = 'pending', refusals = 0, next_attempt_at = :now, finished_at = null
where id = :id and send_at <= :now and (data is not null or data_encrypted is not null)
  and (status in ('failed', 'suppressed') or (status = 'pending' and outcome is not null))
returning kind, booking_id
