-- name: release_unproven_address :exec on tx
select release_unproven_address(:professional_id, :email, :booking_id?, :project_id?)

-- name: saveProven :one on tx
update reviews r set proven_at = coalesce(r.proven_at, :now), verified = r.verified or is_of_completed_work(r)
where id = :id and status <> 'rejected'
returning r.id, r.professional_id, r.event_sequence, review_record(r) as record

-- name: lockReviewedBooking :exec on tx
select from bookings b where b.id = (select booking_id from reviews where id = :id) for share of b

-- name: lockReviewedJob :exec on tx
select from jobs j where j.id = (select job_id from reviews where id = :id) for share of j

-- name: saveWithdrawn :exec on tx
-- Unpublishes a locked review without a trace of its publication. A trigger updates the pro's rating and statistics.
update reviews set status = :status, approved_at = null, response = null, responded_at = null,
  rejected_at = :now, rejection_reason = :reason
where id = :id

-- name: findReviewToConfirm :one on write
-- not null: is_proven
select r.id, r.professional_id, p.business_name, r.status, r.rating, r.title, r.content,
  r.proven_at is not null as is_proven
from reviews r join professionals p on p.id = r.professional_id where r.id = :id
