-- name: claimCalendar :one on write
-- Claims the calendar that has been due for the longest time; see sql/functions/claim_calendar.sql.
-- not null: id, professional_id, claim, name, address_encrypted, failures, changed_at
select c.id, c.professional_id, p.account_id, a.email, c.member_id, c.claims as claim, c.name, c.address_encrypted, c.etag,
  c.last_modified, c.body_digest, c.expanded_from, c.expanded_zone, c.failures, p.time_zone,
  iso_instant(coalesce(c.changed_at, c.created_at)) as changed_at
from claim_calendar(:now, :until) c
join professionals p on p.id = c.professional_id join accounts a on a.id = p.account_id

-- name: endTurn :exec on write
-- Ends a claim's turn: the pro's other calendars that are due go to the end of the queue.
update imported_calendars c set
  reading_until = case when c.id = :id and c.claims = :claim then null else c.reading_until end,
  next_read_at = case when c.next_read_at < :now then :now else c.next_read_at end
where c.professional_id = :professional_id
  and ((c.id = :id and c.claims = :claim) or c.next_read_at < :now)

-- name: updateChanged :exec on tx
-- Records that a reading changed the busy time.
update imported_calendars set changed_at = :now, next_read_at = :next where id = :id

-- name: updateFailed :one on tx
-- not null: is_to_tell
update imported_calendars c set failing_since = coalesce(c.failing_since, :now),
  failures = c.failures + 1, last_error = :error, next_read_at = :next,
  failure_told_at = coalesce(c.failure_told_at,
    case when c.failing_since <= :told_before then :now::timestamptz end)
from imported_calendars before
where c.id = :id and c.claims = :claim and before.id = c.id
returning c.last_read_at, c.failure_told_at is not null and before.failure_told_at is null as is_to_tell

-- name: replaceBusy :one on tx
-- not null: changes
with wanted as materialized (
  select w."startsAt" as starts_at, w."endsAt" as ends_at
  from jsonb_to_recordset(:busy::text::jsonb) as w ("startsAt" timestamptz, "endsAt" timestamptz)
), removed as (
  delete from imported_busy b
  where b.professional_id = :professional_id and b.calendar_id = :id
    and not exists (select from wanted w where w.starts_at = b.starts_at)
  returning b.starts_at, b.ends_at
), added as (
  insert into imported_busy as b (professional_id, calendar_id, starts_at, ends_at)
  select :professional_id, :id, w.starts_at, w.ends_at from wanted w
  on conflict (professional_id, starts_at, calendar_id) do update set ends_at = excluded.ends_at
    where b.ends_at <> excluded.ends_at
  returning b.starts_at, b.ends_at
)
select count(*)::int as changes from (select * from removed union all select * from added) changed
where ends_at > :now and starts_at < :until

-- name: insertConflicts :many on tx
-- not null: starts_at, ends_at
with overlapping as materialized (
  select b.id, min(i.starts_at) as starts_at, max(i.ends_at) as ends_at
  from bookings b
  join imported_busy i on i.professional_id = b.professional_id and i.calendar_id = :id
    and i.starts_at > b.starts_at - interval '24 hours' and i.starts_at < b.ends_at and i.ends_at > b.starts_at
  where b.professional_id = :professional_id and b.status in ('pending', 'confirmed')
    and (b.hold_expires_at is null or b.hold_expires_at > :now) and b.ends_at > :now
    -- A visit of another member is no conflict with this member's calendar.
    and (:member_id?::uuid is null or b.assigned_member_id is null or b.assigned_member_id = :member_id?)
  group by b.id
), told as (
  insert into imported_conflicts (calendar_id, booking_id, told_at)
  select :id, o.id, :now from overlapping o
  on conflict do nothing
  returning booking_id
)
select told.booking_id, o.starts_at, o.ends_at, current_message_booking(o.id, :now) as booking
from told join overlapping o on o.id = told.booking_id
order by o.starts_at, told.booking_id

-- name: findReadingBacklog :one on read
-- not null: calendars, failing, overdue_seconds
select count(*)::int as calendars, (count(*) filter (where failing_since is not null))::int as failing,
  greatest(0, coalesce(extract(epoch from :now::timestamptz - min(next_read_at)), 0))::float8
    as overdue_seconds
from imported_calendars
