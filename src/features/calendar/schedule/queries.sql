-- name: lock_schedule :exec on tx
-- Locks the pro's schedule until the transaction ends; see sql/functions/lock_schedule.sql.
select lock_schedule(:professional_id)

-- name: findSchedule :one on read
select json_build_object(
  'settings', json_build_object(
    'instantBookingEnabled', p.instant_booking_enabled, 'requiresApproval', p.requires_approval,
    'bookingLeadTimeHours', p.lead_time_hours, 'bookingBufferMinutes', p.buffer_minutes,
    'defaultSlotMinutes', p.default_slot_minutes, 'depositRequired', p.deposit_required,
    'depositPercentage', trim_scale(p.deposit_percentage), 'reminderHours', p.reminder_hours, 'timezone', p.time_zone, 'businessHours', p.business_hours),
  'blocks', coalesce((
    select json_agg(block_object(b) order by b.starts_at, b.id)
    from (
      select id from availability_blocks
      where professional_id = p.id and ends_at > :now order by starts_at, id limit 500
    ) upcoming join availability_blocks b on b.id = upcoming.id), '[]')) as schedule
from professionals p where p.id = :professional_id

-- name: updateSchedule :one on tx
update professionals set
  instant_booking_enabled = coalesce(:instant_booking_enabled?, instant_booking_enabled),
  requires_approval = coalesce(:requires_approval?, requires_approval),
  lead_time_hours = coalesce(:booking_lead_time_hours?, lead_time_hours),
  buffer_minutes = coalesce(:booking_buffer_minutes?, buffer_minutes),
  default_slot_minutes = coalesce(:default_slot_minutes?, default_slot_minutes),
  deposit_required = coalesce(:deposit_required?, deposit_required),
  deposit_percentage = case when :keeps_deposit then deposit_percentage
    else :deposit_percentage?::numeric end,
  reminder_hours = case when :keeps_reminders then reminder_hours
    else :reminder_hours?::integer end,
  time_zone = coalesce(:timezone?, time_zone),
  business_hours = coalesce(:business_hours?::text::jsonb,
    business_hours),
  updated_at = :now, event_sequence = event_sequence + 1
where id = :professional_id returning event_sequence

-- name: insertBlock :one on tx
insert into availability_blocks as b (id, professional_id, starts_at, ends_at, reason, created_at)
values (:id, :professional_id, :starts_at, :ends_at, :reason?,
  :created_at)
returning block_object(b) as block

-- name: deleteBlock :many on tx
delete from availability_blocks where id = :id and professional_id = :professional_id returning id

-- name: selectBookingsWithin :many on tx
select id from bookings
where professional_id = :professional_id and status in ('pending', 'confirmed')
  and (hold_expires_at is null or hold_expires_at > :now)
  and starts_at < :ends_at and ends_at > :starts_at
order by starts_at, id

-- name: findClockSpan :one on read
-- not null: starts_at, ends_at
select iso_instant(clock_reaches(:date::date, :minute::integer, time_zone)) as starts_at,
  iso_instant(clock_reaches(:end_date::date, :end_minute::integer, time_zone)) as ends_at
from professionals where id = :professional_id
