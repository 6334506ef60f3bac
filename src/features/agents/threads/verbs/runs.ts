// Runs from the pro's side: start, read, wait for. Workers use run-execution.ts.
import type { Ctx } from '../../../../ctx.ts'
import { oncePerDeps } from '../../../../deps.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { settlesWithin } from '../../../../platform/clock/deadlines.ts'
import { currentTraceparent } from '../../../../platform/telemetry/trace-context.ts'
import { runIdempotently } from '../../../../idempotency/verbs.ts'
import { reserveTask } from '../../metering/verbs.ts'
import { type AgentRun, FAILURES, MAX_OPEN_RUNS, type RunKind, type RunRef, type ThreadOwner } from '../schemas.ts'
import { type RunRow, countOpenRuns, findRun, findRunState, insertRun } from '../queries/runs.ts'
import { appendMessage } from '../queries/threads.ts'
import { hasEnded } from '../states.ts'
import { threadNotFound } from './threads.ts'

/** A `chat_on_thread` always has a thread. */
export interface RunInput {
  kind: RunKind
  goal: string
  threadId?: string | undefined
}

/**
 * Queues a run and reserves the task that pays for it, in one transaction; the goal becomes the next message of the thread.
 * Throws agent_tasks_exhausted, thread_not_found and too_many_runs.
 */
export async function startRun(ctx: Ctx<ThreadOwner>, { kind, goal, threadId }: RunInput): Promise<{ runId: string }> {
  const request = { goal, threadId: threadId ?? null }
  return await runIdempotently(ctx, { accountId: ctx.actor.accountId, operation: kind, request }, async (ctx) => {
    const runId = ctx.ids.uuid()
    const now = ctx.clock.now()
    // The reservation locks the pro's ledger, so that concurrent requests count each other's runs.
    await reserveTask(ctx, { taskId: runId, kind, professionalId: ctx.actor.professionalId })
    if ((await countOpenRuns(ctx, { professionalId: ctx.actor.professionalId })) >= MAX_OPEN_RUNS) throw tooManyRuns()
    const goalPosition = threadId
      ? await appendMessage(ctx, {
          professionalId: ctx.actor.professionalId,
          threadId,
          role: 'person',
          content: goal,
          runId,
          now,
        })
      : null
    if (goalPosition === undefined) throw threadNotFound()
    const traceparent = currentTraceparent() ?? null
    const run = {
      professionalId: ctx.actor.professionalId,
      runId,
      accountId: ctx.actor.accountId,
      kind,
      goal,
      threadId: threadId ?? null,
      goalPosition,
    }
    await insertRun(ctx, { ...run, traceparent, now })
    return { runId }
  })
}

const tooManyRuns = () =>
  new AppError('too_many_runs', `${MAX_OPEN_RUNS} runs of your agent are queued or running. Wait until one ends.`, {
    retryAfterSeconds: 10,
  })

/** A run with its steps and proposals. Throws run_not_found. */
export async function getRun(ctx: Ctx, ref: RunRef): Promise<AgentRun> {
  const row = await findRun(ctx, { ...ref, now: ctx.clock.now() })
  if (!row) throw new AppError('run_not_found', 'Your agent has no run with this id.')
  return toRun(row)
}

const toRun = ({ failure, inputTokens, outputTokens, steps, ...run }: RunRow): AgentRun => ({
  ...run,
  failure: failure && { code: failure, meaning: FAILURES[failure] },
  usage: { inputTokens, outputTokens },
  steps: steps.map(({ input, ...step }) => ({ ...step, input: JSON.parse(input) as unknown })),
})

/** A change whose notification was lost, because its process died after the commit, is seen after this long. */
const REREAD_MS = 1000

/** The run as soon as it has ended, at the latest after `limitMs` or when `signal` is aborted. Throws run_not_found. */
export async function waitForRun(
  ctx: Ctx,
  { ref, limitMs, signal }: { ref: RunRef; limitMs: number; signal?: AbortSignal | undefined },
): Promise<AgentRun> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  signal?.addEventListener('abort', () => stop(), { once: true })
  const deadline = performance.now() + limitMs
  for (let msLeft = limitMs; msLeft > 0 && !signal?.aborted; msLeft = deadline - performance.now()) {
    // Subscribes before reading the state, so that no change between the two is missed.
    const changed = runChangesOf(ctx).next(ref.runId)
    const state = await findRunState(ctx, ref)
    if (state === undefined || hasEnded(state)) break
    await settlesWithin(Promise.race([changed, stopped]), Math.min(deadline - performance.now(), REREAD_MS), (error) =>
      ctx.log.error({ err: error }),
    )
  }
  return await getRun(ctx, ref)
}

/** Notifications of state changes of runs, from every process. */
const runChangesOf = oncePerDeps(({ notifications }) => {
  const waiting = new Map<string, PromiseWithResolvers<void>>()
  const notify = (runId: string) => {
    waiting.get(runId)?.resolve()
    waiting.delete(runId)
  }
  notifications.on('agent_runs_moved', (runId) => {
    // The connection was restored: any run may have changed meanwhile.
    if (runId === undefined) for (const each of waiting.keys()) notify(each)
    else notify(runId)
  })
  return {
    /** Settles at the next change of the run, or earlier. */
    next: (runId: string): Promise<void> => {
      const pending = waiting.get(runId) ?? Promise.withResolvers<void>()
      waiting.set(runId, pending)
      return pending.promise
    },
  }
})
