// The result of an attempt: delivered, retried later, failed for good, or the endpoint disabled (design §8).
import { type Outcome, retryAfterMs } from '../../platform/net/outbound-fetch.ts'

/** The delays before the first retry, the second, and so on; further retries repeat the last one. */
const DELAYS_SECONDS = [5, 60, 300, 1800, 7200, 21_600, 43_200, 86_400]
const JITTER = 0.1
const DISABLE_AFTER_MS = 5 * 86_400_000

export interface RetryState {
  /** Attempts before this one since the delivery was planned or replayed. */
  round: number
  maxRetries: number
  /** Since when the endpoint has been failing, as an ISO instant. */
  failingSince: string | null
}

export interface NextStep {
  state: 'delivered' | 'pending' | 'failed'
  nextAttemptAt: Date | null
  /** Set when the endpoint must be disabled. */
  disable?: 'gone' | 'failing'
}

/** `random` is in [0, 1): 0.5 means no jitter. */
export function nextStep(delivery: RetryState, outcome: Outcome, now: Date, random: number): NextStep {
  const status = outcome.kind === 'answered' ? outcome.status : 0
  if (status >= 200 && status < 300) return { state: 'delivered', nextAttemptAt: null }
  if (status === 410) return { state: 'failed', nextAttemptAt: null, disable: 'gone' }
  const failingMs = delivery.failingSince === null ? 0 : now.getTime() - Date.parse(delivery.failingSince)
  if (failingMs > DISABLE_AFTER_MS) return { state: 'failed', nextAttemptAt: null, disable: 'failing' }
  if (delivery.round >= delivery.maxRetries) return { state: 'failed', nextAttemptAt: null }
  const scheduledMs = retryDelayMs(delivery.round, random)
  const requestedMs = outcome.kind === 'answered' ? retryAfterMs(outcome.retryAfter, now) : 0
  return { state: 'pending', nextAttemptAt: new Date(now.getTime() + Math.max(scheduledMs, requestedMs)) }
}

/** The delay before retry `round` (from 0), ±10%, so that deliveries that failed together are not retried together. */
export function retryDelayMs(round: number, random: number): number {
  const seconds = DELAYS_SECONDS[Math.min(round, DELAYS_SECONDS.length - 1)] ?? 0
  return Math.round(seconds * 1000 * (1 + JITTER * (2 * random - 1)))
}
