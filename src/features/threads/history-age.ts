// How long what agents did is kept.
import type { Deps } from '../../deps.ts'

const DAY_MS = 86_400_000

/** What ended before this moment may be forgotten. */
export const historyBegins = ({ clock, config }: Pick<Deps, 'clock' | 'config'>): Date =>
  new Date(clock.now().getTime() - config.agentHistoryDays * DAY_MS)
