// Decides requests by what this process knows of their callers, and exchanges counts with Redis in batches. While Redis is
// unavailable, limits hold for this process alone.
import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'

import { startTimer } from '../../platform/clock/deadlines.ts'
import { checkRedis } from '../../platform/redis/client.ts'
import {
  BUCKETS,
  type Limit,
  type LimitUsage,
  type TakeRequest,
  type TakeResult,
  unconfirmedAllowance,
} from './limit.ts'
import { type LocalWindows, memoryWindows } from './memory-windows.ts'
import { type SharedWindows, redisWindows } from './redis-windows.ts'

export interface Decision {
  readonly allowed: boolean
  /** One entry per limit of the request. */
  readonly usages: readonly LimitUsage[]
}

export interface RateLimiterOptions {
  redis: Redis
  /** Prefixes every key in Redis. */
  prefix: string
  /** Called when limits start to hold for this process alone, with the reason, and when they are shared again. */
  onChange: (state: 'local' | 'shared', reason?: unknown) => void
  /** After this long without a reply Redis counts as unavailable; {@link SILENCE_MS} by default. */
  silenceMs?: number
  /** The shared windows; those in Redis by default. */
  shared?: SharedWindows
  /** The time in ms; `performance.now` by default. */
  now?: () => number
}

/** Counts of admitted requests reach Redis, and with it the other processes, after this long. */
const EXCHANGE_MS = 20

/** The interval of checks of an unavailable Redis. */
const PROBE_EVERY_MS = 500
/**
 * Redis is not asked about an exhausted limit before its reset. At most this long, because a key's limits may be raised
 * and Redis emptied meanwhile. Callers are told the reset itself.
 */
const MAX_EXHAUSTED_MS = 1000

/**
 * The number of windows that are remembered, the latest used ones. A forgotten window counts as empty until the next
 * exchange.
 */
const MAX_WINDOWS = 100_000

/**
 * Redis replies in about a millisecond. After this long without a reply it counts as unavailable: the waiting requests are
 * counted in this process, and Redis is not used before it accepts a write within this time.
 */
const SILENCE_MS = 250

/** What this process knows of a window, and as a {@link PassedRequests} what it sends of it. */
interface Window {
  limit: Limit
  /** Admitted requests on their way to Redis. */
  count: number
  /** Admitted requests that the next exchange sends. */
  unsent: number
  /** Requests of this process that Redis has not confirmed: the admitted ones, and those that wait for Redis to decide. */
  unconfirmed: number
  /** The requests of all processes as of the last exchange that included this window, and the time of its reply. */
  counted: number
  countedAtMs: number
  resetAtMs: number
}

/** Requests with the same limits that wait for their decisions. */
interface Waiting {
  readonly limits: readonly Limit[]
  readonly windows: readonly Window[]
  readonly resolves: ((decision: Decision) => void)[]
}

/**
 * A request is admitted at once while this process has no more unconfirmed requests than {@link unconfirmedAllowance} of each
 * of its limits; any other waits for Redis, which decides exactly. A caller that this process does not know, as every
 * caller after a start, is taken to have its whole quota left.
 */
export class RateLimiter {
  readonly #options: RateLimiterOptions
  readonly #shared: SharedWindows
  readonly #silenceMs: number
  readonly #now: () => number
  readonly #local: LocalWindows = memoryWindows()
  readonly #windows = new LRUCache<string, Window>({ max: MAX_WINDOWS })
  /** The windows with unsent requests. */
  #unsent: Window[] = []
  /** By their limits (the same array). */
  #waiting = new Map<readonly Limit[], Waiting>()
  #exchanging: Promise<void> | undefined
  #isScheduled = false
  #timer: Timer | undefined
  #probe: Timer | undefined

  constructor(options: RateLimiterOptions) {
    this.#options = options
    this.#shared = options.shared ?? redisWindows(options.redis, options.prefix)
    this.#silenceMs = options.silenceMs ?? SILENCE_MS
    this.#now = options.now ?? (() => performance.now())
  }

  /** Whether limits hold for this process alone, because Redis is unavailable. */
  get isLocal(): boolean {
    return this.#probe !== undefined
  }

  /** The ms until the reset of a limit that is known to be exhausted; undefined for any other. Reads memory only. */
  exhaustedForMs({ key }: Limit): number | undefined {
    const window = this.#windows.get(key)
    const nowMs = this.#now()
    return window && isExhausted(window, nowMs) ? window.resetAtMs - nowMs : undefined
  }

  /** Counts one request against all of `limits`, if each has room for it. */
  take(limits: readonly Limit[]): Decision | Promise<Decision> {
    if (this.isLocal) return decisionOf(this.#local.take([{ limits, count: 1 }])[0])
    const nowMs = this.#now()
    const windows = limits.map((limit) => this.#windowOf(limit, nowMs))
    if (windows.some((window) => isExhausted(window, nowMs)))
      return { allowed: false, usages: windows.map((window) => usageOf(window, nowMs)) }
    for (const window of windows) window.unconfirmed++
    if (!windows.every(hasAllowance)) return this.#wait(limits, windows)
    for (const window of windows) if (window.unsent++ === 0) this.#unsent.push(window)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#schedule()
    }, EXCHANGE_MS)
    return { allowed: true, usages: windows.map((window) => usageOf(window, nowMs)) }
  }

  /** Sends what Redis has not counted yet. */
  async flush(): Promise<void> {
    while (this.#exchanging || this.#unsent.length > 0) await this.#startExchange()
  }

  #windowOf(limit: Limit, nowMs: number): Window {
    const known = this.#windows.get(limit.key)
    if (known) {
      // The quota may have changed since the last request, for example with the key.
      known.limit = limit
      return known
    }
    // This request is the first of its window, so all are available again once it leaves the window.
    const resetAtMs = nowMs + limit.windowMs + limit.windowMs / BUCKETS
    const window = { limit, count: 0, unsent: 0, unconfirmed: 0, counted: 0, countedAtMs: 0, resetAtMs }
    this.#windows.set(limit.key, window)
    return window
  }

  /** Requests with the same `limits` (the same array) are one for Redis. */
  #wait(limits: readonly Limit[], windows: readonly Window[]): Promise<Decision> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(limits)
      if (waiting) waiting.resolves.push(resolve)
      else this.#waiting.set(limits, { limits, windows, resolves: [resolve] })
      this.#schedule()
    })
  }

  /** Starts an exchange after this turn of the event loop, or after the current exchange. */
  #schedule(): void {
    if (this.#isScheduled || this.#exchanging) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      void this.#startExchange()
    })
  }

  #startExchange(): Promise<void> {
    return (this.#exchanging ??= this.#exchange().finally(() => {
      this.#exchanging = undefined
      if (this.#waiting.size > 0 || (this.#unsent.length > 0 && !this.#timer)) this.#schedule()
    }))
  }

  async #exchange(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const [passed, waiting] = [this.#unsent, [...this.#waiting.values()]]
    this.#unsent = []
    this.#waiting = new Map()
    for (const window of passed) {
      window.count = window.unsent
      window.unsent = 0
    }
    const [usages, results] = await this.#send(
      passed,
      waiting.map(({ limits, resolves }) => ({ limits, count: resolves.length })),
    )
    const nowMs = this.#now()
    for (const [index, window] of passed.entries()) {
      window.unconfirmed -= window.count
      this.#learn(window, window.limit, usages[index], nowMs)
    }
    for (const [index, { limits, windows, resolves }] of waiting.entries())
      for (const [place, window] of windows.entries()) {
        window.unconfirmed -= resolves.length
        this.#learn(window, limits[place], results[index]?.usages[place], nowMs)
      }
    for (const [index, { windows, resolves }] of waiting.entries())
      for (const [position, resolve] of resolves.entries()) resolve(decisionOf(results[index], position, windows))
  }

  #learn(window: Window, limit: Limit | undefined, usage: LimitUsage | undefined, nowMs: number): void {
    if (this.isLocal || !limit || !usage) return
    const counted = limit.quota - usage.remaining
    // Several requests of one exchange may share a window, and Redis may have counted them in another order.
    window.counted = window.countedAtMs === nowMs ? Math.max(window.counted, counted) : counted
    window.countedAtMs = nowMs
    window.resetAtMs = nowMs + usage.resetInMs
  }

  /** Counts the admitted requests before it takes for the waiting ones, so that these do not get their place. */
  async #send(passed: readonly Window[], requests: readonly TakeRequest[]): Promise<[LimitUsage[], TakeResult[]]> {
    if (!this.isLocal)
      try {
        const replies = Promise.all([this.#shared.count(passed), this.#shared.take(requests)])
        return await replyWithin(replies, this.#silenceMs)
      } catch (error) {
        this.#goLocal(error)
      }
    return [this.#local.count(passed), this.#local.take(requests)]
  }

  #goLocal(reason: unknown): void {
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
}

/** The reply of Redis; rejects after `silenceMs`. */
async function replyWithin<T>(reply: Promise<T>, silenceMs: number): Promise<T> {
  const silence = Promise.withResolvers<never>()
  // Not `withDeadline`: a process whose event loop was busy must read the reply that has arrived before it treats Redis as
  // silent.
  const stop = startTimer(silenceMs, () => silence.reject(new Error(`Redis has not replied for ${silenceMs} ms.`)))
  return await Promise.race([reply, silence.promise]).finally(stop)
}

const remainingIn = ({ limit, counted }: Window): number => limit.quota - counted

const isExhausted = (window: Window, nowMs: number): boolean =>
  remainingIn(window) <= 0 && nowMs < Math.min(window.resetAtMs, window.countedAtMs + MAX_EXHAUSTED_MS)

const hasAllowance = (window: Window): boolean =>
  window.unconfirmed <= unconfirmedAllowance(window.limit, remainingIn(window))

const usageOf = (window: Window, nowMs: number): LimitUsage => ({
  remaining: Math.max(0, remainingIn(window) - window.unconfirmed),
  resetInMs: window.resetAtMs - nowMs,
})

/** The decision about one of `count` requests: the first ones pass, and each sees the quota that was left after it. */
function decisionOf(result: TakeResult | undefined, position = 0, windows: readonly Window[] = []): Decision {
  if (!result) throw new Error('The windows returned too few results.')
  const later = Math.max(0, result.granted - 1 - position)
  const usages = result.usages.map(({ remaining, resetInMs }, index) => ({
    // This process has admitted more requests since the exchange.
    remaining: Math.max(0, remaining - (windows[index]?.unsent ?? 0)) + later,
    resetInMs,
  }))
  return { allowed: position < result.granted, usages }
}
