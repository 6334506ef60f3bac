// The wait that a refused caller is told: at a limit per minute, per hour and per day.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import type { Redis } from 'ioredis'

import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { openRedis } from '../../../src/platform/redis/client.ts'
import { secondsUntil } from '../../../src/rate-limit/headers.ts'
import { BUCKETS, type Limit } from '../../../src/rate-limit/limiter/limit.ts'
import { memoryWindows } from '../../../src/rate-limit/limiter/memory-windows.ts'
import { RateLimiter } from '../../../src/rate-limit/limiter/rate-limiter.ts'
import { redisWindows } from '../../../src/rate-limit/limiter/redis-windows.ts'
import { testRedisUrl } from '../../support/stores.ts'

const WINDOWS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }

let redis: Redis

beforeAll(async () => {
  redis = openRedis(testRedisUrl, () => undefined)
  await waitUntil(() => redis.status === 'ready', 5000)
})
afterAll(() => redis.disconnect())

describe.each(Object.entries(WINDOWS))('at the limit per %s', (_, windowMs) => {
  const limitOf = (quota: number): Limit => ({ name: 'test', quota, windowMs, key: randomUUID() })

  test('waiting for the told seconds admits a request, and one second less does not', () => {
    // The quota is used at several times of the window, at several times of a bucket.
    for (const startMs of [0, 1, 499, 777, 59_999, 1_439_001]) {
      for (const spread of [[0], [0, 0.1, 0.5], [0.01, 0.3, 0.99]]) {
        const windows = memoryWindows()
        const limits = [limitOf(spread.length)]
        const request = (nowMs: number) => windows.take([{ limits, count: 1 }], nowMs)[0]
        const times = spread.map((share) => startMs + Math.floor(share * windowMs))
        for (const nowMs of times) expect(request(nowMs)?.granted).toBe(1)
        const refusedAtMs = times.at(-1) ?? 0
        const refused = request(refusedAtMs)
        expect(refused?.granted).toBe(0)
        const seconds = secondsUntil(refused?.usages[0]?.resetInMs ?? 0)
        expect(request(refusedAtMs + (seconds - 1) * 1000)?.granted).toBe(0)
        expect(request(refusedAtMs + seconds * 1000)?.granted).toBe(1)
      }
    }
  })

  test('Redis tells the same wait as this process alone', async () => {
    const limits = [limitOf(1)]
    const local = memoryWindows()
    for (let attempt = 0; attempt < 2; attempt++) {
      const [shared] = await redisWindows(redis, 'test:').take([{ limits, count: 1 }])
      const [here] = local.take([{ limits, count: 1 }])
      const difference = Math.abs((shared?.usages[0]?.resetInMs ?? 0) - (here?.usages[0]?.resetInMs ?? 0))
      // A bucket may end between the two.
      const rest = difference % (windowMs / BUCKETS)
      expect(Math.min(rest, windowMs / BUCKETS - rest)).toBeLessThan(400)
    }
  })

  test('a refusal from memory tells the whole wait, not how long it is remembered', async () => {
    const limiter = new RateLimiter({ redis, prefix: 'test:', onChange: () => undefined, silenceMs: 20_000 })
    const limits = [limitOf(1)]
    const [limit] = limits
    const { usages } = await limiter.take(limits)
    const resetInMs = usages[0]?.resetInMs ?? 0
    expect(resetInMs).toBeGreaterThanOrEqual(windowMs)
    const rememberedMs = limit && limiter.exhaustedForMs(limit)
    expect(rememberedMs).toBeWithin(resetInMs - 1000, resetInMs + 1)
    // Redis is asked again after a second: a key's limits may have been raised.
    expect(await waitUntil(() => limit !== undefined && limiter.exhaustedForMs(limit) === undefined, 3000)).toBe(true)
  })
})
