-- Agent tasks: the plans that bring them, a double-entry ledger of them per pro, and notices to accounts.
alter table professionals
  add column plan text not null default 'none'
    constraint professionals_plan check (plan in ('none', 'verified', 'business'));

-- What an account should know, of whatever kind; the console shows it until it is read.
create table notices (
  id uuid primary key,
  account_id uuid not null references accounts,
  kind text not null check (kind ~ '^[a-z][a-z_]{0,49}$'),
  data jsonb not null check (jsonb_typeof(data) = 'object'),
  created_at timestamptz not null,
  read_at timestamptz
);
create index notices_account on notices (account_id, created_at desc, id desc);
create index notices_unread on notices (account_id) where read_at is null;

-- One per pro, made on first use. Its row is the lock: what moves a pro's tasks comes one after the other.
create table credit_ledgers (
  professional_id uuid primary key references professionals,
  -- The month whose allowance may be used, on the pro's own calendar, and when it ends.
  month text not null check (month ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  month_ends_at timestamptz not null,
  -- What there was when tasks last came in, and the lowest share of it, in per cent, that was reached since.
  full_tasks bigint not null default 0 check (full_tasks >= 0),
  reached smallint not null default 100 check (reached in (0, 20, 100)),
  -- Reached, and not told yet.
  notice_due smallint check (notice_due in (0, 20))
);
create index credit_ledgers_month on credit_ledgers (month_ends_at);
create index credit_ledgers_notices on credit_ledgers (professional_id) where notice_due is not null;

-- 'granted' and 'sold' are where tasks come from; 'allowance 2026-11' (one per month), 'prepaid', 'reserved' and 'spent'
-- where they are. The balances of a ledger add up to zero.
create table credit_accounts (
  professional_id uuid not null references credit_ledgers,
  name text not null
    check (name ~ '^(granted|sold|prepaid|reserved|spent|allowance \d{4}-(0[1-9]|1[0-2]))$'),
  balance bigint not null default 0,
  primary key (professional_id, name),
  constraint credit_accounts_balance check (case when name in ('granted', 'sold') then balance <= 0 else balance >= 0 end)
);

-- One unit of agent work, as far as it is counted: what it does is none of the ledger's business.
create table metered_tasks (
  professional_id uuid not null references credit_ledgers,
  id uuid not null,
  kind text not null check (kind ~ '^(run_agent|chat_on_thread|prepare_[a-z_]{1,50})$'),
  status text not null check (status in ('reserved', 'settled', 'released')),
  -- Where its credit came from, and goes back to when it is released.
  funded_by text not null check (funded_by = 'prepaid' or funded_by like 'allowance %'),
  reserved_at timestamptz not null,
  -- Past this the reservation counts as stuck.
  deadline_at timestamptz not null,
  ended_at timestamptz,
  primary key (professional_id, id),
  constraint metered_tasks_funded_by foreign key (professional_id, funded_by) references credit_accounts,
  constraint metered_tasks_deadline check (deadline_at > reserved_at),
  constraint metered_tasks_state check ((status = 'reserved') = (ended_at is null))
);
create index metered_tasks_days on metered_tasks (professional_id, reserved_at);
create index metered_tasks_deadlines on metered_tasks (deadline_at) where status = 'reserved';

-- A row is both legs: `amount` leaves one account and arrives in another of the same pro. Nothing can be out of balance.
create table credit_transfers (
  id bigint generated always as identity primary key,
  professional_id uuid not null,
  kind text not null,
  from_account text not null,
  to_account text not null,
  amount integer not null constraint credit_transfers_amount check (amount > 0),
  task_id uuid,
  -- Of a grant the plan, of a top-up whatever names the payment: each counts once.
  reference text check (length(reference) between 1 and 200),
  created_at timestamptz not null,
  constraint credit_transfers_from foreign key (professional_id, from_account) references credit_accounts,
  constraint credit_transfers_to foreign key (professional_id, to_account) references credit_accounts,
  constraint credit_transfers_task foreign key (professional_id, task_id) references metered_tasks,
  constraint credit_transfers_kind check (
    case kind
      when 'grant' then from_account = 'granted' and to_account like 'allowance %'
      when 'top_up' then from_account = 'sold' and to_account = 'prepaid'
      when 'reserve' then (from_account = 'prepaid' or from_account like 'allowance %') and to_account = 'reserved'
      when 'settle' then from_account = 'reserved' and to_account = 'spent'
      when 'release' then from_account = 'reserved' and (to_account = 'prepaid' or to_account like 'allowance %')
      else false
    end),
  constraint credit_transfers_cause check (
    case when kind in ('grant', 'top_up') then reference is not null and task_id is null
      else task_id is not null and reference is null and amount = 1 end)
);
create unique index credit_transfers_reference on credit_transfers (professional_id, to_account, reference)
  where reference is not null;
create unique index credit_transfers_begin on credit_transfers (professional_id, task_id) where kind = 'reserve';
create unique index credit_transfers_end on credit_transfers (professional_id, task_id)
  where kind in ('settle', 'release');

-- The ledger as bookkeepers read it: two legs to a transfer.
create view credit_legs as
  select id as transfer_id, professional_id, from_account as account, -amount as amount from credit_transfers
  union all
  select id, professional_id, to_account, amount from credit_transfers;

-- The ledger writes itself. A task's state moves its credit, a transfer moves the balances, and neither is written by
-- anyone else: what a statement does directly, at depth 1, is refused.
create function refuse_credit_change() returns trigger language plpgsql as $$
begin
  if tg_op in ('INSERT', 'UPDATE') and pg_trigger_depth() > 1 then
    return new;
  end if;
  raise exception '% is not changed by hand (%)', tg_table_name, lower(tg_op)
    using errcode = 'check_violation', constraint = tg_table_name || '_law';
end $$;

create trigger credit_accounts_opened before insert on credit_accounts for each row
  when (new.balance <> 0) execute function refuse_credit_change();
create trigger credit_accounts_law before update or delete on credit_accounts
  for each row execute function refuse_credit_change();
create trigger credit_transfers_of_tasks before insert on credit_transfers for each row
  when (new.task_id is not null) execute function refuse_credit_change();
create trigger credit_transfers_law before update or delete on credit_transfers
  for each row execute function refuse_credit_change();
create trigger metered_tasks_kept before delete on metered_tasks
  for each row execute function refuse_credit_change();
create trigger metered_tasks_law before update on metered_tasks for each row
  when ((old.professional_id, old.id, old.kind, old.funded_by, old.reserved_at)
    is distinct from (new.professional_id, new.id, new.kind, new.funded_by, new.reserved_at))
  execute function refuse_credit_change();
create trigger credit_accounts_kept before truncate on credit_accounts execute function refuse_credit_change();
create trigger credit_transfers_kept before truncate on credit_transfers execute function refuse_credit_change();

insert into state_transitions (aggregate, from_state, to_state) values
  ('agent task', '', 'reserved'), ('agent task', 'reserved', 'settled'), ('agent task', 'reserved', 'released');
create trigger agent_task_transition before insert or update of status on metered_tasks
  for each row execute function check_transition('agent task');

create function move_task_credit() returns trigger language plpgsql as $$
begin
  insert into credit_transfers (professional_id, kind, from_account, to_account, amount, task_id, created_at)
  values (
    new.professional_id,
    case new.status when 'reserved' then 'reserve' when 'settled' then 'settle' else 'release' end,
    case new.status when 'reserved' then new.funded_by else 'reserved' end,
    case new.status when 'reserved' then 'reserved' when 'settled' then 'spent' else new.funded_by end,
    1, new.id, coalesce(new.ended_at, new.reserved_at));
  return null;
end $$;
create trigger task_reserved after insert on metered_tasks for each row execute function move_task_credit();
create trigger task_ended after update of status on metered_tasks for each row
  when (old.status <> new.status) execute function move_task_credit();

create function apply_credit_transfer() returns trigger language plpgsql as $$
declare
  ledger credit_ledgers;
  remaining bigint;
  share smallint;
begin
  select l.* into ledger from credit_ledgers l where l.professional_id = new.professional_id for update;
  update credit_accounts a
  set balance = a.balance + case when a.name = new.to_account then new.amount else -new.amount end
  where a.professional_id = new.professional_id and a.name in (new.from_account, new.to_account);
  if new.kind not in ('grant', 'top_up', 'reserve') then
    return null;
  end if;
  select coalesce(sum(a.balance), 0) into remaining from credit_accounts a
  where a.professional_id = new.professional_id and a.name in ('prepaid', 'allowance ' || ledger.month);
  -- A level counts as reached once until tasks come in; a release does not make it news again.
  if new.kind = 'reserve' then
    share := case when remaining = 0 then 0 when remaining * 5 <= ledger.full_tasks then 20 else 100 end;
    update credit_ledgers l set reached = share, notice_due = share
    where l.professional_id = new.professional_id and l.reached > share;
  else
    update credit_ledgers l set full_tasks = remaining, reached = 100, notice_due = null
    where l.professional_id = new.professional_id;
  end if;
  return null;
end $$;
create trigger transfer_applied after insert on credit_transfers
  for each row execute function apply_credit_transfer();
