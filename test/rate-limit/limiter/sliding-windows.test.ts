// The sliding windows in Redis and in memory, and the prefetching limiter above them.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import type { Redis } from 'ioredis'

import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { BUCKETS, type TakeRequest, type TakeResult, type Limit } from '../../../src/rate-limit/limiter/limit.ts'
import { memoryWindows } from '../../../src/rate-limit/limiter/memory-windows.ts'
import { RateLimiter } from '../../../src/rate-limit/limiter/rate-limiter.ts'
import { redisWindows } from '../../../src/rate-limit/limiter/redis-windows.ts'
import { openRedis } from '../../../src/platform/redis/client.ts'
import { testRedisUrl } from '../../support/stores.ts'

let redis: Redis

beforeAll(async () => {
  redis = openRedis(testRedisUrl, () => undefined)
  await waitUntil(() => redis.status === 'ready', 5000)
})
afterAll(() => redis.disconnect())

/** A limit with a unique key and a window short enough to end during a test. */
const limit = (quota: number, windowMs = 600, key = randomUUID()): Limit => ({ name: 'test', quota, windowMs, key })

type Take = (requests: readonly TakeRequest[]) => Promise<TakeResult[]>
const local = memoryWindows()
const STORES: [name: string, take: Take][] = [
  ['in Redis', (requests) => redisWindows(redis, 'test:')(requests)],
  ['in memory', (requests) => Promise.resolve(local(requests))],
]

describe.each(STORES)('%s', (_, take) => {
  const takeOne = async (limits: readonly Limit[], count = 1): Promise<TakeResult> => {
    const [result] = await take([{ limits, count }])
    if (!result) throw new Error('A request has no result.')
    return result
  }

  test('exactly the quota of a burst passes, and each request sees the remaining quota', async () => {
    const limits = [limit(5, 60_000)]
    const results = await Promise.all(Array.from({ length: 8 }, () => takeOne(limits)))
    expect(results.map(({ granted }) => granted)).toEqual([1, 1, 1, 1, 1, 0, 0, 0])
    expect(results.map(({ usages }) => usages[0]?.remaining)).toEqual([4, 3, 2, 1, 0, 0, 0, 0])
  })

  test('a request for many is granted as far as the quota allows', async () => {
    const limits = [limit(5, 60_000)]
    expect(await takeOne(limits, 3)).toMatchObject({ granted: 3, usages: [{ remaining: 2 }] })
    expect(await takeOne(limits, 9)).toMatchObject({ granted: 2, usages: [{ remaining: 0 }] })
  })

  test('a request that one limit refuses does not count for the others', async () => {
    const [wide, narrow] = [limit(10, 60_000), limit(1, 60_000)]
    await takeOne([wide, narrow])
    expect(await takeOne([wide, narrow])).toMatchObject({ granted: 0, usages: [{ remaining: 9 }, { remaining: 0 }] })
    expect(await takeOne([wide])).toMatchObject({ granted: 1, usages: [{ remaining: 8 }] })
  })

  test('requests of one call are handled in order, also when they share a limit', async () => {
    const shared = limit(3, 60_000)
    const results = await take([
      { limits: [shared, limit(9, 60_000)], count: 2 },
      { limits: [shared], count: 2 },
      { limits: [limit(1, 60_000)], count: 1 },
    ])
    expect(results.map(({ granted }) => granted)).toEqual([2, 1, 1])
  })

  test('requests for the same limits are handled in order', async () => {
    const limits = [limit(3, 60_000), limit(9, 60_000)]
    const results = await take([2, 2, 1].map((count) => ({ limits: [...limits], count })))
    expect(results.map(({ granted }) => granted)).toEqual([2, 1, 0])
    expect(results.map(({ usages }) => usages.map(({ remaining }) => remaining))).toEqual([
      [1, 7],
      [0, 6],
      [0, 6],
    ])
  })

  test('a window that is used in every bucket drops one bucket after the other', async () => {
    const [quota, windowMs] = [1000, 600]
    const limits = [limit(quota, windowMs)]
    const requests: { sent: number; answered: number }[] = []
    const sample = async () => {
      const sent = performance.now()
      const counted = quota - ((await takeOne(limits)).usages[0]?.remaining ?? 0)
      const answered = performance.now()
      requests.push({ sent, answered })
      // The clock is Redis's, in whole milliseconds.
      const certainly = requests.filter((one) => one.sent > answered - windowMs + 1)
      const possibly = requests.filter((one) => one.answered > sent - windowMs - windowMs / BUCKETS - 1)
      expect(counted).toBeWithin(certainly.length, possibly.length + 1)
      return answered - (requests[0]?.sent ?? answered) > 2.5 * windowMs
    }
    expect(await waitUntil(sample, 10_000, 3)).toBe(true)
    expect(requests.length).toBeGreaterThan(BUCKETS)
  })

  test('no window ever holds more than the quota, and requests leave the count at most a sixtieth of the window late', async () => {
    const [quota, windowMs] = [4, 600]
    const limits = [limit(quota, windowMs)]
    const passed: { sent: number; answered: number }[] = []
    let refusedAtOnce = 0
    await waitUntil(
      async () => {
        const sent = performance.now()
        const { granted } = await takeOne(limits)
        if (granted === 1) passed.push({ sent, answered: performance.now() })
        else refusedAtOnce++
        return passed.length === 4 * quota
      },
      10_000,
      3,
    )
    expect(passed).toHaveLength(4 * quota)
    expect(refusedAtOnce).toBeGreaterThan(0)
    for (const [index, { sent }] of passed.entries()) {
      const later = passed[index + quota]
      if (later) expect(later.answered - sent).toBeGreaterThanOrEqual(windowMs)
    }
  })

  test('the reset time is when the next request passes', async () => {
    const limits = [limit(2)]
    await takeOne(limits, 2)
    const refused = await takeOne(limits)
    const { resetInMs = 0 } = refused.usages[0] ?? {}
    expect(resetInMs).toBeLessThanOrEqual(600 + 600 / BUCKETS)
    const startedMs = performance.now()
    const attempts: { sentMs: number; answeredMs: number; granted: number }[] = []
    const retry = async () => {
      const sentMs = performance.now() - startedMs
      const { granted } = await takeOne(limits)
      attempts.push({ sentMs, answeredMs: performance.now() - startedMs, granted })
      return granted === 1
    }
    expect(await waitUntil(retry, 10_000, 1)).toBe(true)
    // The windows count in whole milliseconds, so each comparison allows two of them.
    expect(attempts.at(-1)?.answeredMs).toBeGreaterThanOrEqual(resetInMs - 2)
    expect(attempts.filter(({ sentMs, granted }) => granted === 0 && sentMs > resetInMs + 2)).toEqual([])
  })

  test('a lowered quota refuses until enough requests have left the window, and never counts below zero', async () => {
    const before = limit(10, 60_000)
    await takeOne([before], 10)
    expect(await takeOne([{ ...before, quota: 4 }])).toMatchObject({ granted: 0, usages: [{ remaining: 0 }] })
    expect(await takeOne([{ ...before, quota: 12 }], 5)).toMatchObject({ granted: 2, usages: [{ remaining: 0 }] })
  })
})

test('a window expires in Redis', async () => {
  const short = limit(5)
  await redisWindows(redis, 'test:')([{ limits: [short], count: 1 }])
  expect(await redis.exists(`test:${short.key}`)).toBe(1)
  expect(await waitUntil(async () => (await redis.exists(`test:${short.key}`)) === 0, 3000)).toBe(true)
})

test('more requests than one script call can take are all handled', async () => {
  const [limits, count] = [[limit(20_000, 60_000)], 1]
  const results = await redisWindows(redis, 'test:')(Array.from({ length: 12_000 }, () => ({ limits, count })))
  expect(results.map(({ usages }) => usages[0]?.remaining)).toEqual(
    Array.from({ length: 12_000 }, (_, n) => 19_999 - n),
  )
})

test('a Redis that lost the script gets it again', async () => {
  const onChange = (state: string) => expect(state).toBe('shared')
  const limiter = new RateLimiter({ redis, prefix: 'test:', onChange, silenceMs: 20_000 })
  const limits = [limit(100, 60_000)]
  await limiter.take(limits)
  await redis.script('FLUSH')
  const decisions = await Promise.all(Array.from({ length: 20 }, async () => await limiter.take(limits)))
  const left = decisions.map(({ usages, prefetched }) => (usages[0]?.remaining ?? 0) + prefetched)
  expect(left).toEqual(Array.from({ length: 20 }, (_, n) => 98 - n))
})

describe('a busy caller with much quota left', () => {
  // A long timeout: Redis must not count as unavailable on a busy machine.
  const limiterOf = (key: string) =>
    new RateLimiter({ redis, prefix: `test:${key}:`, onChange: () => undefined, silenceMs: 20_000 })

  test('has requests prefetched and still counts down one by one', async () => {
    const limiter = limiterOf(randomUUID())
    const limits = [limit(1_000_000, 60_000_000)]
    const left: number[] = []
    let prefetchedCount = 0
    for (let n = 0; n < 2000; n++) {
      const decision = limiter.take(limits)
      if (!(decision instanceof Promise)) prefetchedCount++
      const { allowed, usages, prefetched } = await decision
      expect(allowed).toBe(true)
      left.push((usages[0]?.remaining ?? 0) + prefetched)
    }
    expect(left).toEqual(Array.from({ length: 2000 }, (_, n) => 999_999 - n))
    expect(prefetchedCount).toBeGreaterThan(1000)
  })

  test('gets nearly its whole quota over two processes, and never more', async () => {
    const [key, quota] = [randomUUID(), 12_000]
    const limits = [limit(quota, 60_000_000)]
    const processes = [limiterOf(key), limiterOf(key)]
    let allowed = 0
    for (let round = 0; round < 150; round++) {
      const decisions = Array.from({ length: 100 }, async (_, n) => await processes[n % 2]?.take(limits))
      for (const decision of await Promise.all(decisions)) if (decision?.allowed) allowed++
    }
    expect(allowed).toBeLessThanOrEqual(quota)
    expect(allowed).toBeGreaterThan(quota - 1000)
  })

  test('loses its prefetched requests at the end of the bucket in which they were counted', async () => {
    const [limiter, limits] = [limiterOf(randomUUID()), [limit(1_000_000, 6000)]]
    const isPrefetched = () => !(limiter.take(limits) instanceof Promise)
    const waitForPrefetch = () =>
      waitUntil(
        async () => {
          await limiter.take(limits)
          return isPrefetched()
        },
        5000,
        0,
      )
    expect(await waitForPrefetch()).toBe(true)
    // A bucket is 100 ms: the rest of the prefetch is not used after the next one has begun.
    expect(await waitUntil(() => Promise.resolve(!isPrefetched()), 1000, 120)).toBe(true)
  })
})
