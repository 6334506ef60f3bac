// What a rate limit is, and what stores of them answer.

/** At most `quota` requests in any window of `windowMs`, counted under `key`. Exact to a sixtieth of the window. */
export interface Limit {
  /** For headers and metrics; the same for everyone. */
  readonly name: string
  readonly quota: number
  /** A multiple of 60. */
  readonly windowMs: number
  /** Whose it is. */
  readonly key: string
}

/** A number of requests that all fall under the same limits. */
export interface Ask {
  readonly limits: readonly Limit[]
  readonly count: number
}

/** How many of an ask pass: only what every one of its limits has room for, and only those are counted. */
export interface Grant {
  readonly granted: number
  /** For each limit, after the grant: how many more pass now, and when the next of those counted is forgotten. */
  readonly standings: readonly Standing[]
}

export interface Standing {
  readonly remaining: number
  readonly freesInMs: number
}

/**
 * A window is counted in this many buckets. A bucket counts as long as any part of it lies in the window, so no window
 * ever holds more than the quota; what was counted is forgotten at most a sixtieth of the window late.
 */
export const BUCKETS = 60
