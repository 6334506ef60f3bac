// More than the server can do, slower than it can wait, larger than it reads: each is refused, and it goes on.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { type BookingClient, openBookingClient } from '../support/booking-client.ts'
import { cloneDatabase, countLockWaits, lockTable, testSql } from '../support/database.ts'
import { type RawSocket, openRawSocket } from '../support/raw-socket.ts'
import { type TestServer, startServer } from '../support/server.ts'

const MAX_IN_FLIGHT = 6
/** Fewer than that: whatever shares them with bookings that wait has to wait as well. */
const CONNECTIONS = 4
const PATH = '/api/v1/cities?limit=1'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let client: BookingClient
let server: TestServer

beforeAll(async () => {
  database = await cloneDatabase('migrated')
  client = await openBookingClient(database.url)
  server = await startServer({ databaseUrl: database.url })
})

afterAll(async () => {
  await server.stop()
  await database.drop()
})

const metric = async (of: TestServer, name: string): Promise<number> => {
  const text = await (await fetch(`${of.opsUrl}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? 0)
}

/** The head of a booking request by a good key. */
const bookingHead = (...more: string[]) =>
  [
    'POST /api/v1/bookings HTTP/1.1',
    'Host: hearth',
    `Authorization: Bearer ${client.key}`,
    'Content-Type: application/json',
    ...more,
    '\r\n',
  ].join('\r\n')

const get = (target: string, ...headers: string[]) =>
  [`GET ${target} HTTP/1.1`, 'Host: hearth', 'Connection: close', ...headers, '\r\n'].join('\r\n')

/** Sends one thing and gives all that comes back until the connection closes. */
async function exchange(text: string): Promise<string> {
  const socket = await openRawSocket(server.url)
  await socket.write(text)
  return await socket.closed
}

const servesStill = async () => expect((await fetch(server.url + PATH)).status).toBe(200)

test('what exceeds the bound in hand is refused at once, health is not, and all is served again afterwards', async () => {
  const env = { MAX_IN_FLIGHT: String(MAX_IN_FLIGHT), DATABASE_CONNECTIONS: String(CONNECTIONS) }
  const bounded = await startServer({ databaseUrl: database.url, env })
  const sql = testSql(database.url, 2)
  try {
    expect((await client.post(bounded.url, 0)).status).toBe(201)
    const lock = await lockTable(sql, 'bookings')
    const waiting = Array.from({ length: MAX_IN_FLIGHT }, (_, n) => client.post(bounded.url, n + 1))
    expect(await waitUntil(async () => (await countLockWaits(sql)) === CONNECTIONS, 5000, 1)).toBe(true)
    expect(
      await waitUntil(async () => (await metric(bounded, 'http_server_active_requests')) === MAX_IN_FLIGHT, 5000, 1),
    ).toBe(true)
    const refused = await Promise.all(Array.from({ length: 20 }, () => fetch(bounded.url + PATH)))
    const [health, ready] = await Promise.all(['/healthz', '/readyz'].map((path) => fetch(bounded.url + path)))
    await lock.release()
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]))
    expect(refused[0]?.headers.get('retry-after')).toBe('1')
    expect(await refused[0]?.json()).toMatchObject({ code: 'overloaded' })
    expect([health?.status, ready?.status]).toEqual([200, 200])
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(waiting.map(() => 201))
    expect((await fetch(bounded.url + PATH)).status).toBe(200)
  } finally {
    await sql.end()
    await bounded.stop()
  }
})

describe('a client that takes its time', () => {
  /** Writes `text` again and again until the connection is gone. */
  const trickle = async (socket: RawSocket, text: string) => {
    let isOver = false
    void socket.closed.then(() => (isOver = true))
    await waitUntil(
      async () => {
        await socket.write(text)
        return isOver
      },
      20_000,
      200,
    )
  }
  const slow: [what: string, head: string, piece: string, status: string][] = [
    ['sends a body byte by byte', 'Content-Length: 1000', 'x', 'HTTP/1.1 408'],
    ['sends a body in tiny chunks', 'Transfer-Encoding: chunked', '1\r\nx\r\n', 'HTTP/1.1 408'],
    ['sends half a body and waits', 'Content-Length: 1000', '', 'HTTP/1.1 408'],
  ]

  test.concurrent.each(slow)('%s: told so after ten seconds, and cut', async (_, header, piece, status) => {
    const socket = await openRawSocket(server.url)
    const startedAt = performance.now()
    await socket.write(bookingHead(header))
    if (piece) await trickle(socket, piece)
    const said = await socket.closed
    expect(said).toStartWith(status)
    expect(said).toContain('"code":"request_timeout"')
    expect(performance.now() - startedAt).toBeLessThan(15_000)
  })

  test.concurrent.each([
    ['never finishes its headers', 'GET / HTTP/1.1\r\nHost: hearth\r\n', 'X-More: x\r\n'],
    ['never finishes its first line', 'GET /api', ''],
    ['says nothing', '', ''],
  ])('%s: cut without an answer', async (_, text, piece) => {
    const socket = await openRawSocket(server.url)
    const startedAt = performance.now()
    if (text) await socket.write(text)
    if (piece) await trickle(socket, piece)
    expect(await socket.closed).toBe('')
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  })

  test('goes away half-way: nobody is told, nothing is recorded as our fault', async () => {
    const before = server.log().length
    const socket = await openRawSocket(server.url)
    await socket.write(`${bookingHead('Content-Length: 1000')}{"half":`)
    expect(await waitUntil(async () => (await metric(server, 'http_server_active_requests')) > 0, 5000, 1)).toBe(true)
    socket.destroy()
    expect(await waitUntil(async () => (await metric(server, 'http_server_active_requests')) === 0, 5000)).toBe(true)
    expect(server.log().slice(before)).toEqual([])
  })
})

describe('what is too large', () => {
  test.each([
    ['a header of 100 KB', get(PATH, `X-Large: ${'x'.repeat(100_000)}`)],
    ['500 headers', get(PATH, ...Array.from({ length: 500 }, (_, n) => `X-${n}: x`))],
  ])('%s is 431', async (_, request) => {
    expect(await exchange(request)).toStartWith('HTTP/1.1 431')
    await servesStill()
  })

  test('an address over 8 KiB is 414, with its reason', async () => {
    const said = await exchange(get(`${PATH}&state=${'x'.repeat(8192)}`))
    expect(said).toStartWith('HTTP/1.1 414')
    expect(said).toContain('"code":"uri_too_long"')
    expect(await exchange(get(`${PATH}&state=${'x'.repeat(100_000)}`))).toMatch(/^HTTP\/1.1 4(14|31)/)
  })

  test('a query of more than 100 parameters is 400', async () => {
    const ask = (count: number) => fetch(`${server.url}/api/v1/cities?${'state=TX&'.repeat(count - 1)}state=TX`)
    const refused = await ask(101)
    expect([refused.status, await refused.json()]).toMatchObject([400, { errors: [{ path: 'query' }] }])
    expect((await ask(100)).status).toBe(200)
  })

  test.each([
    ['opened 262,144 times', '['.repeat(256 * 1024)],
    ['131,072 arrays deep', '['.repeat(128 * 1024) + ']'.repeat(128 * 1024)],
    ['43,000 objects deep', `${'{"a":'.repeat(43_000)}1${'}'.repeat(43_000)}`],
  ])('JSON %s is 400', async (_, body) => {
    const headers = { authorization: `Bearer ${client.key}`, 'content-type': 'application/json' }
    const answer = await fetch(`${server.url}/api/v1/bookings`, { method: 'POST', body, headers })
    expect(answer.status).toBe(400)
    await servesStill()
  })
})

test('hostile clients leave no memory behind', async () => {
  const round = async () => {
    const sockets = await Promise.all(Array.from({ length: 100 }, () => openRawSocket(server.url)))
    await Promise.all(
      sockets.map(async (socket, n) => {
        if (n % 3 === 0) await socket.write(bookingHead('Content-Length: 262144') + 'x'.repeat(200_000))
        else if (n % 3 === 1) await socket.write(`GET /${'x'.repeat(10_000)}`)
        else await socket.write(get(PATH, `X-Large: ${'x'.repeat(100_000)}`))
        socket.destroy()
      }),
    )
    expect(await waitUntil(async () => (await metric(server, 'http_server_active_requests')) === 0, 5000)).toBe(true)
  }
  const memory = () => metric(server, 'process_resident_memory_bytes')
  for (let n = 0; n < 5; n++) await round()
  const before = await memory()
  for (let n = 0; n < 15; n++) await round()
  expect((await memory()) - before).toBeLessThan(64 * 1024 ** 2)
  await servesStill()
})
