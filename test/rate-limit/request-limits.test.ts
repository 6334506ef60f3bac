// Rate limits over HTTP: which limits count a request, the headers, and the limits while Redis is unavailable.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readConfig } from '../../src/config.ts'
import { ctxOf } from '../../src/ctx.ts'
import { openDeps } from '../../src/deps.ts'
import { type Scope, isWidgetScope } from '../../src/auth/scopes.ts'
import { generateKey } from '../../src/auth/keys/format.ts'
import { createKey } from '../../src/auth/keys/verbs/keys.ts'
import { type LocalRedis, openRedis } from '../../src/local/redis.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { unconfirmedAllowance } from '../../src/rate-limit/limiter/limit.ts'
import { cloneDatabase } from '../support/database.ts'
import { type TestServer, startServer } from '../support/server.ts'

const ORIGIN = 'https://widget.test.example'

let dir: string
let redis: LocalRedis
let database: Awaited<ReturnType<typeof cloneDatabase>>
let deps: ReturnType<typeof openDeps>
let servers: [TestServer, TestServer]

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hearth-limits-'))
  redis = await openRedis({ dir, note: () => undefined })
  database = await cloneDatabase('migrated')
  deps = openDeps(readConfig({ DATABASE_URL: database.url, REDIS_URL: redis.url, LOG_LEVEL: 'error' }))
  // The default limits; a trusted proxy's header identifies the clients.
  const env = { PUBLIC_RATE_PER_MINUTE: '', CODE_LOOKUPS_PER_MINUTE: '', TRUSTED_PROXIES: '127.0.0.0/8' }
  const start = () => startServer({ databaseUrl: database.url, redisUrl: redis.url, env })
  servers = await Promise.all([start(), start()])
})

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await deps.close()
  await redis.stop()
  await database.drop()
  rmSync(dir, { recursive: true, force: true })
})

const PATH = '/api/v1/cities?limit=1'
let clients = 0
/** A client address that no other test uses. */
const newClient = () => `198.51.${100 + Math.floor(++clients / 250)}.${clients % 250}`

const newOwner = () => `dev-${crypto.randomUUID()}@test.example`
const newKey = async (scopes: Scope[], { ownerEmail = newOwner(), rateMultiplier = 1 } = {}) => {
  const origin = scopes.some(isWidgetScope) ? { origin: ORIGIN } : {}
  return (await createKey(ctxOf(deps), { ownerEmail, name: 'test', scopes, rateMultiplier, ...origin })).secret
}

interface Sender {
  client: string
  key?: string
  path?: string
  method?: string
  /** The server; alternates by default. */
  of?: TestServer
}

interface LimitedResponse {
  status: number
  code: string | undefined
  limit: string | undefined
  policy: string | null
  state: string | null
  retryAfter: number
}

let turn = 0
async function send({ client, key, path = PATH, method = 'GET', of }: Sender): Promise<LimitedResponse> {
  const server = of ?? servers[turn++ % 2]
  const response = await fetch(`${server?.url}${path}`, {
    method,
    headers: { 'x-forwarded-for': client, ...(key ? { authorization: `Bearer ${key}` } : {}) },
  })
  const text = await response.text()
  const problem = (response.ok ? {} : JSON.parse(text)) as { code?: string; limit?: string }
  return {
    status: response.status,
    code: problem.code,
    limit: problem.limit,
    policy: response.headers.get('ratelimit-policy'),
    state: response.headers.get('ratelimit'),
    retryAfter: Number(response.headers.get('retry-after') ?? Number.NaN),
  }
}

const sendMany = (count: number, sender: Sender) => Promise.all(Array.from({ length: count }, () => send(sender)))
const passed = (responses: LimitedResponse[]) => responses.filter(({ status }) => status !== 429).length
/** `r` of the limit with this name. */
const left = ({ state }: LimitedResponse, name: string) =>
  Number(new RegExp(`"${name}";r=(\\d+)`).exec(state ?? '')?.[1])

/** Two processes exceed a quota by no more than this. */
const allowanceOf = (quota: number) => 2 * unconfirmedAllowance({ name: 'test', quota, windowMs: 60_000, key: '' })
const expectUsedUp = (count: number, quota: number) => expect(count).toBeWithin(quota, quota + allowanceOf(quota) + 1)

/** Each process refuses as soon as it has heard from the others, and until then admits no more than its allowance. */
async function sendUntilRefused(sender: Sender): Promise<LimitedResponse> {
  let last: LimitedResponse | undefined
  expect(await waitUntil(async () => (last = await send(sender)).status === 429, 2000, 25)).toBe(true)
  return last as LimitedResponse
}

describe('with one server process', () => {
  test('exactly 100 of 150 concurrent requests from one address pass, and each response has the remaining quota', async () => {
    const client = newClient()
    const responses = await sendMany(150, { client, of: servers[0] })
    const allowed = responses.filter(({ status }) => status === 200)
    expect(allowed).toHaveLength(100)
    const counted = allowed.map((response) => left(response, 'public')).sort((a, b) => b - a)
    expect(counted).toEqual(Array.from({ length: 100 }, (_, n) => 99 - n))
    expect(new Set(responses.map(({ policy }) => policy))).toEqual(new Set(['"public";q=100;w=60']))
    for (const { code, limit, retryAfter, state } of responses.filter(({ status }) => status === 429)) {
      expect({ code, limit }).toEqual({ code: 'rate_limited', limit: 'public' })
      // The first request leaves the window after 60 to 61 seconds.
      expect(retryAfter).toBeWithin(50, 62)
      expect(state).toBe(`"public";r=0;t=${retryAfter}`)
    }
    expect((await send({ client: newClient() })).status).toBe(200)
  })

  test('headers count down one by one', async () => {
    const sender = { client: newClient(), of: servers[0] }
    for (let expected = 99; expected > 84; expected--) expect(left(await send(sender), 'public')).toBe(expected)
  })
})

describe('over two server processes', () => {
  test('100 of 150 concurrent requests from one address pass, and few more', async () => {
    const responses = await sendMany(150, { client: newClient() })
    expectUsedUp(passed(responses), 100)
    for (const response of responses) expect(left(response, 'public')).toBeWithin(0, 100)
  })

  test('the process that did not count a caller knows after its own next exchange how much is left', async () => {
    const client = newClient()
    await sendMany(60, { client, of: servers[0] })
    const isKnown = async () => left(await send({ client, of: servers[1] }), 'public') < 40
    expect(await waitUntil(isKnown, 2000, 50)).toBe(true)
  })

  test('a key has its own limits at every client address', async () => {
    const key = await newKey(['pros:read'])
    const responses = await Promise.all(Array.from({ length: 140 }, () => send({ client: newClient(), key })))
    expectUsedUp(passed(responses), 120)
    expect(responses[0]?.policy).toBe(
      '"key";q=1000;w=3600, "reads-minute";q=120;w=60, "reads-day";q=10000;w=86400, ' +
        '"account";q=5000;w=3600, "account-reads-minute";q=600;w=60, "account-reads-day";q=50000;w=86400',
    )
    const last = await sendUntilRefused({ client: newClient(), key })
    expect(last.limit).toBe('reads-minute')
    // A request that the minute's limit refuses does not count for the hour's.
    expect(left(last, 'key')).toBeWithin(880 - allowanceOf(120), 881)
    expect((await send({ client: newClient(), key: await newKey(['pros:read']) })).status).toBe(200)
  })

  test('thirty keys of one account read 600 times a minute together, and few times more', async () => {
    const ownerEmail = newOwner()
    const keys = await Promise.all(Array.from({ length: 30 }, () => newKey(['pros:read'], { ownerEmail })))
    const responses = await Promise.all(
      Array.from({ length: 1200 }, (_, n) => send({ client: newClient(), key: keys[n % 30] ?? '' })),
    )
    expectUsedUp(passed(responses), 600)
    for (const { limit, retryAfter } of responses.filter(({ status }) => status === 429)) {
      expect(limit).toBe('account-reads-minute')
      expect(retryAfter).toBeWithin(50, 62)
    }
    // A new key does not help, and other accounts are not affected.
    const another = await sendUntilRefused({ client: newClient(), key: await newKey(['pros:read'], { ownerEmail }) })
    expect(another.limit).toBe('account-reads-minute')
    expect((await send({ client: newClient(), key: await newKey(['pros:read']) })).status).toBe(200)
  })

  test('an account has five times the limits of its least limited key', async () => {
    const ownerEmail = newOwner()
    await newKey(['pros:read'], { ownerEmail, rateMultiplier: 20 })
    const { policy } = await send({ client: newClient(), key: await newKey(['pros:read'], { ownerEmail }) })
    expect(policy).toBe(
      '"key";q=1000;w=3600, "reads-minute";q=120;w=60, "reads-day";q=10000;w=86400, ' +
        '"account";q=100000;w=3600, "account-reads-minute";q=12000;w=60, "account-reads-day";q=1000000;w=86400',
    )
  })
})

describe('the limits that count a request', () => {
  test('a whole IPv6 /64 is one client', async () => {
    const of = servers[0]
    for (const [client, expected] of Object.entries({ '2:ffff::9': 99, '2::1': 98, '3::1': 99 }))
      expect(left(await send({ client: `2001:db8:1:${client}`, of }), 'public')).toBe(expected)
  })

  test('a key without the scope of a public route uses the public limit', async () => {
    expect((await send({ client: newClient(), key: await newKey(['reviews:write']) })).policy).toBe(
      '"public";q=100;w=60',
    )
  })

  test('an address may send 100 refused keys a minute, and its good keys and public requests still pass', async () => {
    const client = newClient()
    const good = await newKey(['pros:read'])
    expect((await send({ client, key: good, of: servers[0] })).status).toBe(200)
    const unknown = generateKey('live', crypto.getRandomValues(new Uint8Array(64)))
    expect(await send({ client, key: 'garbage' })).toMatchObject({
      status: 401,
      state: expect.stringContaining('r=99'),
    })
    expect((await send({ client, key: unknown })).status).toBe(401)
    const responses = await sendMany(120, { client, key: 'hearth_live_nonsense' })
    expectUsedUp(responses.filter(({ status }) => status === 401).length + 2, 100)
    expect((await sendUntilRefused({ client, key: unknown })).limit).toBe('refused-keys')
    expect((await send({ client })).status).toBe(200)
    expect((await send({ client, key: good, of: servers[0] })).status).toBe(200)
  })

  test('unknown paths and methods and documents use the public limit', async () => {
    const client = newClient()
    const of = servers[0]
    expect(await send({ client, path: '/nowhere', of })).toMatchObject({ status: 404, policy: '"public";q=100;w=60' })
    expect(left(await send({ client, method: 'DELETE', of }), 'public')).toBe(98)
    expect(left(await send({ client, path: '/openapi.json', of }), 'public')).toBe(97)
    await sendMany(97, { client, path: '/nowhere', of })
    expect((await send({ client, path: '/nowhere', of })).status).toBe(429)
  })

  test.each(['/healthz', '/assets/hearth.css'])('%s is never limited', async (path) => {
    const client = newClient()
    const responses = await sendMany(150, { client, path })
    expect(new Set(responses.map(({ status, policy }) => `${status} ${policy}`))).toEqual(new Set(['200 null']))
  })

  test('bookings can be looked up by code 20 times a minute, with or without a key', async () => {
    const client = newClient()
    const path = '/api/v1/bookings?code=HTH-000000000000'
    const key = await newKey(['bookings:write'])
    const responses = [...(await sendMany(15, { client, path })), ...(await sendMany(15, { client, path, key }))]
    expect(passed(responses)).toBe(20)
    expect(responses.find(({ status }) => status === 429)?.limit).toBe('code-lookups')
    expect((await send({ client })).status).toBe(200)
  })

  test('a route that needs a key is limited without one as well', async () => {
    const client = newClient()
    const responses = await sendMany(110, { client, path: '/api/v1/bookings/018f0000-0000-7000-8000-000000000000' })
    expectUsedUp(passed(responses), 100)
  })
})

describe('while Redis is unavailable', () => {
  const saysLocal = async (server: TestServer) => {
    const metrics = await (await fetch(`${server.opsUrl}/metrics`)).text()
    return /^hearth_rate_limits_local (\d)/m.exec(metrics)?.[1] === '1'
  }
  /** A quarter of a second until Redis counts as unavailable, and the burst itself. */
  const MAX_BURST_MS = 2000
  const warnings = (server: TestServer) =>
    server.log().filter(({ level, msg }) => level === 'warn' && msg?.includes('Redis'))

  test('each process limits on its own, logs it once, and responds to every request', async () => {
    await redis.stop()
    for (const of of servers) {
      const client = newClient()
      const responses = await sendMany(150, { client, of })
      expect(responses.map(({ status }) => status).filter((status) => status !== 200 && status !== 429)).toEqual([])
      expect(passed(responses)).toBe(100)
      expect(new Set(responses.map(({ policy }) => policy))).toEqual(new Set(['"public";q=100;w=60']))
      expect(await saysLocal(of)).toBe(true)
      expect(warnings(of)).toHaveLength(1)
    }
  })

  test('limits are shared again when Redis is back', async () => {
    await redis.restart()
    expect(await waitUntil(async () => !(await Promise.all(servers.map(saysLocal))).includes(true), 10_000)).toBe(true)
    expectUsedUp(passed(await sendMany(150, { client: newClient() })), 100)
  })

  test('a hung Redis delays no request, and is used again when it continues', async () => {
    const pid = Number(/^process_id:(\d+)/m.exec(await deps.redis.info('server'))?.[1])
    process.kill(pid, 'SIGSTOP')
    try {
      for (const of of servers) {
        const startedMs = performance.now()
        expect(passed(await sendMany(150, { client: newClient(), of }))).toBe(100)
        expect(performance.now() - startedMs).toBeLessThan(MAX_BURST_MS)
        expect(await saysLocal(of)).toBe(true)
      }
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    expect(await waitUntil(async () => !(await Promise.all(servers.map(saysLocal))).includes(true), 10_000)).toBe(true)
    expectUsedUp(passed(await sendMany(150, { client: newClient() })), 100)
  })
})
