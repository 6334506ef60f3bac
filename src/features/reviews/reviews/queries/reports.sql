-- name: countReports :one on tx
-- not null: total, open
-- Of a locked review.
select count(*)::integer as total, (count(*) filter (where decided_at is null))::integer as open
from review_reports where review_id = :review_id

-- name: insertReport :exec on tx
insert into review_reports (id, review_id, professional_id, number, reason, words, created_at)
values (:id, :review_id, :professional_id, :number, :reason, :words, :now)

-- name: decideReport :one on tx
-- Closes the open report of a locked review.
-- not null: business_name, email, content
update review_reports o set decided_at = :now, outcome = :outcome, answer = :answer, decided_by = :by?
from reviews r join professionals p on p.id = r.professional_id join accounts a on a.id = p.account_id
where o.review_id = :review_id and o.decided_at is null and r.id = o.review_id
returning o.id, o.number, o.professional_id, p.business_name, a.email, r.content

-- name: findLastOutcome :one on tx
-- nullable: outcome
select outcome from review_reports where review_id = :review_id and decided_at is not null order by number desc limit 1

-- name: isOpenReport :one on tx
-- not null: open
select exists (select from review_reports where id = :id and review_id = :review_id and decided_at is null) as open

-- name: selectLastReports :many on write
-- nullable: decided_at, outcome, answer
-- not null: created_at
-- The last report of each review that has one.
select distinct on (review_id) review_id, number, iso_instant(created_at) as created_at, iso_instant(decided_at) as decided_at,
  outcome, answer
from review_reports where review_id = any(:ids::text::uuid[]) order by review_id, number desc
