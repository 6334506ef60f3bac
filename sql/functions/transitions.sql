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
