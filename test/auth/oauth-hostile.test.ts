// Hostile input to the endpoints of OAuth: every answer is one that the protocol names, and never a 500.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'

import { deleteOldRows } from '../../src/features/upkeep/retention/verbs.ts'
import { routes, accessOf, nameOf } from '../support/app-routes.ts'
import { openTestApp } from '../support/app.ts'
import {
  CALLBACK,
  connect,
  newPkce,
  registerApp,
  request,
  requestFor,
  someCustomer,
  somePro,
} from '../support/connected-app.ts'
import { newAddress } from '../support/customers.ts'
import { opened } from '../support/fixture.ts'
import { ctxOf } from '../../src/ctx.ts'

const app = await opened(openTestApp())

/** Texts that are near to what an endpoint takes, and texts that are not. */
const text = fc.oneof(
  fc.constantFrom(
    '',
    'code',
    'S256',
    'authorization_code',
    'refresh_token',
    CALLBACK,
    'mcp:read',
    '\u0000',
    '\uD800',
    'null',
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.constant('x'.repeat(5000)),
)
const PARAMETERS =
  'client_id redirect_uri response_type response_mode state scope code_challenge code_challenge_method resource'
const FIELDS = 'grant_type client_id code redirect_uri code_verifier refresh_token scope resource token token_type_hint'
const METADATA =
  'redirect_uris client_name client_uri token_endpoint_auth_method grant_types response_types scope logo_uri'

const pairs = (names: string) => fc.array(fc.tuple(fc.constantFrom(...names.split(' ')), text), { maxLength: 12 })
const encoded = (given: readonly (readonly [string, string])[]) =>
  new URLSearchParams(given.map(([name, value]): [string, string] => [name, value])).toString()

test('a request for access is answered by a page, or at an address that the app has registered', async () => {
  const clientId = await registerApp(app)
  const good = requestFor(app, { clientId, resource: 'pro-agent', pkce: newPkce() })
  await fc.assert(
    fc.asyncProperty(pairs(PARAMETERS), fc.subarray(Object.keys(good)), async (more, kept) => {
      const query = encoded([...kept.map((name) => [name, good[name] ?? ''] as const), ...more])
      const { status, headers } = await request(app, `/oauth/authorize?${query}`)
      const location = headers.get('location') ?? ''
      expect(
        status === 303 ? /^(https:\/\/app\.example\/callback\?|\/oauth\/consent\?)/.test(location) : status < 500,
      ).toBe(true)
    }),
    { numRuns: 150 },
  )
})

test('tokens, revocations and registrations answer bad input with an error of the caller', async () => {
  const send = (path: string, body: string, type: string) =>
    request(app, path, { method: 'POST', body, headers: { 'content-type': type } })
  const isSound = ({ status }: { status: number }) =>
    status === 200 || status === 201 || (status >= 400 && status < 500)
  const form = 'application/x-www-form-urlencoded'
  const member = fc.oneof(fc.array(text, { maxLength: 3 }), text, fc.integer(), fc.constant(null))
  const metadata = fc.dictionary(fc.constantFrom(...METADATA.split(' ')), member)
  await fc.assert(
    fc.asyncProperty(pairs(FIELDS), metadata, async (fields, document) => {
      for (const path of ['/oauth/token', '/oauth/revoke']) {
        const reply = await send(path, encoded(fields), form)
        expect([path, reply.status, isSound(reply)]).toEqual([path, reply.status, true])
        if (path === '/oauth/token') expect(reply.body['access_token']).toBeUndefined()
      }
      const reply = await send('/oauth/register', JSON.stringify(document), 'application/json')
      expect([document, reply.status, isSound(reply)]).toEqual([document, reply.status, true])
    }),
    { numRuns: 100 },
  )
})

const keyed = routes.filter((route) => (accessOf(route)?.key ?? 'none') !== 'none')

test('a token for an agent server opens no route of the API, and one for the API no agent server', async () => {
  const pro = await connect(app, { resource: 'pro-agent', person: await somePro(app) })
  const customer = await connect(app, { resource: 'customer-agent', person: await someCustomer(app, newAddress()) })
  const rest = await connect(app, { resource: 'rest', person: await somePro(app), scope: 'pro:read pro:write' })
  const takenBy = (path: string) => (path === '/api/mcp' ? pro : path === '/api/mcp/customer' ? customer : rest)
  expect(keyed.length).toBeGreaterThan(70)
  for (const route of keyed)
    for (const tokens of [pro, customer, rest].filter((one) => one !== takenBy(route.path))) {
      const path = route.path.replace(/:\w+/g, crypto.randomUUID())
      const query = (accessOf(route)?.requiredQuery ?? []).map((name) => `${name}=x`).join('&')
      const { status, headers } = await request(app, `${path}?${query}`, {
        method: route.method,
        headers: { authorization: `Bearer ${tokens.access_token}`, 'content-type': 'application/json' },
        ...(route.method === 'GET' || route.method === 'DELETE' ? {} : { body: '{}' }),
      })
      const isInvalid = headers.get('www-authenticate')?.includes('error="invalid_token"')
      expect([nameOf(route), status, isInvalid]).toEqual([nameOf(route), 401, true])
    }
})

describe('a registration', () => {
  test('is refused with an address that could run code, leak or be intercepted', async () => {
    const register = async (metadata: object) => {
      const { body } = await request(app, '/oauth/register', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(metadata),
      })
      return body['error'] ?? body['code']
    }
    const refused = [
      'http://app.example/callback',
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      'data:text/html,hi',
      'vbscript:x',
      'blob:https://app.example/1',
      'about:blank',
      'intent://scan/#Intent;end',
      'chrome-extension://abc/callback',
      'ms-msdt:/id%20PCWDiagnostic',
      'ms-word:ofe|u|https://app.example',
      'search-ms:query',
      'view-source:https://app.example',
      'mailto:a@app.example',
      'tel:+15125550100',
      'sms:+15125550100',
      'web+app://callback',
      'file:///etc/passwd',
      'https://app.example/callback#fragment',
      'https://user:password@app.example/callback',
      'https://app.example/call back',
      'https:\\\\app.example\\callback',
      '/callback',
      `https://app.example/${'x'.repeat(2048)}`,
    ]
    for (const uri of refused)
      expect([uri, await register({ redirect_uris: [uri] })]).toEqual([uri, 'invalid_redirect_uri'])
    expect(await register({ redirect_uris: [] })).toBe('invalid_redirect_uri')
    expect(await register({ redirect_uris: Array.from({ length: 21 }, (_, n) => `${CALLBACK}/${n}`) })).toBe(
      'invalid_redirect_uri',
    )
    const long = Array.from({ length: 9 }, (_, n) => `https://app.example/${n}${'x'.repeat(1000)}`)
    expect(await register({ redirect_uris: long })).toBe('invalid_redirect_uri')
    expect(await register({ redirect_uris: [CALLBACK], client_name: 7 })).toBe('invalid_client_metadata')
    expect(await register({ redirect_uris: [CALLBACK], grant_types: ['client_credentials'] })).toBe(
      'invalid_client_metadata',
    )
    expect(await register([])).toBe('invalid_client_metadata')
    // An app of the person's device may have a scheme of its own.
    expect(await register({ redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback'] })).toBeUndefined()
  })

  test('of thousands of apps from one address ends at a limit, and those without use are deleted after a week', async () => {
    const statuses = []
    for (let n = 0; n < 130; n++) {
      const { status } = await request(app, '/oauth/register', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: [CALLBACK] }),
        address: '192.0.2.7',
      })
      statuses.push(status)
    }
    expect(statuses.at(-1)).toBe(429)
    const connected = await app.sql<{ id: string }[]>`select distinct client_id as id from oauth_grants`
    await app.sql`update oauth_clients set used_at = now() - interval '10 years'`
    await app.sql`delete from oauth_requests`
    await deleteOldRows(ctxOf(app.deps), { table: 'oauth_clients' })
    const left = await app.sql<{ id: string }[]>`select id from oauth_clients order by id`
    expect(left.map(({ id }) => id)).toEqual(connected.map(({ id }) => id).sort())
  })
})
