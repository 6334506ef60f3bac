// Limits how many deliveries of an endpoint are under way, so that a slow or dead endpoint delays no other.

/** All attempts of this process. Below Bun's own limit of 256 requests, beyond which they would queue unseen. */
const TOTAL = 240
/** The share of TOTAL that the endpoints of a lane take together. */
const LIMITS = { healthy: TOTAL, unknown: TOTAL / 2, degraded: TOTAL / 8 }
const FIRST_WINDOW = 4
const LARGEST_WINDOW = 64
/** An endpoint with a longer average duration is degraded. */
const SLOW_MS = 1000
/** After this many failures in a row the circuit opens before each further attempt. */
const FAILURES_TO_OPEN = 3
const FIRST_REST_MS = 1000
const LONGEST_REST_MS = 15_000

type Lane = keyof typeof LIMITS

interface EndpointUsage {
  lane: Lane
  underWay: number
  window: number
  failures: number
  meanMs: number
  /** The circuit is open until then. */
  restsUntil: number
}

/**
 * Grants slots by endpoint. A window per endpoint grows with each success and shrinks with each failure; three lanes keep
 * slots free for endpoints that answer quickly.
 */
export class ConcurrencyLimiter {
  readonly #endpoints = new Map<string, EndpointUsage>()
  readonly #used: Record<Lane, number> = { healthy: 0, unknown: 0, degraded: 0 }

  get underWay(): number {
    return this.#used.healthy + this.#used.unknown + this.#used.degraded
  }

  /** The number of endpoints whose circuit is open. */
  resting(nowMs: number): number {
    return [...this.#endpoints.values()].filter(({ restsUntil }) => restsUntil > nowMs).length
  }

  /** Acquires up to `requested` slots for the endpoint and returns how many it got. */
  acquire(endpointId: string, requested: number, nowMs: number): number {
    const usage = this.#endpoints.get(endpointId) ?? newUsage()
    if (usage.restsUntil > nowMs) return 0
    const free = Math.min(
      TOTAL - this.underWay,
      LIMITS[usage.lane] - this.#used[usage.lane],
      usage.window - usage.underWay,
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
  recordAttempt(endpointId: string, attempt: { isSuccess: boolean; durationMs: number; nowMs: number }): void {
    const usage = this.#endpoints.get(endpointId)
    if (!usage) return
    usage.meanMs = usage.meanMs * 0.8 + attempt.durationMs * 0.2
    if (attempt.isSuccess) {
      usage.failures = 0
      usage.restsUntil = 0
      usage.window = Math.min(LARGEST_WINDOW, usage.window + 1)
    } else {
      usage.failures++
      usage.window = Math.max(1, Math.floor(usage.window / 2))
      const rests = usage.failures - FAILURES_TO_OPEN
      if (rests >= 0)
        usage.restsUntil = attempt.nowMs + Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Math.min(rests, 10))
    }
    this.#enter(usage, usage.failures > 0 || usage.meanMs > SLOW_MS ? 'degraded' : 'healthy')
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
    usage.underWay += count
    this.#used[usage.lane] += count
  }
}

const newUsage = (): EndpointUsage => ({
  lane: 'unknown',
  underWay: 0,
  window: FIRST_WINDOW,
  failures: 0,
  meanMs: 0,
  restsUntil: 0,
})
