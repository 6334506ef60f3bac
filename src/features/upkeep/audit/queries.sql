-- name: insertEntry :exec on tx
insert into operator_actions (id, action, subject_id, professional_id, plan_id, by_user_id, reason, details, at)
values (:id, :action, :subject_id?, :professional_id?, :plan_id?, :by?, :reason?,
  :details::text::jsonb, :at)

-- name: selectEntries :many on write
-- nullable: by
select a.action, a.reason, a.details, a.at, u.email as by
from operator_actions a left join users u on u.id = a.by_user_id
where a.subject_id = :subject_id order by a.at desc, a.id desc limit :limit

-- name: selectPlanEntries :many on write
-- nullable: by
select a.action, a.reason, a.details, a.at, u.email as by
from operator_actions a left join users u on u.id = a.by_user_id
where a.plan_id = :plan_id order by a.at desc, a.id desc limit :limit
