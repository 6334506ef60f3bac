// A Redis that runs and cannot be used counts as absent: limits hold in the process until it accepts writes.
import { expect, test } from 'bun:test'

import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { openRedis } from '../../../src/platform/redis/client.ts'
import { RateLimiter } from '../../../src/rate-limit/limiter/rate-limiter.ts'
import { startRedisServer } from '../../support/redis-server.ts'
import { REDIS_STATES } from '../../support/redis-states.ts'

const limits = () => [{ name: 'test', quota: 5, windowMs: 60_000, key: `{${crypto.randomUUID()}}:test` }]

function openLimiter(url: string) {
  const redis = openRedis(url, () => undefined)
  const changes: string[] = []
  const limiter = new RateLimiter({ redis, prefix: 'test:', onChange: (state) => changes.push(state) })
  const countAllowed = async () => {
    const same = limits()
    const decisions = await Promise.all(Array.from({ length: 20 }, async () => await limiter.take(same)))
    return decisions.filter(({ allowed }) => allowed).length
  }
  return { redis, limiter, changes, countAllowed }
}

for (const [name, { open }] of Object.entries(REDIS_STATES))
  test(`limits hold in the process when Redis is ${name}`, async () => {
    const state = await open()
    const { redis, limiter, changes, countAllowed } = openLimiter(state.url)
    try {
      // Some of them never become ready.
      await waitUntil(() => redis.status === 'ready', 500)
      for (let round = 0; round < 3; round++) expect(await countAllowed()).toBe(5)
      expect([limiter.isLocal, changes]).toEqual([true, ['local']])
    } finally {
      redis.disconnect()
      await state.close()
    }
  }, 30_000)

test('a Redis that becomes a replica is left alone until it accepts writes again', async () => {
  const server = await startRedisServer()
  const { redis, changes, countAllowed } = openLimiter(server.url)
  const refusals = async () =>
    Number(/cmdstat_mset:.*rejected_calls=(\d+)/.exec(await server.client.info('commandstats'))?.[1] ?? 0)
  try {
    expect(await waitUntil(() => redis.status === 'ready', 5000)).toBe(true)
    expect([await countAllowed(), changes]).toEqual([5, []])
    await server.client.replicaof('127.0.0.1', '1')
    expect(await countAllowed()).toBe(5)
    expect(await waitUntil(async () => (await refusals()) >= 3, 5000)).toBe(true)
    expect([await countAllowed(), changes]).toEqual([5, ['local']])
    await server.client.replicaof('NO', 'ONE')
    expect(await waitUntil(() => changes.includes('shared'), 5000)).toBe(true)
    expect([await countAllowed(), changes]).toEqual([5, ['local', 'shared']])
  } finally {
    redis.disconnect()
    await server.close()
  }
}, 30_000)
