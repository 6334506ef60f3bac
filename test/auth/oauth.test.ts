// Connecting an app by OAuth: discovery, registration, codes, tokens, scopes, removal.
import { describe, expect, test } from 'bun:test'

import { listKeys } from '../../src/auth/keys/verbs/keys.ts'
import { listConnectedApps, removeConnectedApp } from '../../src/auth/oauth/verbs/connected-apps.ts'
import { readAuthorizationRequest } from '../../src/auth/oauth/verbs/consent.ts'
import { disableUser } from '../../src/auth/users/verbs/users.ts'
import { eraseCustomer } from '../../src/features/customers/privacy/verbs/erase-customer.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { findBookableSlot, openTestApp } from '../support/app.ts'
import { readCopy } from '../support/customer-copy.ts'
import { VISIT_ADDRESS, VISIT_PHONE } from '../support/booking-fixture.ts'
import {
  CALLBACK,
  addressOf,
  authorize,
  codeOf,
  connect,
  listTools,
  newPkce,
  postForm,
  refresh,
  registerApp,
  request,
  requestFor,
  someCustomer,
  somePro,
} from '../support/connected-app.ts'
import { newAddress } from '../support/customers.ts'
import { opened } from '../support/fixture.ts'
import { ctxOf } from '../../src/ctx.ts'

const app = await opened(openTestApp('seeded', { clock: { now: () => new Date() } }))

describe('an app finds', () => {
  test('from nothing but the address of a server, whom to ask for access and for which scopes', async () => {
    for (const [resource, scope] of [
      ['pro-agent', 'mcp:read mcp:write'],
      ['customer-agent', 'mcp:read mcp:write packages:read packages:book'],
    ] as const) {
      const { status, headers } = await listTools(app, resource, '')
      const challenge = headers.get('www-authenticate') ?? ''
      expect([status, /scope="([^"]*)"/.exec(challenge)?.[1]]).toEqual([401, scope])
      const metadata = new URL(/resource_metadata="([^"]*)"/.exec(challenge)?.[1] ?? '')
      const { body } = await request(app, metadata.pathname)
      expect(body).toMatchObject({ resource: addressOf(app, resource), scopes_supported: scope.split(' ') })
      expect(body['authorization_servers']).toEqual([app.deps.config.baseUrl])
    }
    const { body } = await request(app, '/.well-known/oauth-authorization-server')
    expect(body).toMatchObject({
      issuer: app.deps.config.baseUrl,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    })
  })

  test('the REST API’s metadata in its 401, which pages do not have', async () => {
    const { headers } = await request(app, '/api/v1/pro/analytics')
    expect(headers.get('www-authenticate')).toBe(
      `Bearer realm="hearth", resource_metadata="${app.deps.config.baseUrl}/.well-known/oauth-protected-resource/api/v1"`,
    )
  })
})

describe('a person sees', () => {
  test('the app’s name, where the answer goes, and each scope in plain words', async () => {
    const clientId = await registerApp(app, {
      client_name: '  Evil\u202E\nname ',
      client_uri: 'https://other.example',
    })
    const query = requestFor(app, { clientId, resource: 'pro-agent', pkce: newPkce() })
    const { location } = await authorize(app, query)
    const shown = await readAuthorizationRequest(ctxOf(app.deps), { id: location?.searchParams.get('request') ?? '' })
    expect(shown.client).toEqual({ name: 'Evil name', host: 'app.example', verified: false, uri: null })
    expect(shown.returnsTo).toEqual({ source: 'https://app.example', host: 'app.example', isThisDevice: false })
    expect(shown.scopes.map(({ scope }) => scope)).toEqual(['mcp:read', 'mcp:write'])
    for (const { words } of shown.scopes) expect(words).toMatch(/^[A-Z].*\byou/)
  })
})

describe('a token', () => {
  test('of a pro calls the pro server as a key of that pro, and refreshes', async () => {
    const person = await somePro(app)
    const first = await connect(app, { resource: 'pro-agent', person })
    expect((await listTools(app, 'pro-agent', first.access_token)).tools).toContain('list_leads')
    const { status, body } = await refresh(app, first)
    expect([status, body['scope']]).toEqual([200, 'mcp:read mcp:write'])
    expect((await listTools(app, 'pro-agent', body['access_token'] as string)).status).toBe(200)
  })

  test('of a customer lists the tools of its scopes, and those for which its person can grant one', async () => {
    const person = await someCustomer(app, newAddress())
    const all = await connect(app, { resource: 'customer-agent', person })
    expect((await listTools(app, 'customer-agent', all.access_token)).tools).toContain('book_appointment')
    const reader = await connect(app, { resource: 'customer-agent', person, scope: 'mcp:read offline_access' })
    expect(reader.scope).toBe('mcp:read')
    const { tools } = await listTools(app, 'customer-agent', reader.access_token)
    for (const tool of ['search_pros', 'book_appointment']) expect(tools).toContain(tool)
    // The scopes of a key stay as they are.
    const key = await app.key(['mcp:read'])
    expect((await listTools(app, 'customer-agent', key)).tools).not.toContain('book_appointment')
  })

  test('that lacks a scope is told which to ask for, besides those it has', async () => {
    const person = await someCustomer(app, newAddress())
    const { access_token: token } = await connect(app, { resource: 'customer-agent', person, scope: 'mcp:read' })
    const { status, headers } = await request(app, '/api/mcp/customer', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'book_appointment' } }),
    })
    const challenge = headers.get('www-authenticate')
    expect([status, challenge]).toEqual([403, expect.stringContaining('error="insufficient_scope"')])
    expect(challenge).toContain('scope="mcp:read mcp:write"')
    const pro = await connect(app, { resource: 'pro-agent', person: await somePro(app), scope: 'mcp:read' })
    const refused = await listTools(app, 'pro-agent', pro.access_token)
    expect(refused.status).toBe(403)
    expect(refused.headers.get('www-authenticate')).toContain('scope="mcp:read mcp:write"')
  })

  test('may have fewer scopes than its grant, and never more', async () => {
    const person = await someCustomer(app, newAddress())
    const all = await connect(app, { resource: 'customer-agent', person, scope: 'mcp:read mcp:write' })
    expect((await refresh(app, all, { scope: 'mcp:read packages:book' })).body['error']).toBe('invalid_scope')
    const less = await refresh(app, all, { scope: 'mcp:read' })
    expect(less.body['scope']).toBe('mcp:read')
    const more = await refresh(app, { ...all, refresh_token: less.body['refresh_token'] as string })
    expect(more.body['scope']).toBe('mcp:read mcp:write')
  })

  test('reads REST for a pro who granted it', async () => {
    const person = await somePro(app)
    const { access_token: key } = await connect(app, { resource: 'rest', person, scope: 'pro:read' })
    expect((await app.send('/api/v1/pro/bookings', { key })).status).toBe(200)
    const refused = await app.send('/api/v1/pro/quotes', { key, json: {} })
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      403,
      expect.stringContaining('scope="pro:read pro:write"'),
    ])
  })

  test('of a customer sees and cancels their bookings over REST, also those that others made, and books for them alone', async () => {
    const person = await someCustomer(app, newAddress())
    const { slug: _, ...slot } = await findBookableSlot(app)
    const bookingFor = (email: string) => ({
      ...slot,
      customer: { name: 'Ann', email, phone: VISIT_PHONE },
      address: VISIT_ADDRESS,
    })
    const made = await app.send('/api/v1/bookings', { key: await app.key(), json: bookingFor(person.email) })
    const { booking } = (await made.json()) as { booking: { id: string } }
    const scope = 'bookings:write'
    const { access_token: key } = await connect(app, { resource: 'rest', person, scope })
    const { access_token: other } = await connect(app, {
      resource: 'rest',
      person: await someCustomer(app, newAddress()),
      scope,
    })
    const path = `/api/v1/bookings/${booking.id}`
    const statusOf = async (sent: string, at: string, json?: object) =>
      (await app.send(at, { key: sent, ...(json ? { json } : {}) })).status
    expect([await statusOf(key, path), await statusOf(other, path)]).toEqual([200, 404])
    const cancel = `${path}/cancel`
    expect([await statusOf(other, cancel, {}), await statusOf(key, cancel, {})]).toEqual([404, 200])
    expect(await statusOf(key, '/api/v1/bookings', bookingFor(newAddress()))).toBe(400)
    expect(await statusOf(key, '/api/v1/bookings', bookingFor(person.email))).toBe(201)
    expect(await statusOf(key, `/api/v1/rfqs?email=${person.email}`)).toBe(403)
  })

  test('that its app revokes is refused at once; the refresh token takes the whole grant with it', async () => {
    const tokens = await connect(app, { resource: 'pro-agent', person: await somePro(app) })
    expect((await listTools(app, 'pro-agent', tokens.access_token)).status).toBe(200)
    const of = (token: string, clientId = tokens.clientId) =>
      postForm(app, '/oauth/revoke', { token, client_id: clientId })
    await of(tokens.access_token)
    await expectRefused('pro-agent', tokens.access_token)
    const { body } = await refresh(app, tokens)
    await of(body['refresh_token'] as string)
    await expectRefused('pro-agent', body['access_token'] as string)
    expect((await of('unknown')).status).toBe(200)
  })

  test('is revoked by no other app, nor is the refresh token beside it', async () => {
    const tokens = await connect(app, { resource: 'pro-agent', person: await somePro(app) })
    const client_id = await registerApp(app)
    for (const token of [tokens.access_token, tokens.refresh_token])
      expect((await postForm(app, '/oauth/revoke', { token, client_id })).status).toBe(200)
    // Neither was used before, so no process remembers it.
    expect((await listTools(app, 'pro-agent', tokens.access_token)).status).toBe(200)
    expect((await refresh(app, tokens)).status).toBe(200)
  })
})

/** Within a second, by a notification. */
async function expectRefused(resource: 'pro-agent' | 'customer-agent', token: string) {
  const isRefused = async () => (await listTools(app, resource, token)).status === 401
  expect(await waitUntil(isRefused, 1000)).toBe(true)
}

describe('connected apps', () => {
  test('are listed for their person with their last use, and removed with all their tokens', async () => {
    const person = await someCustomer(app, newAddress())
    const first = await connect(app, { resource: 'customer-agent', person })
    const second = await connect(app, { resource: 'customer-agent', person, clientId: first.clientId })
    await connect(app, { resource: 'customer-agent', person: await someCustomer(app, newAddress()) })
    const [listed, ...others] = await listConnectedApps(ctxOf(app.deps, person))
    expect(others).toEqual([])
    expect(listed).toMatchObject({ client: { name: 'Test assistant', host: 'app.example' }, connections: 2 })
    const stranger = await someCustomer(app, newAddress())
    expect(removeConnectedApp(ctxOf(app.deps, stranger), { grantId: listed?.grantId ?? '' })).rejects.toThrow(
      'connected_app_not_found',
    )
    await removeConnectedApp(ctxOf(app.deps, person), { grantId: listed?.grantId ?? '' })
    await expectRefused('customer-agent', first.access_token)
    await expectRefused('customer-agent', second.access_token)
    expect((await refresh(app, second)).body['error']).toBe('invalid_grant')
    expect(await listConnectedApps(ctxOf(app.deps, person))).toEqual([])
  })

  test('lose their access with the person behind it: a disabled user, a customer with another address', async () => {
    const pro = await somePro(app)
    const ofPro = await connect(app, { resource: 'pro-agent', person: pro })
    expect((await listTools(app, 'pro-agent', ofPro.access_token)).status).toBe(200)
    await disableUser(ctxOf(app.deps), { email: pro.email })
    await expectRefused('pro-agent', ofPro.access_token)
    expect((await refresh(app, ofPro)).body['error']).toBe('invalid_grant')
    const customer = await someCustomer(app, newAddress())
    const ofCustomer = await connect(app, { resource: 'customer-agent', person: customer })
    await app.sql`update customers set email = ${newAddress()} where account_id = ${customer.accountId}`
    expect((await listTools(app, 'customer-agent', ofCustomer.access_token)).status).toBe(401)
    expect((await refresh(app, ofCustomer)).body['error']).toBe('invalid_grant')
  })

  test('are in the customer’s copy, and end with the customer’s erasure', async () => {
    const person = await someCustomer(app, newAddress())
    const tokens = await connect(app, { resource: 'customer-agent', person })
    expect((await listTools(app, 'customer-agent', tokens.access_token)).status).toBe(200)
    const { copy } = await readCopy(app.deps, person.email)
    expect(copy.account?.connectedApps).toMatchObject([{ name: 'Test assistant', endedAt: null }])
    const { outcome } = await eraseCustomer(ctxOf(app.deps), { email: person.email, requestedBy: 'a test' })
    expect(outcome).toBe('erased')
    await expectRefused('customer-agent', tokens.access_token)
    expect((await refresh(app, tokens)).body['error']).toBe('invalid_grant')
  })

  test('are no keys: they are not listed, not rotated and not counted as such', async () => {
    const person = await somePro(app, 1)
    await connect(app, { resource: 'pro-agent', person })
    const names = (await listKeys(ctxOf(app.deps))).map(({ name }) => name)
    expect(names).not.toContain('Test assistant')
  })

  test('are at most fifty for one person: the one unused for longest ends first', async () => {
    const person = await someCustomer(app, newAddress())
    const first = await connect(app, { resource: 'customer-agent', person })
    await app.sql`
      insert into api_keys (id, account_id, name, mode, hash, last_four, scopes, created_at, expires_at, is_grant)
      select gen_random_uuid(), ${person.accountId}, 'app', 'live', sha256(n::text::bytea || ${person.email}::bytea), '····',
        array['mcp:read'], now() + interval '1 second', now() + interval '1 day', true
      from generate_series(1, 49) n`
    await connect(app, { resource: 'customer-agent', person })
    await expectRefused('customer-agent', first.access_token)
  })
})

test('an app on the person’s own device is answered on the port that it listens on', async () => {
  const clientId = await registerApp(app, { redirect_uris: ['http://localhost/callback'] })
  const query = requestFor(app, { clientId, resource: 'pro-agent', pkce: newPkce() })
  const { location } = await authorize(app, { ...query, redirect_uri: 'http://localhost:33418/callback' })
  const shown = await readAuthorizationRequest(ctxOf(app.deps), { id: location?.searchParams.get('request') ?? '' })
  expect(shown.returnsTo).toEqual({ source: 'http://localhost:33418', host: 'localhost', isThisDevice: true })
})

test('the resource may be spelled as programs spell addresses', async () => {
  const query = requestFor(app, { clientId: await registerApp(app), resource: 'pro-agent', pkce: newPkce() })
  const address = addressOf(app, 'pro-agent')
  for (const [spelling, isFound] of [
    [`${address}/`, true],
    [address.replace('http://', 'HTTP://'), true],
    [`${address}#part`, false],
    [`${address}?a=b`, false],
    [`${address}/customer/more`, false],
  ] as const) {
    const { location } = await authorize(app, { ...query, resource: spelling })
    expect([spelling, location?.searchParams.has('request') ?? false]).toEqual([spelling, isFound])
  }
})

test('the answer names who gives it and carries the app’s state', async () => {
  const { answer } = await codeOf(app, { resource: 'pro-agent', person: await somePro(app) })
  expect(answer.href).toStartWith(`${CALLBACK}?code=hearth_code_`)
  expect([answer.searchParams.get('iss'), answer.searchParams.get('state')]).toEqual([
    app.deps.config.baseUrl,
    'state-of-the-app',
  ])
})
