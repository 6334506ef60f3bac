// How often keys are used: counted in memory, written every few seconds, shown by day.
import { type Deps, oncePerDeps } from '../../../deps.ts'
import { type UsageCounts, type UsageRow, addUsage, deleteUsageBefore, selectUsage } from '../queries/usage.ts'

export type { UsageRow }

const WRITE_EVERY_MS = 5000
const DAY_MS = 86_400_000
/** A year, and what people need to look back over it. */
const KEPT_DAYS = 400

export interface KeyUsage {
  /** A request with the key was answered. */
  note(keyId: string, status: number): void
  /** Writes what is counted. */
  flush(): Promise<void>
}

/**
 * The counter of a process. A process that is killed loses the last seconds; while the database is away, what is counted
 * waits.
 */
export const usageOf = oncePerDeps(({ write, clock, log }): KeyUsage => {
  // By the number of the day since 1970, then by key: found without putting a name together.
  let counted = new Map<number, Map<string, UsageCounts>>()
  let isWaiting = false
  const wait = () => {
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => void flush(), WRITE_EVERY_MS).unref()
  }
  const flush = async () => {
    isWaiting = false
    const batch = [...counted.values()].flatMap((keys) => [...keys.values()])
    counted = new Map()
    if (batch.length === 0) return
    await addUsage(write, batch).catch((error: unknown) => {
      log.debug({ err: error }, 'use of keys not written yet')
      for (const counts of batch) add(counts)
      wait()
    })
  }
  const entry = (keyId: string, dayNumber: number): UsageCounts => {
    const keys = counted.get(dayNumber) ?? new Map<string, UsageCounts>()
    if (keys.size === 0) counted.set(dayNumber, keys)
    const found = keys.get(keyId)
    if (found) return found
    const made = { keyId, day: dayOf(new Date(dayNumber * DAY_MS)), requests: 0, refused: 0, limited: 0, failed: 0 }
    keys.set(keyId, made)
    return made
  }
  const add = ({ keyId, day, ...more }: UsageCounts) => {
    const counts = entry(keyId, Date.parse(day) / DAY_MS)
    for (const kind of ['requests', 'refused', 'limited', 'failed'] as const) counts[kind] += more[kind]
  }
  return {
    flush,
    note: (keyId, status) => {
      const counts = entry(keyId, Math.floor(clock.now().getTime() / DAY_MS))
      counts.requests++
      if (status === 429) counts.limited++
      else if (status >= 500) counts.failed++
      else if (status >= 400) counts.refused++
      wait()
    },
  }
})

const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10)

/** The days on which the account's keys were used, of the last so many in UTC, today included: the latest first. */
export const listUsage = (
  { read, clock }: Pick<Deps, 'read' | 'clock'>,
  accountId: string,
  days: number,
): Promise<UsageRow[]> => selectUsage(read, accountId, daysBefore(clock.now(), days - 1))

/** Forgets days that are longer ago than a year, `limit` at most; gives how many. */
export const forgetOldUsage = ({ write, clock }: Pick<Deps, 'write' | 'clock'>, limit: number): Promise<number> =>
  deleteUsageBefore(write, daysBefore(clock.now(), KEPT_DAYS), limit)

const daysBefore = (instant: Date, days: number): string => dayOf(new Date(instant.getTime() - days * DAY_MS))
