// Advisory locks that end with the session, and with the process that asked for them.
import { boolean, composed } from './composed.ts'
import { StoreUnavailable } from '../store-error.ts'
import type { Runner } from './database.ts'
import type { DirectSession } from './direct-session.ts'

/** All functions throw StoreUnavailable while the database is. */
export interface SessionLocks {
  /**
   * Acquires the lock of this name. Returns false at once if another process has it, or a transaction of its previous holder
   * has not ended yet.
   */
  tryLock(name: string): Promise<boolean>
  /** Throws StoreUnavailable if the lock was lost; otherwise no other process gets it before the transaction ends. */
  holdUntilEnd(tx: Runner, name: string): Promise<void>
  release(name: string): Promise<void>
}

/** Calls `onLost` when the session ends, and with it every lock. */
export function openSessionLocks(session: DirectSession, onLost: () => void): SessionLocks {
  /** The processes of PostgreSQL that hold locks, by name. */
  const holders = new Map<string, number>()
  session.subscribe({
    onLost: () => {
      holders.clear()
      onLost()
    },
  })
  return {
    tryLock: async (name) => {
      const pid = await session.tryLock(name)
      if (pid !== undefined) holders.set(name, pid)
      return pid !== undefined
    },
    holdUntilEnd: async (tx, name) => {
      const pid = holders.get(name)
      const [row] =
        pid === undefined
          ? []
          : await composed(
              tx,
              'hold_session_lock',
              { holds: boolean },
              (sql) => sql`select hold_session_lock(${name}, ${pid}) as holds`,
            )
      if (!row?.holds)
        throw new StoreUnavailable('postgres', {
          code: 'CONNECTION_CLOSED',
          cause: new Error(`The session that held the lock ${name} has ended.`),
        })
    },
    release: async (name) => {
      holders.delete(name)
      await session.release(name)
    },
  }
}
