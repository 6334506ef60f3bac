// A process too busy to read what Redis has replied does not take Redis for unavailable.
import { afterAll, beforeAll, expect, test } from 'bun:test'

import { startTimer, waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { openRedis } from '../../../src/platform/redis/client.ts'
import { RateLimiter } from '../../../src/rate-limit/limiter/rate-limiter.ts'
import { testRedisUrl } from '../../support/stores.ts'

const SILENCE_MS = 250
/** Longer than the silence, as a garbage collection or an expensive request may be. */
const BUSY_MS = 400

let redis: ReturnType<typeof openRedis>

beforeAll(async () => {
  redis = openRedis(testRedisUrl, () => undefined)
  await waitUntil(() => redis.status === 'ready', 5000)
})
afterAll(() => redis.disconnect())

test.each([
  ['before the call is written to the socket', 0],
  ['as soon as it is written', 1],
  ['twice in a row', 2],
])('limits stay shared when the event loop is busy %s', async (_, turns) => {
  const changes: string[] = []
  const options = { redis, prefix: 'busy:', silenceMs: SILENCE_MS }
  const limiter = new RateLimiter({ ...options, onChange: (state) => changes.push(state) })
  const limits = [{ name: 'test', quota: 100, windowMs: 60_000, key: crypto.randomUUID() }]
  for (let round = 0; round < 3; round++) {
    const decision = limiter.take(limits)
    for (let turn = 0; turn <= turns; turn++)
      await new Promise<void>((resolve) =>
        setImmediate(() => {
          Bun.sleepSync(BUSY_MS)
          resolve()
        }),
      )
    expect((await decision).usages[0]?.remaining).toBe(99 - round)
  }
  expect([changes, limiter.isLocal]).toEqual([[], false])
})

test('a timer gives a busy event loop the time to read what has arrived', async () => {
  const order: string[] = []
  const reply = redis.ping().then(() => order.push('reply'))
  startTimer(20, () => order.push('elapsed'))
  Bun.sleepSync(200)
  await reply
  expect(await waitUntil(() => order.length === 2, 5000)).toBe(true)
  expect(order).toEqual(['reply', 'elapsed'])
})

test('a stopped timer never elapses', async () => {
  let hasElapsed = false
  const stop = startTimer(20, () => void (hasElapsed = true))
  Bun.sleepSync(100)
  // The late timer has been extended by now.
  await new Promise<void>((resolve) => setTimeout(resolve, 0))
  stop()
  await new Promise<void>((resolve) => startTimer(150, resolve))
  expect(hasElapsed).toBe(false)
})
