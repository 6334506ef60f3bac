// SQL of runs: insert, read, change state.
import type { AgentRun, AgentStep, Failure, RunKind, RunRef } from '../schemas.ts'
import type { RunState } from '../states.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import * as statements from './runs.sql.ts'

export interface NewRunRow extends RunRef {
  accountId: string
  kind: RunKind
  goal: string
  threadId: string | null
  goalPosition: number | null
  traceparent: string | null
  now: Date
}

/** Queues a run. Its deadline is that of its task, which must be reserved. */
export async function insertRun(ctx: TxCtx, run: NewRunRow): Promise<void> {
  const now = run.now.toISOString()
  await statements.insertAgentRun(ctx, {
    professionalId: run.professionalId,
    runId: run.runId,
    accountId: run.accountId,
    kind: run.kind,
    threadId: run.threadId,
    goalPosition: run.goalPosition,
    goal: run.goal,
    traceparent: run.traceparent,
    now,
  })
}

export async function countOpenRuns(ctx: TxCtx, { professionalId }: { professionalId: string }): Promise<number> {
  const row = await statements.countOpenAgentRuns(ctx, { professionalId })
  return row?.open ?? 0
}

export type RunRow = Omit<AgentRun, 'failure' | 'steps' | 'usage'> & {
  failure: Failure | null
  inputTokens: number
  outputTokens: number
  steps: (Omit<AgentStep, 'input'> & { input: string })[]
}

/** A run with its steps, and with its proposals as they are at `now`. */
export async function findRun(
  ctx: Ctx,
  { professionalId, runId, now }: { now: Date } & RunRef,
): Promise<RunRow | undefined> {
  return await statements.findAgentRun<Pick<RunRow, 'steps' | 'proposals'>>(ctx, { now, professionalId, runId })
}

export async function findRunState(ctx: Ctx, { professionalId, runId }: RunRef): Promise<RunState | undefined> {
  const row = await statements.findAgentRunState(ctx, { professionalId, runId })
  return row?.status
}

export interface LockedRun extends RunRef {
  accountId: string
  threadId: string | null
  goalPosition: number | null
  goal: string
  status: RunState
  attempt: number
  stepCount: number
  inputTokens: number
  outputTokens: number
  deadlineAt: string
  queuedAt: string
}

/** Marks the run as running. Returns false when another run of the pro is running, or in a restored copy. */
export async function startRunRow(
  ctx: TxCtx,
  { professionalId, runId, model, heldUntil, now }: { model: string; heldUntil: Date; now: Date } & RunRef,
): Promise<boolean> {
  const rows = await statements.startAgentRun(ctx, { model, heldUntil, now, professionalId, runId })
  return rows.length === 1
}

export async function endRunRow(
  ctx: TxCtx,
  {
    professionalId,
    runId,
    end,
  }: { end: { status: RunState; answer: string | null; failure: Failure | null; now: Date } } & RunRef,
): Promise<void> {
  await statements.endAgentRun(ctx, {
    status: end.status,
    answer: end.answer,
    failure: end.failure,
    now: end.now,
    professionalId,
    runId,
  })
}

export async function findRunBacklog(
  ctx: Ctx,
  { now }: { now: Date },
): Promise<{ queued: number; running: number; oldestSeconds: number }> {
  const row = await statements.findAgentRunBacklog(ctx, { now })
  return row ?? { queued: 0, running: 0, oldestSeconds: 0 }
}
