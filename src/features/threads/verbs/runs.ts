// Runs as a pro has them: asked for, read, waited for. Whoever works on them is in working.ts.
import { type Deps, oncePerDeps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { IdempotencyContext, IdempotentResult } from '../../../idempotency/context.ts'
import { currentTraceparent } from '../../../platform/telemetry/trace-context.ts'
import { runIdempotently } from '../../../idempotency/verbs.ts'
import { reserveTask } from '../../metering/verbs.ts'
import { type AgentRun, FAILURES, MAX_OPEN_RUNS, type RunKind, type RunRef, type ThreadOwner } from '../schemas.ts'
import { type RunRow, countOpenRuns, findRun, findRunState, insertRun } from '../queries/runs.ts'
import { appendMessage } from '../queries/threads.ts'
import { threadNotFound } from './threads.ts'
import { isOver } from '../states.ts'

/** What a run is asked to do. A `chat_on_thread` has a thread. */
export interface RunWish {
  kind: RunKind
  goal: string
  threadId?: string | undefined
}

/**
 * Queues a run and reserves the task that pays for it, in one transaction; with a thread, the goal becomes its next
 * message. Gives the run's id. Throws agent_tasks_exhausted, thread_not_found, and too_many_runs.
 */
export async function startRun(
  deps: Pick<Deps, 'write' | 'clock' | 'ids'>,
  { accountId, professionalId }: ThreadOwner,
  { kind, goal, threadId }: RunWish,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<{ runId: string }>> {
  const request = { goal, threadId: threadId ?? null }
  return await runIdempotently(deps, idempotency, { accountId, operation: kind, request }, async (tx) => {
    const runId = deps.ids.uuid()
    const now = deps.clock.now()
    // From here on the pro's ledger is locked: of several requests at once, each counts those before it.
    await reserveTask(deps, tx, professionalId, { taskId: runId, kind })
    if ((await countOpenRuns(tx, professionalId)) >= MAX_OPEN_RUNS) throw tooManyRuns()
    const goalPosition = threadId
      ? await appendMessage(tx, { professionalId, threadId, role: 'person', content: goal, runId, now })
      : null
    if (goalPosition === undefined) throw threadNotFound()
    const traceparent = currentTraceparent() ?? null
    const run = { professionalId, runId, accountId, kind, goal, threadId: threadId ?? null, goalPosition }
    await insertRun(tx, { ...run, traceparent, now })
    return { runId }
  })
}

const tooManyRuns = () =>
  new AppError('too_many_runs', `${MAX_OPEN_RUNS} runs of your agent are queued or under way. Wait for one to end.`, {
    retryAfterSeconds: 10,
  })

/** A run with its steps. Throws run_not_found. */
export async function getRun({ read }: Pick<Deps, 'read'>, ref: RunRef): Promise<AgentRun> {
  const found = await findRun(read, ref)
  if (!found) throw new AppError('run_not_found', 'None of your agent’s runs has this id.')
  return toRun(found)
}

const toRun = ({ failure, inputTokens, outputTokens, steps, ...run }: RunRow): AgentRun => ({
  ...run,
  failure: failure && { code: failure, meaning: FAILURES[failure] },
  usage: { inputTokens, outputTokens },
  steps: steps.map(({ input, ...step }) => ({ ...step, input: JSON.parse(input) as unknown })),
})

/** The run once it is over, or as it is after `limitMs`. Throws run_not_found. */
export async function waitForRun(deps: Deps, ref: RunRef, limitMs: number): Promise<AgentRun> {
  if (limitMs > 0) await untilOver(deps, ref, limitMs)
  return await getRun({ read: deps.write }, ref)
}

async function untilOver(deps: Deps, ref: RunRef, limitMs: number): Promise<void> {
  const moves = movesOf(deps)
  const time = Promise.withResolvers<true>()
  const timer = setTimeout(() => time.resolve(true), limitMs)
  try {
    for (let isLate = false; !isLate;) {
      // Listened before it is looked: a move between the two is heard.
      const moved = moves.next(ref.runId)
      const state = await findRunState(deps.write, ref)
      if (state === undefined || isOver(state)) return
      isLate = await Promise.race([moved.then(() => false), time.promise])
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Tells of runs that move, whichever process moves them. */
const movesOf = oncePerDeps(({ notifications }) => {
  const waiting = new Map<string, PromiseWithResolvers<void>>()
  const tell = (runId: string) => {
    waiting.get(runId)?.resolve()
    waiting.delete(runId)
  }
  notifications.on('agent_runs_moved', (runId) => {
    // Listening began anew: any of them may have moved.
    if (runId === undefined) for (const each of waiting.keys()) tell(each)
    else tell(runId)
  })
  return {
    /** The next time the run moves, or may have. */
    next: (runId: string): Promise<void> => {
      const found = waiting.get(runId) ?? Promise.withResolvers<void>()
      waiting.set(runId, found)
      return found.promise
    },
  }
})
