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

-- name: selectLog :many on write
-- nullable: by, pro
-- shape: pro
select a.action, a.reason, a.details, a.at, u.email as by, a.subject_id, a.plan_id,
  case when p.id is not null then json_build_object('id', p.id, 'businessName', p.business_name) end as pro
from operator_actions a left join users u on u.id = a.by_user_id left join professionals p on p.id = a.professional_id
where (:by?::text is null or u.email = :by?) and (:kind?::text is null or starts_with(a.action, :kind? || '.'))
order by a.at desc, a.id desc limit :limit offset :offset
