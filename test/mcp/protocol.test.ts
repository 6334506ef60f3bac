// Guarantees for every client of the agent servers, independent of the tool.
import { describe, expect, test } from 'bun:test'

import { CUSTOMER_SERVER, PRO_SERVER, agentKey, agentPro, callTool, listedTools, rpc } from '../support/agents.ts'
import { openTestApp } from '../support/app.ts'
import { opened } from '../support/fixture.ts'
import { ctxOf } from '../../src/ctx.ts'

const app = await opened(openTestApp())
const key = await agentKey(app)
const proKey = (await agentPro(app)).key

const servers = () => [[CUSTOMER_SERVER, key] as const, [PRO_SERVER, proKey] as const]

describe('a plain client', () => {
  test('sends two headers and tools/list and gets JSON', async () => {
    for (const [server, key] of servers()) {
      const response = await app.send(server, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      })
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
      const { id, result } = (await response.json()) as { id: number; result: { tools: { name: string }[] } }
      expect(id).toBe(1)
      expect(result.tools.length).toBeGreaterThan(0)
    }
  })

  test('calls a tool and gets its result as text and as data', async () => {
    const { isError, structured, texts } = await callTool(app, CUSTOMER_SERVER, key, 'search_pros', {
      service: 'plumber',
      state: 'TX',
      limit: 2,
    })
    expect(isError).toBe(false)
    expect(JSON.parse(texts[0] ?? '')).toEqual(structured)
    expect(structured).toMatchObject({ meta: { limit: 2 } })
    const leads = await callTool(app, PRO_SERVER, proKey, 'list_leads')
    expect(leads.structured).toMatchObject({ meta: { limit: 10 } })
  })

  test('learns from the error how to correct an argument', async () => {
    const { isError, problem, texts } = await callTool(app, CUSTOMER_SERVER, key, 'search_pros', {
      limit: 'two',
      place: [1],
    })
    expect(isError).toBe(true)
    expect(problem).toMatchObject({ code: 'validation_failed' })
    expect(problem?.errors?.map(({ path }) => path).sort()).toEqual(['limit', 'place'])
    expect(texts[0]).toContain('What to do:')
  })
})

describe('a client that initializes', () => {
  test('initializes, sends its notification and lists tools', async () => {
    for (const [server, key] of servers()) {
      const { reply } = await rpc(app, server, key, 'initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      })
      expect(reply.result).toMatchObject({ protocolVersion: '2025-06-18', capabilities: { tools: {} } })
      const notified = await app.send(server, { key, json: { jsonrpc: '2.0', method: 'notifications/initialized' } })
      expect([notified.status, await notified.text()]).toEqual([202, ''])
      expect((await listedTools(app, server, key)).length).toBeGreaterThan(0)
      expect((await rpc(app, server, key, 'ping')).reply.result).toEqual({})
    }
  })
})

describe('a stateless client', () => {
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  }
  const headers = (method: string, name?: string) => ({
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name ? { 'mcp-name': name } : {}),
  })

  test('discovers the server, lists tools and calls one', async () => {
    for (const [server, key] of servers()) {
      const ask = (method: string, params: object = {}, name?: string) =>
        rpc(app, server, key, method, { ...params, _meta: envelope }, headers(method, name))
      const { reply: discovered } = await ask('server/discover')
      expect(discovered.result).toMatchObject({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} } })
      const { reply: listed } = await ask('tools/list')
      const [first] = (listed.result?.['tools'] ?? []) as { name: string }[]
      const { status, reply } = await ask('tools/call', { name: first?.name, arguments: {} }, first?.name)
      expect([status, reply.result?.['isError'] ?? false]).toEqual([200, false])
    }
  })

  const call = async (name: string, args: object, mcpName: string, meta: object = envelope) => {
    const params = { name, arguments: args, _meta: meta }
    const { status, reply } = await rpc(app, CUSTOMER_SERVER, key, 'tools/call', params, headers('tools/call', mcpName))
    return [status, JSON.stringify(reply).replaceAll(/[0-9a-f]{32}/g, 'a request')]
  }

  test.each([
    ['search_pros', { service: 'plumber', state: 'TX', limit: 2 }],
    ['search_pros', { service: 7 }],
    ['get_property', { id: 'not mine' }],
    ['no_such_tool', {}],
  ])('gets the same response with encoded and plain headers: %s %j', async (name, args) => {
    expect(await call(name, args, name)).toEqual(await call(name, args, `=?base64?${btoa(name)}?=`))
  })

  test('is refused when its headers or its envelope violate the protocol', async () => {
    const capabilities = 'io.modelcontextprotocol/clientCapabilities'
    const { [capabilities]: _left, ...partial } = envelope
    for (const [mcpName, meta] of [
      ['search_pros', partial],
      ['search_pros', { ...envelope, [capabilities]: 'all' }],
      ['get_reviews', envelope],
    ] as const)
      expect((await call('search_pros', { limit: 1 }, mcpName, meta))[0]).toBe(400)
  })
})

test('methods other than POST get 405', async () => {
  for (const [server, key] of servers())
    for (const method of ['GET', 'DELETE']) {
      const response = await app.send(server, { method, key })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    }
})

test('a request from a page of a foreign origin is refused', async () => {
  for (const [server, key] of servers()) {
    const { status, reply } = await rpc(app, server, key, 'tools/list', undefined, {
      origin: 'https://evil.test.example',
    })
    expect([status, reply.error?.data?.code]).toEqual([403, 'origin_not_allowed'])
  }
})

test('an authentication error is a JSON-RPC error with code and problem', async () => {
  const { status, headers, reply } = await rpc(app, CUSTOMER_SERVER, 'garbage', 'tools/list')
  expect([status, headers.get('content-type'), headers.get('www-authenticate')]).toEqual([
    401,
    'application/json',
    `Bearer realm="hearth", error="invalid_token", scope="mcp:read mcp:write packages:read packages:book", resource_metadata="${app.deps.config.baseUrl}/.well-known/oauth-protected-resource/api/mcp/customer"`,
  ])
  expect(reply).toMatchObject({ error: { code: -32001, data: { code: 'invalid_key' } } })
  expect('id' in reply).toBe(false)
})

describe('the pro server reports that it needs', () => {
  test('its feature flag', async () => {
    const off = await openTestApp('seeded', { env: { FEATURE_PRO_MCP: 'false' } })
    const { key } = await agentPro(off)
    const { status, reply } = await rpc(off, PRO_SERVER, key, 'tools/list')
    expect([status, reply.id, reply.error?.data]).toMatchObject([
      404,
      1,
      { code: 'feature_disabled', feature: 'FEATURE_PRO_MCP' },
    ])
    await off.close()
  })

  test('a pro’s key with both scopes', async () => {
    for (const scope of ['mcp:read', 'mcp:write'] as const) {
      const { key } = await agentPro(app, { scopes: [scope] })
      const { status, reply } = await rpc(app, PRO_SERVER, key, 'tools/list')
      expect([status, reply.error?.data]).toMatchObject([
        403,
        { code: 'insufficient_scope', requiredScopes: ['mcp:read', 'mcp:write'] },
      ])
    }
    expect((await rpc(app, PRO_SERVER, key, 'tools/list')).status).toBe(401)
  })

  test('a subscription plan', async () => {
    const { key } = await agentPro(app, { plan: 'none', skip: 1 })
    const { status, reply } = await rpc(app, PRO_SERVER, key, 'tools/list')
    expect([status, reply.error?.data?.code]).toEqual([403, 'plan_required'])
  })

  test('remaining agent tasks', async () => {
    const pro = await agentPro(app, { plan: 'verified', skip: 2 })
    const { reserveTask, settleTask } = await import('../../src/features/agents/metering/verbs.ts')
    for (let index = 0; index < 100; index++) {
      const taskId = app.deps.ids.uuid()
      await reserveTask(ctxOf(app.deps), { taskId, kind: 'run_agent', professionalId: pro.id })
      await settleTask(ctxOf(app.deps), { professionalId: pro.id, taskId })
    }
    const { isError, problem } = await callTool(app, PRO_SERVER, pro.key, 'list_leads')
    expect([isError, problem]).toMatchObject([true, { code: 'agent_tasks_exhausted', resetsAt: expect.any(String) }])
  })
})
