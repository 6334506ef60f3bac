// Rules for all prepared work: which past work counts, and how long results are kept.
import type { Deps } from '../../../deps.ts'
import { historyStart } from '../../threads/verbs/retention.ts'
import { deletePreparedBefore } from '../queries/prepared-work.ts'

/** Older prices say little about present cost. */
const PAST_WORK_MS = 730 * 86_400_000

/** Past work from this moment on counts for prices. */
export const pastWorkStart = ({ clock }: Pick<Deps, 'clock'>): Date => new Date(clock.now().getTime() - PAST_WORK_MS)

/**
 * Deletes up to `limit` pieces of work prepared before the history starts, and returns their number. Keeps those about an
 * open lead, booking or job, and those that explain a draft quote.
 */
export const deleteOldPreparedWork = (deps: Pick<Deps, 'write' | 'clock' | 'config'>, limit: number): Promise<number> =>
  deletePreparedBefore(deps.write, { before: historyStart(deps), limit })
