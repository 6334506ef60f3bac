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

-- name: selectEvidence :many on write
-- nullable: evidence, valid_until
select mark, evidence, to_char(valid_until, 'YYYY-MM-DD') as valid_until from mark_evidence
where professional_id = :professional_id order by mark

-- name: insertEvidence :many on tx
-- No row for a last day that has passed in the pro's time zone.
insert into mark_evidence (professional_id, mark, evidence, valid_until, next_at)
select p.id, :mark, :evidence?, :valid_until?::date,
  ((:valid_until?::date + 1)::timestamp at time zone p.time_zone) - make_interval(days => :warned_days::int)
from professionals p
where p.id = :professional_id
  and (:valid_until?::date is null or :valid_until?::date >= (:now::timestamptz at time zone p.time_zone)::date)
returning mark

-- name: selectProsWithDueMarks :many on write
select professional_id as id from mark_evidence where next_at <= :now order by next_at limit :limit

-- name: selectDueMarks :many on tx
-- not null: valid_until, ends_at, business_name, email
select m.mark, to_char(m.valid_until, 'YYYY-MM-DD') as valid_until,
  iso_instant((m.valid_until + 1)::timestamp at time zone p.time_zone) as ends_at, p.business_name, a.email
from mark_evidence m join professionals p on p.id = m.professional_id join accounts a on a.id = p.account_id
where m.professional_id = :professional_id and m.next_at <= :now order by m.mark

-- name: planEndOfMark :exec on tx
update mark_evidence set next_at = :ends_at where professional_id = :professional_id and mark = :mark

-- name: deleteMark :exec on tx
delete from mark_evidence where professional_id = :professional_id and mark = :mark
