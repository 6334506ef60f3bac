// Slow and endless bodies shut no other client out: requests are counted before their body, and waiting for one is no work.
import { describe, expect, test } from 'bun:test'

import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { openBookingClient } from '../support/booking-client.ts'
import { bystanderP99, leastOfThree } from '../support/bystander.ts'
import { cloneDatabase } from '../support/database.ts'
import { type RawSocket, openRawSocket } from '../support/raw-socket.ts'
import { startServer } from '../support/server.ts'
import { opened } from '../support/fixture.ts'

const CONNECTIONS = 1300
const MAX_SLOW = 32
/** Requests of the bystander in each measurement. */
const SAMPLES = 150
/** Of the p99 under attack to the p99 before, which is at least this many ms: below, it is the machine's noise. */
const MAX_RATIO = 10
const NOISE_MS = 40
let booked = 0
const database = await opened(cloneDatabase('migrated'), 'drop')
const client = await openBookingClient(database.url, ['bookings:write', 'mcp:read', 'mcp:write'])
const server = await opened(
  startServer({
    databaseUrl: database.url,
    env: {
      TRUSTED_PROXIES: '127.0.0.1',
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
      MAX_SLOW_BODIES_PER_ADDRESS: String(MAX_SLOW),
    },
  }),
  'stop',
)

const ATTACKER = '203.0.113.66'
const BYSTANDER = '198.51.100.7'
const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

const head = (path: string, type: string, ...more: string[]) =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: hearth',
    `Content-Type: ${type}`,
    `Authorization: Bearer ${client.key}`,
    ...more,
    '\r\n',
  ].join('\r\n')

const metric = async (name: string): Promise<number> => {
  const text = await (await fetch(`${server.opsUrl}/metrics`)).text()
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text)?.[1] ?? 0)
}

/** The p99 in ms of the bystander's reads, with a booking in ten. */
async function bystanderTimes(): Promise<number> {
  const headers = { 'x-forwarded-for': BYSTANDER }
  const request = (number: number) =>
    number % 10 === 0
      ? client.post(server.url, booked++, { headers })
      : fetch(`${server.url}/api/v1/cities?limit=1`, { headers })
  return await bystanderP99(request, (done) => done < SAMPLES)
}

/** Opens the connections of one address, each with a head and one byte of its body. */
const attack = async (path: string, type: string, ...more: string[]): Promise<RawSocket[]> => {
  const text = `${head(path, type, `X-Forwarded-For: ${ATTACKER}`, ...more)}x`
  return await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const socket = await openRawSocket(server.url)
      await socket.write(text)
      return socket
    }),
  )
}

describe(`${CONNECTIONS} connections of one address with one byte each`, () => {
  test.each([
    ['/api/v1/bookings', JSON_TYPE, 'Content-Length: 1000'],
    ['/api/v1/bookings', JSON_TYPE, 'Content-Length: 200000'],
    ['/api/mcp/customer', JSON_TYPE, 'Content-Length: 200000'],
    ['/console/login', FORM_TYPE, 'Content-Length: 200000'],
    ['/webhooks/stripe', JSON_TYPE, 'Content-Length: 200000'],
  ])(
    `at %s (%s, %s): others are served, with a p99 of less than ${MAX_RATIO * NOISE_MS} ms or ${MAX_RATIO} times that before`,
    async (path, type, length) => {
      const slowdown = async () => {
        const quiet = await bystanderTimes()
        const sockets = await attack(path, type, length)
        try {
          const attacked = await bystanderTimes()
          expect(await waitUntil(async () => (await metric('hearth_http_bodies_in_progress')) <= MAX_SLOW, 5000)).toBe(
            true,
          )
          return attacked / Math.max(quiet, NOISE_MS)
        } finally {
          for (const socket of sockets) socket.destroy()
          expect(await waitUntil(async () => (await metric('http_server_active_requests')) === 0, 5000)).toBe(true)
        }
      }
      expect(await leastOfThree(MAX_RATIO, slowdown)).toBeLessThan(MAX_RATIO)
    },
    60_000,
  )
})

describe('the budget of slow bodies', () => {
  test('belongs to one address: a slow client at another one is served', async () => {
    const sockets = await attack('/api/v1/bookings', JSON_TYPE, 'Content-Length: 200000')
    const body = JSON.stringify(client.body(booked++))
    const slow = await openRawSocket(server.url)
    const length = `Content-Length: ${body.length}`
    await slow.write(head('/api/v1/bookings', JSON_TYPE, `X-Forwarded-For: ${BYSTANDER}`, length, 'Connection: close'))
    // A body is slow from 500 ms on: here the time itself is the condition.
    await Bun.sleep(700)
    await slow.write(body)
    expect(await slow.closed).toStartWith('HTTP/1.1 201')
    const refused = () => sockets.filter((socket) => socket.received().includes('slow bodies in progress'))
    expect(await waitUntil(() => refused().length >= CONNECTIONS - 2 * MAX_SLOW, 5000)).toBe(true)
    expect(refused()[0]?.received()).toStartWith('HTTP/1.1 408')
    for (const socket of sockets) socket.destroy()
  })

  test('does not count bodies that arrive at once, however many', async () => {
    const headers = { 'x-forwarded-for': BYSTANDER }
    const answers = await Promise.all(
      Array.from({ length: 5 * MAX_SLOW }, () => client.post(server.url, booked++, { headers })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  })
})

describe('a body', () => {
  const timed = async (header: string, pieces: (socket: RawSocket) => Promise<void>) => {
    const socket = await openRawSocket(server.url)
    const startedMs = performance.now()
    await socket.write(head('/api/v1/bookings', JSON_TYPE, header))
    const writing = pieces(socket)
    const received = await socket.closed
    await writing
    return { received, seconds: (performance.now() - startedMs) / 1000 }
  }
  const trickle = (piece: string, everyMs: number) => async (socket: RawSocket) => {
    let isOver = false
    void socket.closed.then(() => (isOver = true))
    await waitUntil(
      async () => {
        await socket.write(piece)
        return isOver
      },
      15_000,
      everyMs,
    )
  }

  test.concurrent.each([
    ['of a declared length, byte by byte', 'Content-Length: 1000', 'x'],
    ['of a large declared length, byte by byte', 'Content-Length: 200000', 'x'],
    ['in chunks, byte by byte', 'Transfer-Encoding: chunked', '1\r\nx\r\n'],
  ])('%s, is refused within three seconds', async (_, header, piece) => {
    const { received, seconds } = await timed(header, trickle(piece, 100))
    expect(received).toStartWith('HTTP/1.1 408')
    expect(seconds).toBeLessThan(3)
  })

  test.concurrent('above the minimum rate still ends at the deadline', async () => {
    const { received, seconds } = await timed('Content-Length: 250000', trickle('x'.repeat(1000), 100))
    expect(received).toStartWith('HTTP/1.1 408')
    expect(seconds).toBeGreaterThan(9)
    expect(seconds).toBeLessThan(15)
  })
})
