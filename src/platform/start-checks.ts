// Starts that are refused, and checks of the configuration that need a store, which may be away when a process starts.
import { ConfigError } from './environment.ts'
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

/** Ends a process that cannot start, with one line where the operator can mend the reason. */
export function exitBecause(error: unknown): never {
  process.stderr.write(`hearth: ${explain(error)}\n`)
  process.exit(1)
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    return `The port is taken: set PORT (or OPS_PORT) to another one. ${error.message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
