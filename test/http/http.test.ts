// What every answer has in common, whatever the route: ids, headers, HEAD, bodies too large to read.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { once } from 'node:events'
import { type Socket, connect } from 'node:net'

import { MAX_BODY_BYTES } from '../../src/http/body.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { type BookingClient, openBookingClient } from '../support/booking-client.ts'
import { cloneDatabase } from '../support/database.ts'
import { type TestServer, startServer } from '../support/server.ts'

let clone: Awaited<ReturnType<typeof cloneDatabase>>
let client: BookingClient
let server: TestServer

beforeAll(async () => {
  clone = await cloneDatabase('migrated')
  client = await openBookingClient(clone.url)
  server = await startServer({ databaseUrl: clone.url })
})

afterAll(async () => {
  await server.stop()
  await clone.drop()
})

describe('every answer', () => {
  test.each(['/healthz', '/api/v1/services', '/api/v1/pros/nobody', '/api/v1/bookings/1', '/nowhere', '//', '/%zz'])(
    'has a request id of its own and safe headers: %s',
    async (path) => {
      const answers = await Promise.all([fetch(server.url + path), fetch(server.url + path)])
      const ids = answers.map((response) => response.headers.get('x-request-id') ?? '')
      for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/)
      expect(ids[0]).not.toBe(ids[1] ?? '')
      for (const { headers, status } of answers) {
        expect(status).toBeLessThan(500)
        expect(headers.get('x-content-type-options')).toBe('nosniff')
        expect(headers.get('referrer-policy')).toBe('no-referrer')
      }
    },
  )
})

describe('a request with', () => {
  /** Sends the lines as they are; gives what comes back, or nothing when the client leaves at once. */
  const raw = (lines: string[], leavesAtOnce = false) => {
    const { hostname, port } = new URL(server.url)
    const { promise, resolve } = Promise.withResolvers<string>()
    const socket = connect(Number(port), hostname)
    socket.on('close', () => resolve(''))
    socket.once('data', (data) => {
      resolve(String(data))
      socket.destroy()
    })
    socket.write(lines.join('\r\n'), () => void (leavesAtOnce && socket.destroy()))
    return promise
  }

  test('no Host in HTTP/1.0, as load balancers ask, is answered', async () => {
    expect(await raw(['GET /readyz HTTP/1.0', '', ''])).toMatch(/^HTTP\/1\.1 200 /)
    expect(await raw(['GET /api/v1/services HTTP/1.0', '', ''])).toMatch(/^HTTP\/1\.1 200 /)
    expect(await raw(['GET /nowhere HTTP/1.0', '', ''])).toMatch(/^HTTP\/1\.1 404 /)
  })

  test.each(['user@host', 'a b', 'a, b', 'a/b', '[::1', '', 'a:b'])('the Host %p is refused', async (host) => {
    const answer = await raw(['GET /api/v1/services HTTP/1.1', `Host: ${host}`, '', ''])
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  })

  test.each(['localhost', 'hearth_web:3000', '[::1]:80', '10.0.0.1', 'h'])('the Host %p is fine', async (host) => {
    const answer = await raw(['GET /api/v1/services HTTP/1.1', `Host: ${host}`, '', ''])
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('half a body, and nobody there any more, is no failure of ours', async () => {
    const head = ['POST /api/v1/bookings HTTP/1.1', 'Host: hearth', `Authorization: Bearer ${client.key}`]
    await raw([...head, 'Content-Type: application/json', 'Content-Length: 100', '', '{"half":'], true)
    await raw([...head, 'Content-Type: application/json', 'Transfer-Encoding: chunked', '', '5', '{"hal'], true)
    const counted = (status: number) => `http_response_status_code="${status}"} 2`
    const metrics = async () => (await (await fetch(`${server.opsUrl}/metrics`)).text()).split('\n')
    const ofBookings = (line: string) => line.includes('duration_seconds_count{') && line.includes('/bookings"')
    expect(
      await waitUntil(async () => (await metrics()).some((it) => ofBookings(it) && it.endsWith(counted(400))), 5000),
    ).toBeTrue()
    expect(server.log().filter(({ level }) => level === 'error')).toEqual([])
  })
})

describe('HEAD', () => {
  test.each(['/api/v1/services', '/api/v1/pros/nobody', '/healthz', '/openapi.json'])(
    'answers like GET without the body: %s',
    async (path) => {
      const [get, head] = await Promise.all([fetch(server.url + path), fetch(server.url + path, { method: 'HEAD' })])
      expect(head.status).toBe(get.status)
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control'])
        expect(head.headers.get(name)).toBe(get.headers.get(name))
      expect(await head.text()).toBe('')
    },
  )
})

describe('a large answer', () => {
  test('tells its length', async () => {
    const response = await fetch(`${server.url}/openapi.json`)
    const { length } = await response.bytes()
    expect(length).toBeGreaterThan(100_000)
    expect(response.headers.get('content-length')).toBe(String(length))
  })

  test('is whole for clients that read after others were answered', async () => {
    const { hostname, port } = new URL(server.url)
    const whole = (await (await fetch(`${server.url}/openapi.json`)).bytes()).length
    const clients = Array.from({ length: 10 }, () => connect(Number(port), hostname))
    for (const client of clients)
      client.write('GET /openapi.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    await Promise.all(clients.map((client) => once(client, 'readable')))
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    const lengthFor = async (client: Socket): Promise<number> => {
      const answer = Buffer.concat(await Array.fromAsync(client as AsyncIterable<Buffer>))
      return answer.length - answer.indexOf('\r\n\r\n') - 4
    }
    expect(await Promise.all(clients.map(lengthFor))).toEqual(clients.map(() => whole))
  })
})

describe('a body over the limit', () => {
  const post = (body: string | ReadableStream) =>
    fetch(`${server.url}/api/v1/bookings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.key}`, 'content-type': 'application/json' },
      body,
    })

  test.each([MAX_BODY_BYTES + 1, 8 * 1024 * 1024])(
    'of a declared length (%p bytes) is refused as a problem document',
    async (size) => {
      const response = await post('x'.repeat(size))
      expect(response.status).toBe(413)
      expect(await response.json()).toMatchObject({ code: 'body_too_large', status: 413 })
    },
  )

  test('without a declared length is refused when it gets there, not when it ends', async () => {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    const head = ['POST /api/v1/bookings HTTP/1.1', 'Host: hearth', `Authorization: Bearer ${client.key}`]
    socket.write([...head, 'Content-Type: application/json', 'Transfer-Encoding: chunked', '', ''].join('\r\n'))
    const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))
    const piece = `10000\r\n${' '.repeat(0x10000)}\r\n`
    for (let sent = 0; sent <= MAX_BODY_BYTES; sent += 0x10000) socket.write(piece)
    // The body never ends: there is an answer all the same.
    expect(await answer).toMatch(/^HTTP\/1\.1 413 [^]*application\/problem\+json/)
    socket.destroy()
  })
})
