// The sliding windows in Redis and in memory.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import type { Redis } from 'ioredis'

import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import {
  BUCKETS,
  type Limit,
  type PassedRequests,
  type TakeRequest,
  type TakeResult,
} from '../../../src/rate-limit/limiter/limit.ts'
import { memoryWindows } from '../../../src/rate-limit/limiter/memory-windows.ts'
import { type SharedWindows, redisWindows } from '../../../src/rate-limit/limiter/redis-windows.ts'
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

const local = memoryWindows()
const STORES: [name: string, open: () => SharedWindows][] = [
  ['in Redis', () => redisWindows(redis, 'test:')],
  [
    'in memory',
    () => ({
      take: (requests) => Promise.resolve(local.take(requests)),
      count: (passed) => Promise.resolve(local.count(passed)),
    }),
  ],
]

describe.each(STORES)('%s', (_, open) => {
  const take = (requests: readonly TakeRequest[]) => open().take(requests)
  const count = (passed: readonly PassedRequests[]) => open().count(passed)
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

  test.each([
    ['are asked for', 1],
    ['have passed already', 0],
    ['by turns are asked for and have passed', 2],
  ])('a window used in every bucket drops one after the other, also when its requests %s', async (_, every) => {
    const [quota, windowMs] = [1000, 600]
    const one = limit(quota, windowMs)
    const requests: { sent: number; answered: number }[] = []
    const sample = async () => {
      const sent = performance.now()
      const isAsked = every > 0 && requests.length % every === 0
      const [usage] = isAsked ? (await takeOne([one])).usages : await count([{ limit: one, count: 1 }])
      const counted = quota - (usage?.remaining ?? 0)
      const answered = performance.now()
      requests.push({ sent, answered })
      // The clock is Redis's, in whole milliseconds.
      const certainly = requests.filter((one) => one.sent > answered - windowMs + 1)
      const possibly = requests.filter((one) => one.answered > sent - windowMs - windowMs / BUCKETS - 1)
      expect(counted).toBeWithin(certainly.length, possibly.length + 1)
      return requests.length > BUCKETS && answered - (requests[0]?.sent ?? answered) > 2.5 * windowMs
    }
    expect(await waitUntil(sample, 10_000, 3)).toBe(true)
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
    // The reset time counts from a moment between these two.
    const sentAtMs = performance.now()
    const refused = await takeOne(limits)
    const startedMs = performance.now()
    const { resetInMs = 0 } = refused.usages[0] ?? {}
    expect(resetInMs).toBeLessThanOrEqual(600 + 600 / BUCKETS)
    const attempts: { sentMs: number; answeredMs: number; granted: number }[] = []
    const retry = async () => {
      const sentMs = performance.now() - startedMs
      const { granted } = await takeOne(limits)
      attempts.push({ sentMs, answeredMs: performance.now() - startedMs, granted })
      return granted === 1
    }
    expect(await waitUntil(retry, 10_000, 1)).toBe(true)
    // The windows count in whole milliseconds, so each comparison allows two of them.
    expect(attempts.at(-1)?.answeredMs).toBeGreaterThanOrEqual(sentAtMs - startedMs + resetInMs - 2)
    expect(attempts.filter(({ sentMs, granted }) => granted === 0 && sentMs > resetInMs + 2)).toEqual([])
  })

  test('requests that have passed already are counted beyond the quota, and those after them are refused', async () => {
    const [short, long] = [limit(5, 60_000), limit(7, 3_600_000)]
    const usages = await count([short, long].map((one) => ({ limit: one, count: 6 })))
    expect(usages.map(({ remaining }) => remaining)).toEqual([0, 1])
    const results = await take([
      { limits: [short, long], count: 1 },
      { limits: [long], count: 3 },
    ])
    expect(results.map(({ granted }) => granted)).toEqual([0, 1])
  })

  test('a lowered quota refuses until enough requests have left the window, and never counts below zero', async () => {
    const before = limit(10, 60_000)
    await takeOne([before], 10)
    expect(await takeOne([{ ...before, quota: 4 }])).toMatchObject({ granted: 0, usages: [{ remaining: 0 }] })
    expect(await takeOne([{ ...before, quota: 12 }], 5)).toMatchObject({ granted: 2, usages: [{ remaining: 0 }] })
  })
})

test('many windows of several lengths are counted in one go, each on its own', async () => {
  const limits = Array.from({ length: 2500 }, (_, n) => limit(10, n % 3 ? 60_000 : 3_600_000))
  const windows = redisWindows(redis, 'test:')
  const countAll = () => windows.count(limits.map((one, n) => ({ limit: one, count: 1 + (n % 4) })))
  await countAll()
  const usages = await countAll()
  expect(usages.map(({ remaining }) => remaining)).toEqual(limits.map((_, n) => 8 - 2 * (n % 4)))
  for (const [n, { resetInMs }] of usages.entries()) {
    const windowMs = limits[n]?.windowMs ?? 0
    expect(resetInMs).toBeWithin(windowMs - 10_000, windowMs + windowMs / BUCKETS + 1)
  }
})

test('a window expires in Redis', async () => {
  const short = limit(5)
  await redisWindows(redis, 'test:').take([{ limits: [short], count: 1 }])
  expect(await redis.exists(`test:${short.key}`)).toBe(1)
  expect(await waitUntil(async () => (await redis.exists(`test:${short.key}`)) === 0, 3000)).toBe(true)
})

test('more requests than one script call can take are all handled', async () => {
  const [limits, count] = [[limit(20_000, 60_000)], 1]
  const results = await redisWindows(redis, 'test:').take(Array.from({ length: 12_000 }, () => ({ limits, count })))
  expect(results.map(({ usages }) => usages[0]?.remaining)).toEqual(
    Array.from({ length: 12_000 }, (_, n) => 19_999 - n),
  )
})
