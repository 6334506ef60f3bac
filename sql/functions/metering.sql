-- Agent tasks: reserved, then settled or released, paid from the month's allowance first and from prepaid tasks second.
-- Every change locks the pro's ledger row before it reads.

-- Tasks per month.
create or replace function plan_allowance(plan text) returns integer
  language sql stable parallel safe as $$
  select coalesce((select p.tasks from plans p where p.id = plan_allowance.plan), 0)
$$;

-- Grants the plan's allowance for the month, less what was granted already (after a change to a larger plan, or when the plan
-- itself became larger). The reference names the total, because a plan may become larger more than once.
create or replace function grant_allowance(pro_id uuid, of_month text, plan text, as_of timestamptz) returns void
  language plpgsql volatile as $$
begin
  insert into credit_transfers (professional_id, kind, from_account, to_account, amount, reference, created_at)
  select pro_id, 'grant', 'granted', 'allowance ' || of_month, due.amount,
    grant_allowance.plan || case when due.granted = 0 then '' else ' ' || due.granted + due.amount end, as_of
  from (
    select plan_allowance(grant_allowance.plan) - coalesce(sum(t.amount), 0) as amount, coalesce(sum(t.amount), 0) as granted
    from credit_transfers t
    where t.professional_id = pro_id and t.to_account = 'allowance ' || of_month and t.reference is not null
  ) due
  where due.amount > 0
  on conflict do nothing;
end $$;

-- The pro's ledger, locked, with the current month of the pro's time zone opened. Null when the pro does not exist.
create or replace function open_ledger(pro_id uuid, as_of timestamptz) returns credit_ledgers
  language plpgsql volatile as $$
declare
  pro record;
  ledger credit_ledgers;
begin
  select (current_plan(p, as_of)).id as plan_id, p.time_zone, date_trunc('month', as_of at time zone p.time_zone)::date as month into pro
  from professionals p where p.id = pro_id;
  if not found then
    return null;
  end if;
  select l.* into ledger from credit_ledgers l where l.professional_id = pro_id for update;
  if not found then
    -- With the previous month, so that the code below opens the current one.
    insert into credit_ledgers (professional_id, month, month_ends_at)
    values (pro_id, to_char(pro.month - 1, 'YYYY-MM'), as_of) on conflict do nothing;
    insert into credit_accounts (professional_id, name)
    select pro_id, unnest(array['granted', 'sold', 'prepaid', 'reserved', 'spent']) on conflict do nothing;
    select l.* into ledger from credit_ledgers l where l.professional_id = pro_id for update;
  end if;
  if ledger.month = to_char(pro.month, 'YYYY-MM') and ledger.month_ends_at > as_of then
    return ledger;
  end if;
  insert into credit_accounts (professional_id, name) values (pro_id, 'allowance ' || to_char(pro.month, 'YYYY-MM'))
  on conflict do nothing;
  -- A clock change across midnight of the first can end a month twice; the next check is then a minute ahead.
  update credit_ledgers l set month = to_char(pro.month, 'YYYY-MM'), month_ends_at = greatest(
    clock_reaches((pro.month + interval '1 month')::date, 0, pro.time_zone), as_of + interval '1 minute')
  where l.professional_id = pro_id;
  perform grant_allowance(pro_id, to_char(pro.month, 'YYYY-MM'), pro.plan_id, as_of);
  select l.* into ledger from credit_ledgers l where l.professional_id = pro_id;
  return ledger;
end $$;

-- Reserves one task. The outcome is the state of an existing task, 'reserved', 'exhausted', or null when the pro does not
-- exist.
create or replace function reserve_task(
  pro_id uuid, task_id uuid, task_kind text, deadline timestamptz, as_of timestamptz,
  out outcome text, out month_ends_at timestamptz
) language plpgsql volatile as $$
declare
  ledger credit_ledgers := open_ledger(pro_id, as_of);
  allowance text := 'allowance ' || ledger.month;
  fund text;
begin
  if ledger.professional_id is null then
    return;
  end if;
  month_ends_at := ledger.month_ends_at;
  select t.status into outcome from metered_tasks t where t.professional_id = pro_id and t.id = task_id;
  if found then
    return;
  end if;
  if not exists (
    select from credit_accounts a where a.professional_id = pro_id and a.name = allowance and a.balance > 0) then
    perform grant_allowance(pro_id, ledger.month, (current_plan(p, as_of)).id, as_of) from professionals p where p.id = pro_id;
  end if;
  select a.name into fund from credit_accounts a
  where a.professional_id = pro_id and a.name in (allowance, 'prepaid') and a.balance > 0
  order by a.name = 'prepaid' limit 1;
  if fund is null then
    outcome := 'exhausted';
    return;
  end if;
  insert into metered_tasks (professional_id, id, kind, status, funded_by, reserved_at, deadline_at)
  values (pro_id, task_id, task_kind, 'reserved', fund, as_of, deadline);
  outcome := 'reserved';
end $$;

-- Settles or releases a reserved task. Returns its previous state, null when the task does not exist.
create or replace function end_task(pro_id uuid, task_id uuid, next_status text, as_of timestamptz) returns text
  language plpgsql volatile as $$
declare
  before text;
begin
  perform from credit_ledgers l where l.professional_id = pro_id for update;
  select t.status into before from metered_tasks t where t.professional_id = pro_id and t.id = task_id;
  if before = 'reserved' then
    update metered_tasks t set status = next_status, ended_at = as_of where t.professional_id = pro_id and t.id = task_id;
  end if;
  return before;
end $$;

-- Adds tasks that a pro bought. Returns 'added', 'repeated' when the reference was counted before, 'mismatch' when it was
-- counted with another number, null when the pro does not exist.
create or replace function add_credits(pro_id uuid, tasks integer, payment text, as_of timestamptz) returns text
  language plpgsql volatile as $$
declare
  ledger credit_ledgers := open_ledger(pro_id, as_of);
  counted integer;
begin
  if ledger.professional_id is null then
    return null;
  end if;
  select t.amount into counted from credit_transfers t
  where t.professional_id = pro_id and t.to_account = 'prepaid' and t.reference = payment;
  if found then
    return case when counted = tasks then 'repeated' else 'mismatch' end;
  end if;
  insert into credit_transfers (professional_id, kind, from_account, to_account, amount, reference, created_at)
  values (pro_id, 'top_up', 'sold', 'prepaid', tasks, payment, as_of);
  return 'added';
end $$;

-- The actor calls the three functions below. They may run concurrently: they skip ledgers that are locked.

-- Releases up to `max` tasks past their deadline. Returns their number.
create or replace function release_stuck_tasks(as_of timestamptz, max integer) returns integer
  language plpgsql volatile as $$
declare
  due record;
  released integer := 0;
begin
  for due in
    select t.professional_id, t.id from metered_tasks t where t.status = 'reserved' and t.deadline_at <= as_of
    order by t.deadline_at limit max
  loop
    perform from credit_ledgers l where l.professional_id = due.professional_id for update skip locked;
    continue when not found;
    -- Checked again under the lock: the task may have been settled meanwhile.
    update metered_tasks t set status = 'released', ended_at = as_of
    where t.professional_id = due.professional_id and t.id = due.id and t.status = 'reserved';
    if found then
      released := released + 1;
    end if;
  end loop;
  return released;
end $$;

-- Opens the month of up to `max` ledgers whose month has ended. Returns their number.
create or replace function open_allowances(as_of timestamptz, max integer) returns integer
  language plpgsql volatile as $$
declare
  opened integer;
begin
  with due as (
    select l.professional_id from credit_ledgers l where l.month_ends_at <= as_of
    order by l.month_ends_at limit max for update skip locked
  )
  select count(open_ledger(due.professional_id, as_of)) into opened from due;
  return opened;
end $$;

-- Writes at most one notice per id to owners of ledgers whose tasks run out, with a message when they are used up. Returns
-- their number.
create or replace function write_credit_notices(notice_ids uuid[], as_of timestamptz) returns integer
  language plpgsql volatile as $$
declare
  due record;
  written integer := 0;
begin
  for due in
    select l.professional_id, l.notice_due, l.full_tasks, l.month, l.month_ends_at from credit_ledgers l
    where l.notice_due is not null and l.month_ends_at > as_of
    order by l.professional_id limit cardinality(notice_ids) for update skip locked
  loop
    written := written + 1;
    insert into notices (id, account_id, kind, data, created_at)
    select notice_ids[written], p.account_id,
      case due.notice_due when 0 then 'agent_tasks_exhausted' else 'agent_tasks_low' end,
      jsonb_build_object('month', due.month, 'resetsAt', iso_instant(due.month_ends_at), 'of', due.full_tasks,
        'left', (
          select coalesce(sum(a.balance), 0) from credit_accounts a
          where a.professional_id = due.professional_id and a.name in ('prepaid', 'allowance ' || due.month))),
      as_of
    from professionals p where p.id = due.professional_id;
    if due.notice_due = 0 then
      insert into messages (key, kind, recipient, data, professional_id, send_at, next_attempt_at, created_at)
      -- What comes next month: nothing if the plan ends before.
      select 'notice:' || notice_ids[written], 'tasks-used-up', a.email, jsonb_build_object(
          'allowance', (current_plan(p, due.month_ends_at)).tasks, 'renewsAt', iso_instant(due.month_ends_at), 'timeZone', p.time_zone),
        p.id, as_of, as_of, as_of
      from professionals p join accounts a on a.id = p.account_id where p.id = due.professional_id
      on conflict on constraint messages_once do nothing;
    end if;
    update credit_ledgers l set notice_due = null where l.professional_id = due.professional_id;
  end loop;
  return written;
end $$;
