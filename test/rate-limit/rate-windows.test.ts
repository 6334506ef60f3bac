// The sliding windows themselves, in Redis and in memory alike, and whose request it is: no server needed.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import type { Redis } from 'ioredis'
import ipaddr from 'ipaddr.js'

import { bitsOfIpv4, clientNaming, parseRange } from '../../src/platform/net/client-address.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { BUCKETS, type Ask, type Grant, type Limit } from '../../src/rate-limit/limiter/limit.ts'
import { memoryWindows } from '../../src/rate-limit/limiter/memory-windows.ts'
import { RateLimiter } from '../../src/rate-limit/limiter/rate-limiter.ts'
import { redisWindows } from '../../src/rate-limit/limiter/redis-windows.ts'
import { openRedis } from '../../src/platform/redis/client.ts'
import { testRedisUrl } from '../support/stores.ts'

let redis: Redis

beforeAll(async () => {
  redis = openRedis(testRedisUrl, () => undefined)
  await waitUntil(() => redis.status === 'ready', 5000)
})
afterAll(() => redis.disconnect())

/** A limit of its own, with a window so short that a test sees it pass. */
const limit = (quota: number, windowMs = 600, key = randomUUID()): Limit => ({ name: 'test', quota, windowMs, key })

type Take = (asks: readonly Ask[]) => Promise<Grant[]>
const local = memoryWindows()
const STORES: [name: string, take: Take][] = [
  ['in Redis', (asks) => redisWindows(redis, 'test:')(asks)],
  ['in memory', (asks) => Promise.resolve(local(asks))],
]

describe.each(STORES)('%s', (_, take) => {
  const takeOne = async (limits: readonly Limit[], count = 1): Promise<Grant> => {
    const [grant] = await take([{ limits, count }])
    if (!grant) throw new Error('An ask was not answered.')
    return grant
  }

  test('of a burst exactly as many pass as the quota, and each sees what is left', async () => {
    const limits = [limit(5, 60_000)]
    const grants = await Promise.all(Array.from({ length: 8 }, () => takeOne(limits)))
    expect(grants.map(({ granted }) => granted)).toEqual([1, 1, 1, 1, 1, 0, 0, 0])
    expect(grants.map(({ standings }) => standings[0]?.remaining)).toEqual([4, 3, 2, 1, 0, 0, 0, 0])
  })

  test('many asked for at once are granted as far as there is room', async () => {
    const limits = [limit(5, 60_000)]
    expect(await takeOne(limits, 3)).toMatchObject({ granted: 3, standings: [{ remaining: 2 }] })
    expect(await takeOne(limits, 9)).toMatchObject({ granted: 2, standings: [{ remaining: 0 }] })
  })

  test('what one limit refuses is counted by none', async () => {
    const [wide, narrow] = [limit(10, 60_000), limit(1, 60_000)]
    await takeOne([wide, narrow])
    expect(await takeOne([wide, narrow])).toMatchObject({ granted: 0, standings: [{ remaining: 9 }, { remaining: 0 }] })
    expect(await takeOne([wide])).toMatchObject({ granted: 1, standings: [{ remaining: 8 }] })
  })

  test('asks in one call are answered in order, also when they share a limit', async () => {
    const shared = limit(3, 60_000)
    const grants = await take([
      { limits: [shared, limit(9, 60_000)], count: 2 },
      { limits: [shared], count: 2 },
      { limits: [limit(1, 60_000)], count: 1 },
    ])
    expect(grants.map(({ granted }) => granted)).toEqual([2, 1, 1])
  })

  test('so are asks for the same limits', async () => {
    const limits = [limit(3, 60_000), limit(9, 60_000)]
    const grants = await take([2, 2, 1].map((count) => ({ limits: [...limits], count })))
    expect(grants.map(({ granted }) => granted)).toEqual([2, 1, 0])
    expect(grants.map(({ standings }) => standings.map(({ remaining }) => remaining))).toEqual([
      [1, 7],
      [0, 6],
      [0, 6],
    ])
  })

  test('a window that is used in every bucket forgets one after the other', async () => {
    const [quota, windowMs] = [1000, 600]
    const limits = [limit(quota, windowMs)]
    const taken: { sent: number; answered: number }[] = []
    const sample = async () => {
      const sent = performance.now()
      const counted = quota - ((await takeOne(limits)).standings[0]?.remaining ?? 0)
      const answered = performance.now()
      taken.push({ sent, answered })
      // The clock is Redis's, in whole milliseconds.
      const surely = taken.filter((one) => one.sent > answered - windowMs + 1)
      const perhaps = taken.filter((one) => one.answered > sent - windowMs - windowMs / BUCKETS - 1)
      expect(counted).toBeWithin(surely.length, perhaps.length + 1)
      return answered - (taken[0]?.sent ?? answered) > 2.5 * windowMs
    }
    expect(await waitUntil(sample, 10_000, 3)).toBe(true)
    expect(taken.length).toBeGreaterThan(BUCKETS)
  })

  test('no window ever holds more than the quota, and what passed is forgotten a sixtieth late at most', async () => {
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

  test('says truthfully when more will pass', async () => {
    const limits = [limit(2)]
    await takeOne(limits, 2)
    const refused = await takeOne(limits)
    const { freesInMs = 0 } = refused.standings[0] ?? {}
    expect(freesInMs).toBeLessThanOrEqual(600 + 600 / BUCKETS)
    const startedMs = performance.now()
    const tries: { sentMs: number; answeredMs: number; granted: number }[] = []
    const retry = async () => {
      const sentMs = performance.now() - startedMs
      const { granted } = await takeOne(limits)
      tries.push({ sentMs, answeredMs: performance.now() - startedMs, granted })
      return granted === 1
    }
    expect(await waitUntil(retry, 10_000, 1)).toBe(true)
    // The windows count in whole milliseconds, so each comparison allows two of them.
    expect(tries.at(-1)?.answeredMs).toBeGreaterThanOrEqual(freesInMs - 2)
    expect(tries.filter(({ sentMs, granted }) => granted === 0 && sentMs > freesInMs + 2)).toEqual([])
  })

  test('a quota that was lowered refuses until what passed is forgotten, and never counts below zero', async () => {
    const before = limit(10, 60_000)
    await takeOne([before], 10)
    expect(await takeOne([{ ...before, quota: 4 }])).toMatchObject({ granted: 0, standings: [{ remaining: 0 }] })
    expect(await takeOne([{ ...before, quota: 12 }], 5)).toMatchObject({ granted: 2, standings: [{ remaining: 0 }] })
  })
})

test('a window leaves nothing behind in Redis', async () => {
  const short = limit(5)
  await redisWindows(redis, 'test:')([{ limits: [short], count: 1 }])
  expect(await redis.exists(`test:${short.key}`)).toBe(1)
  expect(await waitUntil(async () => (await redis.exists(`test:${short.key}`)) === 0, 3000)).toBe(true)
})

test('more asks than one call of the script takes are all answered', async () => {
  const [limits, count] = [[limit(20_000, 60_000)], 1]
  const grants = await redisWindows(redis, 'test:')(Array.from({ length: 12_000 }, () => ({ limits, count })))
  expect(grants.map(({ standings }) => standings[0]?.remaining)).toEqual(
    Array.from({ length: 12_000 }, (_, n) => 19_999 - n),
  )
})

test('a Redis that forgot the script is given it again', async () => {
  const onChange = (state: string) => expect(state).toBe('shared')
  const limiter = new RateLimiter({ redis, prefix: 'test:', onChange, silenceMs: 20_000 })
  const limits = [limit(100, 60_000)]
  await limiter.take(limits)
  await redis.script('FLUSH')
  const verdicts = await Promise.all(Array.from({ length: 20 }, async () => await limiter.take(limits)))
  const left = verdicts.map(({ standings, more }) => (standings[0]?.remaining ?? 0) + more)
  expect(left).toEqual(Array.from({ length: 20 }, (_, n) => 98 - n))
})

describe('a busy caller with plenty left', () => {
  // However busy the machine is, Redis is not away here.
  const limiterOf = (key: string) =>
    new RateLimiter({ redis, prefix: `test:${key}:`, onChange: () => undefined, silenceMs: 20_000 })

  test('is given some requests in advance, and still counts down one by one', async () => {
    const limiter = limiterOf(randomUUID())
    const limits = [limit(1_000_000, 60_000_000)]
    const left: number[] = []
    let inAdvance = 0
    for (let n = 0; n < 2000; n++) {
      const verdict = limiter.take(limits)
      if (!(verdict instanceof Promise)) inAdvance++
      const { allowed, standings, more } = await verdict
      expect(allowed).toBe(true)
      left.push((standings[0]?.remaining ?? 0) + more)
    }
    expect(left).toEqual(Array.from({ length: 2000 }, (_, n) => 999_999 - n))
    expect(inAdvance).toBeGreaterThan(1000)
  })

  test('never has more than its quota over two processes, and nearly all of it', async () => {
    const [key, quota] = [randomUUID(), 12_000]
    const limits = [limit(quota, 60_000_000)]
    const processes = [limiterOf(key), limiterOf(key)]
    let allowed = 0
    for (let round = 0; round < 150; round++) {
      const verdicts = Array.from({ length: 100 }, async (_, n) => await processes[n % 2]?.take(limits))
      for (const verdict of await Promise.all(verdicts)) if (verdict?.allowed) allowed++
    }
    expect(allowed).toBeLessThanOrEqual(quota)
    expect(allowed).toBeGreaterThan(quota - 1000)
  })

  test('its advance ends with the bucket in which it was counted', async () => {
    const [limiter, limits] = [limiterOf(randomUUID()), [limit(1_000_000, 6000)]]
    const isInAdvance = () => !(limiter.take(limits) instanceof Promise)
    const waitForAdvance = () =>
      waitUntil(
        async () => {
          await limiter.take(limits)
          return isInAdvance()
        },
        5000,
        0,
      )
    expect(await waitForAdvance()).toBe(true)
    // A bucket is 100 ms: what is left of the advance is not used after the next one began.
    expect(await waitUntil(() => Promise.resolve(!isInAdvance()), 1000, 120)).toBe(true)
  })
})

describe('the client of a request', () => {
  const trusted = ['10.0.0.0/8', '192.0.2.7', '2001:db8:ffff::/48'].map((text) => {
    const range = parseRange(text)
    if (!range) throw new Error(`${text} is no range.`)
    return range
  })
  const clientOf = clientNaming(trusted)

  test.each([
    ['a peer', '203.0.113.9', null, '203.0.113.9'],
    ['an IPv6 peer, by its /64', '2001:db8:1:2:3:4:5:6', null, '2001:db8:1:2::/64'],
    ['another of that /64', '2001:db8:1:2:ffff::1', null, '2001:db8:1:2::/64'],
    ['IPv4 mapped into IPv6', '::ffff:203.0.113.9', null, '203.0.113.9'],
    ['a peer with a header that nobody trusts', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['behind a trusted proxy', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['behind one, mapped', '::ffff:10.1.2.3', '::ffff:198.51.100.1', '198.51.100.1'],
    ['behind one with IPv6', '2001:db8:ffff::1', '2001:db8:5:6::7', '2001:db8:5:6::/64'],
    ['behind two', '10.1.2.3', '198.51.100.1, 192.0.2.7', '198.51.100.1'],
    ['who made up hops', '10.1.2.3', '1.2.3.4, 5.6.7.8, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
    ['who made up nonsense', '10.1.2.3', 'nonsense, 198.51.100.1', '198.51.100.1'],
    ['with a port', '10.1.2.3', '198.51.100.1:4711', '198.51.100.1'],
    ['with IPv6 and a port', '10.1.2.3', '[2001:db8:5:6::7]:4711', '2001:db8:5:6::/64'],
    ['inside the trusted network', '10.1.2.3', '10.4.4.4, 10.5.5.5', '10.4.4.4'],
    ['behind garbage', '10.1.2.3', 'unknown', '10.1.2.3'],
    ['behind an empty header', '10.1.2.3', '', '10.1.2.3'],
    ['behind half an address', '10.1.2.3', '198.51.100', '10.1.2.3'],
    ['behind a number that is an address to some', '10.1.2.3', '0x7f000001', '10.1.2.3'],
    ['behind a chain without end', '10.1.2.3', Array.from({ length: 500 }, () => '10.0.0.1').join(), '10.1.2.3'],
    ['no peer at all', undefined, '198.51.100.1', 'local'],
  ])('%s', (_, peer, forwardedFor, expected) => {
    const headers = new Headers(forwardedFor === null ? {} : { 'x-forwarded-for': forwardedFor })
    expect(clientOf(peer, headers)).toBe(expected)
  })

  test('the fast reader of IPv4 takes what the strict one takes, and its name is the text', () => {
    const digits = '0123456789..'
    const random = (below: number) => Math.floor(Math.random() * below)
    let taken = 0
    for (let n = 0; n < 50_000; n++) {
      const text =
        n % 2 === 0
          ? Array.from({ length: 4 }, () => random(290)).join('.')
          : Array.from({ length: 7 + random(9) }, () => digits[random(digits.length)]).join('')
      const isStrict = ipaddr.IPv4.isValidFourPartDecimal(text)
      const bits = bitsOfIpv4(text)
      if (isStrict) {
        taken++
        const octets = ipaddr.IPv4.parse(text)
          .octets.map((octet) => octet.toString(16).padStart(2, '0'))
          .join('')
        expect([((bits ?? 0) >>> 0).toString(16).padStart(8, '0'), ipaddr.IPv4.parse(text).toString()]).toEqual([
          octets,
          text,
        ])
      } else expect([text, bits]).toEqual([text, undefined])
    }
    expect(taken).toBeGreaterThan(5000)
  })

  test.each(['10.0.0.0/33', '10.0.0', 'example.com', '::1/129', '1.2.3.4/', '0x7f.1'])('%s is no range', (text) => {
    expect(parseRange(text)).toBeUndefined()
  })
})
