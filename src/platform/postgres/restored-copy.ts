// Whether the database is a copy: restored from a backup and not declared the original (sql/functions/restored_copy.sql).
import { ROOT_CONTEXT, context } from '@opentelemetry/api'
import { suppressTracing } from '@opentelemetry/core'

import { StoreUnavailable, RESTORED_COPY } from '../store-error.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { composed, nullable, text } from './composed.ts'
import type { Runner } from './database.ts'
import type { CacheTracking, Notifications, ReadMark } from './notifications.ts'

export interface RestoredCopy {
  /**
   * What the database was restored to; undefined for the original. Asked again when the session of notifications is a new one
   * (a server does not become a copy without a restart), when the copy is declared the original, and each minute.
   */
  target(): Promise<string | undefined>
  /** Throws StoreUnavailable if the database is a restored copy: a copy must stay as it was when it was restored. */
  refuseChanges(): Promise<void>
  observe(metrics: Metrics): void
}

const MAX_AGE_MS = 60_000

/**
 * Queries the database only when `target` is called. `onChange` is called with the first target and with every change of it.
 */
export function watchRestoredCopy(
  db: Runner,
  notifications: Pick<Notifications, 'track'>,
  onChange: (target: string | undefined) => void,
): RestoredCopy {
  let known: string | undefined
  let answer: Promise<string | undefined> | undefined
  // Opened on first use: commands that never ask need no session.
  let tracking: CacheTracking | undefined
  let asked: ReadMark | undefined
  // Not traced, because one query serves many requests.
  const untraced = suppressTracing(ROOT_CONTEXT)
  const select = () =>
    composed(db, 'restored_copy', { target: nullable(text) }, (sql) => sql`select restored_copy() as target`)
  const ask = async () => {
    const [row] = await context.with(untraced, select)
    const target = row?.target ?? undefined
    if (target !== known) onChange(target)
    return (known = target)
  }
  const target = () => {
    tracking ??= notifications.track({
      name: 'restored copy',
      channels: ['original_declared'],
      maxAgeMs: MAX_AGE_MS,
    })
    if (!answer || !asked || !tracking.isCurrent(asked)) {
      asked = tracking.mark()
      answer = ask().catch((error: unknown) => {
        // Failures are not cached: PostgreSQL may answer the next query.
        answer = undefined
        throw error
      })
    }
    return answer
  }
  return {
    target,
    refuseChanges: async () => {
      if ((await target()) !== undefined) throw new StoreUnavailable('postgres', { code: RESTORED_COPY })
    },
    observe: ({ gauge }) =>
      gauge('hearth_restored_copy', 'Whether the database is a restored copy, which sends nothing', () =>
        known === undefined ? 0 : 1,
      ),
  }
}
