// Statements that wait for locks of tables only briefly: a statement that waits holds up all later ones that need the table.
import { waitUntil } from '../clock/deadlines.ts'
import { errorCode } from '../store-error.ts'
import type { Sql } from './database.ts'

/** PostgreSQL's lock_not_available and deadlock_detected. */
const NOT_LOCKED = new Set(['55P03', '40P01'])
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000
const BUSY_POLL_MS = 200

export interface LockLimits {
  /** The longest time that other statements wait behind ours. */
  readonly lockTimeoutMs: number
  /** After this time a file is given up. */
  readonly patienceMs: number
}

/** A file did not get its locks in time. The database is as the files before it left it. */
export class LocksNotFree extends Error {
  override readonly name = 'LocksNotFree'
}

/** Runs `work`, and again after a pause while it fails for lack of a lock. Throws {@link LocksNotFree} after the patience. */
export async function withBoundedLocks(
  connection: Sql,
  what: string,
  { lockTimeoutMs, patienceMs }: LockLimits,
  work: () => Promise<void>,
  note: (line: string) => void,
): Promise<void> {
  const deadline = performance.now() + patienceMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      await connection`select set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, false)`
      return await work()
    } catch (error) {
      await connection`rollback`
      if (!NOT_LOCKED.has(errorCode(error) ?? '')) throw error
      const reason = `${what} did not get its locks within ${lockTimeoutMs} ms. ${await oldestTransaction(connection)}`
      if (performance.now() + pauseMs > deadline) throw new LocksNotFree(`${reason} Try again when it has ended.`)
      note(`${reason} Trying again in ${pauseMs / 1000} s.`)
      await Bun.sleep(pauseMs)
    }
  }
}

/**
 * Takes a lock of the session. A session that waits in `pg_advisory_lock` would keep its snapshot, which another session that
 * builds an index concurrently waits for: so each attempt is a statement of its own.
 */
export async function takeSessionLock(connection: Sql, key: number): Promise<void> {
  const isTaken = async () => {
    const [row] = await connection<{ locked: boolean }[]>`select pg_try_advisory_lock(${key}) as locked`
    return row?.locked === true
  }
  await waitUntil(isTaken, Number.POSITIVE_INFINITY, BUSY_POLL_MS)
}

/** The session with the oldest transaction, which most often holds the lock. */
async function oldestTransaction(connection: Sql): Promise<string> {
  const [oldest] = await connection<{ pid: number; applicationName: string; state: string; seconds: number }[]>`
    select pid, application_name, state, extract(epoch from now() - xact_start)::int as seconds
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
    order by xact_start limit 1`
  if (!oldest) return 'No other transaction is open now.'
  const { pid, applicationName, state, seconds } = oldest
  return `The oldest transaction is that of process ${pid} (${applicationName || 'no name'}, ${state}), ${seconds} s old.`
}
