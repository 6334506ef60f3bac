-- Refuses a change of `status` that the table does not know. The trigger's argument names the aggregate.
create or replace function check_transition() returns trigger language plpgsql as $$
declare
  before text := case when tg_op = 'INSERT' then '' else old.status end;
begin
  if before <> new.status and not exists (
    select from state_transitions t
    where t.aggregate = tg_argv[0] and t.from_state = before and t.to_state = new.status)
  then
    raise exception '% may not become % from %', tg_argv[0], new.status, coalesce(nullif(before, ''), 'nothing')
      using errcode = 'check_violation', constraint = tg_argv[0] || '_transition';
  end if;
  return new;
end $$;

create or replace trigger agent_run_transition before insert or update of status on agent_runs
  for each row execute function check_transition('agent run');
create or replace trigger application_transition before insert or update of status on pro_applications
  for each row execute function check_transition('application');
create or replace trigger booking_transition before insert or update of status on bookings
  for each row execute function check_transition('booking');
create or replace trigger file_transition before insert or update of status on files
  for each row execute function check_transition('file');
create or replace trigger import_transition before insert or update of status on pro_imports
  for each row execute function check_transition('import');
create or replace trigger job_transition before insert or update of status on jobs
  for each row execute function check_transition('job');
create or replace trigger agent_task_transition before insert or update of status on metered_tasks
  for each row execute function check_transition('agent task');
create or replace trigger refund_transition before insert or update of status on payment_refunds
  for each row execute function check_transition('refund');
create or replace trigger payment_transition before insert or update of status on payments
  for each row execute function check_transition('payment');
-- Pros begin active. A seed inserts a million of them.
create or replace trigger pro_transition before update of status on professionals
  for each row when (old.status <> new.status) execute function check_transition('pro');
create or replace trigger proposal_transition before insert or update of status on proposals
  for each row execute function check_transition('proposal');
create or replace trigger quote_transition before insert or update of status on quotes
  for each row execute function check_transition('quote');
create or replace trigger review_transition before insert or update of status on reviews
  for each row execute function check_transition('review');
create or replace trigger rfq_transition before insert or update of status on rfqs
  for each row execute function check_transition('rfq');
