-- The ledger writes itself. A task's state moves its credit, a transfer moves the balances, and neither is written by
-- anyone else: what a statement does directly, at depth 1, is refused.
create or replace function refuse_credit_change() returns trigger language plpgsql as $$
begin
  if tg_op in ('INSERT', 'UPDATE') and pg_trigger_depth() > 1 then
    return new;
  end if;
  raise exception '% is not changed by hand (%)', tg_table_name, lower(tg_op)
    using errcode = 'check_violation', constraint = tg_table_name || '_law';
end $$;

-- A task's state moves its credit: reserved, then spent or given back.
create or replace function move_task_credit() returns trigger language plpgsql as $$
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

-- A transfer moves both balances, and notes when a level of the remaining tasks is reached.
create or replace function apply_credit_transfer() returns trigger language plpgsql as $$
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

-- The ledger as bookkeepers read it: two legs to a transfer.
create or replace view credit_legs as
select id as transfer_id, professional_id, from_account as account, -amount as amount from credit_transfers
union all
select id, professional_id, to_account, amount from credit_transfers;

create or replace trigger transfer_applied after insert on credit_transfers
  for each row execute function apply_credit_transfer();
create or replace trigger task_ended after update of status on metered_tasks for each row
  when (old.status <> new.status) execute function move_task_credit();
create or replace trigger task_reserved after insert on metered_tasks for each row execute function move_task_credit();
create or replace trigger credit_accounts_kept before truncate on credit_accounts execute function refuse_credit_change();
create or replace trigger credit_accounts_law before update or delete on credit_accounts
  for each row execute function refuse_credit_change();
create or replace trigger credit_accounts_opened before insert on credit_accounts for each row
  when (new.balance <> 0) execute function refuse_credit_change();
create or replace trigger credit_transfers_kept before truncate on credit_transfers execute function refuse_credit_change();
create or replace trigger credit_transfers_law before update or delete on credit_transfers
  for each row execute function refuse_credit_change();
create or replace trigger credit_transfers_of_tasks before insert on credit_transfers for each row
  when (new.task_id is not null) execute function refuse_credit_change();
create or replace trigger metered_tasks_kept before delete on metered_tasks
  for each row execute function refuse_credit_change();
create or replace trigger metered_tasks_law before update on metered_tasks for each row
  when ((old.professional_id, old.id, old.kind, old.funded_by, old.reserved_at)
    is distinct from (new.professional_id, new.id, new.kind, new.funded_by, new.reserved_at))
  execute function refuse_credit_change();
