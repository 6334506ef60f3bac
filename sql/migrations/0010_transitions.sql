-- Which state may follow which, once for all aggregates: the law behind the transition tables in src/features/*/states.ts.
create table state_transitions (
  aggregate text not null,
  -- '' stands for "not there yet".
  from_state text not null,
  to_state text not null,
  primary key (aggregate, from_state, to_state)
);

insert into state_transitions (aggregate, from_state, to_state) values
  ('booking', '', 'pending'), ('booking', '', 'confirmed'),
  ('booking', 'pending', 'confirmed'), ('booking', 'pending', 'cancelled'),
  ('booking', 'confirmed', 'completed'), ('booking', 'confirmed', 'no_show'), ('booking', 'confirmed', 'cancelled'),
  ('rfq', '', 'new'),
  ('rfq', 'new', 'responded'), ('rfq', 'new', 'archived'), ('rfq', 'responded', 'archived'),
  ('quote', '', 'draft'), ('quote', '', 'sent'),
  ('quote', 'draft', 'sent'), ('quote', 'sent', 'viewed'),
  ('quote', 'sent', 'accepted'), ('quote', 'sent', 'declined'), ('quote', 'sent', 'expired'), ('quote', 'sent', 'superseded'),
  ('quote', 'viewed', 'accepted'), ('quote', 'viewed', 'declined'), ('quote', 'viewed', 'expired'),
  ('quote', 'viewed', 'superseded'),
  ('job', '', 'scheduled'),
  ('job', 'scheduled', 'in_progress'), ('job', 'scheduled', 'completed'), ('job', 'scheduled', 'cancelled'),
  ('job', 'in_progress', 'completed'), ('job', 'in_progress', 'cancelled'),
  ('review', '', 'pending'),
  ('review', 'pending', 'approved'), ('review', 'pending', 'rejected');

-- Refuses a change of `status` that the table does not know. The trigger's argument names the aggregate.
create function check_transition() returns trigger language plpgsql as $$
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

-- Rows of the past are loaded in the state they have now (the seed bypasses triggers), new ones begin at a beginning.
create trigger booking_transition before insert or update of status on bookings
  for each row execute function check_transition('booking');
create trigger rfq_transition before insert or update of status on rfqs
  for each row execute function check_transition('rfq');
create trigger quote_transition before insert or update of status on quotes
  for each row execute function check_transition('quote');
create trigger job_transition before insert or update of status on jobs
  for each row execute function check_transition('job');
create trigger review_transition before insert or update of status on reviews
  for each row execute function check_transition('review');
