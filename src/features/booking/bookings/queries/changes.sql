-- name: saveBookingState :many on tx
update bookings b set
  status = :status,
  confirmed_at = case when :status = 'confirmed' then coalesce(b.confirmed_at, :at) else b.confirmed_at end,
  approved_at = case when :status = 'confirmed' and :by = 'pro' then :at::timestamptz else b.approved_at end,
  completed_at = case when :status = 'completed' then :at::timestamptz end,
  cancelled_at = case when :status = 'cancelled' then :at::timestamptz end,
  cancellation_reason = case when :status = 'cancelled' then :reason? end,
  cancelled_by = case when :status = 'cancelled' then :by end,
  hold_expires_at = null, lapse_event_id = null,
  event_sequence = b.event_sequence + 1
where b.id = :id
returning booking_object(b) as booking, b.event_sequence

-- name: lapse_hold :exec on tx
-- Records the end of a locked booking's hold, with its event.
select lapse_hold(b, :now) from bookings b where b.id = :id

-- name: lapse_holds :one on write
-- not null: lapsed
select lapse_holds(:now, :limit) as lapsed

-- name: selectUnanswered :many on write
select id from bookings
where status = 'pending' and hold_expires_at is null and starts_at <= :now
order by starts_at limit :limit

-- name: saveAssignment :exec on tx
-- Assigns a locked booking to a member.
update bookings set assigned_member_id = :member_id where id = :id

-- name: clearAssignments :exec on tx
-- Unassigns a member's open bookings.
update bookings set assigned_member_id = null
where professional_id = :professional_id and assigned_member_id = :member_id
  and status in ('pending', 'confirmed')

-- name: findOpenVisit :one on tx
select id from bookings
where professional_id = :professional_id and job_id = :job_id and status in ('pending', 'confirmed')

-- name: lock_schedule :exec on tx
-- Waits for concurrent changes of the pro's schedule. Call it before locking any row.
select lock_schedule(:professional_id)

-- name: reschedule_booking :many on tx
-- shape: outcome, booking, event_sequence, next_available
select outcome, booking, event_sequence, next_available
from reschedule_booking(:id, :date?, :minute?, :instant?, :is_late,
  :now, :base_url)

-- name: propose_time :many on tx
-- shape: outcome, next_available
select outcome, next_available
from propose_time(:id, :date?, :minute?, :instant?, :message?,
  :now, :base_url)

-- name: findProposedStart :one on tx
select starts_at from booking_proposed_times where booking_id = :id and declined_at is null

-- name: declineProposedTime :exec on tx
update booking_proposed_times set declined_at = :now where booking_id = :id

-- name: findDeclinedBooking :many on tx
select booking_object(b) as booking from bookings b where b.id = :id

-- name: findCancellationTerms :one on write
-- not null: status, has_work_begun
-- nullable: quote_id
-- type: status bookings.status
select (booking_as_of(b, :now)).status, b.starts_at, free_cancellation_until(b),
  booking_balance(booking_as_of(b, :now)) as balance,
  coalesce(j.status <> 'scheduled', false) as has_work_begun, p.time_zone, q.id as quote_id, q.valid_until as quote_valid_until
from bookings b join professionals p on p.id = b.professional_id
  left join jobs j on j.professional_id = b.professional_id and j.id = b.job_id
  left join quotes q on q.professional_id = j.professional_id and q.id = j.quote_id
where b.id = :id

-- name: tellProOfCancellation :exec on tx
-- An operator cancelled it in the pro's place: the pro hears of it as of every other cancellation.
insert into messages (key, kind, recipient, data, professional_id, booking_id, customer_email, send_at, next_attempt_at, created_at)
select 'operator-cancelled:' || b.id, 'booking-cancelled-for-pro', a.email,
  jsonb_build_object('booking', current_message_booking(b.id, :now::timestamptz)), b.professional_id, b.id, b.customer_email, :now::timestamptz,
  :now::timestamptz, :now::timestamptz
from bookings b join professionals p on p.id = b.professional_id join accounts a on a.id = p.account_id
where b.id = :id and b.customer_email not like '%@erased.invalid'
on conflict on constraint messages_once do nothing
