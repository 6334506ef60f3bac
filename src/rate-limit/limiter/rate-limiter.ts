// Counts requests against limits: in Redis for all processes, or in this process alone while Redis is unavailable.
import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'

import { startTimer } from '../../platform/clock/deadlines.ts'
import { checkRedis } from '../../platform/redis/client.ts'
import { BUCKETS, type Limit, type LimitUsage, type TakeRequest, type TakeResult } from './limit.ts'
import { type LocalWindows, memoryWindows } from './memory-windows.ts'
import { type SharedWindows, redisWindows } from './redis-windows.ts'

export interface Decision {
  readonly allowed: boolean
  /** One entry per limit of the request. */
  readonly usages: readonly LimitUsage[]
  /** Requests that `usages` count already but that remain for later requests of this process. */
  readonly prefetched: number
}

export interface RateLimiterOptions {
  redis: Redis
  /** Prefixes every key in Redis. */
  prefix: string
  /** Called when limits start to hold for this process alone, with the reason, and when they are shared again. */
  onChange: (state: 'local' | 'shared', reason?: unknown) => void
  /** After this long without a reply Redis counts as unavailable; {@link SILENCE_MS} by default. */
  silenceMs?: number
}

/** The interval of checks of an unavailable Redis. */
const PROBE_EVERY_MS = 500
/**
 * Redis is not asked about an exhausted limit before its reset. At most this long, because a key's limits may be raised
 * and Redis emptied meanwhile. Callers are told the reset itself.
 */
const MAX_EXHAUSTED_MS = 1000
const MAX_EXHAUSTED = 20_000

/**
 * Requests of a busy caller with much quota left are prefetched, so that not each of them waits for Redis: as many as it
 * sends in this time, and at most this share of the remaining quota of each limit. They are valid only in the bucket in
 * which they were counted, so no window ever holds more than its quota; unused ones count as used. With less quota left
 * each request is counted on its own, so that the quota can be used completely.
 */
const PREFETCH_MS = 100
const MAX_SHARE = 1 / 50
const MIN_QUOTA = 10_000
/** A caller without a request for this long is not busy. */
const BUSY_MS = 1000

/** Half-used prefetches are renewed together: a call for each would cost as much as everything else here. */
const GATHER_MS = 20

/**
 * Redis replies in about a millisecond. After this long without a reply it counts as unavailable: the waiting requests are
 * counted in this process, and Redis is not used before it accepts a write within this time.
 */
const SILENCE_MS = 250

interface Prefetch {
  readonly requestedAtMs: number
  readonly size: number
  left: number
  /** The end of the bucket. */
  readonly untilMs: number
  /** The usages after the whole prefetch is used. */
  readonly usages: readonly LimitUsage[]
}

/** Whether requests under these limits may be prefetched at all. */
export const canPrefetch = (limits: readonly Limit[]): boolean => limits.every(({ quota }) => quota >= MIN_QUOTA)

/**
 * Concurrent calls of Redis. With one, the process and Redis wait for each other in turn: two yield a tenth more requests
 * a second for the same CPU, four no more than two (bench/NOTES.md).
 */
const MAX_CALLS = 2

type Resolve = (decision: Decision) => void

export class RateLimiter {
  readonly #options: RateLimiterOptions
  readonly #shared: SharedWindows
  readonly #silenceMs: number
  readonly #local: LocalWindows = memoryWindows()
  readonly #exhausted = new LRUCache<string, { resetAtMs: number; forgetAtMs: number }>({ max: MAX_EXHAUSTED })
  readonly #prefetches = new WeakMap<readonly Limit[], Prefetch>()
  #waiting = new Map<readonly Limit[], Resolve[]>()
  #isScheduled = false
  #isGathering = false
  #calls = 0
  #probe: Timer | undefined

  constructor(options: RateLimiterOptions) {
    this.#options = options
    this.#shared = redisWindows(options.redis, options.prefix)
    this.#silenceMs = options.silenceMs ?? SILENCE_MS
  }

  /** Whether limits hold for this process alone, because Redis is unavailable. */
  get isLocal(): boolean {
    return this.#probe !== undefined
  }

  /** Whether any limit was exhausted recently. */
  get hasExhausted(): boolean {
    return this.#exhausted.size > 0
  }

  /** The ms until the reset of a limit that is known to be exhausted; undefined for any other. Reads memory only. */
  exhaustedForMs({ key }: Limit): number | undefined {
    const exhausted = this.#exhausted.get(key)
    if (exhausted === undefined) return undefined
    const nowMs = performance.now()
    if (nowMs < exhausted.forgetAtMs) return exhausted.resetAtMs - nowMs
    this.#exhausted.delete(key)
    return undefined
  }

  /**
   * Counts one request against all of `limits`, if each has room for it. Requests of one turn of the event loop, and those
   * that arrive while the maximum of calls is under way, share one call, in which requests with the same `limits` (the same
   * array) are one: a call for each would cost more CPU (20 µs) than the rest of a small response.
   */
  take(limits: readonly Limit[]): Decision | Promise<Decision> {
    const prefetch = this.#prefetches.get(limits)
    if (prefetch && prefetch.left > 0 && performance.now() < prefetch.untilMs) {
      // Renewed early, so that a steady caller never waits.
      const left = --prefetch.left
      if (left === prefetch.size >> 1) this.#renewSoon(limits)
      else if (left === prefetch.size >> 3) this.#schedule()
      return { allowed: true, usages: prefetch.usages, prefetched: left }
    }
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(limits)
      if (waiting) waiting.push(resolve)
      else this.#waiting.set(limits, [resolve])
      this.#schedule()
    })
  }

  /** Renews the prefetch with the next call, or with one of its own after {@link GATHER_MS}. */
  #renewSoon(limits: readonly Limit[]): void {
    if (!this.#waiting.has(limits)) this.#waiting.set(limits, [])
    this.#gather()
  }

  #gather(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    setTimeout(() => {
      this.#isGathering = false
      this.#schedule()
    }, GATHER_MS)
  }

  #schedule(): void {
    if (this.#isScheduled || this.#calls >= MAX_CALLS || this.#waiting.size === 0) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      void this.#call()
    })
  }

  async #call(): Promise<void> {
    this.#calls++
    try {
      await this.#decide([...this.#waiting])
    } finally {
      this.#calls--
    }
    if (this.#hasWaiting()) this.#schedule()
    else if (this.#waiting.size > 0) this.#gather()
  }

  #hasWaiting(): boolean {
    for (const waiting of this.#waiting.values()) if (waiting.length > 0) return true
    return false
  }

  async #decide(groups: [readonly Limit[], Resolve[]][]): Promise<void> {
    this.#waiting = new Map()
    const requestedAtMs = performance.now()
    const requests = groups.map(([limits, { length }]) => ({
      limits,
      count: length + this.#prefetchSize(limits, length),
    }))
    const results = await this.#takeAll(requests)
    for (const [index, [limits, waiting]] of groups.entries()) {
      const result = results[index]
      if (!result) throw new Error('The windows returned too few results.')
      this.#rememberExhausted(limits, result)
      const previous = this.#prefetches.get(limits)
      if (this.isLocal) this.#prefetches.delete(limits)
      else if (canPrefetch(limits))
        this.#prefetches.set(limits, prefetchOf(limits, result, waiting.length, requestedAtMs, previous))
      for (const [position, resolve] of waiting.entries()) resolve(decisionFor(result, position))
    }
  }

  /** How many requests to prefetch, by the rate since the last call. */
  #prefetchSize(limits: readonly Limit[], waiting: number): number {
    const last = this.#prefetches.get(limits)
    if (!last || this.isLocal) return 0
    const remaining = Math.min(...last.usages.map((usage) => usage.remaining))
    const elapsedMs = performance.now() - last.requestedAtMs
    if (remaining < MIN_QUOTA || elapsedMs > BUSY_MS) return 0
    const used = waiting + last.size - last.left
    return Math.floor(Math.min(remaining * MAX_SHARE, (used * PREFETCH_MS) / Math.max(1, elapsedMs)))
  }

  async #takeAll(requests: TakeRequest[]): Promise<TakeResult[]> {
    if (this.isLocal) return this.#local(requests)
    try {
      return await replyWithin(this.#shared(requests), this.#silenceMs)
    } catch (error) {
      this.#goLocal(error)
      return this.#local(requests)
    }
  }

  #goLocal(reason: unknown): void {
    if (this.isLocal) return
    this.#probe = setInterval(() => void this.#tryShared(), PROBE_EVERY_MS)
    this.#probe.unref()
    this.#options.onChange('local', reason)
  }

  async #tryShared(): Promise<void> {
    const { redis, onChange } = this.#options
    const isBack = await replyWithin(checkRedis(redis), this.#silenceMs).then(
      () => true,
      () => false,
    )
    if (!isBack || !this.isLocal) return
    clearInterval(this.#probe)
    this.#probe = undefined
    onChange('shared')
  }

  #rememberExhausted(limits: readonly Limit[], { usages }: TakeResult): void {
    for (const [index, { key }] of limits.entries()) {
      const { remaining, resetInMs } = usages[index] ?? { remaining: 1, resetInMs: 0 }
      if (remaining > 0) continue
      const nowMs = performance.now()
      const forgetAtMs = nowMs + Math.min(resetInMs, MAX_EXHAUSTED_MS)
      this.#exhausted.set(key, { resetAtMs: nowMs + resetInMs, forgetAtMs })
    }
  }
}

/** The reply of Redis; rejects after `silenceMs`. */
async function replyWithin<T>(reply: Promise<T>, silenceMs: number): Promise<T> {
  const silence = Promise.withResolvers<never>()
  // Not `withDeadline`: a busy process has no right to call Redis silent.
  const stop = startTimer(silenceMs, () => silence.reject(new Error(`Redis has not replied for ${silenceMs} ms.`)))
  return await Promise.race([reply, silence.promise]).finally(stop)
}

/** Of the requests in one group the first ones pass, and each sees the quota that was left after it. */
function decisionFor({ granted, usages }: TakeResult, position: number): Decision {
  const later = granted - 1 - position
  return { allowed: later >= 0, usages, prefetched: Math.max(0, later) }
}

/** The requests granted beyond those that waited, plus the rest of the previous prefetch if it is of the same bucket. */
function prefetchOf(
  limits: readonly Limit[],
  { granted, usages }: TakeResult,
  waiting: number,
  requestedAtMs: number,
  previous: Prefetch | undefined,
): Prefetch {
  const bucketRestsMs = limits.map(({ windowMs }, index) => (usages[index]?.resetInMs ?? 0) % (windowMs / BUCKETS))
  // Redis read its clock after we read ours: its bucket ends no earlier than this.
  const untilMs = requestedAtMs + Math.min(...bucketRestsMs)
  const kept = previous && requestedAtMs < previous.untilMs ? previous.left : 0
  const size = Math.max(0, granted - waiting) + kept
  return {
    requestedAtMs,
    size,
    left: size,
    untilMs: kept > 0 && previous ? Math.min(untilMs, previous.untilMs) : untilMs,
    usages,
  }
}
