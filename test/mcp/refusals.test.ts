// Every refusal of both agent servers is a JSON-RPC error with the request's id if its body was read, and with none if not.
import { describe, expect, test } from 'bun:test'

import { JSONRPCErrorResponseSchema } from '@modelcontextprotocol/sdk/types.js'

import { requestContextOf } from '../../src/auth/request-context.ts'
import { createKey } from '../../src/auth/keys/verbs/keys.ts'
import { PRESETS } from '../../src/auth/scopes.ts'
import { CUSTOMER_SERVER, PRO_SERVER, agentKey, agentPro } from '../support/agents.ts'
import { instrumentedApp, openTestApp, testRequest } from '../support/app.ts'
import { opened } from '../support/fixture.ts'
import { ctxOf } from '../../src/ctx.ts'

const app = await opened(openTestApp())
const keys: Record<string, string> = {}
const served = instrumentedApp(app.deps)
keys[CUSTOMER_SERVER] = await agentKey(app)
const pro = await agentPro(app)
keys[PRO_SERVER] = pro.key
keys['reader'] = await app.key(['pros:read'], pro.email)
const input = { scopes: PRESETS['agent-tools'], ownerEmail: pro.email, name: 'spent', rateMultiplier: 0.0001 }
keys['spent'] = (await createKey(ctxOf(app.deps), input)).secret

type Init = Parameters<typeof testRequest>[2]

const ID = 'request-7'
const message = (fields: object = {}) => ({ jsonrpc: '2.0', id: ID, method: 'tools/list', ...fields })
const call = (params: unknown) => message({ method: 'tools/call', params })
const JSON_TYPE = { 'content-type': 'application/json' }
const neverEnding = () =>
  new ReadableStream({ pull: () => new Promise<void>(() => undefined) }, { highWaterMark: 0 }) as unknown as string

/** Before the body is read. */
const EARLY: Record<string, [status: number, init: (server: string) => Init & { query?: string }]> = {
  'without a key': [401, () => ({ json: message() })],
  'a malformed key': [401, () => ({ key: 'garbage', json: message() })],
  'a key without the scope': [403, () => ({ key: keys['reader'] ?? '', json: message() })],
  'a foreign page': [403, (to) => ({ key: keys[to] ?? '', json: message(), headers: { origin: 'https://x.test' } })],
  'a spent limit': [429, () => ({ key: keys['spent'] ?? '', json: message() })],
  'another media type': [415, (to) => ({ key: keys[to] ?? '', json: message(), headers: { 'content-type': 'a/b' } })],
  compression: [415, (to) => ({ key: keys[to] ?? '', json: message(), headers: { 'content-encoding': 'gzip' } })],
  'a large body': [413, (to) => ({ key: keys[to] ?? '', json: call('x'.repeat(300_000)) })],
  'a slow body': [408, (to) => ({ key: keys[to] ?? '', method: 'POST', headers: JSON_TYPE, body: neverEnding() })],
  'a long address': [414, (to) => ({ key: keys[to] ?? '', json: message(), query: `?${'x'.repeat(9000)}` })],
  'a malformed address': [400, (to) => ({ key: keys[to] ?? '', json: message(), query: '?a=%ff' })],
  'a malformed host': [400, (to) => ({ key: keys[to] ?? '', json: message(), headers: { host: 'a b' } })],
}

/** After the body was read. */
const LATE: Record<string, [status: number, init: (server: string) => Init & { query?: string }]> = {
  'a query with a NUL': [400, (to) => ({ key: keys[to] ?? '', json: message(), query: '?a=%00' })],
  'too many values': [400, (to) => ({ key: keys[to] ?? '', json: call(Array.from({ length: 30_000 }, () => 1)) })],
  'another version of JSON-RPC': [400, (to) => ({ key: keys[to] ?? '', json: message({ jsonrpc: '1.0' }) })],
  'a method that is no text': [400, (to) => ({ key: keys[to] ?? '', json: message({ method: 5 }) })],
  'an unknown method': [200, (to) => ({ key: keys[to] ?? '', json: message({ method: 'no/such' }) })],
  'params that are a list': [400, (to) => ({ key: keys[to] ?? '', json: call([1]) })],
  'a call without a name': [400, (to) => ({ key: keys[to] ?? '', json: call({}) })],
  'arguments that are a text': [400, (to) => ({ key: keys[to] ?? '', json: call({ name: 'x', arguments: 'y' }) })],
  'an unknown tool': [200, (to) => ({ key: keys[to] ?? '', json: call({ name: 'no_such' }) })],
  '_meta that is a number': [400, (to) => ({ key: keys[to] ?? '', json: call({ name: 'x', _meta: 5 }) })],
  'an unknown protocol version': [
    400,
    (to) => ({ key: keys[to] ?? '', json: message(), headers: { 'mcp-protocol-version': '1999-01-01' } }),
  ],
}

async function send(server: string, { query = '', ...init }: Init & { query?: string }) {
  const request = testRequest(app.deps.config.baseUrl, server + query, init)
  requestContextOf(request).peer = () => '203.0.113.91'
  const response = await served.handle(request)
  return { status: response.status, reply: (await response.json()) as { id?: unknown; error?: { message?: string } } }
}

describe.each([CUSTOMER_SERVER, PRO_SERVER])('%s', (server) => {
  test.each(Object.entries(EARLY))('claims no id when it refuses a request unread: %s', async (_, [status, init]) => {
    if (status === 429) await send(server, init(server))
    const { status: actual, reply } = await send(server, init(server))
    expect([actual, 'id' in reply]).toEqual([status, false])
    expect(JSONRPCErrorResponseSchema.safeParse(reply).error).toBeUndefined()
  })

  test.each(Object.entries(LATE))('names the request that it refuses: %s', async (_, [status, init]) => {
    const { status: actual, reply } = await send(server, init(server))
    expect([actual, reply.id]).toEqual([status, ID])
    expect(JSONRPCErrorResponseSchema.safeParse(reply).error).toBeUndefined()
  })

  test.each([
    '{',
    '5',
    '[]',
    '{"jsonrpc":"2.0","id":null,"method":"ping"}',
    '{"jsonrpc":"2.0","id":{},"method":"ping"}',
  ])('gives the id null, as JSON-RPC requires, when a body has none: %s', async (body) => {
    const { status, reply } = await send(server, { key: keys[server] ?? '', method: 'POST', headers: JSON_TYPE, body })
    expect([status, reply.id]).toEqual([400, null])
  })
})
