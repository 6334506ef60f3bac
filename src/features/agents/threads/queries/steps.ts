// SQL of steps and claims. A claim is checked by its attempt, so that a worker that lost the run changes nothing.
import type { RunRef } from '../schemas.ts'
import type { TxCtx } from '../../../../ctx.ts'
import * as statements from './steps.sql.ts'

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
  const rows = await statements.extendRunClaim(ctx, {
    heldUntil,
    steps,
    inputTokens,
    outputTokens,
    professionalId,
    runId,
    attempt,
  })
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
  await statements.insertAgentSteps(ctx, { professionalId, runId, now, steps: JSON.stringify(steps) })
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
  await statements.finishAgentStep(ctx, {
    status: step.status,
    result: step.result,
    summary: step.summary,
    durationMs: step.durationMs,
    now: step.now,
    professionalId,
    runId,
    number: step.number,
  })
}
