// Servers and workers behind a real PgBouncer: every answer belongs to its request.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'

import { readConfig } from '../../src/config.ts'
import { openDeps } from '../../src/deps.ts'
import { createKey, revokeKey } from '../../src/auth/keys/verbs/keys.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { connect } from '../../src/platform/postgres/open-database.ts'
import { createWebhook } from '../../src/webhooks/endpoints/verbs/endpoints.ts'
import { type TestApp, instrumentedApp, openTestApp, testRequest } from '../support/app.ts'
import { INSTALL_MS } from '../support/apt-programs.ts'
import { type BookingClient, openBookingClient } from '../support/booking-client.ts'
import { withoutSocket } from '../support/database.ts'
import { MODES, PREPARING, type PgBouncer, type Settings, startPgBouncer } from '../support/pgbouncer.ts'
import { type Receiver, openReceiver } from '../support/receiver.ts'
import { type TestServer, startServer } from '../support/server.ts'
import { testRedisUrl } from '../support/stores.ts'
import { type TestWorker, startWorker } from '../support/workers.ts'
import { ctxOf } from '../../src/ctx.ts'

const CLI = join(import.meta.dir, '../../src/cli.ts')
const CONNECTIONS = 64
const REQUESTS = 2000
const BOOKINGS = 48
const ACCOUNTS = 40

let app: TestApp
let direct: string
/** Everything that was started, in this order. */
const stops: (() => Promise<unknown>)[] = []
const stopAll = async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
}

beforeAll(async () => {
  app = await openTestApp('seeded', { clock: { now: () => new Date() }, env: { WEBHOOK_ALLOW_PRIVATE: '1' } })
  direct = withoutSocket(app.databaseUrl)
  // The city of the pros that tests add.
  await app.sql`insert into cities values (1, 'Test City', 'TX', 30.27, -97.74, 'America/Chicago', 1)`
}, INSTALL_MS)
afterAll(async () => {
  await stopAll()
  await app.close()
}, 60_000)

async function pooler(settings: Settings): Promise<PgBouncer> {
  const started = await startPgBouncer(direct, settings)
  stops.push(() => started.stop())
  return started
}

/** Runs `send` for each number below `count`, as many at a time as there are connections. Returns what it returned. */
async function inParallel<T>(count: number, send: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const client = async () => {
    while (next < count) {
      const n = next++
      results[n] = await send(n)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
  return results
}

/** Sends the request until it is served: on a busy machine five connections may be too few for all clients in time. */
async function served(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await send()
    if (response.status !== 503) return response
    await response.body?.cancel()
  }
}

const keyOf = (name: string) => name.replaceAll(/\W+/g, '-')

describe.each([
  ['in transaction mode', 'transaction', MODES.transaction, false],
  ['in session mode', 'session', MODES.session, false],
  ['in transaction mode, with prepared statements', 'transaction', PREPARING, true],
])('%s', (name, mode, settings, prepares) => {
  let bouncer: PgBouncer
  let env: Record<string, string>
  let server: TestServer
  let worker: TestWorker
  let client: BookingClient
  let receiver: Receiver

  beforeAll(async () => {
    bouncer = await pooler(settings)
    env = { DATABASE_DIRECT_URL: direct, DATABASE_CONNECTIONS: '4', WEBHOOK_ALLOW_PRIVATE: '1', LOG_LEVEL: 'info' }
    if (prepares) env['DATABASE_POOLER_PREPARES'] = 'true'
    expect(await runCli('migrate')).toContain(settings === MODES.transaction ? 'statement_timeout' : 'up to date')
    await bouncer.reconnect()
    client = await openBookingClient(direct, ['bookings:write', 'mcp:read'])
    receiver = openReceiver()
    const [pro] = await app.sql<{ accountId: string }[]>`
      select account_id from professionals where id = ${client.pro.id}`
    const hook = { name, url: receiver.url, events: ['booking.created' as const] }
    await createWebhook(ctxOf(app.deps, { accountId: pro?.accountId ?? '' }), hook)
    const running = startWorker(CLI, {
      databaseUrl: bouncer.url,
      env,
      args: ['work', 'relay-outbox', 'deliver-webhooks'],
    })
    worker = running
    stops.push(
      () => running.stop(),
      () => receiver.stop(),
    )
    const started = await startServer({ databaseUrl: bouncer.url, env })
    server = started
    stops.push(() => started.stop())
  }, INSTALL_MS)
  afterAll(stopAll, 60_000)

  async function runCli(...args: string[]): Promise<string> {
    const child = Bun.spawn([process.execPath, CLI, ...args], {
      env: { ...process.env, ...env, DATABASE_URL: bouncer.url, REDIS_URL: testRedisUrl, BASE_URL: server?.url ?? '' },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
    return output + errors
  }

  const get = async (path: string, key?: string) => {
    const init = key ? { headers: { authorization: `Bearer ${key}` } } : {}
    const response = await served(() => fetch(`${server.url}${path}`, init))
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`)
    return JSON.parse(text) as Record<string, unknown>
  }

  test(`${REQUESTS} requests over ${CONNECTIONS} connections get their own answers`, async () => {
    const pros = await app.sql<{ slug: string; latitude: number; longitude: number }[]>`
      select slug, latitude, longitude from professionals where active order by id limit ${REQUESTS}`
    const accounts = await Promise.all(
      Array.from({ length: ACCOUNTS }, async (_, n) => {
        const ownerEmail = `${keyOf(name)}-${n}@test.example`
        const { secret } = await createKey(ctxOf(app.deps), {
          ownerEmail,
          scopes: ['webhooks:manage'],
          name: 'test',
          rateMultiplier: 100_000,
        })
        return { secret, name: `hook of ${ownerEmail}` }
      }),
    )
    const created = await inParallel(ACCOUNTS, async (n) => {
      const { secret = '', name = '' } = accounts[n] ?? {}
      const response = await fetch(`${server.url}/api/v1/webhooks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name, url: receiver.url, events: ['booking.created'] }),
      })
      return response.status === 201 ? '201' : `${response.status} ${await response.text()}`
    })
    expect(created.filter((answer) => answer !== '201')).toEqual([])

    const isOwn = await inParallel(REQUESTS, async (n) => {
      const pro = pros[n % pros.length]
      const account = accounts[n % ACCOUNTS]
      if (!pro || !account) throw new RangeError()
      const { slug, latitude, longitude } = pro
      if (n % 3 === 0) return (await get(`/api/v1/pros/${slug}`))['slug'] === slug
      if (n % 3 === 1)
        return JSON.stringify(await get('/api/v1/webhooks', account.secret)).includes(`"${account.name}"`)
      const found = await get(`/api/v1/pros?lat=${latitude}&lng=${longitude}&radius=1&limit=50`)
      return JSON.stringify(found).includes(`"${slug}"`)
    })
    expect(isOwn.filter((own) => !own)).toEqual([])
  }, 60_000)

  test('concurrent bookings are made once each, and their webhooks delivered', async () => {
    const booked = await inParallel(2 * BOOKINGS, async (n) => {
      const hour = Math.floor(n / 2)
      const headers = { 'idempotency-key': `${keyOf(name)}-${hour}` }
      const response = await served(() => client.post(server.url, hour, { headers }))
      const { booking } = (await response.json()) as { booking: { id: string; scheduledAt: string } }
      const { date, time } = client.body(hour)
      return {
        status: response.status,
        id: booking.id,
        isOwn: booking.scheduledAt.startsWith(`${String(date)}T${String(time)}`),
      }
    })
    expect(booked.filter(({ status, isOwn }) => status !== 201 || !isOwn)).toEqual([])
    const ids = new Set(booked.map(({ id }) => id))
    expect(ids.size).toBe(BOOKINGS)
    const delivered = () => new Set(receiver.received.map(({ body }) => [...ids].find((id) => body.includes(id))))
    expect(await waitUntil(() => delivered().size === BOOKINGS, 20_000)).toBe(true)
    expect(worker.output()).not.toContain('"level":50')
  }, 60_000)

  test('a revoked key stops working within a second', async () => {
    const { id, secret } = await createKey(ctxOf(app.deps), {
      ownerEmail: 'revoked@test.example',
      scopes: ['webhooks:manage'],
      name,
    })
    await get('/api/v1/webhooks', secret)
    await revokeKey(ctxOf(app.deps), { id })
    const statusOf = async () =>
      (await fetch(`${server.url}/api/v1/webhooks`, { headers: { authorization: `Bearer ${secret}` } })).status
    expect(await waitUntil(async () => (await statusOf()) === 401, 1000)).toBe(true)
  })

  test('agent tools work', async () => {
    const response = await fetch(`${server.url}/api/mcp/customer`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${client.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'query_availability',
          arguments: { professionalId: client.pro.id, serviceId: client.pro.serviceId, days: 2 },
        },
      }),
    })
    expect([response.status, await response.text()]).toEqual([200, expect.not.stringContaining('"isError":true')])
  })

  test('`hearth doctor` says what stands between', async () => {
    expect(await runCli('doctor')).toMatch(
      new RegExp(`✓ pooler +${mode} mode, statements ${prepares ? '' : 'not '}prepared`),
    )
  }, 30_000)
})

test.each([
  ['accepts no more clients', { ...MODES.transaction, max_client_conn: 4 }],
  ['has no connection free in time', { pool_mode: 'transaction', default_pool_size: 1, query_wait_timeout: 1 }],
])(
  'requests are 503 with Retry-After while the pooler %s',
  async (_, settings) => {
    const { url } = await pooler(settings)
    const env = { DATABASE_URL: url, DATABASE_DIRECT_URL: direct, REDIS_URL: testRedisUrl, LOG_LEVEL: 'silent' }
    const deps = openDeps(readConfig(env))
    const limited = instrumentedApp(deps)
    const client = await openBookingClient(direct)
    const holder = connect(url, 1, { applicationName: 'hearth-test', pooler: { prepares: false } })
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = holder.begin(async (tx) => {
      await tx`select 1`
      held.resolve()
      await released.promise
    })
    await held.promise
    const answers = await inParallel(60, async (n) => {
      const request =
        n % 2 === 0
          ? testRequest(deps.config.baseUrl, '/api/v1/bookings', { key: client.key, json: client.body(n) })
          : testRequest(deps.config.baseUrl, `/api/v1/pros/${client.pro.id}/availability?days=${(n % 14) + 1}`, {})
      const { status, headers } = await limited.handle(request)
      return status === 503 ? `503, Retry-After: ${headers.has('retry-after')}` : String(status)
    })
    released.resolve()
    await holding
    await Promise.all([holder.end(), deps.close()])
    expect(new Set(answers)).toContain('503, Retry-After: true')
    expect(answers.filter((answer) => !/^(20[01]|503, Retry-After: true)$/.test(answer))).toEqual([])
  },
  30_000,
)
