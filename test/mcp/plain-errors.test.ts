// What the agent servers say about messages that do not follow the protocol, in both of its eras: sentences with field names.
import { expect, test } from 'bun:test'

import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server'

import { CUSTOMER_SERVER, PRO_SERVER, agentKey, agentPro } from '../support/agents.ts'
import { openTestApp, testRequest } from '../support/app.ts'
import { opened } from '../support/fixture.ts'
import { libraryTextsIn } from '../support/library-texts.ts'

const app = await opened(openTestApp())
const keys: [server: string, key: string][] = [
  [CUSTOMER_SERVER, await agentKey(app)],
  [PRO_SERVER, (await agentPro(app)).key],
]

const VALUES: readonly unknown[] = [null, 5, 'x', [], { a: {} }]
const METHODS = ['initialize', 'ping', 'tools/list', 'tools/call', 'server/discover', 'logging/setLevel']
const MORE_METHODS = ['resources/read', 'prompts/get', 'completion/complete', 'tasks/get', 'subscriptions/listen', 'no']
const PARAMS = ['cursor', 'name', 'arguments', '_meta', 'protocolVersion', 'capabilities', 'clientInfo', 'level', 'uri']
const MORE_PARAMS = ['ref', 'task', 'inputResponses', 'requestState']
const STATELESS = {
  [PROTOCOL_VERSION_META_KEY]: '2026-07-28',
  [CLIENT_INFO_META_KEY]: { name: 'test', version: '1' },
  [CLIENT_CAPABILITIES_META_KEY]: {},
}
const META = [...Object.keys(STATELESS), 'io.modelcontextprotocol/logLevel', 'progressToken', 'traceparent']
const HEADERS = ['mcp-method', 'mcp-name', 'mcp-protocol-version', 'mcp-session-id']

interface Malformed {
  method: string
  params: unknown
  headers?: Record<string, string>
}

const stateless = (method: string, params: object, headers: Record<string, string> = {}): Malformed => ({
  method,
  params: { name: 'search_pros', arguments: {}, _meta: STATELESS, ...params },
  headers: {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(method === 'tools/call' ? { 'mcp-name': 'search_pros' } : {}),
    ...headers,
  },
})

const initialize = (params: object): Malformed => ({
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' }, ...params },
})

/** Requests with `value` in every place where the protocol expects something of its own. */
const malformed = (value: unknown): Malformed[] => [
  ...[...METHODS, ...MORE_METHODS].flatMap((method) => [
    { method, params: value },
    ...[...PARAMS, ...MORE_PARAMS].flatMap((name) => [
      { method, params: { [name]: value } },
      { method, params: { name: 'search_pros', arguments: {}, [name]: value } },
      stateless(method, { [name]: value }),
    ]),
  ]),
  ...META.flatMap((name) => [
    { method: 'tools/list', params: { _meta: { [name]: value } } },
    stateless('tools/list', { _meta: { ...STATELESS, [name]: value } }),
  ]),
  ...HEADERS.map((name) => stateless('tools/call', {}, { [name]: String(value) })),
  initialize({ protocolVersion: value }),
  initialize({ clientInfo: value }),
  initialize({ clientInfo: { name: value, version: value, icons: value } }),
  initialize({ capabilities: value }),
  ...['roots', 'sampling', 'elicitation', 'experimental', 'tasks', 'extensions'].map((name) =>
    initialize({ capabilities: { [name]: value } }),
  ),
]

test('name what is wrong without a word of a library', async () => {
  const dumps = new Set<string>()
  let refused = 0
  for (const [index, { method, params, headers = {} }] of VALUES.flatMap(malformed).entries()) {
    const [server, key] = keys[index % 2] ?? ['', '']
    const json = { jsonrpc: '2.0', id: 1, method, params }
    const text = await (
      await app.app.handle(testRequest(app.deps.config.baseUrl, server, { key, json, headers }))
    ).text()
    if (text.includes('"error":')) refused++
    for (const dump of libraryTextsIn(text)) dumps.add(`${method}: ${dump}`)
  }
  expect([...dumps]).toEqual([])
  expect(refused).toBeGreaterThan(1000)
}, 60_000)

test.each([
  [
    initialize({ protocolVersion: 5, clientInfo: undefined }),
    'params.protocolVersion must be text; params.clientInfo is required.',
  ],
  [initialize({ capabilities: { elicitation: 5 } }), 'params.capabilities.elicitation must be an object.'],
  [{ method: 'tools/list', params: { cursor: 5 } }, 'params.cursor must be text.'],
  [
    stateless('tools/list', { _meta: { ...STATELESS, [CLIENT_INFO_META_KEY]: 5 } }),
    `params._meta.${CLIENT_INFO_META_KEY} does not follow the protocol.`,
  ],
])('name each field: %j', async ({ method, params, headers = {} }, message) => {
  for (const [server, key] of keys) {
    const response = await app.send(server, { key, json: { jsonrpc: '2.0', id: 1, method, params }, headers })
    expect([response.status, await response.json()]).toMatchObject([400, { id: 1, error: { code: -32_602, message } }])
  }
})
