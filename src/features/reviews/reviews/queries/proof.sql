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

-- name: selectVerifiedToPublish :many on tx
-- What waits and is verified, while the policy is to publish it at once. The address of a team member is a moderator's to judge.
select r.id from reviews r
where (r.id = :id or r.booking_id = :id or r.job_id = :id) and r.status = 'pending' and r.verified
  and (select review_policy from marketplace_versions order by version desc limit 1) = 'verified_at_once'
  and not exists (
    select from members m where m.professional_id = r.professional_id and m.email = r.customer_email and m.active)
for update of r

-- name: saveWithdrawn :one on tx
-- nullable: proven_email
-- Unpublishes a locked review without a trace of its publication. A trigger updates the pro's rating and statistics.
update reviews set status = :status, approved_at = null, response = null, responded_at = null,
  rejected_at = :now, rejection_reason = :reason
where id = :id
returning review_record(reviews) as record, case when proven_at is not null then customer_email end as proven_email

-- name: findReviewToConfirm :one on write
-- not null: is_proven
select r.id, r.professional_id, p.business_name, r.status, r.rating, r.title, r.content,
  r.proven_at is not null as is_proven
from reviews r join professionals p on p.id = r.professional_id where r.id = :id
