// Limits how many deliveries of an endpoint are under way, so that a slow or dead endpoint delays no other.

/** All attempts of this process. Below Bun's own limit of 256 requests, beyond which they would queue unseen. */
const TOTAL = 240
/** The share of TOTAL that the endpoints of a lane take together. */
const LIMITS = { healthy: TOTAL, unknown: TOTAL / 2, degraded: TOTAL / 8 }
const FIRST_WINDOW = 4
const LARGEST_WINDOW = TOTAL / 2
/** Slots that endpoints with more than their share leave free, so that others find one at once. */
const RESERVE = TOTAL / 6
/** The least weight of the last attempt in the shares of failed and slow ones. */
const LAST_WEIGHT = 0.1
/** The number of quick successes that each endpoint starts with, so that a single failure says little. */
const ASSUMED_SUCCESSES = 2
/** An endpoint with a larger share of failed or of slow attempts is degraded. */
const DEGRADED_SHARE = 0.5
const SLOW_MS = 1000
/** After this many failures in a row a degraded endpoint's circuit opens before each further attempt. */
const FAILURES_TO_OPEN = 3
const FIRST_REST_MS = 1000
const LONGEST_REST_MS = 15_000

type Lane = keyof typeof LIMITS

interface EndpointUsage {
  lane: Lane
  underWay: number
  window: number
  /** Whether the window was halved once: from then on it grows by one per window of successes, before by one per success. */
  hasShrunk: boolean
  attempts: number
  /** Failures in a row. */
  failures: number
  failedShare: number
  slowShare: number
  /** The circuit is open until this time. */
  restsUntil: number
}

export interface Attempt {
  isSuccess: boolean
  /** The receiver asked for fewer requests: 429, or Retry-After. */
  isThrottled: boolean
  durationMs: number
  nowMs: number
}

/**
 * Grants slots by endpoint. A window per endpoint grows with each success, and is halved when the receiver asks for less
 * or most attempts fail (AIMD). Single failures do not shrink it: a fifth of errors kept the window near 8, and a tenth of slow
 * responses filled it, so such an endpoint got 8 of 67 events a second. Three lanes keep slots free for endpoints that
 * respond quickly.
 */
export class ConcurrencyLimiter {
  readonly #endpoints = new Map<string, EndpointUsage>()
  /** The number of endpoints with attempts under way. */
  #active = 0
  readonly #used: Record<Lane, number> = { healthy: 0, unknown: 0, degraded: 0 }

  get underWay(): number {
    return this.#used.healthy + this.#used.unknown + this.#used.degraded
  }

  get unused(): number {
    return TOTAL - this.underWay
  }

  /** The number of endpoints whose circuit is open. */
  resting(nowMs: number): number {
    return [...this.#endpoints.values()].filter(({ restsUntil }) => restsUntil > nowMs).length
  }

  /** Acquires up to `requested` slots for the endpoint and returns how many it got. */
  acquire(endpointId: string, requested: number, nowMs: number): number {
    const usage = this.#endpoints.get(endpointId) ?? newUsage()
    if (usage.restsUntil > nowMs) return 0
    const unused = this.unused
    const share = Math.floor((TOTAL - RESERVE) / (this.#active + Number(usage.underWay === 0)))
    const free = Math.min(
      Math.max(Math.min(unused, share - usage.underWay), unused - RESERVE),
      LIMITS[usage.lane] - this.#used[usage.lane],
      Math.floor(usage.window) - usage.underWay,
      requested,
    )
    if (free <= 0) return 0
    this.#endpoints.set(endpointId, usage)
    this.#add(usage, free)
    return free
  }

  release(endpointId: string, count: number): void {
    const usage = this.#endpoints.get(endpointId)
    if (!usage) return
    this.#add(usage, -count)
    if (usage.underWay === 0 && usage.lane === 'unknown') this.#endpoints.delete(endpointId)
  }

  /** Adapts window, lane and circuit to an attempt. Its slot stays acquired until it is released. */
  recordAttempt(endpointId: string, { isSuccess, isThrottled, durationMs, nowMs }: Attempt): void {
    const usage = this.#endpoints.get(endpointId)
    if (!usage) return
    usage.attempts++
    const weight = Math.max(LAST_WEIGHT, 1 / (usage.attempts + ASSUMED_SUCCESSES))
    usage.failedShare += weight * (Number(!isSuccess) - usage.failedShare)
    usage.slowShare += weight * (Number(durationMs > SLOW_MS) - usage.slowShare)
    const mostFail = usage.failedShare > DEGRADED_SHARE
    if (isSuccess) {
      usage.failures = 0
      usage.restsUntil = 0
      usage.window = Math.min(LARGEST_WINDOW, usage.window + (usage.hasShrunk ? 1 / usage.window : 1))
    } else {
      usage.failures++
      if (mostFail || isThrottled) {
        usage.window = Math.max(1, usage.window / 2)
        usage.hasShrunk = true
      }
      const rests = usage.failures - FAILURES_TO_OPEN
      if (mostFail && rests >= 0)
        usage.restsUntil = nowMs + Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Math.min(rests, 10))
    }
    this.#enter(usage, mostFail || usage.slowShare > DEGRADED_SHARE ? 'degraded' : 'healthy')
  }

  /** Forgets a deleted or disabled endpoint that has nothing under way. */
  forget(endpointId: string): void {
    if (this.#endpoints.get(endpointId)?.underWay === 0) this.#endpoints.delete(endpointId)
  }

  #enter(usage: EndpointUsage, lane: Lane): void {
    this.#used[usage.lane] -= usage.underWay
    usage.lane = lane
    this.#used[lane] += usage.underWay
  }

  #add(usage: EndpointUsage, count: number): void {
    const isNew = usage.underWay === 0
    usage.underWay += count
    this.#used[usage.lane] += count
    if (isNew) this.#active++
    if (usage.underWay === 0) this.#active--
  }
}

const newUsage = (): EndpointUsage => ({
  lane: 'unknown',
  underWay: 0,
  window: FIRST_WINDOW,
  hasShrunk: false,
  attempts: 0,
  failures: 0,
  failedShare: 0,
  slowShare: 0,
  restsUntil: 0,
})
