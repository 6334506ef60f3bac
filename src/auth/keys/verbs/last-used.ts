// When keys were last used: recorded in memory, written every few seconds, never per request.
import { ctxOf } from '../../../ctx.ts'
import { oncePerDeps } from '../../../deps.ts'
import { updateLastUsed } from '../queries/keys.ts'

const WRITE_EVERY_MS = 5000

export interface LastUsed {
  /** Records that the key was used now. */
  record(keyId: string): void
  /** Writes the recorded times to the database. */
  flush(): Promise<void>
}

/** One per process. A crash loses the last few seconds. */
export const lastUsedOf = oncePerDeps((deps): LastUsed => {
  const { clock, log } = deps
  let used = new Map<string, Date>()
  const flush = async () => {
    const batch = used
    used = new Map()
    await updateLastUsed(ctxOf(deps), { used: batch }).catch((error: unknown) =>
      log.debug({ err: error }, 'failed to write the last use of keys'),
    )
  }
  return {
    flush,
    record: (keyId) => {
      // A busy key is recorded once per interval.
      if (used.has(keyId)) return
      if (used.size === 0) setTimeout(() => void flush(), WRITE_EVERY_MS).unref()
      used.set(keyId, clock.now())
    },
  }
})
