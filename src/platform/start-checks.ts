// Checks of the configuration that need a store, which may be away when a process starts.
import { StoreUnavailable } from './store-error.ts'

const RETRY_MS = 1000

/**
 * Runs the check. While the store does not answer, the start goes on and the check is repeated every second. Other errors are
 * thrown, or passed to `refuse` if a repeated check finds them.
 */
export async function checkOnceReachable(check: () => Promise<void>, refuse: (error: unknown) => void): Promise<void> {
  try {
    await check()
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    setTimeout(() => void checkOnceReachable(check, refuse).catch(refuse), RETRY_MS).unref()
  }
}
