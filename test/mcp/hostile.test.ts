// Malformed requests get a JSON-RPC error with the right code, never a 5xx, and have no effect.
import { describe, expect, test } from 'bun:test'

import { CUSTOMER_SERVER, PRO_SERVER, type RpcReply, agentKey, agentPro, rpc } from '../support/agents.ts'
import { findBookableSlot, openTestApp } from '../support/app.ts'
import { opened } from '../support/fixture.ts'

const app = await opened(openTestApp())
const slot = await findBookableSlot(app)
const servers: [server: string, key: string][] = [
  [CUSTOMER_SERVER, await agentKey(app)],
  [PRO_SERVER, (await agentPro(app)).key],
]

/** The number of rows that a caller could have created. */
async function countRows(): Promise<number> {
  const [row] = await app.deps.read.run<{ rows: number }>(
    'countMade',
    (sql) => sql`
      select ((select count(*) from rfqs) + (select count(*) from bookings) + (select count(*) from proposals)
        + (select count(*) from metered_tasks))::int as rows`,
  )
  return row?.rows ?? 0
}

async function send(server: string, key: string, body: string | Uint8Array<ArrayBuffer>) {
  const headers = { 'content-type': 'application/json' }
  const response = await app.send(server, { method: 'POST', key, headers, body })
  return { status: response.status, body: (await response.json()) as RpcReply | RpcReply[] }
}

/** Sends a body to both servers and returns status and error code of each response. */
const codes = (body: string | Uint8Array<ArrayBuffer>) =>
  Promise.all(
    servers.map(async ([server, key]) => {
      const { status, body: reply } = await send(server, key, body)
      return Array.isArray(reply) ? [status, ...reply.map((one) => one.error?.code)] : [status, reply.error?.code]
    }),
  )
const both = (...expected: (number | undefined)[]) => [expected, expected]

const call = (args: object, name = 'search_pros') =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })

describe('a body', () => {
  test.each(['', ' ', '{', '[', '{"jsonrpc":"2.0"', 'undefined', '{]', '{"a":1}}', "{'jsonrpc':'2.0'}"])(
    'that is not JSON is refused: %j',
    async (body) => {
      expect(await codes(body)).toEqual(both(400, -32_700))
    },
  )

  test('that is not UTF-8 is refused', async () => {
    expect(await codes(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toEqual(both(400, -32_700))
  })

  test.each(['null', 'true', '5', '"tools/list"', '{}', '{"id":1}', '{"jsonrpc":"2.0","id":1}', '[]'])(
    'that is not a JSON-RPC message is refused: %s',
    async (body) => {
      expect(await codes(body)).toEqual(both(400, -32_600))
    },
  )

  test('that is nested ten thousand levels deep is refused', async () => {
    const before = await countRows()
    const nested = (open: string, close: string) => open.repeat(10_000) + close.repeat(10_000)
    const inParams = (value: string) =>
      `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","arguments":${value}}}`
    for (const value of [nested('[', ']'), `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`])
      expect(await codes(inParams(value))).toEqual(both(400, -32_602))
    expect(await codes(nested('[', ']'))).toEqual(both(200, -32_600))
    expect(await countRows()).toBe(before)
  })

  test('that is too large, or not declared as JSON, is refused', async () => {
    for (const [server, key] of servers) {
      const large = await send(server, key, call({ city: 'x'.repeat(300_000) }))
      expect([large.status, large.body]).toMatchObject([413, { error: { code: -32_600 } }])
      const headers = { 'content-type': 'text/plain' }
      const text = await app.send(server, { method: 'POST', key, headers, body: call({}) })
      expect([text.status, await text.json()]).toMatchObject([415, { error: { code: -32_600 } }])
    }
  })
})

describe('a batch', () => {
  const request = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })

  test('of up to twenty requests gets one response each, and invalid ones do not affect the others', async () => {
    const batch = [
      request(1),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      5,
      { jsonrpc: '2.0', id: 'x', method: 'no/such' },
      [],
      request(2),
    ]
    for (const [server, key] of servers) {
      const { status, body } = await send(server, key, JSON.stringify(batch))
      expect([status, body]).toMatchObject([
        200,
        [
          { id: 1, result: {} },
          { id: null, error: { code: -32_600 } },
          { id: 'x', error: { code: -32_601 } },
          { id: null, error: { code: -32_600 } },
          { id: 2, result: {} },
        ],
      ])
    }
  })

  test('of notifications only gets no response body', async () => {
    for (const [server, key] of servers) {
      const note = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
      const response = await app.send(server, { key, json: [note, note] })
      expect([response.status, await response.text()]).toEqual([202, ''])
    }
  })

  test.each([21, 1000])('of %d is refused as a whole, without any of its calls', async (size) => {
    const before = await countRows()
    const { professionalId } = slot
    const args = { professionalId, description: 'Work', customer: { name: 'Customer', email: 'customer@test.example' } }
    const batch = JSON.stringify(Array.from({ length: size }, () => JSON.parse(call(args, 'request_quote')) as object))
    expect(batch.length).toBeLessThan(256 * 1024)
    for (const [server, key] of servers) {
      const { status, body } = await send(server, key, batch)
      expect([status, body]).toMatchObject([400, { id: null, error: { code: -32_600 } }])
      expect(JSON.stringify(body)).toContain(`The batch has ${size} messages`)
    }
    expect(await countRows()).toBe(before)
  })
})

describe('an id', () => {
  test.each([0, -1, 1.5, 2 ** 53, 1e300, 'a', '', ' ', '🙂', '__proto__', 'x'.repeat(10_000)])(
    'that JSON-RPC allows is returned: %j',
    async (id) => {
      for (const [server, key] of servers) {
        const { status, body } = await send(server, key, JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }))
        expect([status, body]).toMatchObject([200, { jsonrpc: '2.0', id, result: {} }])
      }
    },
  )

  test.each(['null', 'true', 'false', '{}', '[]', '[1]', '{"a":1}', String.raw`"\ud800"`])(
    'that JSON-RPC does not allow is refused: %s',
    async (id) => {
      expect(await codes(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`)).toEqual(both(400, -32_600))
    },
  )
})

describe('a message', () => {
  test.each([
    { jsonrpc: '1.0' },
    { jsonrpc: 2 },
    { method: 5 },
    { method: null },
    { method: '' },
    { params: [] },
    { params: 'x' },
  ])('of the wrong form is refused: %j', async (wrong) => {
    expect(await codes(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', ...wrong }))).toEqual(both(400, -32_600))
  })

  test.each([
    'tools',
    'tools/',
    'tools/call/',
    'tools/delete',
    'TOOLS/LIST',
    'constructor',
    '__proto__',
    'toString',
    'rpc.discover',
    'resources/delete',
    '🙂',
  ])('with an unknown method is refused: %s', async (method) => {
    expect(await codes(JSON.stringify({ jsonrpc: '2.0', id: 1, method }))).toEqual(both(200, -32_601))
  })

  test.each([{ _meta: 5 }, { _meta: [] }, { _meta: { progressToken: {} } }, { _meta: { traceparent: 5 } }])(
    'with malformed metadata gets a response: %j',
    async (params) => {
      for (const [status, code] of await codes(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params })))
        expect([
          [200, undefined],
          [400, -32_600],
        ]).toContainEqual([status, code])
    },
  )

  test('that subscribes is refused, because the servers have no subscriptions', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }
    for (const [server, key] of servers) {
      const { status, reply } = await rpc(app, server, key, 'subscriptions/listen', { _meta: meta }, headers)
      expect([status, reply.error?.code]).toEqual([404, -32_601])
    }
  })

  test('of an unknown protocol version is refused', async () => {
    for (const [server, key] of servers) {
      const { status, reply } = await rpc(app, server, key, 'ping', undefined, { 'mcp-protocol-version': '1999-01-01' })
      expect([status, reply.error?.data?.code]).toEqual([400, 'validation_failed'])
    }
  })

  test('that is a response is accepted and ignored', async () => {
    for (const [server, key] of servers)
      for (const json of [{ result: {} }, { error: { code: 1, message: 'no' } }]) {
        const response = await app.send(server, { key, json: { jsonrpc: '2.0', id: 1, ...json } })
        expect(response.status).toBe(202)
      }
  })
})

describe('a call', () => {
  test.each([
    '',
    ' search_pros',
    'search_pros ',
    'SEARCH_PROS',
    '../search_pros',
    'constructor',
    '__proto__',
    'toString',
    'send_quote',
    'refund_payment',
    'create_api_key',
  ])('of an unknown tool is refused: %j', async (name) => {
    expect(await codes(call({}, name))).toEqual(both(200, -32_602))
  })

  test.each([
    undefined,
    { arguments: {} },
    { name: 5 },
    { name: null },
    { name: 'x', arguments: [] },
    { name: 'x', arguments: 'x' },
  ])('with params of the wrong form is refused: %j', async (params) => {
    expect(await codes(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }))).toEqual(
      both(400, -32_602),
    )
  })

  test('with text that PostgreSQL cannot store is refused', async () => {
    const before = await countRows()
    for (const city of [String.raw`"a\u0000b"`, String.raw`"\ud800"`])
      for (const body of [`{"city":${city}}`, `{${city}:1}`])
        expect(
          await codes(
            `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_pros","arguments":${body}}}`,
          ),
        ).toEqual(both(400, -32_602))
    expect(await countRows()).toBe(before)
  })

  test('with a __proto__ argument is refused', async () => {
    const args = '{"__proto__":{"limit":1}}'
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_pros","arguments":${args}}}`
    expect(await codes(body)).toEqual(both(400, -32_602))
  })
})
