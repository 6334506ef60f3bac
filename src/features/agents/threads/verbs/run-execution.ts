// The execution of runs by workers: claim, plan steps, finish steps, finish. Writes fail once another worker has the run.
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { transition } from '../../../../transition.ts'
import { firstCharacters } from '../../../../platform/text/plain.ts'
import { type LockedRun, startRunRow } from '../queries/runs.ts'
import { lockRun } from '../queries/runs.sql.ts'
import {
  type PlannedStep,
  type RunClaim,
  type StepRow,
  extendClaim,
  insertSteps,
  updateStep,
} from '../queries/steps.ts'
import { selectSteps } from '../queries/steps.sql.ts'
import { appendMessage } from '../queries/threads.ts'
import { selectMessages } from '../queries/threads.sql.ts'
import { MAX_MESSAGE_LENGTH, type RunRef, type ThreadOwner } from '../schemas.ts'
import { RUN, hasEnded } from '../states.ts'
import { type RunEnd, cancelRun, endRun } from './run-end.ts'

export type { PlannedStep, RunEnd, StepRow }

/** Longer than a step takes: a worker that was silent for so long is dead. */
const CLAIM_MS = 60_000
/** Claims of one run, first included; each further claim means that a worker died. */
const MAX_ATTEMPTS = 4
/** Messages of the thread that the agent gets. */
const MAX_EARLIER_MESSAGES = 30

/** Another worker has the run now, or it has ended. The worker stops. */
export class RunLost extends Error {
  override readonly name = 'RunLost'

  constructor() {
    super('Another worker has the run, or it has ended.')
  }
}

export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** A run that this worker has claimed. */
export interface ClaimedRun extends RunClaim, ThreadOwner {
  threadId: string | null
  goal: string
  queuedAt: string
  inputTokens: number
  outputTokens: number
  /** The messages of the thread before the goal, oldest first. */
  earlier: { role: 'person' | 'agent'; content: string }[]
  steps: StepRow[]
}

/**
 * Claims a run, for the first time or after another worker died. The caller ensures that it handles no other run of this
 * pro. Returns undefined when nothing is left to do: the run has ended, or is not next. A run whose workers died too often
 * fails here.
 */
export async function claimRun(
  ctx: Ctx,
  { ref, model }: { ref: RunRef; model: string },
): Promise<ClaimedRun | undefined> {
  return await ctx.transaction('takeAgentRun', async (ctx) => {
    const run = await lockRun(ctx, ref)
    if (!run || hasEnded(run.status)) return undefined
    const now = ctx.clock.now()
    if (Date.parse(run.deadlineAt) <= now.getTime()) return void (await cancelRun(ctx, run))
    if (run.attempt >= MAX_ATTEMPTS) return void (await endRun(ctx, { run, end: { failure: 'interrupted' } }))
    transition(RUN, 'agent run', run.status, 'claim')
    const heldUntil = new Date(now.getTime() + CLAIM_MS)
    if (!(await startRunRow(ctx, { ...ref, model, heldUntil, now }))) return undefined
    const steps = await selectSteps(ctx, ref)
    return { ...run, attempt: run.attempt + 1, earlier: await listEarlierMessages(ctx, run), steps }
  })
}

async function listEarlierMessages(ctx: TxCtx, { professionalId, threadId, goalPosition }: LockedRun) {
  if (threadId === null || goalPosition === null) return []
  const page = { before: goalPosition, limit: MAX_EARLIER_MESSAGES, spokenOnly: true }
  const latest = await selectMessages(ctx, { professionalId, threadId, ...page })
  return latest
    .toReversed()
    .flatMap(({ role, content }) => (role === 'person' || role === 'agent' ? [{ role, content }] : []))
}

/** Stores the next steps before the agent takes them. Throws {@link RunLost}. */
export async function planSteps(
  ctx: Ctx,
  { claim, steps }: { claim: RunClaim; steps: readonly PlannedStep[] },
): Promise<void> {
  await ctx.transaction('planAgentSteps', async (ctx) => {
    const sum = (name: keyof TokenUsage) => steps.reduce((total, step) => total + step[name], 0)
    await extend(ctx, claim, {
      steps: steps.length,
      inputTokens: sum('inputTokens'),
      outputTokens: sum('outputTokens'),
    })
    await insertSteps(ctx, { ...claim, steps, now: ctx.clock.now() })
  })
}

export interface FinishedStep {
  number: number
  tool: string
  status: 'done' | 'refused'
  result: string
  summary: string
  durationMs: number
}

/** Stores the result of a step, in its thread too. Throws {@link RunLost}. */
export async function finishStep(ctx: Ctx, { run, step }: { run: ClaimedRun; step: FinishedStep }): Promise<void> {
  await ctx.transaction('finishAgentStep', async (ctx) => {
    const now = ctx.clock.now()
    await extend(ctx, run)
    await updateStep(ctx, { ...run, step: { ...step, now } })
    const { professionalId, runId, threadId } = run
    if (threadId === null) return
    const content = firstCharacters(`${step.tool}: ${step.summary}`, MAX_MESSAGE_LENGTH)
    await appendMessage(ctx, { professionalId, threadId, role: 'tool', content, runId, step: step.number, now })
  })
}

/**
 * Ends the run and its task: settled when the run succeeded or had an effect, released otherwise. `usage` is that of the
 * last turn. Returns the final state; a run past its deadline is cancelled in any case. Throws {@link RunLost}.
 */
export async function finishRun(
  ctx: Ctx,
  { claim, end, usage = { inputTokens: 0, outputTokens: 0 } }: { claim: RunClaim; end: RunEnd; usage?: TokenUsage },
): Promise<'succeeded' | 'failed' | 'cancelled'> {
  return await ctx.transaction('finishAgentRun', async (ctx) => {
    const run = await lockRun(ctx, claim)
    if (!run || run.status !== 'running' || run.attempt !== claim.attempt) throw new RunLost()
    await extend(ctx, claim, { steps: 0, ...usage })
    return await endRun(ctx, { run, end })
  })
}

async function extend(
  ctx: TxCtx,
  claim: RunClaim,
  added: TokenUsage & { readonly steps: number } = { steps: 0, inputTokens: 0, outputTokens: 0 },
): Promise<void> {
  const heldUntil = new Date(ctx.clock.now().getTime() + CLAIM_MS)
  if (!(await extendClaim(ctx, { ...claim, ...added, heldUntil }))) throw new RunLost()
}
