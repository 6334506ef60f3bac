// Which past work counts for the prices of prepared work.
import type { Deps } from '../../../deps.ts'

/** Older prices say little about present cost. */
const PAST_WORK_MS = 730 * 86_400_000

/** Past work from this moment on counts for prices. */
export const pastWorkStart = ({ clock }: Pick<Deps, 'clock'>): Date => new Date(clock.now().getTime() - PAST_WORK_MS)
