// Advisory locks of one PostgreSQL session, shared by many processes. They end with the process.
import { asStoreError } from '../store-error.ts'
import { postgresClient } from './client.ts'

/** Both functions throw StoreUnavailable while the database is. */
export interface SessionLocks {
  /** Acquires the lock of this name. Returns false at once if another process has it. */
  tryLock(name: string): Promise<boolean>
  release(name: string): Promise<void>
  close(): Promise<void>
}

/** Connects on first use. Calls `onLost` when the session ends unexpectedly, and with it every lock. */
export function openSessionLocks(url: string, onLost: () => void): SessionLocks {
  let closed = false
  const sql = postgresClient(url, {
    max: 1,
    // The session holds the locks: it must not be replaced.
    max_lifetime: null,
    connect_timeout: 2,
    backoff: () => 0.25,
    onclose: () => {
      if (!closed) onLost()
    },
    connection: { application_name: 'hearth-locks' },
  })
  return {
    tryLock: async (name) => {
      const [row] = await orStoreError(sql<{ locked: boolean }[]>`
        select pg_try_advisory_lock(hashtextextended(${name}, 0)) as locked`)
      return row?.locked ?? false
    },
    release: async (name) => {
      await orStoreError(sql`select pg_advisory_unlock(hashtextextended(${name}, 0))`)
    },
    close: async () => {
      closed = true
      await sql.end({ timeout: 1 })
    },
  }
}

async function orStoreError<T>(query: PromiseLike<T>): Promise<T> {
  try {
    return await query
  } catch (error) {
    throw asStoreError(error)
  }
}
