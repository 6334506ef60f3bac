// Counts requests against limits: in Redis for all processes together, in this process alone while Redis is away.
import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'

import { type Ask, BUCKETS, type Grant, type Limit, type Standing } from './limit.ts'
import { type LocalWindows, memoryWindows } from './memory-windows.ts'
import { type Windows, redisWindows } from './redis-windows.ts'

/** Whether a request passes. */
export interface Verdict {
  readonly allowed: boolean
  /** One entry per limit of the request. */
  readonly standings: readonly Standing[]
  /** How many more remain of each than `standings` say: those given to later requests already. */
  readonly more: number
}

export interface RateLimiterOptions {
  redis: Redis
  /** Before every key in Redis. */
  prefix: string
  /** Called when limits begin to hold for this process alone, with the reason, and when they are shared again. */
  onChange: (state: 'local' | 'shared', reason?: unknown) => void
  /** How long Redis may be silent before it is taken for one that is away, in ms; a quarter of a second unless told. */
  silenceMs?: number
}

/** How often Redis is asked whether it is back. */
const PROBE_EVERY_MS = 500
/**
 * A limit that is used up is not asked about again before it frees: nothing frees earlier. At most this long, because a
 * key's limits may be raised and Redis emptied meanwhile.
 */
const MAX_REMEMBERED_MS = 1000
const MAX_REMEMBERED = 20_000

/**
 * A busy caller with plenty left is given some requests in advance, so that not each of them waits for Redis: as many as it
 * sends in this time, and at most this share of what is left of each of its limits. They are used in the bucket in which
 * they were counted or not at all, so no window ever holds more than its quota; what is not used by then counts as used.
 * With less left every request is counted by itself, and the quota is used to the last.
 */
const ADVANCE_MS = 100
const MAX_SHARE = 1 / 50
const PLENTY = 10_000
/** A caller that was not heard of for so long is not busy. */
const BUSY_MS = 1000

/** Advances that are half used are renewed together: a call for each would cost as much again as all else in here. */
const GATHER_MS = 20

/**
 * Redis answers in about a millisecond. One that is silent for so long is taken for one that is away: what waits for it is
 * then counted here, and nothing else waits before it has answered a probe within this time.
 */
const SILENCE_MS = 250

interface Advance {
  readonly askedAtMs: number
  readonly size: number
  left: number
  /** The end of the bucket. */
  readonly untilMs: number
  /** As they are when all of the advance is used. */
  readonly standings: readonly Standing[]
}

/** Whether whoever has these limits may ever be given requests in advance. */
export const mayHavePlenty = (limits: readonly Limit[]): boolean => limits.every(({ quota }) => quota >= PLENTY)

/**
 * Calls of Redis under way at once. With one the process waits for Redis and Redis for the process: two are a tenth more
 * requests a second for the same CPU, four no more than two (bench/NOTES.md).
 */
const MOST_UNDER_WAY = 2

type Waiting = (verdict: Verdict) => void

export class RateLimiter {
  readonly #options: RateLimiterOptions
  readonly #shared: Windows
  readonly #silenceMs: number
  readonly #local: LocalWindows = memoryWindows()
  readonly #usedUp = new LRUCache<string, number>({ max: MAX_REMEMBERED })
  readonly #advances = new WeakMap<readonly Limit[], Advance>()
  #waiting = new Map<readonly Limit[], Waiting[]>()
  #isAsking = false
  #isGathering = false
  #underWay = 0
  #probe: Timer | undefined

  constructor(options: RateLimiterOptions) {
    this.#options = options
    this.#shared = redisWindows(options.redis, options.prefix)
    this.#silenceMs = options.silenceMs ?? SILENCE_MS
  }

  /** Whether limits hold for this process alone, because Redis is away. */
  get isLocal(): boolean {
    return this.#probe !== undefined
  }

  /** Whether any limit was used up lately. */
  get knowsUsedUp(): boolean {
    return this.#usedUp.size > 0
  }

  /** When a limit that is known to be used up frees, in ms from now; undefined when it may have room. Asks nobody. */
  usedUpForMs({ key }: Limit): number | undefined {
    const untilMs = this.#usedUp.get(key)
    if (untilMs === undefined) return undefined
    const forMs = untilMs - performance.now()
    if (forMs > 0) return forMs
    this.#usedUp.delete(key)
    return undefined
  }

  /**
   * Counts one request against all of `limits`, if each has room for it. Whatever arrives in one turn of the event loop, or
   * while enough calls are under way, is asked in one call, and requests with the same `limits` (the same array) as one: a
   * call of its own for each would cost more CPU (20 µs) than the whole rest of a small answer.
   */
  take(limits: readonly Limit[]): Verdict | Promise<Verdict> {
    const advance = this.#advances.get(limits)
    if (advance && advance.left > 0 && performance.now() < advance.untilMs) {
      // Renewed in time, so that a steady caller never waits.
      const left = --advance.left
      if (left === advance.size >> 1) this.#renewSoon(limits)
      else if (left === advance.size >> 3) this.#askNow()
      return { allowed: true, standings: advance.standings, more: left }
    }
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(limits)
      if (waiting) waiting.push(resolve)
      else this.#waiting.set(limits, [resolve])
      this.#askNow()
    })
  }

  /** Asks for more with the next call, or in a moment when none comes. */
  #renewSoon(limits: readonly Limit[]): void {
    if (!this.#waiting.has(limits)) this.#waiting.set(limits, [])
    this.#gather()
  }

  #gather(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    setTimeout(() => {
      this.#isGathering = false
      this.#askNow()
    }, GATHER_MS)
  }

  #askNow(): void {
    if (this.#isAsking || this.#underWay >= MOST_UNDER_WAY || this.#waiting.size === 0) return
    this.#isAsking = true
    setImmediate(() => {
      this.#isAsking = false
      void this.#answerWaiting()
    })
  }

  async #answerWaiting(): Promise<void> {
    this.#underWay++
    try {
      await this.#answer([...this.#waiting])
    } finally {
      this.#underWay--
    }
    if (this.#isAnyoneWaiting()) this.#askNow()
    else if (this.#waiting.size > 0) this.#gather()
  }

  #isAnyoneWaiting(): boolean {
    for (const waiting of this.#waiting.values()) if (waiting.length > 0) return true
    return false
  }

  async #answer(groups: [readonly Limit[], Waiting[]][]): Promise<void> {
    this.#waiting = new Map()
    const askedAtMs = performance.now()
    const asks = groups.map(([limits, { length }]) => ({ limits, count: length + this.#advanceFor(limits, length) }))
    const grants = await this.#takeFor(asks)
    for (const [index, [limits, waiting]] of groups.entries()) {
      const grant = grants[index]
      if (!grant) throw new Error('A grant is missing.')
      this.#remember(limits, grant)
      if (this.isLocal) this.#advances.delete(limits)
      else if (mayHavePlenty(limits))
        this.#advances.set(limits, advanceOf(limits, grant, waiting.length, askedAtMs, this.#advances.get(limits)))
      for (const [position, resolve] of waiting.entries()) resolve(verdictFor(grant, position))
    }
  }

  /** How many requests to ask for in advance, by how many there were since the last time. */
  #advanceFor(limits: readonly Limit[], waiting: number): number {
    const last = this.#advances.get(limits)
    if (!last || this.isLocal) return 0
    const remaining = Math.min(...last.standings.map((standing) => standing.remaining))
    const elapsedMs = performance.now() - last.askedAtMs
    if (remaining < PLENTY || elapsedMs > BUSY_MS) return 0
    const used = waiting + last.size - last.left
    return Math.floor(Math.min(remaining * MAX_SHARE, (used * ADVANCE_MS) / Math.max(1, elapsedMs)))
  }

  async #takeFor(asks: Ask[]): Promise<Grant[]> {
    if (this.isLocal) return this.#local(asks)
    try {
      return await inTime(this.#shared(asks), this.#silenceMs)
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
    const isBack = await inTime(redis.ping(), this.#silenceMs).then(
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
      const forMs = Math.min(freesInMs, MAX_REMEMBERED_MS)
      if (remaining === 0) this.#usedUp.set(key, performance.now() + forMs)
    }
  }
}

/** What Redis answers; rejects when it is silent for too long. What it answers later is nobody's any more. */
async function inTime<T>(answer: Promise<T>, silenceMs: number): Promise<T> {
  const silence = Promise.withResolvers<never>()
  const fail = () => silence.reject(new Error(`Redis has not answered for ${silenceMs} ms.`))
  // A process that was busy itself for so long looks first whether the answer lies there already.
  const timer = setTimeout(() => setImmediate(fail), silenceMs)
  return await Promise.race([answer, silence.promise]).finally(() => clearTimeout(timer))
}

/** Of requests that were asked as one the first pass, and each sees what was left after it. */
function verdictFor({ granted, standings }: Grant, position: number): Verdict {
  const later = granted - 1 - position
  return { allowed: later >= 0, standings, more: Math.max(0, later) }
}

/** What was granted beyond those that waited, and what is left of the advance before when it is of the same bucket. */
function advanceOf(
  limits: readonly Limit[],
  { granted, standings }: Grant,
  waiting: number,
  askedAtMs: number,
  last: Advance | undefined,
): Advance {
  const restsOfBuckets = limits.map(({ windowMs }, index) => (standings[index]?.freesInMs ?? 0) % (windowMs / BUCKETS))
  // Redis's clock was read after ours: its bucket ends no earlier than this.
  const untilMs = askedAtMs + Math.min(...restsOfBuckets)
  const kept = last && askedAtMs < last.untilMs ? last.left : 0
  const size = Math.max(0, granted - waiting) + kept
  return {
    askedAtMs,
    size,
    left: size,
    untilMs: kept > 0 && last ? Math.min(untilMs, last.untilMs) : untilMs,
    standings,
  }
}
