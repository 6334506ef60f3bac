-- name: findMarksForUpdate :one on tx
-- The marks of a pro, locked until the transaction ends, with the pro's account.
select account_id, verified, background_check, insurance, credentials
from professionals where id = :id and test_account_id is null for update

-- name: findDeclared :one on tx
-- nullable: license_number, license_state, insurance_carrier
select p.business_name, e.license_number, e.license_state, e.insurance_carrier
from professionals p left join pro_business_entities e on e.professional_id = p.id where p.id = :id

-- name: hasRequest :many on tx
select from verification_requests where professional_id = :professional_id

-- name: saveMarks :exec on tx
update professionals set verified = :verified, background_check = :background_check,
  insurance = :insurance, credentials = :credentials, updated_at = :now
where id = :id

-- name: saveRequest :exec on tx
-- Saves a request. One that waits keeps its place in the queue.
insert into verification_requests as v (professional_id, license_number, license_state, note, asked_at)
values (:professional_id, :license_number?, :license_state?, :note?, :now)
on conflict (professional_id) do update set
  license_number = excluded.license_number, license_state = excluded.license_state, note = excluded.note,
  asked_at = case when v.refused_at is null then v.asked_at else excluded.asked_at end,
  refusal = null, refused_at = null

-- name: refuseRequest :many on tx
update verification_requests set refusal = :reason, refused_at = :now
where professional_id = :professional_id and refused_at is null returning professional_id

-- name: deleteRequest :exec on tx
delete from verification_requests where professional_id = :professional_id

-- name: countRequests :one on write
-- not null: count
select count(*)::integer as count from verification_requests where refused_at is null
