// Apps connect from nothing but the address of a server: both generations of the official client, and an independent one, with
// a person who signs in and agrees in a real browser. In the long form also clients that have to be installed.
import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Client, StreamableHTTPClientTransport, UnauthorizedError, auth } from '@modelcontextprotocol/client'
import { UnauthorizedError as OlderUnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

import { FEATURES } from '../../src/config.ts'
import { findFreePort } from '../../src/local/ports.ts'
import { systemClock } from '../../src/platform/clock/clock.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { CUSTOMER_SERVER, PRO_SERVER, PUBLIC_SERVER, agentKey } from '../support/agents.ts'
import { openTestApp } from '../support/app.ts'
import { BROWSER_START_MS, openBrowser, watchPage } from '../support/browser.ts'
import { LOOPBACK_CERTIFICATE } from '../support/certificate.ts'
import {
  AppStorage,
  type PersonAtBrowser,
  allow,
  decide,
  openCallback,
  openMetadataHost,
  openRequest,
  runWithPerson,
} from '../support/connecting.ts'
import { runAuthorizationConformance } from '../support/conformance.ts'
import { checkPage } from '../support/console.ts'
import { newAddress } from '../support/customers.ts'
import { FOREIGN_CLIENTS, KEYED_CLIENTS } from '../support/foreign-clients.ts'
import { callResource, openIndependentClient } from '../support/independent-client.ts'
import { longForm } from '../support/long-form.ts'
import { findPros } from '../support/reviews.ts'
import { startServer } from '../support/server.ts'
import { createTestUser } from '../support/visitor.ts'
import { opened } from '../support/fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'hearth-connecting-'))
const INFO = { name: 'test', version: '1.0.0' }
const LONG_MS = 60_000
const authority = join(folder, 'authority.pem')
writeFileSync(authority, LOOPBACK_CERTIFICATE)
const app = await opened(openTestApp('seeded', { clock: systemClock }))
const port = await findFreePort()
const server = await opened(
  startServer({
    ...app,
    port,
    env: {
      ...Object.fromEntries(FEATURES.map((name) => [name, 'true'])),
      BASE_URL: `http://127.0.0.1:${port}`,
      CLIENT_METADATA_ALLOW_PRIVATE: '1',
      NODE_EXTRA_CA_CERTS: authority,
    },
  }),
  'stop',
)
const browser = await opened(openBrowser())
const watched = await watchPage(browser)
const callback = await opened(openCallback(), 'stop')
const host = await opened(openMetadataHost('Documented assistant', callback), 'stop')
const [first] = await findPros(app, 1)
const { page } = watched
const pro: PersonAtBrowser = { app, page, email: await createTestUser(app, 'pro', { pro: first?.id ?? '' }) }
const customer: PersonAtBrowser = { app, page, email: newAddress() }
afterAll(() => rmSync(folder, { recursive: true }))

/** An app that is connected: the tools it sees, a call, and the answer of a person to a request for more. */
interface Connection {
  list(): Promise<string[]>
  call(name: string): Promise<unknown>
  finish(answer: URLSearchParams): Promise<void>
  close(): Promise<void>
}

type Connect = (path: string, storage: AppStorage) => Promise<Connection>

const newer: Connect = async (path, storage) => {
  const client = new Client(INFO, { versionNegotiation: { mode: 'auto' } })
  const transport = new StreamableHTTPClientTransport(new URL(server.url + path), { authProvider: storage })
  const connection = {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name: string) => client.callTool({ name, arguments: {} }),
    finish: (answer: URLSearchParams) => transport.finishAuth(answer),
    close: () => client.close(),
  }
  if (storage.held) await client.connect(transport)
  else await client.connect(transport).then(fail, (error: unknown) => expect(error).toBeInstanceOf(UnauthorizedError))
  return connection
}

const older: Connect = async (path, storage) => {
  const client = new OlderClient(INFO)
  const transport = new OlderTransport(new URL(server.url + path), { authProvider: storage })
  const connection = {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name: string) => client.callTool({ name, arguments: {} }),
    finish: (answer: URLSearchParams) => transport.finishAuth(answer.get('code') ?? ''),
    close: () => client.close(),
  }
  if (storage.held) await client.connect(transport)
  else
    await client.connect(transport).then(fail, (error: unknown) => expect(error).toBeInstanceOf(OlderUnauthorizedError))
  return connection
}

const fail = () => {
  throw new Error('The app connected without a person.')
}

/** Connects the app as far as the person's decision, which is to allow it. */
async function connect(
  open: Connect,
  path: string,
  { storage, person }: { storage: AppStorage; person: PersonAtBrowser },
) {
  const before = await open(path, storage)
  await before.finish(await allow(person, callback, storage.takeAsked()))
  await before.close()
  return await open(path, storage)
}

const registering = (name: string) => new AppStorage(name, callback)
const documented = () => new AppStorage('Documented assistant', callback, host.clientId)

describe('the client', () => {
  test(
    'registers itself, connects to the pro server, renews its tokens, and is removed with one click',
    async () => {
      const storage = registering('Test assistant')
      const before = await newer(PRO_SERVER, storage)
      await openRequest(pro, storage.takeAsked())
      expect(await watched.page.getByText('could not check who makes this app').isVisible()).toBe(true)
      await checkPage(watched, 'oauth-consent')
      await before.finish(await decide(pro, callback, 'Allow'))
      await before.close()
      const connection = await newer(PRO_SERVER, storage)
      expect(await connection.list()).toContain('list_leads')
      const { refresh_token: first } = storage.held ?? {}
      storage.held = { ...storage.held, access_token: 'expired', token_type: 'Bearer' }
      // The client keeps lists for as long as the server says: a call goes to the server.
      expect(await connection.call('list_leads')).toMatchObject({ structuredContent: { meta: { offset: 0 } } })
      expect(storage.held.refresh_token).not.toBe(first)

      await watched.page.goto(`${server.url}/console/apps`)
      await checkPage(watched, 'console-apps')
      await watched.page.getByRole('row', { name: 'Test assistant' }).getByRole('button', { name: 'Remove' }).click()
      await watched.page.getByText('The app is removed').waitFor()
      const isRefused = async () => {
        const refusal: unknown = await connection.call('list_leads').then(
          () => undefined,
          (error: unknown) => error,
        )
        return refusal instanceof UnauthorizedError
      }
      expect(await waitUntil(isRefused, 5000)).toBe(true)
      // It asks the person again.
      expect(storage.takeAsked().pathname).toBe('/oauth/authorize')
      await connection.close()
    },
    LONG_MS,
  )

  test(
    'connects to the customer server with its metadata document, and asks for a scope when it needs it',
    async () => {
      const storage = documented()
      const serverUrl = server.url + CUSTOMER_SERVER
      expect(await auth(storage, { serverUrl, scope: 'mcp:read' })).toBe('REDIRECT')
      await openRequest(customer, storage.takeAsked())
      expect(await watched.page.getByText('by 127.0.0.1').isVisible()).toBe(true)
      const answer = await decide(customer, callback, 'Allow')
      expect(
        await auth(storage, { serverUrl, authorizationCode: answer.get('code') ?? '', iss: answer.get('iss') ?? '' }),
      ).toBe('AUTHORIZED')
      const connection = await newer(CUSTOMER_SERVER, storage)
      expect(await connection.list()).toContain('request_quote')
      expect(await connection.call('request_quote').catch((error: unknown) => error)).toBeInstanceOf(UnauthorizedError)
      const asked = storage.takeAsked()
      expect(asked.searchParams.get('scope')?.split(' ')).toEqual(['mcp:read', 'mcp:write'])
      await connection.finish(await allow(customer, callback, asked))
      expect(await connection.call('request_quote')).toMatchObject({ isError: true })
      expect(await connection.list()).toContain('request_quote')
      await connection.close()
      await watched.page.goto(`${server.url}/my/apps`)
      expect(await watched.page.getByRole('button', { name: 'Remove' }).count()).toBe(1)
    },
    LONG_MS,
  )

  test('of the earlier generation connects to the pro server with its metadata document', async () => {
    const connection = await connect(older, PRO_SERVER, { storage: documented(), person: pro })
    expect(await connection.list()).toContain('list_leads')
    await connection.close()
  })

  test('of the earlier generation registers itself and connects to the customer server', async () => {
    const connection = await connect(older, CUSTOMER_SERVER, { storage: registering('Older'), person: customer })
    expect(await connection.list()).toContain('book_appointment')
    await connection.close()
  })

  test('learns that the person refused', async () => {
    const storage = registering('Refused assistant')
    const before = await newer(PRO_SERVER, storage)
    await openRequest(pro, storage.takeAsked())
    const answer = await decide(pro, callback, 'Deny')
    expect(answer.get('error')).toBe('access_denied')
    expect(before.finish(answer)).rejects.toThrow('The person refused.')
    expect(storage.held).toBeUndefined()
    await before.close()
  })
})

test('an independent client reads the REST API for a pro, renews its tokens and gives them back', async () => {
  const resource = new URL(`${server.url}/api/v1`)
  const client = await openIndependentClient(resource, { scope: 'pro:read', callback })
  expect(client.scopes).toContain('pro:read')
  const first = await client.finish(await allow(pro, callback, client.asked))
  expect(first).toMatchObject({ token_type: 'bearer', scope: 'pro:read' })
  const read = (token: string, path: string) => callResource(token, new URL(`${server.url}${path}`))
  expect(await read(first.access_token, '/api/v1/pro/bookings')).toBe(200)
  expect(await read(first.access_token, '/api/v1/webhooks')).toBe('insufficient_scope')
  const second = await client.refresh(first.refresh_token ?? '')
  expect(await read(second.access_token, '/api/v1/pro/bookings')).toBe(200)
  await client.revoke(second.refresh_token ?? '')
  const isRevoked = async () => (await read(second.access_token, '/api/v1/pro/bookings')) === 'invalid_token'
  expect(await waitUntil(isRevoked, 5000)).toBe(true)
})

const agreeAs = (person: PersonAtBrowser) => async (asked: URL) => {
  await openRequest(person, asked)
  await person.page.getByRole('button', { name: 'Allow' }).click()
}

/** All scenarios of the suite for an authorization server. Those of `auth/*` test clients. */
const SCENARIOS = ['authorization-server-metadata-endpoint', 'authorization-code-grant']

test(
  'the conformance suite passes its scenarios for an authorization server',
  async () => {
    const port = await findFreePort()
    const { code, summary } = await runAuthorizationConformance({
      issuer: server.url,
      resource: server.url + PRO_SERVER,
      port,
      agree: agreeAs(pro),
    })
    expect([code, summary]).toEqual([0, expect.stringContaining(', 0 failed')])
    for (const scenario of SCENARIOS) expect(summary).toContain(`✓ ${scenario}: `)
  },
  LONG_MS,
)

/** Those that have to be installed from registries connect in the long form only: the usual one has no test of them. */
const FOREIGN = FOREIGN_CLIENTS.slice(0, longForm(0, FOREIGN_CLIENTS.length)).flatMap((client) =>
  [PRO_SERVER, CUSTOMER_SERVER].flatMap((path) =>
    (client.onlyRegisters ? [false] : [true, false]).map((hasDocument) => ({ ...client, path, hasDocument })),
  ),
)

test.each(FOREIGN)(
  'the $name client connects to $path, with its metadata document: $hasDocument',
  async ({ path, hasDocument, callbackPath, install, command, result }) => {
    install()
    const port = await findFreePort()
    const document = openMetadataHost('Foreign', { url: `http://127.0.0.1:${port}${callbackPath}` })
    const { args, env = {} } = command({
      server: server.url + path,
      port,
      document: hasDocument ? document.clientId : undefined,
    })
    const { code, output } = await runWithPerson(args, { env, agree: agreeAs(path === PRO_SERVER ? pro : customer) })
    await document.stop()
    expect([code, output]).toEqual([0, expect.stringMatching(result)])
  },
  BROWSER_START_MS,
)

const KEYED = KEYED_CLIENTS.slice(0, longForm(0, KEYED_CLIENTS.length)).flatMap((client) =>
  [CUSTOMER_SERVER, PUBLIC_SERVER].map((path) => ({ ...client, path })),
)

test.each(KEYED)(
  'the $name client searches on $path, with a key where one is needed',
  async ({ path, install, command, result }) => {
    install()
    const key = path === PUBLIC_SERVER ? undefined : await agentKey(app)
    const { args, env = {} } = command(server.url + path, key)
    const { code, output } = await runWithPerson(args, { env, agree: () => Promise.reject(new Error('It asks.')) })
    expect([code, output]).toEqual([0, expect.stringMatching(result)])
  },
  BROWSER_START_MS,
)
