// A server drains on SIGTERM, and explains why it cannot start.
import { describe, expect, test } from 'bun:test'
import { connect } from 'node:net'

import { findFreePort } from '../../src/local/ports.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { openBlockedProxy } from '../support/blocked-proxy.ts'
import { openBookingClient } from '../support/booking-client.ts'
import { cloneDatabase, countLockWaits, lockTable, testSql, withoutSocket } from '../support/database.ts'
import { PATIENT, type TestServer, runServerUntilExit, startServer } from '../support/server.ts'
import { testRedisUrl } from '../support/stores.ts'
import { opened } from '../support/fixture.ts'
const clone = await opened(cloneDatabase('migrated'), 'drop')
const client = await openBookingClient(clone.url)
const sql = await opened(testSql(clone.url, 4), 'end')

const start = (env: Record<string, string> = {}) => startServer({ databaseUrl: clone.url, env: { ...PATIENT, ...env } })
const hasSaid = (server: TestServer, msg: string) => server.log().some((line) => line.msg === msg)
const codeOf = async (response: Response) =>
  ((await response.json()) as { booking: { confirmationCode: string } }).booking.confirmationCode

/** The number of these codes in the database. */
async function countBookings(codes: string[]): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from bookings where confirmation_code = any(${codes})`
  return row?.count ?? 0
}

describe('after SIGTERM', () => {
  test('a booking in progress is completed and acknowledged before the process ends with code 0', async () => {
    // PostgreSQL ends a statement that waits for a lock after 1.4 s, so the port closes as early as it can.
    const server = await start({ DRAIN_DELAY_MS: '0' })
    // The first booking verifies the key and prepares the statement, so that only the lock delays the next one.
    expect((await client.post(server.url, 0)).status).toBe(201)
    await using lock = await lockTable(sql, 'bookings')
    const answer = client.post(server.url, 1)
    expect(await waitUntil(async () => (await countLockWaits(sql)) > 0, 5000)).toBe(true)
    server.signal('SIGTERM')
    expect(await waitUntil(() => refusesConnections(server.url), 5000, 5)).toBe(true)
    await lock.release()
    const response = await answer
    expect(response.status).toBe(201)
    expect(response.headers.get('connection')).toBe('close')
    expect(await countBookings([await codeOf(response)])).toBe(1)
    expect(await server.exited).toBe(0)
    expect(hasSaid(server, 'requests did not end within the drain deadline and were cut off')).toBe(false)
  })

  test('readiness fails before connections are refused, so that load balancers stop sending requests', async () => {
    const server = await start()
    server.signal('SIGTERM')
    const seen: number[] = []
    await waitUntil(
      async () => {
        const status = await statusOf(`${server.url}/readyz`)
        if (status !== undefined) seen.push(status)
        return status === undefined
      },
      5000,
      1,
    )
    expect(seen).toContain(503)
    expect(await server.exited).toBe(0)
  })

  test('under load every response is complete, and no acknowledged booking is missing', async () => {
    const server = await start()
    const acknowledged: string[] = []
    const statuses = new Set<number>()
    let next = 100
    const bookUntilRefused = async () => {
      for (;;) {
        const response = await client.post(server.url, next++).catch(() => undefined)
        if (!response) return
        statuses.add(response.status)
        if (response.status === 201) acknowledged.push(await codeOf(response))
        else await response.json()
      }
    }
    const clients = Array.from({ length: 8 }, bookUntilRefused)
    expect(await waitUntil(() => acknowledged.length > 50, 10_000)).toBe(true)
    server.signal('SIGTERM')
    await Promise.all(clients)
    expect(await server.exited).toBe(0)
    expect([...statuses].filter((status) => status !== 201)).toEqual([])
    expect(await countBookings(acknowledged)).toBe(acknowledged.length)
  })

  test('a client that never finishes its request cannot keep the process running for more than ten seconds', async () => {
    const server = await start()
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    socket.on('error', () => undefined).resume()
    const head = ['POST /api/v1/bookings HTTP/1.1', 'Host: hearth', `Authorization: Bearer ${client.key}`]
    socket.write([...head, 'Content-Type: application/json', 'Content-Length: 200000', '', '{"half":'].join('\r\n'))
    // Just fast enough not to be refused as a slow body.
    const writing = setInterval(() => socket.writable && socket.write(' '.repeat(3000)), 500)
    expect(await waitUntil(async () => (await activeRequests(server)) > 0, 5000)).toBe(true)
    const stoppedAt = performance.now()
    expect(await server.stop()).toBe(0)
    expect(performance.now() - stoppedAt).toBeLessThan(10_000)
    await closed
    clearInterval(writing)
    expect(hasSaid(server, 'requests did not end within the drain deadline and were cut off')).toBe(true)
  })

  test('a second SIGTERM changes nothing', async () => {
    const server = await start()
    server.signal('SIGTERM')
    expect(await waitUntil(() => hasSaid(server, 'draining'), 5000)).toBe(true)
    server.signal('SIGTERM')
    expect(await server.exited).toBe(0)
    expect(server.log().filter((line) => line.msg === 'draining')).toHaveLength(1)
  })
})

describe('a start whose database does not answer yet', () => {
  test('listens once the database has answered, and the first requests succeed', async () => {
    const proxy = await openBlockedProxy(withoutSocket(clone.url))
    const [port, opsPort] = [await findFreePort(), await findFreePort()]
    const starting = startServer({ databaseUrl: proxy.url, port, env: { OPS_PORT: String(opsPort) } })
    try {
      expect(await waitUntil(async () => (await statusOf(`http://127.0.0.1:${opsPort}/readyz`)) === 503, 10_000)).toBe(
        true,
      )
      expect(await statusOf(`http://127.0.0.1:${port}/healthz`)).toBeUndefined()
      proxy.open()
      await waitUntil(async () => (await statusOf(`http://127.0.0.1:${port}/healthz`)) !== undefined, 10_000, 1)
      const bookings = Array.from({ length: 20 }, (_, n) => client.post(`http://127.0.0.1:${port}`, 5000 + n))
      expect((await Promise.all(bookings)).map(({ status }) => status)).toEqual(bookings.map(() => 201))
    } finally {
      await (await starting).stop()
      proxy.stop()
    }
  }, 30_000)

  test("is not ready on the operators' port before the public port listens", async () => {
    const proxy = await openBlockedProxy(withoutSocket(clone.url))
    const [port, opsPort] = [await findFreePort(), await findFreePort()]
    const starting = startServer({ databaseUrl: proxy.url, port, env: { OPS_PORT: String(opsPort) } })
    try {
      const readiness = () => statusOf(`http://127.0.0.1:${opsPort}/readyz`)
      expect(await waitUntil(async () => (await readiness()) === 503, 10_000)).toBe(true)
      proxy.open()
      expect(await waitUntil(async () => (await readiness()) === 200, 10_000, 1)).toBe(true)
      expect(await statusOf(`http://127.0.0.1:${port}/healthz`)).toBe(200)
    } finally {
      await (await starting).stop()
      proxy.stop()
    }
  }, 30_000)

  test('listens without it after a while, so that what needs no database is served', async () => {
    const proxy = await openBlockedProxy(withoutSocket(clone.url))
    const port = await findFreePort()
    const starting = startServer({ databaseUrl: proxy.url, port })
    expect(await waitUntil(async () => (await statusOf(`http://127.0.0.1:${port}/healthz`)) === 200, 20_000)).toBe(true)
    expect(await statusOf(`http://127.0.0.1:${port}/readyz`)).toBe(503)
    proxy.open()
    const server = await starting
    expect(server.log().find(({ msg }) => msg === 'listening before the stores are ready')?.['notReady']).toEqual([
      'postgres',
      'migrations',
    ])
    await server.stop()
    proxy.stop()
  }, 30_000)
})

describe('a start that cannot succeed', () => {
  const stores = { DATABASE_URL: 'postgres://localhost/x', REDIS_URL: 'redis://localhost' }
  test.each([
    ['DATABASE_URL', 'missing', {}],
    ['DATABASE_URL', 'of the wrong kind', { DATABASE_URL: 'mysql://somewhere' }],
    ['PORT', 'not a number', { ...stores, PORT: 'http' }],
    ['OTEL_TRACES_SAMPLER_ARG', 'out of range', { ...stores, OTEL_TRACES_SAMPLER_ARG: '2' }],
  ])('because %s is %s ends with code 1 and one line that names the variable', async (name, _, env) => {
    const { code, output } = await runServerUntilExit(env)
    expect(code).toBe(1)
    expect(output.trim().split('\n')).toHaveLength(1)
    expect(output).toContain(name)
  })

  test('on a port of another server ends with code 1 and names the variable to set', async () => {
    const server = await start()
    const env = {
      DATABASE_URL: clone.url,
      REDIS_URL: testRedisUrl,
      PORT: new URL(server.url).port,
    }
    const { code, output } = await runServerUntilExit(env)
    expect(code).toBe(1)
    expect(output.trim().split('\n')).toHaveLength(1)
    expect(output).toContain('PORT')
    expect(await server.stop()).toBe(0)
  })
})

async function activeRequests(server: TestServer): Promise<number> {
  const text = await (await fetch(`${server.opsUrl}/metrics`)).text()
  return Number(/^http_server_active_requests (\d+)/m.exec(text)?.[1] ?? 0)
}

/** The status, or undefined when no server responds. */
const statusOf = (url: string): Promise<number | undefined> =>
  fetch(url, { signal: AbortSignal.timeout(2000) }).then(
    async (response) => {
      await response.text()
      return response.status
    },
    () => undefined,
  )

/**
 * Whether the port is closed. Shortly before, the kernel ignores attempts to connect, and repeats each of them only after a
 * second: so an attempt without an answer is given up, and the next one learns of the closed port at once.
 */
async function refusesConnections(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(Number(port), hostname)
    .once('connect', () => resolve(false))
    .once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'))
  const unanswered = setTimeout(() => resolve(false), 20)
  const isRefused = await promise
  clearTimeout(unanswered)
  socket.destroy()
  return isRefused
}
