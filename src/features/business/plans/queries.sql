-- name: selectPlans :many on read
-- The one of pros without a plan comes first, retired plans last.
select id, name, price_cents, tasks, has_agent_server, retired_at from plans
order by id <> 'none', retired_at is not null, tasks, id

-- name: findPlanForUpdate :one on tx
select id, name, price_cents, tasks, has_agent_server, retired_at from plans where id = :id for update

-- name: insertPlan :one on tx
insert into plans (id, name, price_cents, tasks, has_agent_server) values (:id, :name, :price_cents?, :tasks, :has_agent_server)
on conflict do nothing
returning id

-- name: savePlan :exec on tx
update plans set name = :name, price_cents = :price_cents?, tasks = :tasks, has_agent_server = :has_agent_server where id = :id

-- name: saveRetirement :exec on tx
update plans set retired_at = :at? where id = :id

-- name: findPlanOfProForUpdate :one on tx
-- not null: today
-- nullable: until
-- The plan as it was given, also after its end, and the day in the pro's time zone.
select p.plan, to_char(p.plan_until, 'YYYY-MM-DD') as until, to_char(:now::timestamptz at time zone p.time_zone, 'YYYY-MM-DD') as today
from professionals p where p.id = :professional_id for update

-- name: savePlanOfPro :exec on tx
update professionals set plan = :plan, plan_until = :until?::date where id = :professional_id

-- name: findPlanOfPro :one on read
-- not null: id, name
-- nullable: until, ended_plan
select current.id, current.name, case when current.id <> 'none' then to_char(p.plan_until, 'YYYY-MM-DD') end as until,
  case when current.id <> p.plan then json_build_object('name', given.name, 'until', to_char(p.plan_until, 'YYYY-MM-DD')) end as ended_plan
from professionals p join plans given on given.id = p.plan cross join lateral current_plan(p, :now) current
where p.id = :professional_id
