// /openapi.json is complete, passes two linters, and is built from the schemas that validate. Needs no PostgreSQL or Redis.
import { afterAll, expect, test } from 'bun:test'

import { Type } from '@sinclair/typebox'

import { createApp } from '../../src/app.ts'
import { FEATURES, type Feature, readConfig } from '../../src/config.ts'
import { openDeps } from '../../src/deps.ts'
import { type OpenApiDocument, buildDocument, isOperation } from '../../src/http/openapi/openapi.ts'
import { templateOf } from '../../src/http/openapi/operation.ts'
import { SchemaCollector } from '../../src/http/openapi/schemas.ts'
import { Nullable, OneOf } from '../../src/platform/schema/types.ts'
import { lintWithRedocly, lintWithSchema } from '../support/openapi-lint.ts'

const BASE_URL = 'https://api.hearth.example'

/** Nothing listens on port 1: the document must not need PostgreSQL or Redis. Every feature is on, so that the linters check all of it. */
const deps = openDeps(
  readConfig({
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    REDIS_URL: 'redis://127.0.0.1:1',
    BASE_URL,
    LOG_LEVEL: 'error',
    ...Object.fromEntries(FEATURES.map((name) => [name, 'true'])),
  }),
)
const app = createApp(deps)
const get = (path: string, headers: Record<string, string> = {}) =>
  app.handle(new Request(`http://localhost${path}`, { headers }))
const document = (await (await get('/openapi.json')).json()) as OpenApiDocument
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
)

afterAll(() => deps.close())

test('the document declares OpenAPI 3.1.0 and interface version 1.0.0', () => {
  expect(document.openapi).toBe('3.1.0')
  expect(document.info.version).toBe('1.0.0')
  expect(document.servers.map(({ url }) => url)).toEqual([BASE_URL])
})

test('Redocly reports no errors and no warnings', async () => {
  expect(await lintWithRedocly(document)).toEqual([])
})

test('the document matches OpenAPI’s own schema', async () => {
  expect(await lintWithSchema(document)).toEqual([])
})

test('both linters report the errors of a broken document', async () => {
  const [first] = Object.keys(document.paths)
  const broken = {
    ...document,
    paths: { [first ?? '/x']: { get: { responses: { 200: { $ref: '#/nowhere' } }, parameters: [{ in: 'body' }] } } },
  }
  expect(await lintWithRedocly(broken)).not.toEqual([])
  expect(await lintWithSchema(broken)).not.toEqual([])
})

test('the document describes every route of the application and no other', () => {
  const routes = app.routes.filter(isOperation).map(({ method, path }) => `${method} ${templateOf(path)}`)
  expect(operations.map(({ name }) => name).toSorted()).toEqual(routes.toSorted())
  expect(routes).toContain('GET /api/v1/pros/{id}')
})

test('the document leaves out only documents, pages, health checks, payment webhooks and routes that refuse other methods', () => {
  const hidden = app.routes.filter((route) => !isOperation(route) && route.method !== 'ALL').map(({ path }) => path)
  const expected =
    /^(\/openapi\.json|\/api-docs(\/.*)?|\/\.well-known\/.*|\/api\/mcp.*\/server-card|\/healthz|\/readyz|\/problems.*|\/pay\/.*|\/webhooks\/stripe|\/assets\/.*|\/quotes\/.*|\/calendars\/.*|\/files\/.*|\/console.*|\/ops.*|\/pros\/.*|\/bookings.*|\/requests\/.*|\/reviews\/.*|\/my.*|\/oauth\/.*|\/unsubscribe\/.*|\/packages\/.*|\/share\.jpg|\/widget\.js|\/robots\.txt|\/llms\.txt|\/favicon\.ico|\/site\.webmanifest|\/for-pros(\/.*)?|\/about|\/(terms|privacy|imprint)(\/.*)?|\/sitemap.*|\/:services\/:city(\/share\.jpg)?|\/)$/
  expect(hidden.filter((path) => !expected.test(path))).toEqual([])
})

test('every operation has a summary, described tags and a unique id', () => {
  const described = new Set(document.tags.map(({ name }) => name))
  for (const { name, operation } of operations) {
    expect(operation['summary'], name).toBeString()
    expect(
      operation.tags.filter((tag) => !described.has(tag)),
      name,
    ).toEqual([])
  }
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
})

test('an operation that requires a key documents its scopes and the responses 401 and 403', () => {
  const secured = operations.filter(({ operation }) => Bun.deepEquals(operation['security'], [{ bearer: [] }]))
  expect(secured.length).toBeGreaterThan(0)
  for (const { name, operation } of secured) {
    expect(operation['x-required-scopes'], name).not.toBeEmpty()
    expect(Object.keys(operation.responses), name).toEqual(expect.arrayContaining(['401', '403', '503']))
  }
})

/** POSTs without an Idempotency-Key, and why. */
const NOT_IDEMPOTENT: Record<string, string> = {
  'POST /api/v1/quotes/{token}/accept': 'a link has no key owner; the second attempt is refused by the quote’s state',
  'POST /api/v1/quotes/{token}/decline': 'a link has no key owner; the second attempt is refused by the quote’s state',
  'POST /api/v1/quotes/{token}/cancel': 'a second one is refused, and refunds nothing',
  'POST /sandbox/payments/{clientSecret}': 'a secret has no key owner; a repeated payment has no effect',
  'POST /api/v1/webhooks/verify': 'changes nothing',
  'POST /api/mcp': 'each write tool takes `idempotencyKey`',
  'POST /api/mcp/public': 'its tools only read',
  'POST /api/mcp/customer': 'each write tool takes `idempotencyKey`',
}

test('every POST that changes something accepts an Idempotency-Key', () => {
  const posts = operations.filter(({ name }) => name.startsWith('POST '))
  expect(posts.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(NOT_IDEMPOTENT)))
  for (const { name, operation } of posts.filter(({ name }) => !(name in NOT_IDEMPOTENT))) {
    expect(operation['parameters'], name).toContainEqual({ $ref: '#/components/parameters/Idempotency-Key' })
    expect(Object.keys(operation.responses), name).toContain('422')
  }
})

test('every error is a problem document, or a JSON-RPC error on the MCP routes', () => {
  const responses = document.components['responses'] as Record<string, { content: object }>
  const errors = operations.flatMap(({ name, operation }) =>
    Object.entries(operation.responses)
      .filter(([status]) => Number(status) >= 400)
      .map(([, response]) => ({
        type: / \/api\/mcp(\/|$)/.test(name) ? 'application/json' : 'application/problem+json',
        error: '$ref' in response ? responses[String(response['$ref']).split('/').at(-1) ?? ''] : response,
      })),
  )
  expect(errors.length).toBeGreaterThan(10)
  for (const { type, error } of errors) expect(Object.keys(error?.['content'] ?? {})).toEqual([type])
})

test('the document contains no internal annotations', () => {
  const text = JSON.stringify(document)
  expect(text).not.toContain('x-access')
  expect(text).not.toContain('x-response')
  expect(text).not.toContain('"$id"')
})

test('a route without declared access and two handlers with one name are refused', () => {
  const route = app.routes.find(isOperation)
  if (!route) throw new Error('The application has no operation.')
  const options = deps.config
  expect(() => buildDocument([{ ...route, hooks: {} }], options)).toThrow('must declare access')
  expect(() => buildDocument([route, { ...route, path: '/other' }], options)).toThrow('Two handlers')
})

test('the document has an ETag, and an unchanged document is a 304', async () => {
  const whole = await get('/openapi.json')
  expect(whole.headers.get('content-type')).toBe('application/json')
  const again = await get('/openapi.json', { 'if-none-match': whole.headers.get('etag') ?? '' })
  expect([again.status, await again.text()]).toEqual([304, ''])
})

test('a shared schema is defined once, and two schemas with one name are refused', () => {
  const schemas = new SchemaCollector()
  const pet = Type.Object({ name: Type.String() }, { $id: 'Pet' })
  expect(schemas.add(Type.Array(pet))).toEqual({ type: 'array', items: { $ref: '#/components/schemas/Pet' } })
  schemas.add(pet)
  expect(Object.keys(schemas.components)).toEqual(['Pet'])
  expect(() => schemas.add(Type.Object({}, { $id: 'Pet' }))).toThrow('"Pet"')
})

test('choices become enums, and nullable scalars have both types', () => {
  const schemas = new SchemaCollector()
  expect(schemas.add(Type.Union([Type.Literal('a'), Type.Literal('b')]))).toEqual({ type: 'string', enum: ['a', 'b'] })
  expect(schemas.add(Nullable(Type.String({ maxLength: 5 })))).toEqual({ type: ['string', 'null'], maxLength: 5 })
  expect(schemas.add(Nullable(OneOf(['a', 'b'])))).toEqual({ type: ['string', 'null'], enum: ['a', 'b', null] })
})

test('/.well-known/api-catalog links to the description, the reference and the status (RFC 9727)', async () => {
  const response = await get('/.well-known/api-catalog')
  expect(response.headers.get('content-type')).toBe(
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  )
  const { linkset } = (await response.json()) as { linkset: Record<string, unknown>[] }
  const api = linkset.find(({ anchor }) => anchor === `${BASE_URL}/api/v1`)
  for (const relation of ['service-desc', 'service-doc', 'status']) {
    const [target] = (api?.[relation] ?? []) as { href: string }[]
    expect(target?.href, relation).toStartWith(`${BASE_URL}/`)
    expect((await get(target?.href.slice(BASE_URL.length) ?? '')).status, relation).toBe(200)
    expect(response.headers.get('link'), relation).toContain(`<${target?.href}>; rel="${relation}"`)
  }
  expect(response.headers.get('link')).toStartWith(`<${BASE_URL}/.well-known/api-catalog>; rel="api-catalog"`)
})

test('the document leaves out what a flag turns off', () => {
  const off = { ...deps.config, features: new Set<Feature>() }
  const { paths } = buildDocument(createApp({ ...deps, config: off }).routes, off)
  expect(Object.keys(paths).filter((path) => /^\/api\/mcp$|\/packages|\/properties/.test(path))).toEqual([])
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/api/mcp/customer', '/api/mcp/public']))
})
