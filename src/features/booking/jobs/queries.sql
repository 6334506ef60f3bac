-- name: insertJob :exec on tx
insert into jobs (id, professional_id, service_id, quote_id, status, amount_cents, units, created_at)
values (:id, :professional_id, :service_id?, :quote_id, 'scheduled', :amount_cents,
  :units?, :now)

-- name: findJob :one on read
-- With `only_member_id` only a job that has a visit of this member, and the ids of these visits.
-- not null: own_visits
select job_object(j) as job, own.visits as own_visits
from jobs j cross join lateral (
  select coalesce(json_agg(v.id), '[]') as visits from bookings v
  where v.professional_id = j.professional_id and v.job_id = j.id and v.assigned_member_id = :only_member_id?::uuid) own
where j.id = :id and j.professional_id = :professional_id
  and (:only_member_id?::uuid is null or json_array_length(own.visits) > 0)

-- name: lockJob :one on tx
-- A job of the pro, locked until the transaction ends; with `only_member_id` only one that has a visit of this member.
select id, status, professional_id, service_id, quote_id from jobs
where id = :id and professional_id = :professional_id and (:only_member_id?::uuid is null or exists (
  select from bookings v
  where v.professional_id = :professional_id and v.job_id = jobs.id and v.assigned_member_id = :only_member_id?::uuid))
for update

-- name: plan_job_cancelled_message :exec on tx
-- Plans the message to the pro that the customer cancelled a job.
select plan_job_cancelled_message(j, :now) from jobs j where j.id = :id

-- name: saveEndedJob :exec on tx
-- Cancels a locked job unless it is over.
update jobs set status = 'cancelled', cancelled_at = :now, cancelled_by = :by,
  cancellation_reason = :reason?
where id = :id and status in ('scheduled', 'in_progress')

-- name: saveJobState :exec on tx
update jobs set status = :status, amount_cents = coalesce(:amount_cents?, amount_cents),
  started_at = case when :status = 'in_progress' then :at::timestamptz else started_at end,
  completed_at = case when :status = 'completed' then :at::timestamptz end,
  cancelled_at = case when :status = 'cancelled' then :at::timestamptz end,
  cancelled_by = case when :status = 'cancelled' then 'pro' end,
  cancellation_reason = :reason?
where id = :id

-- name: lockJobOfQuote :one on tx
-- not null: has_visit
select j.id, j.status, exists (
  select from bookings v
  where v.professional_id = j.professional_id and v.job_id = j.id and v.status <> 'cancelled') as has_visit
from jobs j
where j.quote_id = :quote_id for update of j

-- name: lockJobOfBooking :one on tx
-- not null: has_visit
select j.id, j.status, exists (
  select from bookings v
  where v.professional_id = j.professional_id and v.job_id = j.id and v.status <> 'cancelled') as has_visit
from jobs j
where j.id = (select b.job_id from bookings b where b.id = :booking_id) for update of j
