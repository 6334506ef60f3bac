// Input validation: every invalid value of every parameter of every route is a 400 that names the field.
import { describe, expect, test } from 'bun:test'

import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

import { PRESETS } from '../../src/auth/scopes.ts'
import { type BookableSlot, findBookableSlot, openTestApp } from '../support/app.ts'
import { createOperatorWithKey } from '../support/operator-keys.ts'
import { NAMES_NO_ROW } from '../support/requests-without-row.ts'
import { allValidRequests } from '../support/valid-platform-requests.ts'
import type { ValidRequest } from '../support/valid-requests.ts'
import { findPros } from '../support/reviews.ts'
import { opened } from '../support/fixture.ts'

const app = await opened(openTestApp())
/** Set before the tests run; the route names are read before that. */
let slot: BookableSlot = { professionalId: '', slug: '', serviceId: '', date: '', time: '' }
slot = await findBookableSlot(app)
// Not the pro of the slot: a business cannot review itself.
const pro = (await findPros(app, 2)).find(({ id }) => id !== slot.professionalId)
const presets = ['full-server', 'pro-dashboard', 'webhook-receiver', 'agent-tools'] as const
await app.deps.write.run(
  'givePlan',
  (sql) => sql`update professionals set plan = 'business' where id = ${pro?.id ?? null}`,
)
const key = await app.key(
  presets.flatMap((preset) => PRESETS[preset]),
  pro?.email,
)
/** The key of a client account, for the clients' routes. */
const clientKey = await app.key(PRESETS['agent-tools'], await app.client())

const operator = await createOperatorWithKey(app)

interface InvalidRequest {
  /** The change that makes the request invalid, and the field that the error must name. */
  why: string
  field: string
  request: ValidRequest
}

function describeRoute(name: string) {
  const route = app.app.routes.find(({ method, path }) => `${method} ${path}` === name)
  if (!route) throw new Error(`There is no route ${name}.`)
  return {
    query: route.hooks.query as TSchema | undefined,
    params: route.hooks.params,
    body: route.hooks.body as TSchema,
  }
}

test('every route with input has a valid request here', () => {
  const withInput = app.app.routes
    // Pages for people: test/web/console/input.test.ts.
    .filter(({ hooks }) => (hooks.query || hooks.params || hooks.body) && !hooks.detail?.hide)
    .map(({ method, path }) => `${method} ${path}`)
  expect(Object.keys(allValidRequests(slot)).sort()).toEqual(withInput.sort())
})

const ROUTES = Object.keys(allValidRequests(slot))
/** They report errors in JSON-RPC; mcp/hostile.test.ts sends them invalid bodies. */
const RPC_ROUTES = new Set(['POST /api/mcp', 'POST /api/mcp/customer', 'POST /api/mcp/public'])

describe.each(ROUTES)('%s', (name) => {
  const send = () => sendRequest(name, allValidRequests(slot)[name] ?? {})
  if (NAMES_NO_ROW.has(name))
    test('accepts the form of a valid request, and says that its row does not exist', async () => {
      const code = expect.stringMatching(/(^|_)not_found$/)
      // A path without a route is 404 as well.
      const detail = expect.not.stringContaining('at this path')
      expect(await (await send()).json()).toMatchObject({ status: 404, code, detail })
    })
  else
    test('accepts a valid request', async () => {
      expect([200, 201, 204]).toContain((await send()).status)
    })

  if (RPC_ROUTES.has(name)) return

  test('names the invalid parameter in a 400', async () => {
    const cases = invalidRequests(name, allValidRequests(slot)[name] ?? {})
    expect(cases.length).toBeGreaterThan(0)
    for (const { why, field, request } of cases) {
      const response = await sendRequest(name, request)
      const problem = (await response.json()) as { code?: string; errors?: { path: string }[] }
      // The error of an object names its part.
      const names = problem.errors?.some(({ path }) => path === field || path.startsWith(`${field}.`))
      expect({ why, status: response.status, names }).toEqual({ why, status: 400, names: true })
      expect(response.headers.get('content-type')).toBe('application/problem+json')
    }
  })
})

test('a body that is not a JSON object in UTF-8 is refused', async () => {
  const headers = { 'content-type': 'application/json' }
  for (const body of ['', '{', 'null', '[]', '"text"', '5', new Uint8Array([0x22, 0xff, 0x22])]) {
    const response = await app.send('/api/v1/bookings', { method: 'POST', body, headers, key })
    expect(response.status).toBe(400)
  }
})

test.each(['true', '{"duration":7}', '[]', 'null'])(
  'a field __proto__ (%s) is refused at every depth',
  async (value) => {
    const body = JSON.stringify(allValidRequests(slot)['POST /api/v1/bookings']?.body)
    const headers = { 'content-type': 'application/json' }
    for (const changed of [
      body.replace('{', `{"__proto__":${value},`),
      body.replace(':{', `:{"__proto__":${value},`),
    ]) {
      const response = await app.send('/api/v1/bookings', { method: 'POST', body: changed, headers, key })
      const { errors } = (await response.json()) as { errors: { path: string }[] }
      expect([response.status, errors[0]?.path]).toEqual([
        400,
        expect.stringMatching(/^body(\.\w+)?\.__proto__$/) as string,
      ])
    }
  },
)

test.each(['toString', 'valueOf'])('an object with the field %s instead of a text is refused', async (name) => {
  const body = { ...(allValidRequests(slot)['POST /api/v1/bookings']?.body as object), description: { [name]: 0 } }
  const headers = { 'content-type': 'application/json' }
  const response = await app.send('/api/v1/bookings', { method: 'POST', body: JSON.stringify(body), headers, key })
  const { errors } = (await response.json()) as { errors: { path: string }[] }
  expect([response.status, errors[0]?.path]).toEqual([400, `body.description.${name}`])
})

test('lat requires lng and the reverse, and a date must be bookable', async () => {
  for (const path of [
    '/api/v1/pros?lat=30',
    '/api/v1/pros?lng=-97',
    `/api/v1/pros/${slot.slug}/availability?date=2026-05-01`,
  ])
    expect([path, (await app.send(path)).status]).toEqual([path, 400])
  const valid = allValidRequests(slot)['POST /api/v1/bookings']?.body
  for (const date of ['2026-05-01', '2027-12-01'])
    expect((await app.send('/api/v1/bookings', { json: { ...valid, date }, key })).status).toBe(400)
})

function sendRequest(name: string, { path, query, body }: ValidRequest): Promise<Response> {
  const [method = '', template = ''] = name.split(' ')
  const filled = template.replace(/:(\w+)/g, (_, param: string) => encodeURIComponent(path?.[param] ?? ''))
  const search = query ? `?${new URLSearchParams(query).toString()}` : ''
  const ofOperators = template.startsWith('/api/v1/platform/') ? operator.key : key
  const callerKey = template.startsWith('/api/v1/properties') ? clientKey : ofOperators
  return app.send(`${filled}${search}`, { method, key: callerKey, ...(body ? { json: body } : {}) })
}

function invalidRequests(name: string, valid: ValidRequest): InvalidRequest[] {
  const { query, params, body } = describeRoute(name)
  const inPath = properties(params as TSchema | undefined).flatMap(([param, schema]) =>
    invalidTexts(schema)
      .filter(({ value }) => value !== undefined && value !== '')
      .map(({ why, value }) => ({
        why: `path ${param}: ${why}`,
        field: `path.${param}`,
        request: { ...valid, path: { ...valid.path, [param]: value ?? '' } },
      })),
  )
  const inQuery = properties(query).flatMap(([param, schema, required]) =>
    invalidTexts(schema)
      .filter(({ value }) => value !== undefined || required)
      .map(({ why, value }) => {
        const { [param]: _, ...rest } = valid.query ?? {}
        return {
          why: `query ${param}: ${why}`,
          field: `query.${param}`,
          request: { ...valid, query: value === undefined ? rest : { ...rest, [param]: value } },
        }
      }),
  )
  const inBody = body ? invalidBodies(body, valid.body ?? {}, 'body') : []
  return [...inPath, ...inQuery, ...inBody.map((it) => ({ ...it, request: { ...valid, body: it.body } }))]
}

const properties = (schema: TSchema | undefined): [string, TSchema, boolean][] =>
  Object.entries((schema?.['properties'] ?? {}) as Record<string, TSchema>).map(([name, property]) => [
    name,
    property,
    ((schema?.['required'] ?? []) as string[]).includes(name),
  ])

/** The number schema: Elysia wraps a number in a union in some places. */
const numberOf = (schema: TSchema): TSchema =>
  (schema['anyOf'] as TSchema[] | undefined)?.find(({ type }) => type === 'number') ?? schema

/** Texts that the schema of a query or path parameter refuses. */
function invalidTexts(schema: TSchema): { why: string; value: string | undefined }[] {
  const common = [
    { why: 'missing', value: undefined },
    { why: 'with NUL', value: 'a\0b' },
    { why: 'too long', value: 'x'.repeat(5000) },
    { why: 'empty', value: '' },
  ]
  const number = ['abc', '1e3', ' 5', '0x10', 'NaN', 'Infinity', '1,5', '--1', String(2 ** 60)]
  const wrong =
    schema.type === 'integer'
      ? [...number, '1.5', String(schema['minimum'] - 1), String(schema['maximum'] + 1)]
      : schema.type === 'number' || (schema['anyOf'] as TSchema[] | undefined)?.some(({ type }) => type === 'number')
        ? [...number, String(numberOf(schema)['maximum'] + 1), String(numberOf(schema)['minimum'] - 1)]
        : schema.type === 'boolean' ||
            (schema['anyOf'] as TSchema[] | undefined)?.some(({ type }) => type === 'boolean')
          ? ['yes', '1', 'TRUE', 'null']
          : schema['format'] === 'date'
            ? ['tomorrow', '2026-13-01', '2026-02-30', '2026-1-1', '2026-01-01T00:00:00Z']
            : schema['format'] === 'uuid'
              ? ['abc', '123', `${slot.professionalId}0`]
              : []
  return [...common, ...wrong.map((value) => ({ why: `"${value}"`, value }))]
}

interface InvalidBody {
  why: string
  field: string
  body: Record<string, unknown>
}

function invalidBodies(schema: TSchema, valid: Record<string, unknown>, path: string): InvalidBody[] {
  const unknown = { why: `${path}: unknown field`, field: `${path}.surprise`, body: { ...valid, surprise: 1 } }
  const each = properties(schema).flatMap(([name, property, required]): InvalidBody[] => {
    const field = `${path}.${name}`
    const wrong = [null, 5.5, true, [], ...invalidStrings(property)].filter((value) => !accepts(property, value))
    const { [name]: _, ...without } = valid
    const nested =
      property.type === 'object'
        ? invalidBodies(property, (valid[name] ?? {}) as Record<string, unknown>, field).map((it) => ({
            ...it,
            body: { ...valid, [name]: it.body },
          }))
        : []
    return [
      ...(required ? [{ why: `${field}: missing`, field, body: without }] : []),
      ...wrong.map((value) => ({
        why: `${field}: ${JSON.stringify(value)?.slice(0, 40)}`,
        field,
        body: { ...valid, [name]: value },
      })),
      ...nested,
    ]
  })
  return [unknown, ...each]
}

const invalidStrings = (schema: TSchema): unknown[] => {
  if (schema.type === 'integer') return ['60', 14, 721, 62, -60]
  if (schema.type === 'object') return ['text', 5]
  return [
    'a\0b',
    'x'.repeat(6000),
    '\ud800',
    ...(schema['minLength'] || schema['format'] || schema['pattern'] ? ['', 'x y'] : []),
    { a: 1 },
  ]
}

/** True if the schema accepts the value: a text field accepts most texts, and some fields accept null. */
const accepts = (schema: TSchema, value: unknown): boolean =>
  Value.Check(schema, value) && !(typeof value === 'string' && (value.includes('\0') || !value.isWellFormed()))
