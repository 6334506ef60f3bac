// Messages with the same key are handled one at a time: a queue per key within a process, a session lock across processes.
import type { Runner } from '../../src/platform/postgres/database.ts'
import type { SessionLocks } from '../../src/platform/postgres/session-locks.ts'

export interface KeyedMutex {
  /**
   * Waits for the lock of a key. Returns undefined when the wait would be long: requeue the message, so that messages of
   * one key do not occupy all handlers.
   */
  acquire(key: string): Promise<KeyLock | undefined>
  /** Aborts `lost` of every lock, after the database session that held them ended. */
  revokeAll(): void
}

export interface KeyLock {
  /** Aborted when the lock is lost. */
  readonly lost: AbortSignal
  /** Throws StoreUnavailable if the lock was lost; otherwise no other process gets it before the transaction ends. */
  holdUntilEnd(tx: Runner): Promise<void>
  release(): Promise<void>
}

/** A waiting message occupies a handler: this many of one key may hold or await the lock. */
const MAX_WAITING = 4

interface Waiters {
  /** Messages that hold or await the lock. */
  count: number
  last: Promise<void>
}

/** The mutex of one process. Keeps the session lock between consecutive messages of a key. */
export function createKeyedMutex(locks: SessionLocks, actor: string): KeyedMutex {
  const waiting = new Map<string, Waiters>()
  const held = new Map<string, AbortController>()

  const lock = async (key: string): Promise<AbortController | undefined> => {
    const existing = held.get(key)
    if (existing) return existing
    if (!(await locks.tryLock(`${actor}:${key}`))) return undefined
    const controller = new AbortController()
    held.set(key, controller)
    return controller
  }
  const leave = async (key: string, waiters: Waiters) => {
    waiters.count--
    if (waiters.count > 0) return
    waiting.delete(key)
    if (held.delete(key)) await locks.release(`${actor}:${key}`)
  }
  return {
    acquire: async (key) => {
      const waiters = waiting.get(key) ?? { count: 0, last: Promise.resolve() }
      if (waiters.count >= MAX_WAITING) return undefined
      waiting.set(key, waiters)
      waiters.count++
      const previous = waiters.last
      const released = Promise.withResolvers<void>()
      waiters.last = released.promise
      await previous
      const release = async () => {
        try {
          await leave(key, waiters)
        } finally {
          released.resolve()
        }
      }
      try {
        const controller = await lock(key)
        if (controller)
          return {
            lost: controller.signal,
            holdUntilEnd: (tx) => locks.holdUntilEnd(tx, `${actor}:${key}`),
            release,
          }
      } catch (error) {
        await release()
        throw error
      }
      await release()
      return undefined
    },
    revokeAll: () => {
      for (const controller of held.values()) controller.abort(new Error('The database session of the lock ended.'))
      held.clear()
    },
  }
}
