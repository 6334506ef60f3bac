// Both generations of the official client, in both protocol eras, list and call every tool over HTTP and stdio. curl with
// two headers does as well.
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OlderStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OlderHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

import { FEATURES } from '../../src/config.ts'
import { systemClock } from '../../src/platform/clock/clock.ts'
import { CUSTOMER_SERVER, PRO_SERVER } from '../support/agents.ts'
import { openTestApp } from '../support/app.ts'
import { startServer } from '../support/server.ts'
import { CLIENT_TOOLS, CUSTOMER_CALLS, PRO_CALLS, createToolFixture } from '../support/tool-fixture.ts'
import { opened } from '../support/fixture.ts'

const HEARTH = join(import.meta.dir, '../../src/cli.ts')
const LONG_MS = 120_000
const app = await opened(openTestApp('seeded', { clock: systemClock }))
const server = await opened(
  startServer({ ...app, env: Object.fromEntries(FEATURES.map((name) => [name, 'true'])) }),
  'stop',
)
const world = await createToolFixture(app)

interface Session {
  list(): Promise<string[]>
  call(name: string, args: object): Promise<{ [member: string]: unknown }>
  close(): Promise<void>
}

interface Target {
  program: 'customer' | 'pro'
  path: string
  key: string
}

const INFO = { name: 'test', version: '1.0.0' }
const authorized = ({ key }: Target) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } })
const programOf = ({ program, key }: Target) => ({
  command: process.execPath,
  args: [HEARTH, 'mcp', program],
  env: { HEARTH_URL: server.url, HEARTH_API_KEY: key, PATH: process.env['PATH'] ?? '' },
})

async function newer(
  transport: StreamableHTTPClientTransport | StdioClientTransport,
  mode: 'legacy' | { pin: string },
): Promise<Session> {
  const client = new Client(INFO, { versionNegotiation: { mode } })
  await client.connect(transport)
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => await client.callTool({ name, arguments: { ...args } }),
    close: () => client.close(),
  }
}

async function older(transport: OlderHttpTransport | OlderStdioTransport): Promise<Session> {
  const client = new OlderClient(INFO)
  await client.connect(transport)
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => await client.callTool({ name, arguments: { ...args } }),
    close: () => client.close(),
  }
}

/** curl with two headers and a body, as in the specification. */
function curl({ path, key }: Target): Session {
  const send = async (method: string, params?: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(params ? { params } : {}) })
    const headers = ['-H', `Authorization: Bearer ${key}`, '-H', 'Content-Type: application/json']
    const child = Bun.spawn(['curl', '-s', server.url + path, ...headers, '-d', body], { stdout: 'pipe' })
    const { result, error } = (await new Response(child.stdout).json()) as { result?: never; error?: object }
    if (!result) throw new Error(JSON.stringify(error))
    return result
  }
  return {
    list: async () => ((await send('tools/list')) as { tools: { name: string }[] }).tools.map(({ name }) => name),
    call: async (name, args) => await send('tools/call', { name, arguments: args }),
    close: () => Promise.resolve(),
  }
}

const STATELESS = { pin: '2026-07-28' }
const httpTo = (target: Target) => new URL(server.url + target.path)

const CLIENTS: Record<string, (target: Target) => Promise<Session>> = {
  'the client, era of initialize, HTTP': (to) =>
    newer(new StreamableHTTPClientTransport(httpTo(to), authorized(to)), 'legacy'),
  'the client, stateless era, HTTP': (to) =>
    newer(new StreamableHTTPClientTransport(httpTo(to), authorized(to)), STATELESS),
  'the client, era of initialize, stdio': (to) => newer(new StdioClientTransport(programOf(to)), 'legacy'),
  'the client, stateless era, stdio': (to) => newer(new StdioClientTransport(programOf(to)), STATELESS),
  'the older client, HTTP': (to) => older(new OlderHttpTransport(httpTo(to), authorized(to))),
  'the older client, stdio': (to) => older(new OlderStdioTransport(programOf(to))),
  curl: (to) => Promise.resolve(curl(to)),
}

describe.each(Object.keys(CLIENTS))('%s', (name) => {
  const open = CLIENTS[name]
  if (!open) throw new Error('A client is missing.')

  const callAll = async (session: Session, calls: typeof PRO_CALLS, skip: (tool: string) => boolean) => {
    const listed = await session.list()
    expect(listed.filter((tool) => !(tool in calls))).toEqual([])
    for (const tool of listed.filter((tool) => !skip(tool))) {
      const args = await calls[tool]?.(world)
      const result = await session.call(tool, args ?? {})
      expect([tool, result.isError ? result.content : 'done']).toEqual([tool, 'done'])
      expect([tool, typeof result.structuredContent]).toEqual([tool, 'object'])
    }
    return listed
  }

  test(
    'lists and calls every tool of the customer server',
    async () => {
      const customer = await open({ program: 'customer', path: CUSTOMER_SERVER, key: world.keys.customer })
      const listed = await callAll(customer, CUSTOMER_CALLS, () => false)
      await customer.close()
      const client = await open({ program: 'customer', path: CUSTOMER_SERVER, key: world.keys.client })
      const clients = await callAll(client, CUSTOMER_CALLS, (tool) => !CLIENT_TOOLS.has(tool))
      await client.close()
      expect([...new Set([...listed, ...clients])].toSorted()).toEqual(Object.keys(CUSTOMER_CALLS).toSorted())
    },
    LONG_MS,
  )

  test(
    'lists and calls every tool of the pro server',
    async () => {
      const session = await open({ program: 'pro', path: PRO_SERVER, key: world.keys.pro })
      await callAll(session, PRO_CALLS, () => false)
      await session.close()
    },
    LONG_MS,
  )
})
