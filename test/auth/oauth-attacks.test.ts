// What an attacker tries with OAuth: stolen codes and tokens, forged requests, documents and registrations (RFC 9700).
import { describe, expect, test } from 'bun:test'

import { generateKey } from '../../src/auth/keys/format.ts'
import { approve, deny, readAuthorizationRequest } from '../../src/auth/oauth/verbs/consent.ts'
import { endExpiredGrants } from '../../src/auth/oauth/verbs/tokens.ts'
import { requestContextOf } from '../../src/auth/request-context.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { openTestApp, testRequest } from '../support/app.ts'
import {
  CALLBACK,
  addressOf,
  authorize,
  codeOf,
  connect,
  exchangeOf,
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
import { newAddress, signedInCustomer } from '../support/customers.ts'
import { opened } from '../support/fixture.ts'
import { Visitor, loggedInVisitor } from '../support/visitor.ts'
import { ctxOf } from '../../src/ctx.ts'

/** Stands still, and moves when a test says so. */
const clock = { ms: Date.now(), now: () => new Date(clock.ms) }

const app = await opened(openTestApp('seeded', { clock }))

const exchange = (fields: Record<string, string>) => postForm(app, '/oauth/token', fields)
const isRefused = (token: string) => async () => (await listTools(app, 'pro-agent', token)).status === 401

describe('a code', () => {
  test('works once: a second use ends the tokens that the first gave', async () => {
    const granted = await codeOf(app, { resource: 'pro-agent', person: await somePro(app) })
    const { body } = await exchange(exchangeOf(granted))
    const token = body['access_token'] as string
    expect((await listTools(app, 'pro-agent', token)).status).toBe(200)
    expect((await exchange(exchangeOf(granted))).body['error']).toBe('invalid_grant')
    expect(await waitUntil(isRefused(token), 1000)).toBe(true)
    const renewed = await exchange({
      grant_type: 'refresh_token',
      client_id: granted.clientId,
      refresh_token: body['refresh_token'] as string,
    })
    expect(renewed.body['error']).toBe('invalid_grant')
  })

  test('gives tokens to one of many who send it at the same time, and those end with the second', async () => {
    const granted = await codeOf(app, { resource: 'pro-agent', person: await somePro(app) })
    const replies = await Promise.all(Array.from({ length: 8 }, () => exchange(exchangeOf(granted))))
    const given = replies.filter(({ status }) => status === 200)
    expect(given).toHaveLength(1)
    expect((await listTools(app, 'pro-agent', given[0]?.body['access_token'] as string)).status).toBe(401)
  })

  test('is of no use without its verifier, to another app, at another address, for another resource, or late', async () => {
    const granted = await codeOf(app, { resource: 'pro-agent', person: await somePro(app) })
    const fields = exchangeOf(granted)
    const { code_verifier: _, ...withoutVerifier } = fields
    const attempts: [Record<string, string>, string][] = [
      [withoutVerifier, 'invalid_grant'],
      [{ ...fields, code_verifier: newPkce().verifier }, 'invalid_grant'],
      [{ ...fields, code_verifier: granted.pkce.challenge }, 'invalid_grant'],
      [{ ...fields, client_id: await registerApp(app) }, 'invalid_grant'],
      [{ ...fields, redirect_uri: `${CALLBACK}/other` }, 'invalid_grant'],
      [{ ...fields, resource: addressOf(app, 'customer-agent') }, 'invalid_target'],
      [{ ...fields, code: fields.code.replace('code', 'access') }, 'invalid_grant'],
    ]
    for (const [sent, error] of attempts) expect((await exchange(sent)).body).toMatchObject({ error })
    clock.ms += 61_000
    expect((await exchange(fields)).body['error']).toBe('invalid_grant')
    expect((await exchange({ ...fields, client_id: '' })).body['error']).toBe('invalid_client')
    expect((await exchange({ grant_type: 'password', client_id: 'x' })).body['error']).toBe('unsupported_grant_type')
  })
})

describe('a refresh token', () => {
  test('works once: its reuse ends all tokens of the grant, those of the thief and of the app', async () => {
    const first = await connect(app, { resource: 'pro-agent', person: await somePro(app) })
    const stolen = await refresh(app, first)
    const { access_token: access, refresh_token: renewal } = stolen.body as {
      access_token: string
      refresh_token: string
    }
    expect((await listTools(app, 'pro-agent', access)).status).toBe(200)
    expect((await refresh(app, first)).body['error']).toBe('invalid_grant')
    for (const token of [access, first.access_token]) expect(await waitUntil(isRefused(token), 1000)).toBe(true)
    expect((await refresh(app, { ...first, refresh_token: renewal })).body['error']).toBe('invalid_grant')
  })

  test('gives new tokens to one of many who send it at the same time', async () => {
    const first = await connect(app, { resource: 'pro-agent', person: await somePro(app) })
    const replies = await Promise.all(Array.from({ length: 6 }, () => refresh(app, first)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('is of no use to another app, for another resource, as an access token, or after 90 days', async () => {
    const person = await someCustomer(app, newAddress())
    const tokens = await connect(app, { resource: 'customer-agent', person })
    expect((await refresh(app, { ...tokens, clientId: await registerApp(app) })).body['error']).toBe('invalid_grant')
    const elsewhere = await refresh(app, tokens, { resource: addressOf(app, 'pro-agent') })
    expect(elsewhere.body['error']).toBe('invalid_target')
    expect((await listTools(app, 'customer-agent', tokens.refresh_token)).status).toBe(401)
    expect((await refresh(app, { ...tokens, refresh_token: tokens.access_token })).body['error']).toBe('invalid_grant')
    clock.ms += 90 * 86_400_000
    expect((await refresh(app, tokens)).body['error']).toBe('invalid_grant')
    expect(await endExpiredGrants(ctxOf(app.deps), { limit: 100 })).toBeGreaterThan(0)
  })
})

describe('an access token', () => {
  test('is refused by every resource but its own', async () => {
    const pro = await connect(app, { resource: 'pro-agent', person: await somePro(app) })
    const customer = await connect(app, { resource: 'customer-agent', person: await someCustomer(app, newAddress()) })
    const rest = await connect(app, { resource: 'rest', person: await somePro(app), scope: 'pro:read pro:write' })
    const statusAt = async (path: string, key: string) => {
      const { status, headers } = await request(app, path, {
        ...(path.startsWith('/api/mcp')
          ? { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) }
          : {}),
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      })
      return status === 401 ? /error="(\w+)"/.exec(headers.get('www-authenticate') ?? '')?.[1] : status
    }
    const paths = ['/api/mcp', '/api/mcp/customer', '/api/v1/services', '/api/v1/pro/bookings']
    const answers = async (key: string) => await Promise.all(paths.map((path) => statusAt(path, key)))
    const refused = 'invalid_token'
    expect(await answers(pro.access_token)).toEqual([200, refused, refused, refused])
    expect(await answers(customer.access_token)).toEqual([refused, 200, refused, refused])
    expect(await answers(rest.access_token)).toEqual([refused, refused, 200, 200])
  })

  test('ends after an hour, also where it was used just before', async () => {
    const { access_token: token } = await connect(app, { resource: 'pro-agent', person: await somePro(app) })
    expect((await listTools(app, 'pro-agent', token)).status).toBe(200)
    clock.ms += 3_600_000
    const { status, headers, body } = await listTools(app, 'pro-agent', token)
    expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('error="invalid_token"')])
    expect(body).toMatchObject({ error: { data: { code: 'expired_token' } } })
  })

  test('that has expired does not count as a guess: assistants send those of all their users from few addresses', async () => {
    const { access_token: token } = await connect(app, { resource: 'pro-agent', person: await somePro(app) })
    clock.ms += 3_600_000
    const limitOf = async (sent: string) => {
      const request = testRequest(app.deps.config.baseUrl, '/api/v1/services', { key: sent })
      const { status } = await app.app.handle(request)
      return [status, requestContextOf(request).rateLimit?.policy.split(';')[0]]
    }
    expect(await limitOf(token)).toEqual([401, undefined])
    expect(await limitOf(generateKey('access', crypto.getRandomValues(new Uint8Array(64))))).toEqual([
      401,
      '"refused-keys"',
    ])
  })

  test('is no text of the database', async () => {
    const { access_token: access, refresh_token: renewal } = await connect(app, {
      resource: 'pro-agent',
      person: await somePro(app),
    })
    const [row] = await app.sql<{ text: string }[]>`
      select string_agg(t::text, ' ') || (select string_agg(r::text, ' ') from oauth_requests r) as text
      from oauth_tokens t`
    for (const secret of [access, renewal, 'hearth_code_']) expect(row?.text).not.toContain(secret)
  })
})

describe('a request for access', () => {
  test('for an address that the app has not registered is a page, and sends nothing there', async () => {
    const clientId = await registerApp(app, { redirect_uris: [CALLBACK, 'http://127.0.0.1/callback'] })
    const query = requestFor(app, { clientId, resource: 'pro-agent', pkce: newPkce() })
    const addresses = [
      'https://evil.example/callback',
      `${CALLBACK}/`,
      `${CALLBACK}?next=https://evil.example`,
      `${CALLBACK}#fragment`,
      'https://app.example/callback/../evil',
      'https://app.example:444/callback',
      'https://app.example@evil.example/callback',
      'http://app.example/callback',
      'HTTPS://APP.EXAMPLE/callback',
      'http://127.0.0.1:33418/other',
      'http://localhost:33418/callback',
      'http://127.0.0.1:33418@evil.example/callback',
      'http://127.0.0.1.evil.example/callback',
      'javascript:alert(1)//',
      '',
    ]
    for (const address of addresses) {
      const { status, location } = await authorize(app, { ...query, redirect_uri: address })
      expect([address, status, location]).toEqual([address, 400, undefined])
    }
    const twice = await authorize(app, [...Object.entries(query), ['redirect_uri', 'https://evil.example/callback']])
    expect([twice.status, twice.location]).toEqual([400, undefined])
    const unknown = await authorize(app, { ...query, client_id: crypto.randomUUID() })
    expect([unknown.status, unknown.location]).toEqual([400, undefined])
  })

  test('without PKCE, with the plain method, or without its resource is refused at the app’s own address', async () => {
    const clientId = await registerApp(app)
    const query = requestFor(app, { clientId, resource: 'pro-agent', pkce: newPkce() })
    const changes: [Record<string, string>, string][] = [
      [{ code_challenge: '' }, 'invalid_request'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge_method: '' }, 'invalid_request'],
      [{ code_challenge: 'short' }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ response_mode: 'fragment' }, 'invalid_request'],
      [{ resource: 'https://other.example/api/mcp' }, 'invalid_target'],
      [{ resource: '' }, 'invalid_target'],
      [{ scope: 'pro:write webhooks:manage' }, 'invalid_scope'],
    ]
    const visitor = await loggedInVisitor(app, 'operator')
    for (const [change, error] of changes) {
      const asked = new URLSearchParams({ ...query, ...change }).toString()
      const answer = (await visitor.get(`/oauth/authorize?${asked}`)).location
      const location = answer === null ? undefined : new URL(answer)
      expect(location?.href).toStartWith(`${CALLBACK}?error=`)
      // `iss` keeps an app that uses several servers from sending one's code to another (RFC 9207).
      expect(['error', 'state', 'iss'].map((name) => location?.searchParams.get(name))).toEqual([
        error,
        'state-of-the-app',
        app.deps.config.baseUrl,
      ])
    }
    const again = new URLSearchParams([...Object.entries(query), ['code_challenge', newPkce().challenge]]).toString()
    expect((await visitor.get(`/oauth/authorize?${again}`)).location).toStartWith(`${CALLBACK}?error=invalid_request`)
  })

  test('does not lead a person to the app before they have signed in: a page says where it leads, with a link', async () => {
    const clientId = await registerApp(app, { redirect_uris: [CALLBACK, 'com.example.app:/back'] })
    const query = requestFor(app, { clientId, resource: 'pro-agent', pkce: newPkce() })
    const wrong: Record<string, string>[] = [
      { response_type: 'token' },
      { scope: 'unknown:scope' },
      { resource: '' },
      { code_challenge: '' },
    ]
    for (const change of wrong)
      for (const [redirect_uri, shown] of [
        [CALLBACK, 'app.example'],
        ['com.example.app:/back', 'com.example.app:'],
      ] as const) {
        const asked = new URLSearchParams({ ...query, ...change, redirect_uri })
        const page = await new Visitor(app).get(`/oauth/authorize?${asked.toString()}`)
        expect([page.status, page.location, page.headers.get('refresh')]).toEqual([400, null, null])
        expect(page.text).toContain(`<strong>${shown}</strong>, which is not Hearth`)
        expect(page.text).toContain(`href="${redirect_uri}?error=`)
      }
    const asked = new URLSearchParams({ ...query, response_type: 'token' }).toString()
    for (const visitor of [await signedInCustomer(app), await loggedInVisitor(app, 'operator')])
      expect((await visitor.get(`/oauth/authorize?${asked}`)).location).toStartWith(`${CALLBACK}?error=`)
  })

  test('for a harmful scheme is refused, also if it was registered when it was not known to be', async () => {
    const clientId = await registerApp(app)
    for (const uri of ['ms-msdt:/id', 'search-ms:query', 'vbscript:run', 'tel:+15125550100', 'chrome://settings/']) {
      await app.sql`update oauth_clients set redirect_uris = ${[uri]} where id = ${clientId}`
      const query = requestFor(app, { clientId, resource: 'pro-agent', pkce: newPkce() })
      const { status, location, body } = await authorize(app, { ...query, redirect_uri: uri })
      expect([uri, status, location, String(body['text'] ?? body['detail'])]).toEqual([
        uri,
        400,
        undefined,
        expect.stringContaining('must not use the scheme'),
      ])
    }
  })

  test('is decided once, by a person of its side, within 20 minutes', async () => {
    const ctx = ctxOf(app.deps)
    const clientId = await registerApp(app)
    const asked = () => requestFor(app, { clientId, resource: 'pro-agent', pkce: newPkce() })
    const start = async () => (await authorize(app, asked())).location?.searchParams.get('request') ?? ''
    const pro = await somePro(app)
    const id = await start()
    expect(approve(ctx, { id, person: await someCustomer(app, newAddress()) })).rejects.toThrow('role_not_allowed')
    const mixed = { ...pro, professionalId: (await somePro(app, 1)).professionalId }
    expect(approve(ctx, { id, person: mixed })).rejects.toThrow('role_not_allowed')
    const decisions = await Promise.allSettled(Array.from({ length: 5 }, () => approve(ctx, { id, person: pro })))
    expect(decisions.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(deny(ctx, { id })).rejects.toThrow('authorization_request_not_found')
    const denied = await start()
    expect(await deny(ctx, { id: denied })).toStartWith(`${CALLBACK}?error=access_denied`)
    expect(approve(ctx, { id: denied, person: pro })).rejects.toThrow('authorization_request_not_found')
    const late = await start()
    clock.ms += 20 * 60_000
    expect(readAuthorizationRequest(ctx, { id: late })).rejects.toThrow('authorization_request_not_found')
    expect(readAuthorizationRequest(ctx, { id: 'no-id' })).rejects.toThrow('authorization_request_not_found')
  })
})
