// Protocol 2026-07-28 to the letter: codes of errors, cancellation by closing the connection, and cache hints.
import { describe, expect, test } from 'bun:test'

import { type ErrorCode, AppError, ERRORS } from '../../src/errors/app-error.ts'
import { rpcError } from '../../src/http/problem.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { CUSTOMER_SERVER, PRO_SERVER, PUBLIC_SERVER, agentKey, agentPro, rpc } from '../support/agents.ts'
import { openTestApp } from '../support/app.ts'
import { opened } from '../support/fixture.ts'
import { callTool } from '../../src/mcp/server/call-tool.ts'
import { proServer } from '../../src/mcp/pro/definition.ts'
import { identityOf } from '../../src/auth/caller.ts'

const app = await opened(openTestApp())
const key = await agentKey(app)
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
}
const headersOf = (method: string, name?: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name === undefined ? {} : { 'mcp-name': name }),
})
const ask = (path: string, method: string, params: object = {}, name?: string) =>
  rpc(app, path, path === PUBLIC_SERVER ? '' : key, method, { ...params, _meta: envelope }, headersOf(method, name))

/** JSON-RPC's own codes; the protocol's are the SDK's. */
const STANDARD = [-32_700, -32_600, -32_601, -32_602, -32_603]
const isReserved = (code: number) => code <= -32_000 && code >= -32_768

describe('an error', () => {
  test.each(Object.keys(ERRORS) as ErrorCode[])(
    'has a code that is free for applications, or of JSON-RPC: %s',
    (code) => {
      const error = new AppError(code, 'It failed.')
      const { code: stateless } = rpcError(app.deps, error, { isStateless: true })
      expect(isReserved(stateless) ? STANDARD : [stateless]).toContain(stateless)
      expect(rpcError(app.deps, error, {}).code).toBe(ERRORS[code].rpc)
    },
  )

  test('has the same code from the guard, from a message and from a tool, and the older one in the older era', async () => {
    const codeOf = async (send: ReturnType<typeof rpc>) => (await send).reply.error?.code
    expect(await codeOf(rpc(app, CUSTOMER_SERVER, 'garbage', 'tools/list', {}, headersOf('tools/list')))).toBe(401)
    expect(await codeOf(rpc(app, CUSTOMER_SERVER, 'garbage', 'tools/list'))).toBe(-32_001)
    const reader = await app.key(['mcp:read'])
    const write = { name: 'request_quote', arguments: {}, _meta: envelope }
    const headers = headersOf('tools/call', 'request_quote')
    expect(await codeOf(rpc(app, CUSTOMER_SERVER, reader, 'tools/call', write, headers))).toBe(403)
    const { _meta: _, ...plain } = write
    expect(await codeOf(rpc(app, CUSTOMER_SERVER, reader, 'tools/call', plain))).toBe(-32_003)
  })
})

describe('a closed connection', () => {
  const pro = agentPro(app)
  const callAs = async (signal: AbortSignal, args: Record<string, unknown>) => {
    const { key: proKey, id } = await pro
    const request = new Request(app.deps.config.baseUrl, { headers: { authorization: `Bearer ${proKey}` } })
    const caller = await identityOf(app.deps).identify(request, () => undefined)
    if (!caller) throw new Error('The key has no caller.')
    const tool = proServer.tools.find(({ name }) => name === 'prepare_day_brief')
    if (!tool) throw new Error('There is no such tool.')
    const authorize = async () => await proServer.authorize(app.deps, caller)
    const result = await callTool({ deps: app.deps, server: proServer, authorize, signal }, tool, args)
    const [{ tasks } = { tasks: -1 }] = await app.sql<{ tasks: number }[]>`
      select count(*)::integer as tasks from metered_tasks where professional_id = ${id}`
    return { result, tasks }
  }

  test.each([{}, { idempotencyKey: 'a-closed-connection' }])('begins no work and uses no task: %j', async (args) => {
    const before = await callAs(AbortSignal.abort(), {})
    const { result, tasks } = await callAs(AbortSignal.abort(), args)
    expect([result.isError, JSON.stringify(result.content)]).toEqual([true, expect.stringContaining('cancelled: ')])
    expect(tasks).toBe(before.tasks)
    const open = await callAs(new AbortController().signal, args)
    expect([open.result.isError ?? false, open.tasks > tasks]).toEqual([false, true])
  })
})

test('a call that waits for a run stops waiting when its connection is closed, and the run goes on', async () => {
  const { key: proKey, id } = await agentPro(app, { skip: 1 })
  const ended = Promise.withResolvers<void>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const response = await app.app.handle(request)
      ended.resolve()
      return response
    },
  })
  const args = { goal: 'Prepare my day', waitSeconds: 7 }
  const json = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'run_agent', arguments: args, _meta: envelope },
  }
  const connection = new AbortController()
  const startedMs = performance.now()
  const sent = fetch(`http://127.0.0.1:${server.port}${PRO_SERVER}`, {
    method: 'POST',
    headers: {
      ...headersOf('tools/call', 'run_agent'),
      authorization: `Bearer ${proKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      host: new URL(app.deps.config.baseUrl).host,
    },
    body: JSON.stringify(json),
    signal: connection.signal,
  }).then(
    () => 'answered',
    () => 'closed',
  )
  const runs = async () => await app.sql`select from agent_runs where professional_id = ${id}`
  expect(await waitUntil(async () => (await runs()).length === 1, 5000)).toBe(true)
  connection.abort()
  expect(await sent).toBe('closed')
  await ended.promise
  expect(performance.now() - startedMs).toBeLessThan(6500)
  expect(await runs()).toHaveLength(1)
  await server.stop(true)
})

describe('a list', () => {
  const LISTS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'server/discover']

  test.each(LISTS)('says how long it may be kept, and by whom: %s', async (method) => {
    const ofKey = await ask(CUSTOMER_SERVER, method)
    expect(ofKey.reply.result).toMatchObject({ ttlMs: 300_000, cacheScope: 'private' })
    const ofEverybody = await ask(PUBLIC_SERVER, method)
    expect(ofEverybody.reply.result).toMatchObject({ ttlMs: 300_000, cacheScope: 'public' })
  })

  test('of the older era has no such members', async () => {
    const { reply } = await rpc(app, CUSTOMER_SERVER, key, 'tools/list')
    expect(Object.keys(reply.result ?? {})).toEqual(['tools'])
  })
})
