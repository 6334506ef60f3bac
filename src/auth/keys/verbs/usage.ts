// The usage of keys: counted in memory, written every few seconds, listed by day.
import { type Ctx, ctxOf } from '../../../ctx.ts'
import { oncePerDeps } from '../../../deps.ts'
import { type UsageCounts, type UsageRow, addUsage } from '../queries/usage.ts'
import { selectUsage } from '../queries/usage.sql.ts'

export type { UsageRow }

const WRITE_EVERY_MS = 5000
const DAY_MS = 86_400_000

export interface KeyUsage {
  /** Counts a request with the key by its response status. */
  record(keyId: string, status: number): void
  /** Writes the counts to the database. */
  flush(): Promise<void>
}

/** One per process. A killed process loses the last few seconds; while the database is unavailable the counts are kept. */
export const usageOf = oncePerDeps((deps): KeyUsage => {
  const { clock, log } = deps
  // By the number of the day since 1970, then by key: two look-ups build no string.
  let pending = new Map<number, Map<string, UsageCounts>>()
  let isScheduled = false
  const scheduleFlush = () => {
    if (isScheduled) return
    isScheduled = true
    setTimeout(() => void flush(), WRITE_EVERY_MS).unref()
  }
  const flush = async () => {
    isScheduled = false
    const batch = [...pending.values()].flatMap((keys) => [...keys.values()])
    pending = new Map()
    if (batch.length === 0) return
    await addUsage(ctxOf(deps), { counts: batch }).catch((error: unknown) => {
      log.debug({ err: error }, 'failed to write the usage of keys; will retry')
      for (const counts of batch) add(counts)
      scheduleFlush()
    })
  }
  const entry = (keyId: string, dayNumber: number): UsageCounts => {
    const keys = pending.get(dayNumber) ?? new Map<string, UsageCounts>()
    if (keys.size === 0) pending.set(dayNumber, keys)
    const existing = keys.get(keyId)
    if (existing) return existing
    const created = { keyId, day: dayOf(new Date(dayNumber * DAY_MS)), requests: 0, refused: 0, limited: 0, failed: 0 }
    keys.set(keyId, created)
    return created
  }
  const add = ({ keyId, day, ...more }: UsageCounts) => {
    const counts = entry(keyId, Date.parse(day) / DAY_MS)
    for (const kind of ['requests', 'refused', 'limited', 'failed'] as const) counts[kind] += more[kind]
  }
  return {
    flush,
    record: (keyId, status) => {
      const counts = entry(keyId, Math.floor(clock.now().getTime() / DAY_MS))
      counts.requests++
      if (status === 429) counts.limited++
      else if (status >= 500) counts.failed++
      else if (status >= 400) counts.refused++
      scheduleFlush()
    },
  }
})

const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10)

/** The usage of the account's keys in the last `days` UTC days, today included; latest first. */
export const listUsage = (ctx: Ctx, { accountId, days }: { accountId: string; days: number }): Promise<UsageRow[]> =>
  selectUsage(ctx, { accountId, from: daysBefore(ctx.clock.now(), days - 1) })

const daysBefore = (instant: Date, days: number): string => dayOf(new Date(instant.getTime() - days * DAY_MS))
