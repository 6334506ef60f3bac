-- name: reserve_task :one on write
-- type: outcome 'exhausted' | 'released' | 'reserved' | 'settled'
select * from reserve_task(:professional_id, :task_id, :kind, :deadline, :now)

-- name: end_task :one on write
-- type: before metered_tasks.status
select end_task(:professional_id, :task_id, :next, :now) as before

-- name: add_credits :one on write
-- type: outcome 'added' | 'mismatch' | 'repeated'
select add_credits(:professional_id, :tasks, :reference, :now) as outcome

-- name: write_credit_notices :one on write
-- not null: written
select write_credit_notices(string_to_array(:ids, ',')::uuid[], :now) as written

-- name: findTaskBalance :one on read
-- not null: plan, plan_name, has_agent_server, next_allowance, month, resets_at, prepaid, reserved, spent, available
-- nullable: plan_until, ended_plan
with pro as (
  select p.id, p.time_zone, current.id as plan, current.name as plan_name, current.tasks, current.has_agent_server,
    case when current.id = p.plan and p.plan <> 'none' then to_char(p.plan_until, 'YYYY-MM-DD') end as plan_until,
    case when current.id <> p.plan then json_build_object('name', given.name, 'until', to_char(p.plan_until, 'YYYY-MM-DD')) end as ended_plan,
    month.first, clock_reaches((month.first + interval '1 month')::date, 0, p.time_zone) as resets_at, p as row
  from professionals p join plans given on given.id = p.plan
    cross join lateral current_plan(p, :now::timestamptz) current
    cross join lateral (select date_trunc('month', :now::timestamptz at time zone p.time_zone)::date as first) month
  where p.id = :professional_id),
grants as (
  select coalesce(sum(t.amount), 0) as granted
  from pro join credit_transfers t on t.professional_id = pro.id
    and t.to_account = 'allowance ' || to_char(pro.first, 'YYYY-MM') and t.kind = 'grant'
    and t.reference is not null),
held as (
  select coalesce(sum(a.balance) filter (where a.name = 'allowance ' || to_char(pro.first, 'YYYY-MM')), 0)
      + greatest(pro.tasks - grants.granted, 0) as allowance,
    coalesce(sum(a.balance) filter (where a.name = 'prepaid'), 0) as prepaid,
    coalesce(sum(a.balance) filter (where a.name = 'reserved'), 0) as reserved,
    coalesce(sum(a.balance) filter (where a.name = 'spent'), 0) as spent
  from pro cross join grants left join credit_accounts a on a.professional_id = pro.id
  group by pro.tasks, grants.granted)
select pro.plan, pro.plan_name, pro.plan_until, pro.ended_plan, pro.has_agent_server,
  (current_plan(pro.row, pro.resets_at)).tasks as next_allowance,
  to_char(pro.first, 'YYYY-MM') as month, pro.resets_at,
  json_build_object('granted', greatest(pro.tasks, grants.granted), 'left', held.allowance) as allowance,
  held.prepaid, held.reserved, held.spent, held.allowance + held.prepaid as available
from pro, grants, held

-- name: findTaskUsage :one on read
with counted as (
  select (t.reserved_at at time zone p.time_zone)::date as day, t.kind, t.status, count(*) as tasks
  from professionals p join metered_tasks t on t.professional_id = p.id
  -- Local time is within a day of UTC: the range serves the index, the join on the local date decides.
  where p.id = :professional_id
    and t.reserved_at >= :first::date::timestamp at time zone 'UTC' - interval '1 day'
    and t.reserved_at < (:first::date + interval '1 month') at time zone 'UTC' + interval '1 day'
  group by 1, 2, 3),
days as (
  select d.day::date,
    coalesce(sum(c.tasks) filter (where c.status = 'settled'), 0) as settled,
    coalesce(sum(c.tasks) filter (where c.status = 'reserved'), 0) as reserved,
    coalesce(sum(c.tasks) filter (where c.status = 'released'), 0) as released,
    coalesce(json_object_agg(c.kind, c.tasks) filter (where c.status = 'settled'), '{}') as by_kind
  from generate_series(:first::date, :first::date + interval '1 month' - interval '1 day', '1 day') as d (day)
  left join counted c on c.day = d.day
  group by d.day)
select p.time_zone, (
  select json_agg(json_build_object('date', to_char(day, 'YYYY-MM-DD'), 'settled', settled, 'byKind', by_kind,
    'reserved', reserved, 'released', released) order by day) from days) as days
from professionals p where p.id = :professional_id

-- name: findProByIdOrSlug :one on read
select id, business_name from professionals where id = :id? or slug = :slug?

-- name: findTaskBacklog :one on read
-- not null: reserved, overdue_seconds
select count(*) as reserved,
  greatest(coalesce(extract(epoch from :now::timestamptz - min(deadline_at)), 0), 0) as overdue_seconds
from metered_tasks where status = 'reserved'

-- name: findLedgerTotals :one on read
-- not null: spent, sold, prepaid, imbalance
select coalesce(sum(balance) filter (where name = 'spent'), 0)::float8 as spent,
  coalesce(-sum(balance) filter (where name = 'sold'), 0)::float8 as sold,
  coalesce(sum(balance) filter (where name = 'prepaid'), 0)::float8 as prepaid,
  coalesce(sum(balance), 0)::float8 as imbalance
from credit_accounts
