// Tool calls count against the rate limits of their key, by the scope they need, also within a batch.
import { describe, expect, test } from 'bun:test'

import { createKey } from '../../src/auth/keys/verbs/keys.ts'
import { CUSTOMER_SERVER, type RpcReply } from '../support/agents.ts'
import { openTestApp, testRequest } from '../support/app.ts'
import { startServer } from '../support/server.ts'
import { ctxOf } from '../../src/ctx.ts'
import { opened } from '../support/fixture.ts'
const app = await opened(openTestApp())
const server = await opened(startServer(app), 'stop')

const send = (path: string, init: Parameters<typeof testRequest>[2]) => fetch(testRequest(server.url, path, init))

async function ask(key: string, method: string, params?: object) {
  const response = await send(CUSTOMER_SERVER, { key, json: { jsonrpc: '2.0', id: 1, method, params } })
  return { status: response.status, headers: response.headers, reply: (await response.json()) as RpcReply }
}

/** A key with the default limits: 120 reads and 30 writes a minute, 1,000 calls an hour. */
const plainKey = async () =>
  (
    await createKey(ctxOf(app.deps), {
      ownerEmail: 'limits@test.example',
      scopes: ['mcp:read', 'mcp:write', 'pros:read'],
      name: 'limited',
    })
  ).secret

/** A write without effect, because its arguments are invalid. */
const write = (key: string) => ask(key, 'tools/call', { name: 'request_quote', arguments: {} })

/** The code of the error in the result of a call. */
function refusalOf({ result }: RpcReply): string {
  const { isError, content } = result as { isError: boolean; content: { text: string }[] }
  expect(isError).toBe(true)
  return content[0]?.text.split(':')[0] ?? ''
}

const read = (key: string) => ask(key, 'tools/list')

describe('one key', () => {
  test('writes thirty times a minute, and can still read after that', async () => {
    const key = await plainKey()
    const refusals: string[] = []
    for (let index = 0; index < 31; index++) refusals.push(refusalOf((await write(key)).reply))
    expect(new Set(refusals.slice(0, 30))).toEqual(new Set(['validation_failed']))
    // As a result: clients show their models no other response.
    const { status, headers, reply } = await write(key)
    expect([status, refusalOf(reply)]).toEqual([200, 'rate_limited'])
    const { content } = reply.result as { content: { text: string }[] }
    expect(content[0]?.text).toMatch(/"mcp-write-minute" is 30 requests in 60 seconds\. Try again in \d+ seconds/)
    expect(headers.get('ratelimit')).toContain('"mcp-write-minute";r=0;')
    expect((await ask(key, 'prompts/get', { name: 'find_and_book' })).status).not.toBe(429)
    const response = await read(key)
    expect([response.status, response.headers.get('ratelimit-policy')]).toEqual([
      200,
      expect.stringContaining('"mcp-read-minute";q=120;w=60'),
    ])
  })

  test('shares its hourly limit with REST', async () => {
    const key = await plainKey()
    await send('/api/v1/pros?limit=1', { key })
    const { headers } = await read(key)
    expect(headers.get('ratelimit')).toContain('"key";r=998;')
  })
})

test('a batch counts each of its messages, and those beyond the limit are refused one by one', async () => {
  const key = await plainKey()
  const batch = Array.from({ length: 20 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))
  const sendBatch = async () => {
    const response = await send(CUSTOMER_SERVER, { key, json: batch })
    return (await response.json()) as RpcReply[]
  }
  for (let index = 0; index < 6; index++) expect((await sendBatch()).every(({ result }) => result)).toBe(true)
  const refused = await sendBatch()
  expect(refused.map(({ id, error }) => [id, error?.code])).toEqual(batch.map(({ id }) => [id, -32_005]))
})

test('malformed messages count too', async () => {
  const key = await plainKey()
  const headers = { 'content-type': 'application/json' }
  for (const body of ['{', '5', '[]', '{"jsonrpc":"2.0","method":"notifications/initialized"}'])
    await send(CUSTOMER_SERVER, { method: 'POST', key, body, headers })
  expect((await read(key)).headers.get('ratelimit')).toContain('"mcp-read-minute";r=115;')
})
