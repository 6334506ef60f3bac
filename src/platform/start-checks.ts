// Checks of the configuration that need a store, which may be away when a process starts.
import { StoreUnavailable } from './store-error.ts'

const RETRY_MS = 1000

/**
 * Runs the check now, and while the store does not answer, again every second. Throws what the check throws otherwise, or
 * hands it to `refuse` when that is found later.
 */
export async function checkOnceReachable(check: () => Promise<void>, refuse: (error: unknown) => void): Promise<void> {
  try {
    await check()
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    setTimeout(() => void checkOnceReachable(check, refuse).catch(refuse), RETRY_MS).unref()
  }
}
