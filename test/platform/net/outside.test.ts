// Waits for hosts outside: bounded by host, by client network and in all, and never counted as work.
import { expect, test } from 'bun:test'

import { NetworkCounts } from '../../../src/platform/net/network-counts.ts'
import { OutsideWaits, outsideFetch, runAsWaiter } from '../../../src/platform/net/outside.ts'

const LIMITS = { perHost: 3, inAll: 6, perAddress: 2 }

/** Starts waits of clients for hosts. Returns how many were let in, and the function that ends them. */
function start(waits: OutsideWaits, all: readonly { client?: string; host: string }[]) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const refusals: string[] = []
  const running = all.map(({ client, host }) => {
    const run = () => waits.run(host, () => promise).catch((error: Error) => void refusals.push(error.message))
    return client === undefined ? run() : runAsWaiter({ client: () => client, pause: () => () => undefined }, run)
  })
  return {
    refusals: async () => {
      await Promise.resolve()
      return refusals
    },
    end: async () => {
      resolve()
      await Promise.all(running)
    },
  }
}

test('a host takes so many waits, others go on, and ended waits free their place', async () => {
  const waits = new OutsideWaits(LIMITS)
  const first = start(waits, [...Array.from({ length: 5 }, () => ({ host: 'silent' })), { host: 'other' }])
  expect(await first.refusals()).toEqual([
    'Too many requests are waiting for silent.',
    'Too many requests are waiting for silent.',
  ])
  await first.end()
  const second = start(
    waits,
    Array.from({ length: 3 }, () => ({ host: 'silent' })),
  )
  expect(await second.refusals()).toEqual([])
  await second.end()
})

test('all hosts together take so many, and one address fewer than that', async () => {
  const waits = new OutsideWaits(LIMITS)
  const hosts = Array.from({ length: 8 }, (_, n) => ({ host: `host-${n}`, client: `203.0.${n}.1` }))
  const spread = start(waits, hosts)
  expect(await spread.refusals()).toHaveLength(2)
  await spread.end()
  const one = start(
    waits,
    hosts.map(({ host }) => ({ host, client: '203.0.113.7' })),
  )
  expect(await one.refusals()).toEqual(
    Array.from({ length: 6 }, () => 'Too many requests of your network are waiting for other servers.'),
  )
  await one.end()
})

test('a wait that fails frees its place and pauses its request until then', async () => {
  const waits = new OutsideWaits({ perHost: 1, inAll: 1, perAddress: 1 })
  const steps: string[] = []
  const waiter = { client: () => '192.0.2.1', pause: () => (steps.push('paused'), () => void steps.push('goes on')) }
  for (let n = 0; n < 2; n++)
    await runAsWaiter(waiter, () =>
      waits
        .run('host', () => Promise.reject(new TypeError('no answer')))
        .catch((error: Error) => steps.push(error.name)),
    )
  expect(steps).toEqual(['paused', 'goes on', 'TypeError', 'paused', 'goes on', 'TypeError'])
})

test('a call of a library through `outsideFetch` pauses its request', async () => {
  const steps: string[] = []
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => (steps.push('asked'), new Response('ok')) })
  try {
    const waiter = { client: () => 'local', pause: () => (steps.push('paused'), () => void steps.push('goes on')) }
    await runAsWaiter(waiter, () => outsideFetch(server.url.href))
    expect(steps).toEqual(['paused', 'asked', 'goes on'])
  } finally {
    await server.stop(true)
  }
})

test.each([
  ['an IPv4 address', () => '198.51.100.7', 2],
  ['a /64', () => '2001:db8:1:200::/64', 2],
  ['a /24', (n: number) => `198.51.100.${n % 256}`, 32],
  ['a /56', (n: number) => `2001:db8:1:${(0x200 + (n % 256)).toString(16)}::/64`, 8],
  ['a /48', (n: number) => `2001:db8:1:${n.toString(16)}00::/64`, 32],
])('%s has its share in progress, and neighbours of other networks have theirs', (_, nameOf, share) => {
  const counts = new NetworkCounts(2)
  const left = Array.from({ length: 100 }, (_each, n) => counts.enter(nameOf(n))).filter((leave) => leave !== undefined)
  expect(left).toHaveLength(share)
  for (const other of ['203.0.113.1', '2001:db8:2:200::/64', 'local']) expect(counts.enter(other)).toBeDefined()
  left[0]?.()
  expect(counts.enter(nameOf(0))).toBeDefined()
})
