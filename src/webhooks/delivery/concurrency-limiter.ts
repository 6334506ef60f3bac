// How many deliveries an endpoint may have under way, so that no endpoint, however slow or dead, delays another.

/** All at once in this process. Below Bun's own limit of 256 requests, beyond which they would queue unseen. */
const TOTAL = 240
/** What endpoints nobody has heard from yet may take of it together, and those known to be slow or failing. */
const LIMITS = { proven: TOTAL, unproven: TOTAL / 2, suspect: TOTAL / 8 }
const FIRST_WINDOW = 4
const LARGEST_WINDOW = 64
/** An endpoint that takes longer on average is suspect. */
const SLOW_MS = 1000
/** After this many failures without a success in between, an endpoint rests before each further try. */
const FAILURES_TO_OPEN = 3
const FIRST_REST_MS = 1000
const LONGEST_REST_MS = 15_000

type Lane = keyof typeof LIMITS

interface Standing {
  lane: Lane
  underWay: number
  window: number
  failures: number
  meanMs: number
  /** The circuit is open until then. */
  restsUntil: number
}

/**
 * Grants slots by endpoint. A window per endpoint grows with each success and closes with failures; three lanes keep
 * slots free for endpoints that are known to answer quickly.
 */
export class Slots {
  readonly #standings = new Map<string, Standing>()
  readonly #used: Record<Lane, number> = { proven: 0, unproven: 0, suspect: 0 }

  get underWay(): number {
    return this.#used.proven + this.#used.unproven + this.#used.suspect
  }

  /** Endpoints whose circuit is open. */
  resting(nowMs: number): number {
    return [...this.#standings.values()].filter(({ restsUntil }) => restsUntil > nowMs).length
  }

  /** Takes up to `wanted` slots for the endpoint, and answers how many it got. */
  take(endpointId: string, wanted: number, nowMs: number): number {
    const standing = this.#standings.get(endpointId) ?? fresh()
    if (standing.restsUntil > nowMs) return 0
    const free = Math.min(
      TOTAL - this.underWay,
      LIMITS[standing.lane] - this.#used[standing.lane],
      standing.window - standing.underWay,
      wanted,
    )
    if (free <= 0) return 0
    this.#standings.set(endpointId, standing)
    this.#move(standing, free)
    return free
  }

  /** Gives back slots that were not used. */
  giveBack(endpointId: string, count: number): void {
    const standing = this.#standings.get(endpointId)
    if (!standing) return
    this.#move(standing, -count)
    // Nothing is known of it: nothing is kept.
    if (standing.underWay === 0 && standing.lane === 'unproven') this.#standings.delete(endpointId)
  }

  /** Learns how an attempt went. The slot stays taken until it is given back. */
  learn(endpointId: string, good: boolean, durationMs: number, nowMs: number): void {
    const standing = this.#standings.get(endpointId)
    if (!standing) return
    standing.meanMs = standing.meanMs * 0.8 + durationMs * 0.2
    if (good) {
      standing.failures = 0
      standing.restsUntil = 0
      standing.window = Math.min(LARGEST_WINDOW, standing.window + 1)
    } else {
      standing.failures++
      standing.window = Math.max(1, Math.floor(standing.window / 2))
      const rests = standing.failures - FAILURES_TO_OPEN
      if (rests >= 0) standing.restsUntil = nowMs + Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Math.min(rests, 10))
    }
    this.#enter(standing, standing.failures > 0 || standing.meanMs > SLOW_MS ? 'suspect' : 'proven')
  }

  /** Forgets an endpoint that was deleted or disabled and has nothing under way. */
  forget(endpointId: string): void {
    if (this.#standings.get(endpointId)?.underWay === 0) this.#standings.delete(endpointId)
  }

  #enter(standing: Standing, lane: Lane): void {
    this.#used[standing.lane] -= standing.underWay
    standing.lane = lane
    this.#used[lane] += standing.underWay
  }

  #move(standing: Standing, by: number): void {
    standing.underWay += by
    this.#used[standing.lane] += by
  }
}

const fresh = (): Standing => ({
  lane: 'unproven',
  underWay: 0,
  window: FIRST_WINDOW,
  failures: 0,
  meanMs: 0,
  restsUntil: 0,
})
