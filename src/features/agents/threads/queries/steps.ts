// SQL of steps and claims. A claim is checked by its attempt, so that a worker that lost the run changes nothing.
import type { RunRef } from '../schemas.ts'
import type { TxCtx } from '../../../../ctx.ts'

export interface StepRow {
  number: number
  turn: number
  callId: string
  remark: string | null
  tool: string
  /** JSON. */
  input: string
  status: 'planned' | 'done' | 'refused'
  result: string | null
}

/** One worker's claim of a run. */
export interface RunClaim extends RunRef {
  attempt: number
}

export const selectSteps = (ctx: TxCtx, { professionalId, runId }: RunRef) =>
  ctx.tx.run<StepRow>(
    'selectAgentSteps',
    (sql) => sql`
      select number, turn, call_id, remark, tool, input, status, result from agent_steps
      where professional_id = ${professionalId} and run_id = ${runId} order by number`,
  )

/** Extends the claim and adds the usage of a turn. Returns false when the claim is lost. */
export async function extendClaim(
  ctx: TxCtx,
  {
    professionalId,
    runId,
    attempt,
    heldUntil,
    steps,
    inputTokens,
    outputTokens,
  }: {
    heldUntil: Date
    steps: number
    inputTokens: number
    outputTokens: number
  } & RunClaim,
): Promise<boolean> {
  const rows = await ctx.tx.run(
    'extendRunClaim',
    (sql) => sql`
      update agent_runs set held_until = ${heldUntil.toISOString()}, step_count = step_count + ${steps},
        input_tokens = input_tokens + ${inputTokens}, output_tokens = output_tokens + ${outputTokens}
      where professional_id = ${professionalId} and id = ${runId} and status = 'running' and attempt = ${attempt}
      returning 1`,
  )
  return rows.length === 1
}

export interface PlannedStep {
  number: number
  turn: number
  callId: string
  remark: string | null
  tool: string
  input: string
  inputTokens: number
  outputTokens: number
}

export async function insertSteps(
  ctx: TxCtx,
  { professionalId, runId, steps, now }: { steps: readonly PlannedStep[]; now: Date } & RunRef,
): Promise<void> {
  await ctx.tx.run(
    'insertAgentSteps',
    (sql) => sql`
      insert into agent_steps (professional_id, run_id, number, turn, call_id, remark, tool, input, status, input_tokens,
        output_tokens, planned_at)
      select ${professionalId}, ${runId}, s.number, s.turn, s."callId", s.remark, s.tool, s.input, 'planned',
        s."inputTokens", s."outputTokens", ${now.toISOString()}
      from json_to_recordset(${JSON.stringify(steps)}::text::json) as s (number smallint, turn smallint, "callId" text,
        remark text, tool text, input text, "inputTokens" integer, "outputTokens" integer)`,
  )
}

export async function updateStep(
  ctx: TxCtx,
  {
    professionalId,
    runId,
    step,
  }: {
    step: {
      number: number
      status: 'done' | 'refused'
      result: string
      summary: string
      durationMs: number
      now: Date
    }
  } & RunRef,
): Promise<void> {
  await ctx.tx.run(
    'finishAgentStep',
    (sql) => sql`
      update agent_steps set status = ${step.status}, result = ${step.result}, summary = ${step.summary},
        duration_ms = ${step.durationMs}, finished_at = ${step.now.toISOString()}
      where professional_id = ${professionalId} and run_id = ${runId} and number = ${step.number}
        and status = 'planned'`,
  )
}
