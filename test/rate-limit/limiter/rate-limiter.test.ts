// The limiter of several processes that share a Redis: what is decided at once, and how far a quota is kept.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Redis } from 'ioredis'

import { type LocalRedis, openRedis as startRedis } from '../../../src/local/redis.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { openRedis } from '../../../src/platform/redis/client.ts'
import { type Limit, unconfirmedAllowance } from '../../../src/rate-limit/limiter/limit.ts'
import { memoryWindows } from '../../../src/rate-limit/limiter/memory-windows.ts'
import { type Decision, RateLimiter } from '../../../src/rate-limit/limiter/rate-limiter.ts'

const PROCESSES = 4
/** Redis must not count as unavailable on a busy machine. */
const PATIENCE_MS = 20_000

let dir: string
let server: LocalRedis
let connections: Redis[]

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hearth-limiter-'))
  server = await startRedis({ dir, note: () => undefined })
  connections = Array.from({ length: PROCESSES }, () => openRedis(server.url, () => undefined))
  await waitUntil(() => connections.every(({ status }) => status === 'ready'), 5000)
})
afterAll(async () => {
  for (const redis of connections) redis.disconnect()
  await server.stop()
  rmSync(dir, { recursive: true, force: true })
})

const limit = (quota: number, more: Partial<Limit> = {}): Limit => ({
  name: 'test',
  quota,
  windowMs: 60_000,
  key: randomUUID(),
  ...more,
})

/** The limiters of processes, each with its own connection. */
const startLimiters = (count = PROCESSES, silenceMs = PATIENCE_MS) =>
  connections
    .slice(0, count)
    .map((redis) => new RateLimiter({ redis, prefix: 'test:', onChange: () => undefined, silenceMs }))

const decide = async (limiter: RateLimiter, limits: readonly Limit[]): Promise<Decision> => await limiter.take(limits)

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Sends `count` requests to each limiter, some in each turn of the event loop. Returns how many pass in all. */
async function hammer(limiters: readonly RateLimiter[], limits: readonly Limit[], count: number): Promise<number> {
  const decisions: Promise<Decision>[] = []
  for (let sent = 0; sent < count; sent++) {
    for (const limiter of limiters) decisions.push(decide(limiter, limits))
    if (sent % 3 === 0) await turn()
  }
  return (await Promise.all(decisions)).filter(({ allowed }) => allowed).length
}

const flushAll = (limiters: readonly RateLimiter[]) => Promise.all(limiters.map((limiter) => limiter.flush()))

describe('one process', () => {
  test('decides a caller with much quota left at once, and its headers count down one by one', () => {
    const [limiter] = startLimiters(1)
    const limits = [limit(100_000), limit(50_000)]
    const decisions = Array.from({ length: 400 }, () => limiter?.take(limits) as Decision)
    expect(decisions.map(({ usages }) => usages?.map(({ remaining }) => remaining))).toEqual(
      Array.from({ length: 400 }, (_, n) => [99_999 - n, 49_999 - n]),
    )
  })

  test.each([10, 49, 50, 100, 1000])(
    'admits exactly a quota of %d, and says before each request what is left',
    async (quota) => {
      const [limiter] = startLimiters(1)
      const limits = [limit(quota), limit(5000)]
      const left: (number | undefined)[] = []
      for (let sent = 0; sent < quota + 20; sent++) {
        const { allowed, usages } = (await limiter?.take(limits)) ?? { allowed: false, usages: [] }
        if (allowed) left.push(usages[0]?.remaining)
      }
      expect(left).toEqual(Array.from({ length: quota }, (_, n) => quota - 1 - n))
    },
  )

  test('a Redis that lost the scripts gets them again', async () => {
    const [limiter] = startLimiters(1)
    const limits = [limit(100)]
    await limiter?.take(limits)
    await connections[0]?.script('FLUSH')
    const decisions = await Promise.all(Array.from({ length: 20 }, async () => await limiter?.take(limits)))
    expect(decisions.map((decision) => decision?.usages[0]?.remaining)).toEqual(
      Array.from({ length: 20 }, (_, n) => 98 - n),
    )
    expect(limiter?.isLocal).toBe(false)
  })

  test('what is admitted while an exchange is slow is counted by the next one', async () => {
    const replies: (() => void)[] = []
    let counted = 0
    const windows = memoryWindows()
    const limiter = new RateLimiter({
      redis: connections[0] as Redis,
      prefix: 'test:',
      onChange: () => undefined,
      silenceMs: PATIENCE_MS,
      shared: {
        take: (requests) => Promise.resolve(windows.take(requests)),
        count: (passed) =>
          new Promise((resolve) => {
            replies.push(() => resolve(windows.count(passed)))
            counted += passed.reduce((sum, { count }) => sum + count, 0)
          }),
      },
    })
    const limits = [limit(10_000)]
    await limiter.take(limits)
    expect(await waitUntil(() => counted === 1, 5000, 5)).toBe(true)
    await limiter.take(limits)
    // Long enough for the next exchange to become due.
    const dueAtMs = performance.now() + 100
    await waitUntil(() => performance.now() > dueAtMs, 5000, 5)
    expect(counted).toBe(1)
    replies[0]?.()
    expect(await waitUntil(() => counted === 2, 5000, 5)).toBe(true)
  })

  test('the counts of a process that ends are in Redis, for its successor', async () => {
    const limits = [limit(100)]
    const [limiter] = startLimiters(1)
    await hammer([limiter as RateLimiter], limits, 90)
    await limiter?.flush()
    const [successor] = startLimiters(1)
    const passed = await hammer([successor as RateLimiter], limits, 50)
    expect(passed).toBe(10)
  })
})

describe(`${PROCESSES} processes`, () => {
  test.each([50, 100, 120, 600, 1000, 5000])(
    'exceed a quota of %d by no more than the allowance of each',
    async (quota) => {
      const limits = [limit(quota), limit(1_000_000)]
      const passed = await hammer(startLimiters(), limits, quota)
      expect(passed).toBeWithin(quota, quota + PROCESSES * unconfirmedAllowance(limit(quota)) + 1)
    },
  )

  test.each([
    ['a small quota', limit(20)],
    ['a quota that is marked exact', limit(400, { isExact: true })],
  ])('keep %s exactly, also beside a large one', async (_, exact) => {
    const [limits, limiters] = [[exact, limit(100_000)], startLimiters()]
    for (const limiter of limiters) expect(limiter.take(limits)).toBeInstanceOf(Promise)
    expect(await hammer(limiters, limits, exact.quota)).toBe(exact.quota - PROCESSES)
  })

  test('are exact for a caller who is known to be near the limit', async () => {
    const limits = [limit(100)]
    const limiters = startLimiters()
    expect(await hammer(limiters, limits, 21)).toBe(84)
    await flushAll(limiters)
    await Promise.all(limiters.map((limiter) => decide(limiter, limits)))
    expect(await hammer(limiters, limits, 50)).toBe(12)
  })

  test('count a request that one limit refuses in none of its other limits', async () => {
    const [narrow, wide] = [limit(100), limit(10_000)]
    const limiters = startLimiters()
    const passed = await hammer(limiters, [narrow, wide], 100)
    await flushAll(limiters)
    const [last] = await Promise.all(startLimiters(1).map((limiter) => decide(limiter, [wide, limit(10)])))
    expect(last?.usages[0]?.remaining).toBe(10_000 - passed - 1)
  })

  test('give a caller the quota anew when Redis is emptied, and no more than that', async () => {
    const quota = 600
    const limits = [limit(quota)]
    const limiters = startLimiters()
    const before = await hammer(limiters, limits, 100)
    await connections[0]?.flushall()
    const after = await hammer(limiters, limits, quota)
    const allowance = PROCESSES * unconfirmedAllowance(limit(quota))
    expect(before).toBe(400)
    expect(after).toBeWithin(quota - allowance, quota + allowance + 1)
  })

  test('give a caller the quota once each when Redis hangs in the middle, and no request is lost from the count', async () => {
    const quota = 600
    const limits = [limit(quota)]
    const limiters = startLimiters(PROCESSES, 250)
    expect(await hammer(limiters, limits, 50)).toBe(PROCESSES * 50)
    // What Redis has not counted by then, each process counts for itself.
    await flushAll(limiters)
    const pid = Number(/^process_id:(\d+)/m.exec((await connections[0]?.info('server')) ?? '')?.[1])
    process.kill(pid, 'SIGSTOP')
    try {
      expect(await hammer(limiters, limits, quota + 100)).toBe(PROCESSES * quota)
      expect(limiters.map(({ isLocal }) => isLocal)).toEqual(limiters.map(() => true))
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    expect(await waitUntil(() => limiters.every(({ isLocal }) => !isLocal), 10_000)).toBe(true)
    const another = limit(quota)
    expect(await hammer(limiters, [another], quota)).toBeWithin(
      quota,
      quota + PROCESSES * unconfirmedAllowance(another) + 1,
    )
  })

  test('count for themselves while Redis refuses to write, and together afterwards', async () => {
    const quota = 100
    const changes: string[] = []
    const limiters = connections.map(
      (redis) =>
        new RateLimiter({ redis, prefix: 'test:', silenceMs: PATIENCE_MS, onChange: (state) => changes.push(state) }),
    )
    // A replica: READONLY.
    await connections[0]?.replicaof('127.0.0.1', 1)
    const alone = await hammer(limiters, [limit(quota)], 2 * quota)
    expect(alone).toBe(PROCESSES * quota)
    expect(changes).toEqual(limiters.map(() => 'local'))
    await connections[0]?.replicaof('NO', 'ONE')
    expect(await waitUntil(() => limiters.every(({ isLocal }) => !isLocal), 5000)).toBe(true)
    expect(await hammer(limiters, [limit(40)], quota)).toBe(40)
  })
})
