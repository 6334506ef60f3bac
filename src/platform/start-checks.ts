// Checks of the configuration that need a store, which may be away when a process starts.
import { StoreUnavailable } from './store-error.ts'

/** The pause before a check is repeated; twice as long each time, because a check may open several connections to a busy store. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [1000, 16_000]

/**
 * Runs the check. While the store does not answer, the start goes on and the check is repeated. Other errors are thrown, or
 * passed to `refuse` if a repeated check finds them.
 */
export async function checkOnceReachable(
  check: () => Promise<void>,
  refuse: (error: unknown) => void,
  pauseMs = FIRST_PAUSE_MS,
): Promise<void> {
  try {
    await check()
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    const nextPauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
    setTimeout(() => void checkOnceReachable(check, refuse, nextPauseMs).catch(refuse), pauseMs).unref()
  }
}
