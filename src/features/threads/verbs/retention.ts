// What becomes of threads and runs in the end: they are forgotten.
import type { Deps } from '../../../deps.ts'
import { historyBegins } from '../history-age.ts'
import { deleteRuns, deleteThreads } from '../queries/retention.ts'

type Stores = Pick<Deps, 'write' | 'clock' | 'config'>

/**
 * Forgets up to `limit` threads in which nothing was said for as long as history is kept, with their messages, runs and
 * steps; gives how many. One with a run that is not over stays.
 */
export const forgetThreads = (deps: Stores, limit: number): Promise<number> =>
  deleteThreads(deps.write, { before: historyBegins(deps), limit })

/** The same of runs outside of threads, by when they ended. The tasks that paid for them stay in the ledger. */
export const forgetRuns = (deps: Stores, limit: number): Promise<number> =>
  deleteRuns(deps.write, { before: historyBegins(deps), limit })
