// Apps whose id is the URL of their metadata document: read, cached, and refused where the document or its address is bad.
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'

import { readAuthorizationRequest } from '../../src/auth/oauth/verbs/consent.ts'
import { readDocument } from '../../src/auth/oauth/verbs/metadata-documents.ts'
import type { Deps } from '../../src/deps.ts'
import { openTestApp, testRequest } from '../support/app.ts'
import { CALLBACK, authorize, connect, newPkce, requestFor, somePro } from '../support/connected-app.ts'
import { opened } from '../support/fixture.ts'
import { ctxOf } from '../../src/ctx.ts'

const clock = { ms: Date.now(), now: () => new Date(clock.ms) }

const app = await opened(openTestApp('seeded', { clock, env: { CLIENT_METADATA_ALLOW_PRIVATE: 'true' } }))

/** The host of the documents; `answer` is what it says at any path. */
const host = { answer: (url: string, _version: string | null): Response => Response.json({ url }), requests: 0 }
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: ({ url, headers }) => {
    host.requests++
    return host.answer(url, headers.get('if-none-match'))
  },
})
afterAll(() => server.stop(true))
beforeEach(() => {
  host.requests = 0
  host.answer = (url) => Response.json(documentOf(url))
})

const documentOf = (url: string, more: object = {}) => ({
  client_id: url,
  client_name: 'An assistant',
  redirect_uris: [CALLBACK],
  token_endpoint_auth_method: 'none',
  ...more,
})
let count = 0
const newId = () => `${server.url.origin}/client-${count++}.json`
const ask = (clientId: string) => authorize(app, requestFor(app, { clientId, resource: 'pro-agent', pkce: newPkce() }))

test('an app connects with nothing but the URL of its document, whose host is shown as verified', async () => {
  const clientId = newId()
  host.answer = (url) => Response.json(documentOf(url, { client_uri: 'https://elsewhere.example' }))
  const { location } = await ask(clientId)
  const { client } = await readAuthorizationRequest(ctxOf(app.deps), {
    id: location?.searchParams.get('request') ?? '',
  })
  expect(client).toEqual({ name: 'An assistant', host: '127.0.0.1', verified: true, uri: null })
  const tokens = await connect(app, { resource: 'pro-agent', person: await somePro(app), clientId })
  expect(tokens.scope).toBe('mcp:read mcp:write')
})

test('an app that is answered by a scheme without a dot is shown as not verified, although it has a document', async () => {
  const shown = async (uri: string) => {
    const clientId = newId()
    host.answer = (url) => Response.json(documentOf(url, { redirect_uris: [uri] }))
    const query = requestFor(app, { clientId, resource: 'pro-agent', pkce: newPkce() })
    const { location } = await authorize(app, { ...query, redirect_uri: uri })
    return (await readAuthorizationRequest(ctxOf(app.deps), { id: location?.searchParams.get('request') ?? '' })).client
  }
  expect(await shown('assistant:/back')).toMatchObject({ verified: false, uri: null })
  expect(await shown('com.example.assistant:/back')).toMatchObject({ host: '127.0.0.1', verified: true })
})

test('a document is read once an hour, once for many at the same time, and replaced for a day while it is away', async () => {
  const clientId = newId()
  const asked = await Promise.all(Array.from({ length: 5 }, () => ask(clientId)))
  expect(asked.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303])
  expect(host.requests).toBe(1)
  host.answer = () => new Response(null, { status: 503 })
  expect([(await ask(clientId)).status, host.requests]).toEqual([303, 1])
  clock.ms += 3_600_000
  expect([(await ask(clientId)).status, host.requests]).toEqual([303, 2])
  clock.ms += 24 * 3_600_000
  expect((await ask(clientId)).status).toBe(400)
  host.answer = (url) => Response.json(documentOf(url, { redirect_uris: ['https://new.example/callback'] }))
  expect((await ask(clientId)).status).toBe(400)
})

describe('a document is kept as its headers say', () => {
  const withHeaders = (headers: Record<string, string>) => {
    host.answer = (url) => Response.json(documentOf(url), { headers })
  }
  /** How often the host was asked, and the last status, for an app that comes again after each of the pauses. */
  const comeAgain = async (...pausesSeconds: number[]) => {
    const clientId = newId()
    await ask(clientId)
    let status = 0
    for (const pause of pausesSeconds) {
      clock.ms += pause * 1000
      status = (await ask(clientId)).status
    }
    return { requests: host.requests, status }
  }

  test('for its max-age, at most for a day', async () => {
    withHeaders({ 'cache-control': 'public, max-age=7200' })
    expect(await comeAgain(7100)).toEqual({ requests: 1, status: 303 })
    withHeaders({ 'cache-control': 'public, max-age=9999999' })
    host.requests = 0
    expect(await comeAgain(86_000, 500)).toEqual({ requests: 2, status: 303 })
  })

  for (const cacheControl of ['no-store', 'no-cache', 'max-age=0', 'private, max-age=600'])
    test(`${cacheControl}: it is read each time`, async () => {
      withHeaders({ 'cache-control': cacheControl })
      expect(await comeAgain(0, 0)).toEqual({ requests: 3, status: 303 })
    })

  test('and is not replaced by an earlier one where they forbid it', async () => {
    const clientId = newId()
    for (const [cacheControl, status] of [
      ['max-age=60', 303],
      ['max-age=60, must-revalidate', 400],
      ['no-store', 400],
    ] as const) {
      withHeaders({ 'cache-control': cacheControl })
      clock.ms += 86_400_000
      expect((await ask(clientId)).status).toBe(303)
      host.answer = () => new Response(null, { status: 503 })
      clock.ms += 61_000
      expect((await ask(clientId)).status).toBe(status)
    }
  })

  test('and asked for by its version, so that a host that has no other sends none', async () => {
    const asked: (string | null)[] = []
    const clientId = newId()
    host.answer = (url, version) => {
      asked.push(version)
      const headers = { etag: '"one"', 'cache-control': 'max-age=60' }
      return version === '"one"'
        ? new Response(null, { status: 304, headers })
        : Response.json(documentOf(url), { headers })
    }
    const statuses = []
    for (let visit = 0; visit < 3; visit++) {
      statuses.push((await ask(clientId)).status)
      clock.ms += 61_000
    }
    expect({ asked, statuses }).toEqual({ asked: [null, '"one"', '"one"'], statuses: [303, 303, 303] })
  })
})

describe('a document is refused', () => {
  const cases: [string, (url: string) => Response, RegExp][] = [
    ['for another id', () => Response.json(documentOf('https://other.example/client.json')), /another `client_id`/],
    ['that is a redirect', () => Response.redirect(`${server.url.origin}/other`), /too_many_redirects/],
    ['that is too long', (url) => Response.json(documentOf(url, { more: 'x'.repeat(20_000) })), /too_large/],
    ['that is no JSON', () => new Response('<html>'), /no JSON/],
    ['that is null', () => new Response('null'), /another `client_id`/],
    [
      'with a secret',
      (url) => Response.json(documentOf(url, { token_endpoint_auth_method: 'client_secret_post' })),
      /secret/,
    ],
    ['without a name', (url) => Response.json(documentOf(url, { client_name: undefined })), /client_name/],
    ['with an invisible name', (url) => Response.json(documentOf(url, { client_name: '\u200b ' })), /client_name/],
    [
      'that offers only a key of its own',
      (url) => Response.json(documentOf(url, { token_endpoint_auth_method: 'private_key_jwt' })),
      /private_key_jwt.*offer .none/,
    ],
    [
      'that offers no public access among several ways',
      (url) =>
        Response.json(documentOf(url, { token_endpoint_auth_methods: ['private_key_jwt', 'client_secret_basic'] })),
      /offer .none/,
    ],
    ['without an address', (url) => Response.json(documentOf(url, { redirect_uris: [] })), /1 to 20/],
    ['with a harmful address', (url) => Response.json(documentOf(url, { redirect_uris: ['javascript:1'] })), /scheme/],
    ['that is absent', () => new Response(null, { status: 404 }), /status 404/],
  ]
  for (const [name, answer, reason] of cases)
    test(name, async () => {
      host.answer = answer
      const clientId = newId()
      const { status, location, body } = await ask(clientId)
      expect([status, location, String(body['text'] ?? body['detail'])]).toEqual([
        400,
        undefined,
        expect.stringMatching(reason),
      ])
    })
})

test('no document is read from a private address or name, without HTTPS, or from a URL with parts that hide', async () => {
  const { config, ...others } = app.deps
  const guarded: Deps = { ...others, config: { ...config, clientMetadataAllowPrivate: false } }
  const urls = [
    `${server.url.origin}/client.json`,
    'https://127.0.0.1/client.json',
    'https://[::1]/client.json',
    'https://[::ffff:10.0.0.1]/client.json',
    'https://10.1.2.3/client.json',
    'https://192.168.0.1/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1/client.json',
    'https://2130706433/client.json',
    'https://localhost/client.json',
    'https://metadata.google.internal/client.json',
    'https://redis:6379/client.json',
    'https://user:password@app.example/client.json',
    'https://app.example/client.json#fragment',
    'https://app.example/a/../client.json',
    'https://app.example',
    'https://app.example/',
    'HTTPS://app.example/client.json',
  ]
  for (const url of urls) {
    const reading = await readDocument(ctxOf(guarded), { id: url, etag: null })
    expect([url, reading.kind, 'reason' in reading ? reading.reason : '']).toEqual([
      url,
      'failed',
      expect.stringMatching(/ it must /),
    ])
  }
  expect(host.requests).toBe(0)
})

describe('a server that could not reach the last document', () => {
  const advertises = async () => {
    const response = await app.app.handle(
      testRequest(app.deps.config.baseUrl, '/.well-known/oauth-authorization-server', {}),
    )
    const metadata = (await response.json()) as { client_id_metadata_document_supported: boolean }
    return metadata.client_id_metadata_document_supported
  }

  test.each<[string, () => Response]>([
    ['a challenge with status 403', () => new Response('<p>Are you human?</p>', { status: 403 })],
    ['a page with status 200', () => new Response('<p>One moment</p>', { headers: { 'content-type': 'text/html' } })],
    ['an overloaded host', () => new Response(null, { status: 503 })],
  ])('advertises none, so that apps register themselves, until one is read again: %s', async (_, answer) => {
    expect(await advertises()).toBe(true)
    host.answer = answer
    expect((await ask(newId())).status).toBe(400)
    expect(await advertises()).toBe(false)
    host.answer = (url) => Response.json(documentOf(url))
    expect((await ask(newId())).status).toBe(303)
    expect(await advertises()).toBe(true)
  })

  test('advertises them again after ten minutes', async () => {
    const closed = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
    const { origin } = closed.url
    await closed.stop(true)
    expect((await ask(`${origin}/client.json`)).status).toBe(400)
    expect(await advertises()).toBe(false)
    clock.ms += 600_000
    expect(await advertises()).toBe(true)
  })

  test('goes on advertising them after a document that is missing, or an address that it never asks', async () => {
    host.answer = () => new Response(null, { status: 404 })
    expect((await ask(newId())).status).toBe(400)
    expect((await ask('http://127.0.0.1:1/client.json#part')).status).toBe(400)
    expect(await advertises()).toBe(true)
  })
})
