// Advisory locks of one PostgreSQL session, shared by many processes. They end with the process.
import { settlesWithin } from '../clock/deadlines.ts'
import { StoreUnavailable, asStoreError } from '../store-error.ts'
import { postgresClient } from './client.ts'
import type { Runner, Sql } from './database.ts'
import { inTime } from './node-watch.ts'
import { primaryUrl } from './primary.ts'

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
  /** Gives all locks up, because another host has become the primary. */
  abandon(): void
  close(): Promise<void>
}

/** A session that was dropped silently is noticed within this time and the limit of an answer. */
const ALIVE_EVERY_MS = 500

interface Session {
  readonly sql: Sql
  /** The process of PostgreSQL that holds the locks. */
  readonly pid: number
  end(): Promise<void>
}

/** Connects on first use. Calls `onLost` when the session ends unexpectedly, and with it every lock. */
export function openSessionLocks(url: string, onLost: () => void): SessionLocks {
  let isClosed = false
  let session: Promise<Session> | undefined

  const drop = (lost: Promise<Session> | undefined) => {
    if (!lost || session !== lost) return
    session = undefined
    if (!isClosed) onLost()
    void end(lost)
  }
  const current = (): Promise<Session> => {
    if (session) return session
    const opening: Promise<Session> = openSession(url, () => drop(opening))
    session = opening
    opening.catch(() => drop(opening))
    return opening
  }
  return {
    tryLock: (name) =>
      orStoreError(async () => {
        const { sql } = await current()
        const [row] = await sql<{ locked: boolean }[]>`
          select case when pg_try_advisory_xact_lock(hashtextextended(${name}, 1))
            then pg_try_advisory_lock(hashtextextended(${name}, 0)) else false end as locked`
        return row?.locked ?? false
      }),
    holdUntilEnd: async (tx, name) => {
      const held = await session
      const [row] = await tx.run<{ holds: boolean }>(
        'hold_session_lock',
        (sql) => sql`select hold_session_lock(${name}, ${held?.pid ?? 0}) as holds`,
      )
      if (!row?.holds)
        throw new StoreUnavailable('postgres', {
          code: 'CONNECTION_CLOSED',
          cause: new Error(`The session lost the lock ${name}.`),
        })
    },
    release: (name) =>
      orStoreError(async () => {
        const { sql } = await current()
        await sql`select pg_advisory_unlock(hashtextextended(${name}, 0))`
      }),
    abandon: () => drop(session),
    close: async () => {
      isClosed = true
      if (session) await end(session)
    },
  }
}

async function openSession(url: string, onLost: () => void): Promise<Session> {
  const ending = Promise.withResolvers<void>()
  const sql = postgresClient(await primaryUrl(url), {
    max: 1,
    // The session holds the locks: it must not be replaced.
    max_lifetime: null,
    connect_timeout: 2,
    backoff: () => 0.25,
    onclose: onLost,
    connection: { application_name: 'hearth-locks' },
  })
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  const watch = async () => {
    try {
      while (!(await settlesWithin(ending.promise, ALIVE_EVERY_MS))) await inTime(sql`select 1`)
    } catch {
      // Whatever the reason, the locks cannot be relied on any more.
      onLost()
    }
  }
  void watch()
  return {
    sql,
    pid: row?.pid ?? 0,
    end: async () => {
      ending.resolve()
      await sql.end({ timeout: 0 })
    },
  }
}

/** A session that could not be opened has nothing to end; the call that asked for it got the error. */
async function end(session: Promise<Session>): Promise<void> {
  await (await session.catch(() => undefined))?.end()
}

async function orStoreError<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    throw asStoreError(error)
  }
}
