-- name: insertAgentRun :exec on tx
insert into agent_runs (professional_id, id, account_id, kind, thread_id, goal_position, goal, status, traceparent,
  queued_at, deadline_at)
select :professional_id, :run_id, :account_id, :kind, :thread_id?, :goal_position?,
  :goal, 'queued', :traceparent?, :now, t.deadline_at
from metered_tasks t where t.professional_id = :professional_id and t.id = :run_id

-- name: countOpenAgentRuns :one on tx
-- not null: open
select count(*)::int as open from agent_runs
where professional_id = :professional_id and status in ('queued', 'running')

-- name: findAgentRun :one on read
-- type: failure 'deadline' | 'internal_error' | 'interrupted' | 'model_cut_off' | 'model_refused' | 'model_unavailable' | 'model_unusable' | 'not_understood' | 'step_limit' | 'time_limit' | 'token_limit'
select r.id, r.kind, r.status, r.goal, r.thread_id, r.answer, r.failure, r.model, r.input_tokens, r.output_tokens,
  r.queued_at, r.deadline_at, r.started_at, r.finished_at,
  coalesce((
    select json_agg(json_build_object('number', s.number, 'tool', s.tool, 'input', s.input, 'status', s.status,
      'summary', s.summary, 'remark', s.remark, 'durationMs', s.duration_ms, 'inputTokens', s.input_tokens,
      'outputTokens', s.output_tokens) order by s.number)
    from agent_steps s where s.professional_id = r.professional_id and s.run_id = r.id), '[]') as steps,
  coalesce((
    select json_agg(json_build_object('id', p.id, 'summary', p.summary,
      'status', proposal_status(p, :now)) order by p.created_at, p.id)
    from proposals p where p.professional_id = r.professional_id and p.run_id = r.id), '[]') as proposals
from agent_runs r where r.professional_id = :professional_id and r.id = :run_id

-- name: findAgentRunState :one on write
select status from agent_runs where professional_id = :professional_id and id = :run_id

-- name: selectOpenRunsOf :many on read
-- The open runs of a thread, oldest first.
-- type: status 'queued' | 'running'
select id, status, queued_at from agent_runs
where professional_id = :professional_id and status in ('queued', 'running') and thread_id = :thread_id
order by queued_at, id

-- name: lockRun :one on tx
-- The run, locked until the transaction ends. Lock order: the run, then the pro's ledger.
select professional_id, id as run_id, account_id, thread_id, goal_position, goal, status, attempt, step_count,
  input_tokens, output_tokens, deadline_at, queued_at
from agent_runs where professional_id = :professional_id and id = :run_id for update

-- name: startAgentRun :many on tx
update agent_runs set status = 'running', attempt = attempt + 1, model = :model,
  held_until = :held_until, started_at = coalesce(started_at, :now)
where professional_id = :professional_id and id = :run_id and restored_copy() is null and not exists (
  select from agent_runs other
  where other.professional_id = :professional_id and other.status = 'running' and other.id <> :run_id)
returning 1

-- name: endAgentRun :exec on tx
update agent_runs set status = :status, answer = :answer?, failure = :failure?, held_until = null,
  finished_at = :now
where professional_id = :professional_id and id = :run_id

-- name: selectRunsToExecute :many on write
-- The next run of each pro that no worker has: queued, or left by a dead worker. Oldest first.
select professional_id, id as run_id, traceparent from (
  select distinct on (professional_id) professional_id, id, traceparent, status, held_until, queued_at
  from agent_runs where status in ('queued', 'running')
  order by professional_id, status desc, queued_at, id) turn
where status = 'queued' or held_until <= :now
order by queued_at, id limit :limit

-- name: selectOverdueRuns :many on write
-- Open runs past their deadline.
select professional_id, id as run_id from agent_runs
where status in ('queued', 'running') and deadline_at <= :now order by deadline_at limit :limit

-- name: findAgentRunBacklog :one on read
-- not null: queued, running, oldest_seconds
select count(*) filter (where status = 'queued')::int as queued,
  count(*) filter (where status = 'running')::int as running,
  greatest(coalesce(extract(epoch from
    :now::timestamptz - min(queued_at) filter (where status = 'queued')), 0), 0)::float
    as oldest_seconds
from agent_runs where status in ('queued', 'running')
