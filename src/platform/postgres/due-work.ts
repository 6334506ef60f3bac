// Work that becomes due without a wake-up. The relay asks the database once a second for all workers (sql/functions/due_work.sql)
// and tells them, so that those that find nothing can rest.
import type { WritePool } from './database.ts'
import type { Notifications } from './notifications.ts'

/** The names in sql/functions/due_work.sql. */
export type DueWork =
  | 'balances'
  | 'calendars'
  | 'catalog'
  | 'closings'
  | 'dead-letters'
  | 'deliveries'
  | 'erasures'
  | 'file-removals'
  | 'files'
  | 'holds'
  | 'imports'
  | 'invitations'
  | 'marks'
  | 'messages'
  | 'prices'
  | 'proposals'
  | 'quotes'
  | 'refunds'
  | 'runs'
  | 'tasks'
  | 'unanswered'

/** The longest rest: for work that is not announced, and for a time without a running relay. */
const LONGEST_REST_MS = 120_000
/** A relay announces nothing if another one did within this time. */
const TOLD_MS = 800

export interface Rest {
  /** Whether it is time to look for work. */
  isOver(): boolean
  /** Records that the worker looked for work. Each time without any, the next rest is longer. */
  record(found: boolean): void
}

export interface RestOptions {
  /** The length of the first rest. Infinity: until due work is announced. */
  readonly firstMs: number
  readonly longestMs?: number | undefined
  /** The kind of due work that ends the rest. */
  readonly due?: DueWork | undefined
  /** Called when such work is announced. */
  readonly onDue?: () => void
}

/** Opens the rest of a worker. While notifications do not arrive, the worker does not rest. */
export function openRest(notifications: Notifications, options: RestOptions): Rest {
  const { firstMs, longestMs = LONGEST_REST_MS, due, onDue } = options
  let restMs = 0
  let lastMs = performance.now()
  if (due)
    notifications.on('work_due', (told) => {
      if (told !== undefined && told !== due) return
      restMs = 0
      onDue?.()
    })
  return {
    isOver: () => performance.now() - lastMs >= restMs || !notifications.isListening(),
    record: (found) => {
      restMs = found ? 0 : Math.min(Math.max(restMs * 2, firstMs), longestMs)
      lastMs = performance.now()
    },
  }
}

/** Returns a function that tells the workers of all machines what is due, unless another relay just did. */
export function openDueWork(
  notifications: Notifications,
  db: Pick<WritePool, 'run'>,
): (due: DueWork[]) => Promise<void> {
  const toldMs = new Map<string | undefined, number>()
  notifications.on('work_due', (told) => toldMs.set(told, performance.now()))
  return async (due) => {
    const nowMs = performance.now()
    const untold = due.filter((work) => nowMs - (toldMs.get(work) ?? -Infinity) >= TOLD_MS)
    if (untold.length === 0) return
    await db.run('tellDueWork', (sql) => sql`select ask_wake_up('work_due', work) from unnest(${untold}::text[]) work`)
  }
}
