// The public agent server: search, open times, prices and reviews without a key, at the rate of public paths. What needs a person
// is on the customer server, which keeps its 401.
import { describe, expect, test } from 'bun:test'

import { requestContextOf } from '../../src/auth/request-context.ts'
import { customerTools } from '../../src/mcp/customer/tools.ts'
import { publicServer } from '../../src/mcp/customer/public.ts'
import { CUSTOMER_SERVER, PUBLIC_SERVER, type RpcReply, agentKey, readResult, rpc } from '../support/agents.ts'
import { openTestApp, testRequest } from '../support/app.ts'
import { opened } from '../support/fixture.ts'

const app = await opened(openTestApp())
const key = await agentKey(app, ['mcp:read', 'mcp:write', 'packages:read', 'packages:book'])

async function ask(method: string, params?: object, init: { headers?: Record<string, string>; from?: string } = {}) {
  const { headers = {}, from = '203.0.113.7' } = init
  const json = { jsonrpc: '2.0', id: 1, method, params }
  const request = testRequest(app.deps.config.baseUrl, PUBLIC_SERVER, { json, headers })
  requestContextOf(request).peer = () => from
  const response = await app.app.handle(request)
  return { status: response.status, reply: (await response.json()) as RpcReply }
}
const call = async (name: string, args: object) => {
  const { reply } = await ask('tools/call', { name, arguments: args })
  return readResult(reply.result ?? {})
}

interface Listed {
  name: string
  annotations: { readOnlyHint: boolean }
}
const listOf = ({ result }: RpcReply) => (result?.['tools'] ?? []) as Listed[]

describe('without a key', () => {
  test('an agent lists the reading tools that need no identity, as the customer server defines them', async () => {
    const { status, reply } = await ask('tools/list')
    const tools = listOf(reply)
    expect(status).toBe(200)
    expect(tools.every(({ annotations }) => annotations.readOnlyHint)).toBe(true)
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['search_pros', 'list_services', 'query_availability', 'get_reviews']),
    )
    const names = new Set(tools.map(({ name }) => name))
    const { reply: all } = await rpc(app, CUSTOMER_SERVER, key, 'tools/list')
    expect(listOf(all).filter(({ name }) => names.has(name))).toEqual(tools)
    expect(publicServer.tools.map(({ name }) => name)).toEqual(
      customerTools.filter(({ isOpen }) => isOpen).map(({ name }) => name),
    )
  })

  test('an agent finds a pro, sees times with their price, and reads reviews', async () => {
    const found = await call('search_pros', { service: 'plumber', state: 'TX', instantBook: true, limit: 1 })
    const [pro] = found.structured['professionals'] as { id: string; services: { id: string; price?: object }[] }[]
    const [service] = pro?.services ?? []
    expect(service?.price).toMatchObject({ text: expect.any(String) })
    const times = await call('query_availability', { professionalId: pro?.id, serviceId: service?.id })
    expect(times.structured).toMatchObject({ bookable: true, price: { type: expect.any(String) } })
    const reviews = await call('get_reviews', { professionalId: pro?.id })
    expect(reviews.structured).toMatchObject({ stats: { total: expect.any(Number) } })
    const read = await ask('resources/read', { uri: `hearth://pros/${pro?.id}` })
    expect(JSON.stringify(read.reply.result)).toContain(pro?.id ?? '')
  })

  test('an agent that needs a person is told where the tool is, and the customer server answers 401', async () => {
    for (const { name } of customerTools.filter(({ isOpen }) => !isOpen)) {
      const { reply } = await ask('tools/call', { name, arguments: {} }, { from: '203.0.113.8' })
      expect([name, reply.error?.data?.code, reply.error?.message]).toEqual([
        name,
        'unknown_tool',
        expect.stringContaining(`${app.deps.config.baseUrl}${CUSTOMER_SERVER}`),
      ])
    }
    const { status, headers } = await rpc(app, CUSTOMER_SERVER, '', 'tools/list')
    expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('resource_metadata=')])
  })

  test('no tool or resource of a person is open', async () => {
    expect(customerTools.filter(({ isOpen, access }) => isOpen && access !== 'read')).toEqual([])
    const { reply } = await ask('resources/templates/list')
    expect(JSON.stringify(reply.result)).not.toContain('hearth://bookings')
    const read = await ask('resources/read', { uri: 'hearth://bookings/0192a6a0-0000-7000-8000-000000000000' })
    expect(read.reply.error?.code).toBe(-32_602)
  })
})

test('a key is ignored, also one that is wrong', async () => {
  const { status } = await ask('tools/list', {}, { headers: { authorization: 'Bearer garbage' } })
  expect(status).toBe(200)
})

test('a page of another site cannot call it', async () => {
  const { status, reply } = await ask('tools/list', {}, { headers: { origin: 'https://elsewhere.test.example' } })
  expect([status, reply.error?.data?.code]).toEqual([403, 'origin_not_allowed'])
})

test('an address has as many messages a minute as requests to public paths, together', async () => {
  const limited = { ...app.deps.config, publicRatePerMinute: 5 }
  const { createApp } = await import('../../src/app.ts')
  const other = createApp({ ...app.deps, config: limited })
  const send = async (path: string, json?: object) => {
    const request = testRequest(limited.baseUrl, path, json ? { json } : {})
    requestContextOf(request).peer = () => '203.0.113.99'
    return await other.handle(request)
  }
  const message = { jsonrpc: '2.0', id: 1, method: 'ping' }
  expect((await send('/api/v1/cities?limit=1')).status).toBe(200)
  expect((await send(PUBLIC_SERVER, message)).status).toBe(200)
  const batch = (await (await send(PUBLIC_SERVER, [message, message, message, message] as object)).json()) as RpcReply[]
  expect(batch.map(({ error }) => error?.data?.code ?? 'ok')).toEqual(['ok', 'ok', 'ok', 'rate_limited'])
  const refused = await send(PUBLIC_SERVER, message)
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
})
