// A client that knows only the host finds the agent servers and their requirements before it connects.
import { expect, test } from 'bun:test'

import { createApp } from '../../src/app.ts'
import { AGENT_CARDS, CARD_TYPE } from '../../src/mcp/server/cards.ts'
import { CUSTOMER_SERVER, PRO_SERVER, PUBLIC_SERVER, agentKey, agentPro, rpc } from '../support/agents.ts'
import { openTestApp, testRequest } from '../support/app.ts'
import { opened } from '../support/fixture.ts'

const app = await opened(openTestApp())

const SERVERS: readonly string[] = [CUSTOMER_SERVER, PRO_SERVER, PUBLIC_SERVER]

interface Card {
  $schema: string
  name: string
  version: string
  title: string
  description: string
  icons: { src: string }[]
  remotes: {
    type: string
    url: string
    headers: { name: string; value: string }[]
    supportedProtocolVersions: string[]
  }[]
}

// Documents are not operations and are not in the OpenAPI contract.
const get = async (path: string, of = app) => await of.app.handle(testRequest(of.deps.config.baseUrl, path, {}))
const pathOf = (url: string) => new URL(url).pathname

test('the catalog lists a card for each server, and the card has the server’s address', async () => {
  const response = await get('/.well-known/ai-catalog.json')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/ai-catalog+json'])
  const { entries } = (await response.json()) as { entries: { identifier: string; type: string; url: string }[] }
  expect(entries.map(({ identifier, type }) => [identifier, type])).toEqual([
    ['urn:air:localhost:hearth-pro', CARD_TYPE],
    ['urn:air:localhost:hearth-customer', CARD_TYPE],
    ['urn:air:localhost:hearth-public', CARD_TYPE],
  ])
  const keys = [(await agentPro(app)).key, await agentKey(app), '']
  for (const [index, { url }] of entries.entries()) {
    const card = (await (await get(pathOf(url))).json()) as Card
    const [remote] = card.remotes
    expect(remote?.type).toBe('streamable-http')
    if (keys[index]) expect(remote?.headers).toMatchObject([{ name: 'Authorization', isSecret: true }])
    else expect(remote).not.toHaveProperty('headers')
    const { reply } = await rpc(app, pathOf(remote?.url ?? ''), keys[index] ?? '', 'initialize', {
      protocolVersion: remote?.supportedProtocolVersions[1],
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    })
    const { name, title, version, icons } = card
    expect(reply.result).toMatchObject({ serverInfo: { name, title, version, icons } })
    expect((await get(pathOf(icons[0]?.src ?? ''))).headers.get('content-type')).toBe('image/svg+xml')
  }
})

test('the API’s own paths serve the same valid cards to pages of any origin', async () => {
  for (const { wellKnown, server } of AGENT_CARDS) {
    const response = await get(wellKnown)
    expect([response.headers.get('content-type'), response.headers.get('access-control-allow-origin')]).toEqual([
      CARD_TYPE,
      '*',
    ])
    const card = (await response.json()) as Card
    expect((await (await get(`${server.path}/server-card`)).json()) as Card).toEqual(card)
    expect(card.$schema).toBe('https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json')
    expect(card.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    expect(card.description.length).toBeLessThanOrEqual(100)
  }
})

test('the API catalog lists both servers with their cards', async () => {
  const { linkset } = (await (await get('/.well-known/api-catalog')).json()) as {
    linkset: { anchor: string; 'service-desc'?: { href: string }[] }[]
  }
  for (const server of [PRO_SERVER, CUSTOMER_SERVER, PUBLIC_SERVER]) {
    const [card] = linkset.find(({ anchor }) => pathOf(anchor) === server)?.['service-desc'] ?? []
    expect((await get(pathOf(card?.href ?? ''))).status).toBe(200)
  }
})

test('a server whose flag is off has no card', async () => {
  const off = await openTestApp('migrated', { env: { FEATURE_PRO_MCP: 'false' } })
  expect((await get('/.well-known/mcp/server-card.json', off)).status).toBe(404)
  expect(await (await get('/.well-known/ai-catalog.json', off)).text()).not.toContain('hearth-pro')
  await off.close()
})

test('every address in /llms.txt exists', async () => {
  const response = await get('/llms.txt')
  const text = await response.text()
  expect([response.headers.get('content-type'), text.slice(0, 9)]).toEqual(['text/plain; charset=utf-8', '# Hearth\n'])
  const paths = Array.from(text.matchAll(/\((http[^)]+)\)/g), ([, url]) => pathOf(url ?? ''))
  expect(paths).toEqual(expect.arrayContaining([...SERVERS, '/openapi.json']))
  for (const path of paths) {
    expect([path, (await get(path)).status]).toEqual([path, SERVERS.includes(path) ? 405 : 200])
  }
})

test('OpenAI’s directory of apps reads the token that was configured, and nothing without one', async () => {
  const path = '/.well-known/openai-apps-challenge'
  expect((await get(path)).status).toBe(404)
  const config = { ...app.deps.config, openaiAppsChallenge: 'token-of-the-directory' }
  const configured = createApp({ ...app.deps, config })
  const response = await configured.handle(testRequest(config.baseUrl, path, {}))
  expect([response.status, await response.text()]).toEqual([200, 'token-of-the-directory'])
})
