// Counts requests against limits: in Redis for all processes together, in this process alone while Redis is away.
import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'

import type { Ask, Grant, Limit, Standing } from './limit.ts'
import { type LocalWindows, memoryWindows } from './memory-windows.ts'
import { type Windows, redisWindows } from './redis-windows.ts'

/** Whether a request passes. `standings` has one entry per limit of the request. */
export interface Verdict {
  readonly allowed: boolean
  readonly standings: readonly Standing[]
}

export interface RateLimiterOptions {
  redis: Redis
  /** Before every key in Redis. */
  prefix: string
  /** Called when limits begin to hold for this process alone, with the reason, and when they are shared again. */
  onChange: (state: 'local' | 'shared', reason?: unknown) => void
}

/** How often Redis is asked whether it is back. */
const PROBE_EVERY_MS = 500
/**
 * A limit that is used up is not asked about again before it frees: nothing frees earlier. At most this long, because a
 * key's limits may be raised and Redis emptied meanwhile.
 */
const MAX_REMEMBERED_MS = 1000
const MAX_REMEMBERED = 20_000

type Waiting = (verdict: Verdict) => void

export class RateLimiter {
  readonly #options: RateLimiterOptions
  readonly #shared: Windows
  readonly #local: LocalWindows = memoryWindows()
  readonly #usedUp = new LRUCache<string, number>({ max: MAX_REMEMBERED })
  #waiting = new Map<readonly Limit[], Waiting[]>()
  #probe: Timer | undefined

  constructor(options: RateLimiterOptions) {
    this.#options = options
    this.#shared = redisWindows(options.redis, options.prefix)
  }

  /** Whether limits hold for this process alone, because Redis is away. */
  get isLocal(): boolean {
    return this.#probe !== undefined
  }

  /** When a limit that is known to be used up frees, in ms from now; undefined when it may have room. Asks nobody. */
  usedUpForMs({ key }: Limit): number | undefined {
    if (this.#usedUp.size === 0) return undefined
    const untilMs = this.#usedUp.get(key)
    const forMs = untilMs === undefined ? 0 : untilMs - performance.now()
    return forMs > 0 ? forMs : undefined
  }

  /**
   * Counts one request against all of `limits`, if each has room for it. Whatever arrives in one turn of the event loop is
   * asked in one call, and requests with the same `limits` (the same array) as one: a call of its own for each would cost
   * more than the whole rest of a small answer.
   */
  take(limits: readonly Limit[]): Promise<Verdict> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(limits)
      if (waiting) return void waiting.push(resolve)
      if (this.#waiting.size === 0) setImmediate(() => void this.#answerWaiting())
      this.#waiting.set(limits, [resolve])
    })
  }

  async #answerWaiting(): Promise<void> {
    const groups = [...this.#waiting]
    this.#waiting = new Map()
    const grants = await this.#takeFor(groups.map(([limits, { length }]) => ({ limits, count: length })))
    for (const [index, [limits, waiting]] of groups.entries()) {
      const grant = grants[index]
      if (!grant) throw new Error('A grant is missing.')
      this.#remember(limits, grant)
      for (const [position, resolve] of waiting.entries()) resolve(verdictFor(grant, position))
    }
  }

  async #takeFor(asks: Ask[]): Promise<Grant[]> {
    if (this.isLocal) return this.#local(asks)
    try {
      return await this.#shared(asks)
    } catch (error) {
      this.#goLocal(error)
      return this.#local(asks)
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
    const isBack = await redis.ping().then(
      () => true,
      () => false,
    )
    if (!isBack || !this.isLocal) return
    clearInterval(this.#probe)
    this.#probe = undefined
    onChange('shared')
  }

  #remember(limits: readonly Limit[], { standings }: Grant): void {
    for (const [index, { key }] of limits.entries()) {
      const { remaining, freesInMs } = standings[index] ?? { remaining: 1, freesInMs: 0 }
      if (remaining === 0) this.#usedUp.set(key, performance.now() + Math.min(freesInMs, MAX_REMEMBERED_MS))
    }
  }
}

/** Of requests that were asked as one the first pass, and each sees what was left after it. */
function verdictFor({ granted, standings }: Grant, position: number): Verdict {
  const later = granted - 1 - position
  if (later < 0) return { allowed: false, standings }
  return {
    allowed: true,
    standings: standings.map(({ remaining, freesInMs }) => ({ remaining: remaining + later, freesInMs })),
  }
}
