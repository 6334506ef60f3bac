-- name: selectSteps :many on tx
select number, turn, call_id, remark, tool, input, status, result from agent_steps
where professional_id = :professional_id and run_id = :run_id order by number

-- name: extendRunClaim :many on tx
update agent_runs set held_until = :held_until, step_count = step_count + :steps,
  input_tokens = input_tokens + :input_tokens, output_tokens = output_tokens + :output_tokens
where professional_id = :professional_id and id = :run_id and status = 'running' and attempt = :attempt
returning 1

-- name: insertAgentSteps :exec on tx
insert into agent_steps (professional_id, run_id, number, turn, call_id, remark, tool, input, status, input_tokens,
  output_tokens, planned_at)
select :professional_id, :run_id, s.number, s.turn, s."callId", s.remark, s.tool, s.input, 'planned',
  s."inputTokens", s."outputTokens", :now
from json_to_recordset(:steps::text::json) as s (number smallint, turn smallint, "callId" text,
  remark text, tool text, input text, "inputTokens" integer, "outputTokens" integer)

-- name: finishAgentStep :exec on tx
update agent_steps set status = :status, result = :result, summary = :summary,
  duration_ms = :duration_ms, finished_at = :now
where professional_id = :professional_id and run_id = :run_id and number = :number
  and status = 'planned'
