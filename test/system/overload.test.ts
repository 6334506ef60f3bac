// The server refuses too many, too slow and too large requests, and keeps serving others.
import { describe, expect, test } from 'bun:test'

import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { openBookingClient } from '../support/booking-client.ts'
import { cloneDatabase, countLockWaits, lockTable, testSql } from '../support/database.ts'
import { type RawSocket, openRawSocket } from '../support/raw-socket.ts'
import { type TestServer, startServer } from '../support/server.ts'
import { opened } from '../support/fixture.ts'

const MAX_IN_FLIGHT = 6
/** Fewer connections than requests in flight, so that requests wait for a connection as well. */
const CONNECTIONS = 4
/** Requests come from the address that they name. */
const PROXIED = { TRUSTED_PROXIES: '127.0.0.1' }
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const PATH = '/api/v1/cities?limit=1'
const database = await opened(cloneDatabase('migrated'), 'drop')
const client = await openBookingClient(database.url)
const server = await opened(startServer({ databaseUrl: database.url }), 'stop')

const metric = async (of: TestServer, name: string): Promise<number> => {
  const text = await (await fetch(`${of.opsUrl}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? 0)
}

/** The head of a booking request with a valid key. */
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

/** Sends the text and returns everything received until the connection closes. */
async function exchange(text: string): Promise<string> {
  const socket = await openRawSocket(server.url)
  await socket.write(text)
  return await socket.closed
}

const expectServing = async () => expect((await fetch(server.url + PATH)).status).toBe(200)

test('requests beyond MAX_IN_FLIGHT are refused at once except for health checks, and are served again afterwards', async () => {
  const env = { MAX_IN_FLIGHT: String(MAX_IN_FLIGHT), DATABASE_CONNECTIONS: String(CONNECTIONS), ...PROXIED }
  const bounded = await startServer({ databaseUrl: database.url, env })
  const sql = testSql(database.url, 2)
  try {
    expect((await client.post(bounded.url, 0)).status).toBe(201)
    await using lock = await lockTable(sql, 'bookings')
    const waiting = Array.from({ length: MAX_IN_FLIGHT }, (_, n) =>
      client.post(bounded.url, n + 1, from(`198.51.${n}.7`)),
    )
    expect(await waitUntil(async () => (await countLockWaits(sql)) === CONNECTIONS, 5000, 1)).toBe(true)
    expect(
      await waitUntil(async () => (await metric(bounded, 'http_server_active_requests')) === MAX_IN_FLIGHT, 5000, 1),
    ).toBe(true)
    // A request in progress is no work before it is admitted and has its body.
    expect(await waitUntil(async () => (await fetch(bounded.url + PATH)).status === 503, 1000, 1)).toBe(true)
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

test('requests that are refused use nothing of MAX_IN_FLIGHT while their page is made', async () => {
  const env = { MAX_IN_FLIGHT: '8', DATABASE_LIMIT_MS: '6000', ...PROXIED }
  const bounded = await startServer({ databaseUrl: database.url, env })
  const sql = testSql(database.url, 2)
  try {
    // After a change of the marketplace pages wait for what they say of it, and so do those that refuse a request.
    await using lock = await lockTable(sql, 'marketplace_texts')
    await sql`select pg_notify('marketplace_changed', '')`
    const open = (address: string) => fetch(`${bounded.url}/console/login`, from(address))
    const isWaiting = async () => (await open('203.0.113.67')).ok && (await countLockWaits(sql)) > 0
    expect(await waitUntil(isWaiting, 5000, 1)).toBe(true)
    // The names of the catalog are read anew after such a change as well, which must not take the time of what follows.
    expect((await fetch(bounded.url + PATH)).status).toBe(200)
    const pages = Array.from({ length: 40 }, () => open('203.0.113.66'))
    const active = () => metric(bounded, 'http_server_active_requests')
    expect(await waitUntil(async () => (await active()) === pages.length, 5000, 1)).toBe(true)
    const others = await Promise.all(
      Array.from({ length: 4 }, (_, n) => fetch(bounded.url + PATH, from(`198.51.${n}.7`))),
    )
    expect(await active()).toBe(pages.length)
    await lock.release()
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 200))
    const statuses = (await Promise.all(pages)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
  } finally {
    await sql.end()
    await bounded.stop()
  }
})

test('once half of MAX_IN_FLIGHT is used, no network takes more than its share: others are served', async () => {
  const [most, connections] = [64, 60]
  const env = { MAX_IN_FLIGHT: String(most), DATABASE_CONNECTIONS: String(connections), ...PROXIED }
  const bounded = await startServer({ databaseUrl: database.url, env })
  const sql = testSql(database.url, 2)
  try {
    // A server that has just started takes longer for its first requests than a statement may wait for a lock.
    for (let n = 0; n < 20; n++)
      expect((await client.post(bounded.url, 200 + n, from('198.51.100.7'))).status).toBe(201)
    /** The statuses of 64 requests of one /48 that wait for a lock, and those of ten others meanwhile. */
    const crowd = async (first: number) => {
      await using lock = await lockTable(sql, 'bookings')
      const refused: number[] = []
      const ofOneNetwork = Array.from({ length: most }, async (_, n) => {
        const { status } = await client.post(bounded.url, first + n, from(`2001:db8:1:${n.toString(16)}::1`))
        refused.push(status)
        return status
      })
      // A /48 has half: 32 of 64, and one that is let in as the half is reached.
      const isBounded = await waitUntil(() => refused.length >= most / 2 - 1, 1400, 1)
      const early = new Set(refused)
      const others = Array.from({ length: 10 }, (_, n) => fetch(bounded.url + PATH, from(`198.51.${n}.7`)))
      const statuses = (await Promise.all(others)).map(({ status }) => status)
      await lock.release()
      await Promise.all(ofOneNetwork)
      return { isBounded, early: [...early], others: new Set(statuses) }
    }
    let outcome = await crowd(300)
    // A statement waits 1.5 seconds for a lock: a machine that is busy with other tests may take longer to begin.
    for (let round = 1; round < 4 && !outcome.isBounded; round++) outcome = await crowd(300 + round * most)
    expect(outcome).toEqual({ isBounded: true, early: [503], others: new Set([200]) })
  } finally {
    await sql.end()
    await bounded.stop()
  }
})

describe('a slow client', () => {
  /** Writes `text` repeatedly until the connection is closed. */
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

  test.concurrent.each(slow)('that %s gets 408 and is disconnected', async (_, header, piece, status) => {
    const socket = await openRawSocket(server.url)
    const startedAt = performance.now()
    await socket.write(bookingHead(header))
    if (piece) await trickle(socket, piece)
    const received = await socket.closed
    expect(received).toStartWith(status)
    expect(received).toContain('"code":"request_timeout"')
    expect(performance.now() - startedAt).toBeLessThan(15_000)
  })

  test.concurrent.each([
    ['never finishes its headers', 'GET / HTTP/1.1\r\nHost: hearth\r\n', 'X-More: x\r\n'],
    ['never finishes its first line', 'GET /api', ''],
    ['sends nothing', '', ''],
  ])('that %s is disconnected without a response', async (_, text, piece) => {
    const socket = await openRawSocket(server.url)
    const startedAt = performance.now()
    if (text) await socket.write(text)
    if (piece) await trickle(socket, piece)
    expect(await socket.closed).toBe('')
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  })

  test('that disconnects halfway causes no error in the log', async () => {
    const before = server.log().length
    const socket = await openRawSocket(server.url)
    await socket.write(`${bookingHead('Content-Length: 1000')}{"half":`)
    expect(await waitUntil(async () => (await metric(server, 'http_server_active_requests')) > 0, 5000, 1)).toBe(true)
    socket.destroy()
    expect(await waitUntil(async () => (await metric(server, 'http_server_active_requests')) === 0, 5000)).toBe(true)
    expect(server.log().slice(before)).toEqual([])
  })
})

describe('a request that is too large', () => {
  test.each([
    ['a header of 100 KB', get(PATH, `X-Large: ${'x'.repeat(100_000)}`)],
    ['500 headers', get(PATH, ...Array.from({ length: 500 }, (_, n) => `X-${n}: x`))],
  ])('because of %s gets 431', async (_, request) => {
    expect(await exchange(request)).toStartWith('HTTP/1.1 431')
    await expectServing()
  })

  test('because of a URL over 8 KiB gets 414 with the reason', async () => {
    const received = await exchange(get(`${PATH}&state=${'x'.repeat(8192)}`))
    expect(received).toStartWith('HTTP/1.1 414')
    expect(received).toContain('"code":"uri_too_long"')
    expect(await exchange(get(`${PATH}&state=${'x'.repeat(100_000)}`))).toMatch(/^HTTP\/1.1 4(14|31)/)
  })

  test('because of more than 100 query parameters gets 400', async () => {
    const ask = (count: number) =>
      fetch(`${server.url}/about?${Array.from({ length: count }, (_, nth) => `utm_${nth}=mail`).join('&')}`)
    const refused = await ask(101)
    expect([refused.status, await refused.json()]).toMatchObject([400, { errors: [{ path: 'query' }] }])
    expect((await ask(100)).status).toBe(200)
  })

  test.each([
    ['opened 262,144 times', '['.repeat(256 * 1024)],
    ['131,072 arrays deep', '['.repeat(128 * 1024) + ']'.repeat(128 * 1024)],
    ['43,000 objects deep', `${'{"a":'.repeat(43_000)}1${'}'.repeat(43_000)}`],
  ])('because of JSON %s gets 400', async (_, body) => {
    const headers = { authorization: `Bearer ${client.key}`, 'content-type': 'application/json' }
    const answer = await fetch(`${server.url}/api/v1/bookings`, { method: 'POST', body, headers })
    expect(answer.status).toBe(400)
    await expectServing()
  })
})

test('hostile clients leave no memory behind', async () => {
  let sentBytes = 0
  const round = async () => {
    const sockets = await Promise.all(Array.from({ length: 100 }, () => openRawSocket(server.url)))
    await Promise.all(
      sockets.map(async (socket, n) => {
        const text =
          n % 3 === 0
            ? bookingHead('Content-Length: 262144') + 'x'.repeat(200_000)
            : n % 3 === 1
              ? `GET /${'x'.repeat(10_000)}`
              : get(PATH, `X-Large: ${'x'.repeat(100_000)}`)
        sentBytes += text.length
        await socket.write(text)
        socket.destroy()
      }),
    )
    expect(await waitUntil(async () => (await metric(server, 'http_server_active_requests')) === 0, 5000)).toBe(true)
  }
  const memory = () => metric(server, 'process_resident_memory_bytes')
  for (let n = 0; n < 5; n++) await round()
  const before = await memory()
  sentBytes = 0
  for (let n = 0; n < 180; n++) await round()
  // The collector leaves the garbage of about 30 rounds for a while.
  expect((await memory()) - before).toBeLessThan(sentBytes / 4)
  await expectServing()
})
