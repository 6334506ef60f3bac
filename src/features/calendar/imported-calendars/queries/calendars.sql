-- name: lock_schedule :exec on tx
-- Locks the pro's schedule until the transaction ends; see sql/functions/lock_schedule.sql.
select lock_schedule(:professional_id)

-- name: lockMemberOfCalendar :many on tx
select id from members where professional_id = :professional_id and id = :id and active for share

-- name: updateDue :one on tx
-- not null: is_due
update imported_calendars set next_read_at = case
  when last_read_at > :not_after then next_read_at
  else least(next_read_at, :now) end
where professional_id = :professional_id and id = :id
returning next_read_at <= :now as is_due

-- name: notifyReaders :exec on tx
-- Wakes the readers when the transaction is committed.
select ask_wake_up('calendars_due', '')

-- name: selectImportedTimes :many on read
-- The first times after `now` that imported calendars block, in order.
-- not null: calendar_id, starts_at, ends_at
select calendar_id, starts_at, ends_at
from imported_time(:professional_id, tstzrange(:from,
  :from::timestamptz + :days * interval '1 day'))
order by starts_at, ends_at limit :limit
