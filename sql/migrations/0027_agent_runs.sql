-- Runs: goals that a pro gave to their agent. One is paid for by the agent task of the same id, and ends with it.
create table agent_runs (
  professional_id uuid not null references professionals,
  id uuid not null,
  -- Who asked: the tools of the run are called on behalf of this account.
  account_id uuid not null references accounts,
  kind text not null check (kind in ('run_agent', 'chat_on_thread')),
  thread_id uuid,
  -- The message of the thread that holds the goal: what comes before it is what the agent knows.
  goal_position integer,
  goal text not null check (length(goal) between 1 and 5000),
  status text not null check (status in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  -- How often a worker took it up. A worker writes only as long as this is still its own.
  attempt smallint not null default 0 check (attempt >= 0),
  -- Put off with every step. Past it, whoever worked on the run is gone.
  held_until timestamptz,
  -- Who decides: a model's name, or the built-in planner.
  model text check (length(model) between 1 and 200),
  answer text check (length(answer) between 1 and 5000),
  failure text check (failure ~ '^[a-z_]{1,50}$'),
  step_count smallint not null default 0 check (step_count >= 0),
  input_tokens integer not null default 0 check (input_tokens >= 0),
  output_tokens integer not null default 0 check (output_tokens >= 0),
  -- The request's trace, which the run goes on with.
  traceparent text,
  queued_at timestamptz not null,
  -- That of the task: past it the run is called off.
  deadline_at timestamptz not null check (deadline_at > queued_at),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (professional_id, id),
  constraint agent_runs_task foreign key (professional_id, id) references metered_tasks,
  constraint agent_runs_thread foreign key (professional_id, thread_id) references threads,
  constraint agent_runs_goal check ((thread_id is null) = (goal_position is null)),
  constraint agent_runs_chat check (kind = 'run_agent' or thread_id is not null),
  constraint agent_runs_started check ((started_at is null) = (attempt = 0) and (started_at is null) = (model is null)),
  constraint agent_runs_state check (
    (status = 'running') = (held_until is not null)
    and (status in ('queued', 'running')) = (finished_at is null)
    and (status = 'succeeded') = (answer is not null)
    and (status in ('failed', 'cancelled')) = (failure is not null)
    and case status when 'queued' then started_at is null when 'cancelled' then true else started_at is not null end)
);
-- A pro's runs take turns, whatever the workers do.
create unique index agent_runs_one_at_a_time on agent_runs (professional_id) where status = 'running';
create index agent_runs_open on agent_runs (professional_id, queued_at, id) where status in ('queued', 'running');
create index agent_runs_deadlines on agent_runs (deadline_at) where status in ('queued', 'running');

-- A run's goal is in its thread before the run is there, in one transaction.
alter table thread_messages
  add constraint thread_messages_of_run foreign key (professional_id, run_id) references agent_runs
    deferrable initially deferred;

-- What a run did: tools that it called. A step is written before its tool is called, and once more after it; one that a
-- dead worker left planned is called again, under the same idempotency key.
create table agent_steps (
  professional_id uuid not null,
  run_id uuid not null,
  number smallint not null check (number between 1 and 100),
  -- The model's turn that wanted it: one turn may want several.
  turn smallint not null check (turn between 1 and number),
  -- What the model calls it, and said with it.
  call_id text not null check (length(call_id) between 1 and 200),
  remark text check (length(remark) between 1 and 5000),
  tool text not null check (length(tool) between 1 and 100),
  -- JSON; as text, because JSON of strangers may hold what PostgreSQL's cannot.
  input text not null check (length(input) <= 20000),
  status text not null check (status in ('planned', 'done', 'refused')),
  -- What the model got to see, and a line of it for people.
  result text check (length(result) <= 20000),
  summary text check (length(summary) between 1 and 500),
  duration_ms integer check (duration_ms >= 0),
  -- Of the turn; noted with its first step.
  input_tokens integer not null default 0 check (input_tokens >= 0),
  output_tokens integer not null default 0 check (output_tokens >= 0),
  planned_at timestamptz not null,
  finished_at timestamptz,
  primary key (professional_id, run_id, number),
  constraint agent_steps_run foreign key (professional_id, run_id) references agent_runs,
  constraint agent_steps_state check (
    (status = 'planned') = (result is null) and (result is null) = (summary is null)
    and (result is null) = (duration_ms is null) and (result is null) = (finished_at is null))
);

insert into state_transitions (aggregate, from_state, to_state) values
  ('agent run', '', 'queued'), ('agent run', 'queued', 'running'), ('agent run', 'queued', 'cancelled'),
  ('agent run', 'running', 'succeeded'), ('agent run', 'running', 'failed'), ('agent run', 'running', 'cancelled');
create trigger agent_run_transition before insert or update of status on agent_runs
  for each row execute function check_transition('agent run');

-- Wakes the workers, and whoever waits for the run.
create function notify_agent_run() returns trigger language plpgsql as $$
begin
  perform pg_notify('agent_runs_moved', new.id::text);
  return null;
end $$;
create trigger agent_run_queued after insert on agent_runs for each row execute function notify_agent_run();
create trigger agent_run_moved after update of status on agent_runs for each row
  when (old.status <> new.status) execute function notify_agent_run();
