// The end of a run, together with the end of the task that pays for it.
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import { transition } from '../../../errors/transition.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { releaseTask, settleTask } from '../../metering/verbs.ts'
import { type LockedRun, endRunRow, lockRun, selectOverdueRuns } from '../queries/runs.ts'
import { appendMessage } from '../queries/threads.ts'
import { FAILURES, type Failure, type RunRef } from '../schemas.ts'
import { RUN, hasEnded } from '../states.ts'

type Clock = Pick<Deps, 'clock'>

/** How a run ends before its deadline. `isSpent`: a failed run had an effect, and its task is settled. */
export type RunEnd = { answer: string } | { failure: Failure; isSpent?: boolean }

/** Ends a locked run and its task. A run past its deadline becomes cancelled instead. */
export async function endRun(
  deps: Clock,
  tx: Transaction,
  run: LockedRun,
  end: RunEnd,
): Promise<'succeeded' | 'failed' | 'cancelled'> {
  const { professionalId, runId, threadId } = run
  const isSpent = 'answer' in end || end.isSpent === true
  if (!(await endTask(deps, tx, run, isSpent))) return await cancelRun(deps, tx, run)
  const now = deps.clock.now()
  const [status, answer, failure] =
    'answer' in end
      ? ([transition(RUN, 'agent run', run.status, 'succeed'), end.answer, null] as const)
      : ([transition(RUN, 'agent run', run.status, 'fail'), null, end.failure] as const)
  await endRunRow(tx, run, { status, answer, failure, now })
  const role = failure ? 'system' : 'agent'
  const content = answer ?? FAILURES[failure]
  if (threadId !== null) await appendMessage(tx, { professionalId, threadId, role, content, runId, now })
  return failure ? 'failed' : 'succeeded'
}

/** Returns false when the sweeper of tasks has released the task first. */
async function endTask(
  deps: Clock,
  tx: Transaction,
  { professionalId, runId }: RunRef,
  isSpent: boolean,
): Promise<boolean> {
  try {
    await (isSpent ? settleTask : releaseTask)(deps, tx, professionalId, runId)
    return true
  } catch (error) {
    if (error instanceof AppError && error.extensions?.['state'] === 'released') return false
    throw error
  }
}

/** Cancels a locked run that is past its deadline. */
export async function cancelRun(deps: Clock, tx: Transaction, run: LockedRun): Promise<'cancelled'> {
  const { professionalId, runId, threadId } = run
  const now = deps.clock.now()
  transition(RUN, 'agent run', run.status, 'cancel')
  await releaseTask(deps, tx, professionalId, runId)
  await endRunRow(tx, run, { status: 'cancelled', answer: null, failure: 'deadline', now })
  const content = FAILURES.deadline
  if (threadId !== null) await appendMessage(tx, { professionalId, threadId, role: 'system', content, runId, now })
  return 'cancelled'
}

/** Cancels up to `limit` runs that are past their deadline, and returns their number. */
export async function cancelOverdueRuns(
  { write, clock }: Pick<Deps, 'write' | 'clock'>,
  limit: number,
): Promise<number> {
  const overdue = await selectOverdueRuns(write, clock.now(), limit)
  let cancelled = 0
  for (const ref of overdue)
    cancelled += await write.begin('cancelAgentRun', async (tx) => {
      const run = await lockRun(tx, ref)
      if (!run || hasEnded(run.status)) return 0
      await cancelRun({ clock }, tx, run)
      return 1
    })
  return cancelled
}
