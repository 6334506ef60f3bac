// The end of a run, together with the end of the task that pays for it.
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { transition } from '../../../../transition.ts'
import { releaseTask, settleTask } from '../../metering/verbs.ts'
import { type LockedRun, endRunRow } from '../queries/runs.ts'
import { lockRun, selectOverdueRuns } from '../queries/runs.sql.ts'
import { appendMessage } from '../queries/threads.ts'
import { FAILURES, type Failure, type RunRef } from '../schemas.ts'
import { RUN, hasEnded } from '../states.ts'

/** How a run ends before its deadline. `isSpent`: a failed run had an effect, and its task is settled. */
export type RunEnd = { answer: string } | { failure: Failure; isSpent?: boolean }

/** Ends a locked run and its task. A run past its deadline becomes cancelled instead. */
export async function endRun(
  ctx: TxCtx,
  { run, end }: { run: LockedRun; end: RunEnd },
): Promise<'succeeded' | 'failed' | 'cancelled'> {
  const { professionalId, runId, threadId } = run
  const isSpent = 'answer' in end || end.isSpent === true
  if (!(await endTask(ctx, run, isSpent))) return await cancelRun(ctx, run)
  const now = ctx.clock.now()
  const [status, answer, failure] =
    'answer' in end
      ? ([transition(RUN, 'agent run', run.status, 'succeed'), end.answer, null] as const)
      : ([transition(RUN, 'agent run', run.status, 'fail'), null, end.failure] as const)
  await endRunRow(ctx, { ...run, end: { status, answer, failure, now } })
  const role = failure ? 'system' : 'agent'
  const content = answer ?? FAILURES[failure]
  if (threadId !== null) await appendMessage(ctx, { professionalId, threadId, role, content, runId, now })
  return failure ? 'failed' : 'succeeded'
}

/** Returns false when the sweeper of tasks has released the task first. */
async function endTask(ctx: TxCtx, { professionalId, runId }: RunRef, isSpent: boolean): Promise<boolean> {
  try {
    await (isSpent ? settleTask : releaseTask)(ctx, { professionalId, taskId: runId })
    return true
  } catch (error) {
    if (error instanceof AppError && error.extensions?.['state'] === 'released') return false
    throw error
  }
}

/** Cancels a locked run that is past its deadline. */
export async function cancelRun(ctx: TxCtx, run: LockedRun): Promise<'cancelled'> {
  const { professionalId, runId, threadId } = run
  const now = ctx.clock.now()
  transition(RUN, 'agent run', run.status, 'cancel')
  await releaseTask(ctx, { professionalId, taskId: runId })
  await endRunRow(ctx, { ...run, end: { status: 'cancelled', answer: null, failure: 'deadline', now } })
  const content = FAILURES.deadline
  if (threadId !== null) await appendMessage(ctx, { professionalId, threadId, role: 'system', content, runId, now })
  return 'cancelled'
}

/** Cancels up to `limit` runs that are past their deadline, and returns their number. */
export async function cancelOverdueRuns(ctx: Ctx, { limit }: { limit: number }): Promise<number> {
  const overdue = await selectOverdueRuns(ctx, { now: ctx.clock.now(), limit })
  let cancelled = 0
  for (const ref of overdue)
    cancelled += await ctx.transaction('cancelAgentRun', async (ctx) => {
      const run = await lockRun(ctx, ref)
      if (!run || hasEnded(run.status)) return 0
      await cancelRun(ctx, run)
      return 1
    })
  return cancelled
}
