// What becomes of prepared work in the end: it is forgotten.
import type { Deps } from '../../../deps.ts'
import { historyStart } from '../../threads/verbs/retention.ts'
import { deletePrepared } from '../queries.ts'

/**
 * Forgets up to `limit` pieces of work that were prepared before history begins; gives how many. What is about a lead, a
 * booking or a job that is not over, or explains a draft that is one still, stays.
 */
export const forgetPrepared = (deps: Pick<Deps, 'write' | 'clock' | 'config'>, limit: number): Promise<number> =>
  deletePrepared(deps.write, { before: historyStart(deps), limit })
