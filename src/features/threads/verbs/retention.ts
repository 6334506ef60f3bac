// Deletion of threads and runs past their retention.
import type { Deps } from '../../../deps.ts'
import { deleteRuns, deleteThreads } from '../queries/retention.ts'

type RetentionDeps = Pick<Deps, 'write' | 'clock' | 'config'>

const DAY_MS = 86_400_000

/** Agent history before this moment may be deleted. */
export const historyStart = ({ clock, config }: Pick<Deps, 'clock' | 'config'>): Date =>
  new Date(clock.now().getTime() - config.agentHistoryDays * DAY_MS)

/**
 * Deletes up to `limit` threads whose last message is older than the history, with their messages, runs and steps. Keeps a
 * thread with an open run. Returns the number of deleted threads.
 */
export const deleteOldThreads = (deps: RetentionDeps, limit: number): Promise<number> =>
  deleteThreads(deps.write, { before: historyStart(deps), limit })

/** The same for runs outside of threads, by the time they ended. The ledger keeps the tasks that paid for them. */
export const deleteOldRuns = (deps: RetentionDeps, limit: number): Promise<number> =>
  deleteRuns(deps.write, { before: historyStart(deps), limit })
