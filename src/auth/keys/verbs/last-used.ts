// When keys were last used: noted in memory, written every few seconds, never per request.
import { oncePerDeps } from '../../../deps.ts'
import { updateLastUsed } from '../queries/keys.ts'

const WRITE_EVERY_MS = 5000

export interface LastUsed {
  /** The key was used just now. */
  note(keyId: string): void
  /** Writes what is noted. */
  flush(): Promise<void>
}

/** The notebook of a process. What a crash loses is seconds of "last used", nothing else. */
export const lastUsedOf = oncePerDeps(({ write, clock, log }): LastUsed => {
  let used = new Map<string, Date>()
  const flush = async () => {
    const noted = used
    used = new Map()
    await updateLastUsed(write, noted).catch((error: unknown) =>
      log.debug({ err: error }, 'last use of keys not written'),
    )
  }
  return {
    flush,
    note: (keyId) => {
      // To the few seconds: a busy key is noted once in each.
      if (used.has(keyId)) return
      if (used.size === 0) setTimeout(() => void flush(), WRITE_EVERY_MS).unref()
      used.set(keyId, clock.now())
    },
  }
})
