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

-- name: selectCalendars :many on read
-- not null: address, status
-- type: status 'failing' | 'waiting' | 'working'
select c.id, c.name, 'https://' || c.host || '/…' as address, c.member_id, c.last_read_at, c.last_error, c.failing_since,
  c.next_read_at, c.event_count, c.unreadable_count as unreadable_event_count, c.created_at,
  case when c.failing_since is not null then 'failing' when c.last_read_at is null then 'waiting' else 'working' end as status
from imported_calendars c
where c.professional_id = :professional_id order by c.created_at, c.id

-- name: insertCalendar :one on tx
-- Undefined when the pro has imported this address before.
-- not null: address, status
-- type: status 'failing' | 'waiting' | 'working'
insert into imported_calendars as c (id, professional_id, member_id, name, address_encrypted, address_digest, host,
  created_at, next_read_at)
values (:id, :professional_id, :member_id?, :name, :address_encrypted, :address_digest, :host, :now, :now)
on conflict on constraint imported_calendars_once do nothing
returning c.id, c.name, 'https://' || c.host || '/…' as address, c.member_id, c.last_read_at, c.last_error, c.failing_since,
  c.next_read_at, c.event_count, c.unreadable_count as unreadable_event_count, c.created_at,
  case when c.failing_since is not null then 'failing' when c.last_read_at is null then 'waiting' else 'working' end as status

-- name: deleteCalendar :many on tx
delete from imported_calendars where professional_id = :professional_id and id = :id returning id

-- name: deleteCalendarsOfMember :many on tx
delete from imported_calendars where professional_id = :professional_id and member_id = :member_id returning id
