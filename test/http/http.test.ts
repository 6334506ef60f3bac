// What all routes share: request ids, safe headers, HEAD, Host checks and the body limit.
import { describe, expect, test } from 'bun:test'
import { once } from 'node:events'
import { type Socket, connect } from 'node:net'

import { MAX_BODY_BYTES } from '../../src/http/receive-body.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { openBookingClient } from '../support/booking-client.ts'
import { cloneDatabase } from '../support/database.ts'
import { startServer } from '../support/server.ts'
import { opened } from '../support/fixture.ts'
const clone = await opened(cloneDatabase('migrated'), 'drop')
const client = await openBookingClient(clone.url)
const server = await opened(startServer({ databaseUrl: clone.url }), 'stop')

describe('every response', () => {
  test.each(['/healthz', '/api/v1/services', '/api/v1/pros/unknown', '/api/v1/bookings/1', '/nowhere', '//', '/%zz'])(
    'has its own request id and safe headers: %s',
    async (path) => {
      const responses = await Promise.all([fetch(server.url + path), fetch(server.url + path)])
      const ids = responses.map((response) => response.headers.get('x-request-id') ?? '')
      for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/)
      expect(ids[0]).not.toBe(ids[1] ?? '')
      for (const { headers, status } of responses) {
        expect(status).toBeLessThan(500)
        expect(headers.get('x-content-type-options')).toBe('nosniff')
        expect(headers.get('referrer-policy')).toBe('no-referrer')
      }
    },
  )
})

describe('a request', () => {
  /** Sends the lines unchanged and returns the first data received; '' when the client disconnects at once. */
  const raw = (lines: string[], disconnects = false) => {
    const { hostname, port } = new URL(server.url)
    const { promise, resolve } = Promise.withResolvers<string>()
    const socket = connect(Number(port), hostname)
    socket.on('close', () => resolve(''))
    socket.once('data', (data) => {
      resolve(String(data))
      socket.destroy()
    })
    socket.write(lines.join('\r\n'), () => void (disconnects && socket.destroy()))
    return promise
  }

  test('without Host over HTTP/1.0, as load balancers send, gets a response', async () => {
    expect(await raw(['GET /readyz HTTP/1.0', '', ''])).toMatch(/^HTTP\/1\.1 200 /)
    expect(await raw(['GET /api/v1/services HTTP/1.0', '', ''])).toMatch(/^HTTP\/1\.1 200 /)
    expect(await raw(['GET /nowhere HTTP/1.0', '', ''])).toMatch(/^HTTP\/1\.1 404 /)
  })

  test.each(['user@host', 'a b', 'a, b', 'a/b', '[::1', '', 'a:b', 'localhost:65536', 'localhost:99999'])(
    'with the Host %p is refused',
    async (host) => {
      const response = await raw(['GET /api/v1/services HTTP/1.1', `Host: ${host}`, '', ''])
      expect(response).toMatch(/^HTTP\/1\.1 400 /)
    },
  )

  test.each(['localhost', 'hearth_web:3000', '[::1]:80', '10.0.0.1', 'h'])(
    'with the Host %p is accepted',
    async (host) => {
      const response = await raw(['GET /api/v1/services HTTP/1.1', `Host: ${host}`, '', ''])
      expect(response).toMatch(/^HTTP\/1\.1 200 /)
    },
  )

  test('whose client disconnects in the middle of the body is a 400 and logs no error', async () => {
    const head = ['POST /api/v1/bookings HTTP/1.1', 'Host: hearth', `Authorization: Bearer ${client.key}`]
    await raw([...head, 'Content-Type: application/json', 'Content-Length: 100', '', '{"half":'], true)
    await raw([...head, 'Content-Type: application/json', 'Transfer-Encoding: chunked', '', '5', '{"hal'], true)
    const twoResponsesOf = (status: number) => `http_response_status_code="${status}"} 2`
    const metrics = async () => (await (await fetch(`${server.opsUrl}/metrics`)).text()).split('\n')
    const countsBookings = (line: string) => line.includes('duration_seconds_count{') && line.includes('/bookings"')
    expect(
      await waitUntil(
        async () => (await metrics()).some((it) => countsBookings(it) && it.endsWith(twoResponsesOf(400))),
        5000,
      ),
    ).toBeTrue()
    expect(server.log().filter(({ level }) => level === 'error')).toEqual([])
  })
})

describe('HEAD', () => {
  test.each(['/api/v1/services', '/api/v1/pros/unknown', '/healthz', '/openapi.json'])(
    'responds like GET without the body: %s',
    async (path) => {
      const [get, head] = await Promise.all([fetch(server.url + path), fetch(server.url + path, { method: 'HEAD' })])
      expect(head.status).toBe(get.status)
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control'])
        expect(head.headers.get(name)).toBe(get.headers.get(name))
      expect(await head.text()).toBe('')
    },
  )
})

describe('a large response', () => {
  test('has a Content-Length', async () => {
    const response = await fetch(`${server.url}/openapi.json`, {
      decompress: false,
      headers: { 'accept-encoding': 'identity' },
    })
    const { length } = await response.bytes()
    expect(length).toBeGreaterThan(100_000)
    expect(response.headers.get('content-length')).toBe(String(length))
  })

  test('arrives complete for clients that read late', async () => {
    const { hostname, port } = new URL(server.url)
    const whole = (await (await fetch(`${server.url}/openapi.json`)).bytes()).length
    const clients = Array.from({ length: 10 }, () => connect(Number(port), hostname))
    for (const client of clients)
      client.write('GET /openapi.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    await Promise.all(clients.map((client) => once(client, 'readable')))
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    const lengthFor = async (client: Socket): Promise<number> => {
      const response = Buffer.concat(await Array.fromAsync(client as AsyncIterable<Buffer>))
      return response.length - response.indexOf('\r\n\r\n') - 4
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
    'with a declared length (%p bytes) is refused with a problem document',
    async (size) => {
      const response = await post('x'.repeat(size))
      expect(response.status).toBe(413)
      expect(await response.json()).toMatchObject({ code: 'body_too_large', status: 413 })
    },
  )

  test('without a declared length is refused when it reaches the limit, not at its end', async () => {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    const head = ['POST /api/v1/bookings HTTP/1.1', 'Host: hearth', `Authorization: Bearer ${client.key}`]
    socket.write([...head, 'Content-Type: application/json', 'Transfer-Encoding: chunked', '', ''].join('\r\n'))
    const response = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))
    const piece = `10000\r\n${' '.repeat(0x10000)}\r\n`
    for (let sent = 0; sent <= MAX_BODY_BYTES; sent += 0x10000) socket.write(piece)
    // The body never ends, and the response arrives all the same.
    expect(await response).toMatch(/^HTTP\/1\.1 413 [^]*application\/problem\+json/)
    socket.destroy()
  })
})
