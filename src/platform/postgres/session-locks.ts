// Locks that many processes share, held by one PostgreSQL session: it can hold thousands, and they end with the process.
import { postgresClient } from './client.ts'

export interface SessionLocks {
  /** Takes the lock of this name, or gives false at once when another process has it. */
  take(name: string): Promise<boolean>
  release(name: string): Promise<void>
  close(): Promise<void>
}

/** Opens nothing until a lock is wanted. `onLost`: the session ended, and with it every lock, before they were released. */
export function openSessionLocks(url: string, onLost: () => void): SessionLocks {
  let closed = false
  const sql = postgresClient(url, {
    max: 1,
    // The session is never changed for another while it holds locks.
    max_lifetime: null,
    connect_timeout: 2,
    backoff: () => 0.25,
    onclose: () => {
      if (!closed) onLost()
    },
    connection: { application_name: 'hearth-locks' },
  })
  return {
    take: async (name) => {
      const [row] = await sql<{ taken: boolean }[]>`
        select pg_try_advisory_lock(hashtextextended(${name}, 0)) as taken`
      return row?.taken ?? false
    },
    release: async (name) => {
      await sql`select pg_advisory_unlock(hashtextextended(${name}, 0))`
    },
    close: async () => {
      closed = true
      await sql.end({ timeout: 1 })
    },
  }
}
