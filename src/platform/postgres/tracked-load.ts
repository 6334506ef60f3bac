// One value of the database that a process keeps.
import type { CacheTracking, ReadMark } from './notifications.ts'

/**
 * Returns the value of `load`: loaded on first use, and again once it may be stale. Concurrent callers share a load. One that failed
 * is not kept, so the next caller tries again.
 */
export function trackedLoad<Value>(tracking: CacheTracking, load: () => Promise<Value>): () => Promise<Value> {
  let loaded: { value: Promise<Value>; read: ReadMark } | undefined
  return () => {
    if (loaded && tracking.isCurrent(loaded.read)) return loaded.value
    const current = { read: tracking.mark(), value: load() }
    loaded = current
    current.value.catch(() => {
      if (loaded === current) loaded = undefined
    })
    return current.value
  }
}
