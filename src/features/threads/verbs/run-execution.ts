// Runs as a worker has them: taken up, held with every step, ended. Every write is refused once somebody else has the run.
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import type { NewMessage } from '../../../platform/queue/queues.ts'
import { releaseTask, settleTask } from '../../metering/verbs.ts'
import { transition } from '../../../errors/transition.ts'
import { FAILURES, type Failure, MAX_MESSAGE_LENGTH, type RunRef, type ThreadOwner } from '../schemas.ts'
import {
  type LockedRun,
  endRunRow,
  findRunBacklog,
  lockRun,
  selectOverdue,
  selectRunsToWorkOn,
  startRunRow,
} from '../queries/runs.ts'
import {
  type Held,
  type PlannedStep,
  type StepRow,
  holdRun,
  insertSteps,
  selectSteps,
  updateStep,
} from '../queries/steps.ts'
import { appendMessage, selectMessages } from '../queries/threads.ts'
import { RUN, isOver } from '../states.ts'

export type { Held, PlannedStep, StepRow }

/** The actor that works on runs. */
export const RUNNING_ACTOR = 'run-agent-tasks'

type Stores = Pick<Deps, 'write' | 'clock'>

/** Longer than a step takes: whoever was not heard of for so long is gone. */
const HOLD_MS = 60_000
/** Workers may die over a run so often. */
const MAX_ATTEMPTS = 4
/** What the agent knows of a thread. */
const MAX_EARLIER_MESSAGES = 30

/** Somebody else works on the run now, or it is over. Whoever meets this stops. */
export class RunLost extends Error {
  override readonly name = 'RunLost'
}

/** A run in a worker's hands. */
export interface TakenRun extends Held, ThreadOwner {
  threadId: string | null
  goal: string
  queuedAt: string
  inputTokens: number
  outputTokens: number
  /** What was said on the thread before the goal, oldest first. */
  earlier: { role: 'person' | 'agent'; content: string }[]
  steps: StepRow[]
}

/** How a run ends, when it does not end by time. */
export type RunEnd = { answer: string } | { failure: Failure; isSpent?: boolean }

/** Messages to the actor about runs whose turn it is and on which nobody works: one per pro, the longest waiting first. */
export async function runMessages({ write, clock }: Stores, limit: number): Promise<NewMessage[]> {
  const runs = await selectRunsToWorkOn(write, clock.now(), limit)
  return runs.map(({ traceparent, ...data }) => ({ id: data.runId, data, traceparent }))
}

/** The data of {@link runMessages}. Throws for anything else. */
export function parseRunMessage(data: unknown): RunRef {
  const { professionalId, runId } = (data ?? {}) as Partial<Record<keyof RunRef, unknown>>
  if (typeof professionalId !== 'string' || typeof runId !== 'string') throw new Error('It names no run.')
  return { professionalId, runId }
}

/**
 * Takes a run up, for the first time or after a worker that is gone. The caller sees to it that it has the only turn of
 * this pro. Undefined when there is nothing to do: the run is over, or not next. One whose workers died over it too often
 * fails here.
 */
export async function takeRun({ write, clock }: Stores, ref: RunRef, model: string): Promise<TakenRun | undefined> {
  return await write.begin('takeAgentRun', async (tx) => {
    const run = await lockRun(tx, ref)
    if (!run || isOver(run.status)) return undefined
    const now = clock.now()
    if (Date.parse(run.deadlineAt) <= now.getTime()) return void (await cancel(tx, { clock }, run))
    if (run.attempt >= MAX_ATTEMPTS) return void (await end(tx, { clock }, run, { failure: 'interrupted' }))
    transition(RUN, 'agent run', run.status, 'take')
    const heldUntil = new Date(now.getTime() + HOLD_MS)
    if (!(await startRunRow(tx, ref, { model, heldUntil, now }))) return undefined
    const steps = await selectSteps(tx, ref)
    return { ...run, attempt: run.attempt + 1, earlier: await earlierOf(tx, run), steps }
  })
}

async function earlierOf(tx: Transaction, { professionalId, threadId, goalPosition }: LockedRun) {
  if (threadId === null || goalPosition === null) return []
  const page = { before: goalPosition, limit: MAX_EARLIER_MESSAGES, spokenOnly: true }
  const latest = await selectMessages(tx, { professionalId, threadId }, page)
  return latest
    .toReversed()
    .flatMap(({ role, content }) => (role === 'person' || role === 'agent' ? [{ role, content }] : []))
}

/** Writes down what the agent is about to do, before it does it. Throws {@link RunLost}. */
export async function planSteps({ write, clock }: Stores, held: Held, steps: readonly PlannedStep[]): Promise<void> {
  await write.begin('planAgentSteps', async (tx) => {
    const took = (name: 'inputTokens' | 'outputTokens') => steps.reduce((sum, step) => sum + step[name], 0)
    await hold(tx, { clock }, held, {
      steps: steps.length,
      inputTokens: took('inputTokens'),
      outputTokens: took('outputTokens'),
    })
    await insertSteps(tx, held, steps, clock.now())
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

/** Writes down what came of a step, in its thread too. Throws {@link RunLost}. */
export async function finishStep({ write, clock }: Stores, run: TakenRun, step: FinishedStep): Promise<void> {
  await write.begin('finishAgentStep', async (tx) => {
    const now = clock.now()
    await hold(tx, { clock }, run, { steps: 0, inputTokens: 0, outputTokens: 0 })
    await updateStep(tx, run, { ...step, now })
    const { professionalId, runId, threadId } = run
    if (threadId === null) return
    const content = `${step.tool}: ${step.summary}`.slice(0, MAX_MESSAGE_LENGTH)
    await appendMessage(tx, { professionalId, threadId, role: 'tool', content, runId, step: step.number, now })
  })
}

async function hold(
  tx: Transaction,
  { clock }: Pick<Deps, 'clock'>,
  held: Held,
  took: { steps: number; inputTokens: number; outputTokens: number },
): Promise<void> {
  const heldUntil = new Date(clock.now().getTime() + HOLD_MS)
  if (!(await holdRun(tx, held, { ...took, heldUntil }))) throw new RunLost('The run is in other hands, or over.')
}

/**
 * Ends the run and its task: settled when the run succeeded or left something behind (`isSpent`), released otherwise.
 * `took` are the tokens of the last turn. Gives the state it ended in: past its deadline it is cancelled whatever came of
 * it. Throws {@link RunLost}.
 */
export async function finishRun(
  { write, clock }: Stores,
  held: Held,
  how: RunEnd,
  took: { inputTokens: number; outputTokens: number } = { inputTokens: 0, outputTokens: 0 },
): Promise<'succeeded' | 'failed' | 'cancelled'> {
  return await write.begin('finishAgentRun', async (tx) => {
    const run = await lockRun(tx, held)
    if (!run || run.status !== 'running' || run.attempt !== held.attempt)
      throw new RunLost('The run is in other hands, or over.')
    await hold(tx, { clock }, held, { steps: 0, ...took })
    return await end(tx, { clock }, run, how)
  })
}

async function end(
  tx: Transaction,
  { clock }: Pick<Deps, 'clock'>,
  run: LockedRun,
  how: RunEnd,
): Promise<'succeeded' | 'failed' | 'cancelled'> {
  const { professionalId, runId, threadId } = run
  const isSpent = 'answer' in how || how.isSpent === true
  if (!(await endTask(tx, { clock }, run, isSpent))) return await cancel(tx, { clock }, run)
  const now = clock.now()
  const [status, answer, failure] =
    'answer' in how
      ? ([transition(RUN, 'agent run', run.status, 'succeed'), how.answer, null] as const)
      : ([transition(RUN, 'agent run', run.status, 'fail'), null, how.failure] as const)
  await endRunRow(tx, run, { status, answer, failure, now })
  const role = failure ? 'system' : 'agent'
  const content = answer ?? FAILURES[failure]
  if (threadId !== null) await appendMessage(tx, { professionalId, threadId, role, content, runId, now })
  return failure ? 'failed' : 'succeeded'
}

/** False: the task's own sweeper was quicker, and has released it. */
async function endTask(
  tx: Transaction,
  clock: Pick<Deps, 'clock'>,
  { professionalId, runId }: RunRef,
  isSpent: boolean,
): Promise<boolean> {
  try {
    await (isSpent ? settleTask : releaseTask)(clock, tx, professionalId, runId)
    return true
  } catch (error) {
    if (error instanceof AppError && error.extensions?.['state'] === 'released') return false
    throw error
  }
}

/** Calls the run off: its time is over. */
async function cancel(tx: Transaction, { clock }: Pick<Deps, 'clock'>, run: LockedRun): Promise<'cancelled'> {
  const { professionalId, runId, threadId } = run
  const now = clock.now()
  transition(RUN, 'agent run', run.status, 'cancel')
  await releaseTask({ clock }, tx, professionalId, runId)
  await endRunRow(tx, run, { status: 'cancelled', answer: null, failure: 'deadline', now })
  const content = FAILURES.deadline
  if (threadId !== null) await appendMessage(tx, { professionalId, threadId, role: 'system', content, runId, now })
  return 'cancelled'
}

/** Calls off up to `limit` runs that are past their deadline; gives how many. */
export async function cancelOverdue({ write, clock }: Stores, limit: number): Promise<number> {
  const overdue = await selectOverdue(write, clock.now(), limit)
  let cancelled = 0
  for (const ref of overdue)
    cancelled += await write.begin('cancelAgentRun', async (tx) => {
      const run = await lockRun(tx, ref)
      if (!run || isOver(run.status)) return 0
      await cancel(tx, { clock }, run)
      return 1
    })
  return cancelled
}

/** Runs that wait, runs under way, and how long the first has waited. */
export const runBacklog = ({ read, clock }: Pick<Deps, 'read' | 'clock'>) => findRunBacklog(read, clock.now())
