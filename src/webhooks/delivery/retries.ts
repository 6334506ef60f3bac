// What follows from an attempt: delivered, another attempt and when, given up, or the endpoint disabled (design §8).
import type { Outcome } from '../../platform/net/outbound-fetch.ts'

/** Before the first retry, the second, and so on; the last one repeats where `maxRetries` goes on. */
const DELAYS_SECONDS = [5, 60, 300, 1800, 7200, 21_600, 43_200, 86_400]
const JITTER = 0.1
const LONGEST_MS = 86_400_000
const GIVE_UP_AFTER_MS = 5 * 86_400_000

export interface Tried {
  /** Attempts before this one since the delivery was planned or replayed. */
  round: number
  maxRetries: number
  /** Since when the endpoint has been failing, as an ISO instant. */
  failingSince: string | null
}

export interface Step {
  state: 'delivered' | 'pending' | 'failed'
  nextAttemptAt: Date | null
  /** Why the endpoint is to be disabled. */
  disable?: 'gone' | 'failing'
}

/** `random` is in [0, 1): 0.5 means no jitter. */
export function nextStep(tried: Tried, outcome: Outcome, now: Date, random: number): Step {
  const status = outcome.kind === 'answered' ? outcome.status : 0
  if (status >= 200 && status < 300) return { state: 'delivered', nextAttemptAt: null }
  if (status === 410) return { state: 'failed', nextAttemptAt: null, disable: 'gone' }
  const failingMs = tried.failingSince === null ? 0 : now.getTime() - Date.parse(tried.failingSince)
  if (failingMs > GIVE_UP_AFTER_MS) return { state: 'failed', nextAttemptAt: null, disable: 'failing' }
  if (tried.round >= tried.maxRetries) return { state: 'failed', nextAttemptAt: null }
  const scheduledMs = retryDelayMs(tried.round, random)
  const askedMs = outcome.kind === 'answered' ? retryAfterMs(outcome.retryAfter, now) : 0
  return { state: 'pending', nextAttemptAt: new Date(now.getTime() + Math.max(scheduledMs, askedMs)) }
}

/** The delay before retry `round` (from 0), ±10 %, so that what failed together does not come back together. */
export function retryDelayMs(round: number, random: number): number {
  const seconds = DELAYS_SECONDS[Math.min(round, DELAYS_SECONDS.length - 1)] ?? 0
  return Math.round(seconds * 1000 * (1 + JITTER * (2 * random - 1)))
}

/** `Retry-After` in seconds or as a date (RFC 9110 §10.2.3), at most a day; 0 where it says nothing. */
function retryAfterMs(text: string | undefined, now: Date): number {
  if (text === undefined) return 0
  const ms = /^\d{1,9}$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), LONGEST_MS)
}
