// The usage of keys: counted in memory, written every few seconds, listed by day, with the last requests that failed.
import { type Ctx, ctxOf } from '../../../ctx.ts'
import { oncePerDeps } from '../../../deps.ts'
import type { AppError } from '../../../errors/app-error.ts'
import type { FieldError } from '../../../errors/kind.ts'
import { type UsageCounts, type UsageRow, addUsage } from '../queries/usage.ts'
import { addFailedRequests, selectFailedRequests } from '../queries/failed-requests.sql.ts'
import { selectUsage } from '../queries/usage.sql.ts'

export type { UsageRow }

const WRITE_EVERY_MS = 5000
const DAY_MS = 86_400_000
/** How many failed requests of a key are kept, and how many of all keys a process holds until it writes them. */
const MAX_FAILURES = { ofKey: 100, waiting: 500 }
/** The days for which failed requests are listed. */
const FAILURE_DAYS = 7
/** The longest list of invalid fields that is kept of a request. */
const MAX_FIELDS = 20

/** A request that was answered with an error. `path` is the pattern of its route, without the ids and codes of the request. */
export interface Failure {
  keyId: string
  method: string
  path: string
  requestId: string | undefined
  error: AppError
}

export interface KeyUsage {
  /** Counts a request with the key by its response status. */
  record(keyId: string, status: number): void
  /** Keeps what went wrong in a request for the owner of its key. Of very many at once, only the first. */
  recordFailure(failure: Failure): void
  /** Writes the counts to the database. */
  flush(): Promise<void>
}

/** One per process. A killed process loses the last few seconds; while the database is unavailable the counts are kept. */
export const usageOf = oncePerDeps((deps): KeyUsage => {
  const { clock, log } = deps
  // By the number of the day since 1970, then by key: two look-ups build no string.
  let pending = new Map<number, Map<string, UsageCounts>>()
  let failures: ReturnType<typeof failedRequest>[] = []
  let isScheduled = false
  const scheduleFlush = () => {
    if (isScheduled) return
    isScheduled = true
    setTimeout(() => void flush(), WRITE_EVERY_MS).unref()
  }
  const flush = async () => {
    isScheduled = false
    const batch = [...pending.values()].flatMap((keys) => [...keys.values()])
    const failed = failures
    pending = new Map()
    failures = []
    if (failed.length > 0)
      await addFailedRequests(ctxOf(deps), { requests: JSON.stringify(failed), kept: MAX_FAILURES.ofKey }).catch(
        (error: unknown) => log.debug({ err: error }, 'failed to write failed requests; they are not listed'),
      )
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
    recordFailure: (failure) => {
      if (failures.length < MAX_FAILURES.waiting) failures.push(failedRequest(failure, clock.now()))
      scheduleFlush()
    },
  }
})

const failedRequest = ({ error, ...request }: Failure, now: Date) => ({
  ...request,
  failedAt: now,
  status: error.status,
  code: error.code,
  detail: error.detail,
  errors: error.errors?.slice(0, MAX_FIELDS) ?? [],
})

const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10)

/** The usage of the account's keys in the last `days` UTC days, today included; latest first. */
export const listUsage = (ctx: Ctx, { accountId, days }: { accountId: string; days: number }): Promise<UsageRow[]> =>
  selectUsage(ctx, { accountId, from: daysBefore(ctx.clock.now(), days - 1) })

const daysBefore = (instant: Date, days: number): string => dayOf(new Date(instant.getTime() - days * DAY_MS))

/** The last `limit` requests with the account's keys that failed within a week, newest first. */
export async function listFailedRequests(ctx: Ctx, { accountId, limit }: { accountId: string; limit: number }) {
  const from = new Date(ctx.clock.now().getTime() - FAILURE_DAYS * DAY_MS)
  const rows = await selectFailedRequests(ctx, { accountId, from, limit })
  return rows.map(({ errors, ...request }) => ({ ...request, errors: errors as FieldError[] }))
}

export type FailedRequest = Awaited<ReturnType<typeof listFailedRequests>>[number]
