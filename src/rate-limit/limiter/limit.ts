// Rate limits, requests to take from them, and the results.

/** At most `quota` requests in any window of `windowMs`, counted under `key`. Exact to a sixtieth of the window. */
export interface Limit {
  /** For headers and metrics; the same for every caller. */
  readonly name: string
  readonly quota: number
  /** A multiple of 60. */
  readonly windowMs: number
  /** Identifies the caller. */
  readonly key: string
  /** Every request waits for the shared count, whatever the quota. */
  readonly isExact?: boolean
}

/** Takes `count` requests from all of the limits. */
export interface TakeRequest {
  readonly limits: readonly Limit[]
  readonly count: number
}

/** Requests that were admitted already. They are counted even beyond the quota. */
export interface PassedRequests {
  readonly limit: Limit
  readonly count: number
}

/** Grants only what every limit has room for, and counts only what is granted. */
export interface TakeResult {
  readonly granted: number
  /** The usage of each limit afterwards. */
  readonly usages: readonly LimitUsage[]
}

export interface LimitUsage {
  /** How many more requests pass now. */
  readonly remaining: number
  /** When the oldest counted requests leave the window; 0 for an empty window. */
  readonly resetInMs: number
}

/**
 * A window is counted in this many buckets. A bucket counts as long as any part of it lies in the window, so no window
 * ever holds more than the quota; requests leave the count at most a sixtieth of the window late.
 */
export const BUCKETS = 60

/** Smaller quotas are exact: of 20 code lookups a minute, two more would matter. */
const MIN_QUOTA = 50

/**
 * How many requests one process admits before Redis has counted them, while `remaining` are left: a twentieth, and at most
 * five, or a hundredth of a large quota. With fewer than 20 left the shared count decides about each request. Processes
 * together exceed a quota by at most the allowance of a whole quota for each of them. A process alone does not exceed it:
 * only others can use up what it takes for free.
 */
export const unconfirmedAllowance = ({ quota, isExact = false }: Limit, remaining = quota): number =>
  isExact || quota < MIN_QUOTA ? 0 : Math.floor(Math.min(remaining / 20, Math.max(5, remaining / 100)))
