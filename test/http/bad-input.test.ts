// Every parameter of every route, spoilt in every way its schema knows: always 400, always naming the field.
import { beforeAll, describe, expect, test } from 'bun:test'

import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

import { PRESETS } from '../../src/auth/scopes.ts'
import { type BookableSlot, findBookableSlot, openTestApp } from '../support/app.ts'
import { type ValidRequest, validRequests } from '../support/valid-requests.ts'
import { findPros } from '../support/reviews.ts'
import { useFixture } from '../support/fixture.ts'

const app = useFixture(() => openTestApp())
let key: string
/** Filled in before the tests; the names of routes are read before that. */
let slot: BookableSlot = { professionalId: '', slug: '', serviceId: '', date: '', time: '' }
/** Of a client account, for its own routes. */
let clientsKey: string

beforeAll(async () => {
  slot = await findBookableSlot(app)
  const [pro] = await findPros(app, 1)
  const presets = ['full-server', 'pro-dashboard', 'webhook-receiver', 'agent-tools'] as const
  await app.deps.write.run(
    'givePlan',
    (sql) => sql`update professionals set plan = 'business' where id = ${pro?.id ?? null}`,
  )
  key = await app.key(
    presets.flatMap((preset) => PRESETS[preset]),
    pro?.email,
  )
  clientsKey = await app.key(PRESETS['agent-tools'], await app.client())
})

interface Spoilt {
  /** What was done, and the field the answer must name. */
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

test('every route that takes input has a good request here', () => {
  const taking = app.app.routes
    // Pages for people: test/web/console/input.test.ts.
    .filter(({ hooks }) => (hooks.query || hooks.params || hooks.body) && !hooks.detail?.hide)
    .map(({ method, path }) => `${method} ${path}`)
  expect(Object.keys(validRequests(slot)).sort()).toEqual(taking.sort())
})

const ROUTES = Object.keys(validRequests(slot))
/** Their bodies are spoilt in agents-hostile.test.ts: what is wrong with them is said in JSON-RPC. */
const RPC_ROUTES = new Set(['POST /api/mcp', 'POST /api/mcp/customer'])

describe.each(ROUTES)('%s', (name) => {
  test('its good request is not refused as invalid', async () => {
    const answer = await sendGood(name, validRequests(slot)[name] ?? {})
    expect([200, 201, 204, 404]).toContain(answer.status)
  })

  if (RPC_ROUTES.has(name)) return

  test('every spoilt parameter is a 400 that names it', async () => {
    const cases = spoil(name, validRequests(slot)[name] ?? {})
    expect(cases.length).toBeGreaterThan(0)
    for (const { why, field, request } of cases) {
      const answer = await sendGood(name, request)
      const problem = (await answer.json()) as { code?: string; errors?: { path: string }[] }
      const said = { why, status: answer.status, fields: problem.errors?.map(({ path }) => path) }
      expect(said).toEqual({ why, status: 400, fields: expect.arrayContaining([field]) as string[] })
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
    }
  })
})

test('a body that is no object, no JSON or not UTF-8 is refused', async () => {
  const headers = { 'content-type': 'application/json' }
  for (const body of ['', '{', 'null', '[]', '"text"', '5', new Uint8Array([0x22, 0xff, 0x22])]) {
    const answer = await app.send('/api/v1/bookings', { method: 'POST', body, headers, key })
    expect(answer.status).toBe(400)
  }
})

test.each(['true', '{"duration":7}', '[]', 'null'])(
  'a field __proto__ (%s) is refused, however deep',
  async (value) => {
    const body = JSON.stringify(validRequests(slot)['POST /api/v1/bookings']?.body)
    const headers = { 'content-type': 'application/json' }
    for (const spoilt of [body.replace('{', `{"__proto__":${value},`), body.replace(':{', `:{"__proto__":${value},`)]) {
      const answer = await app.send('/api/v1/bookings', { method: 'POST', body: spoilt, headers, key })
      const { errors } = (await answer.json()) as { errors: { path: string }[] }
      expect([answer.status, errors[0]?.path]).toEqual([
        400,
        expect.stringMatching(/^body(\.\w+)?\.__proto__$/) as string,
      ])
    }
  },
)

test.each(['toString', 'valueOf'])('a field %s in the place of a text is refused', async (name) => {
  const body = { ...(validRequests(slot)['POST /api/v1/bookings']?.body as object), description: { [name]: 0 } }
  const headers = { 'content-type': 'application/json' }
  const answer = await app.send('/api/v1/bookings', { method: 'POST', body: JSON.stringify(body), headers, key })
  const { errors } = (await answer.json()) as { errors: { path: string }[] }
  expect([answer.status, errors[0]?.path]).toEqual([400, `body.description.${name}`])
})

test('lat and lng go together, and a date must be bookable', async () => {
  for (const path of [
    '/api/v1/pros?lat=30',
    '/api/v1/pros?lng=-97',
    `/api/v1/pros/${slot.slug}/availability?date=2026-05-01`,
  ])
    expect([path, (await app.send(path)).status]).toEqual([path, 400])
  const good = validRequests(slot)['POST /api/v1/bookings']?.body
  for (const date of ['2026-05-01', '2027-12-01'])
    expect((await app.send('/api/v1/bookings', { json: { ...good, date }, key })).status).toBe(400)
})

function sendGood(name: string, { path, query, body }: ValidRequest): Promise<Response> {
  const [method = '', template = ''] = name.split(' ')
  const filled = template.replace(/:(\w+)/g, (_, param: string) => encodeURIComponent(path?.[param] ?? ''))
  const search = query ? `?${new URLSearchParams(query).toString()}` : ''
  const who = template.startsWith('/api/v1/properties') ? clientsKey : key
  return app.send(`${filled}${search}`, { method, key: who, ...(body ? { json: body } : {}) })
}

function spoil(name: string, good: ValidRequest): Spoilt[] {
  const { query, params, body } = describeRoute(name)
  const inPath = properties(params as TSchema | undefined).flatMap(([param, schema]) =>
    spoiltTexts(schema)
      .filter(({ value }) => value !== undefined && value !== '')
      .map(({ why, value }) => ({
        why: `path ${param}: ${why}`,
        field: `path.${param}`,
        request: { ...good, path: { ...good.path, [param]: value ?? '' } },
      })),
  )
  const inQuery = properties(query).flatMap(([param, schema, required]) =>
    spoiltTexts(schema)
      .filter(({ value }) => value !== undefined || required)
      .map(({ why, value }) => {
        const { [param]: _, ...rest } = good.query ?? {}
        return {
          why: `query ${param}: ${why}`,
          field: `query.${param}`,
          request: { ...good, query: value === undefined ? rest : { ...rest, [param]: value } },
        }
      }),
  )
  const inBody = body ? spoiltBodies(body, good.body ?? {}, 'body') : []
  return [...inPath, ...inQuery, ...inBody.map((it) => ({ ...it, request: { ...good, body: it.body } }))]
}

const properties = (schema: TSchema | undefined): [string, TSchema, boolean][] =>
  Object.entries((schema?.['properties'] ?? {}) as Record<string, TSchema>).map(([name, property]) => [
    name,
    property,
    ((schema?.['required'] ?? []) as string[]).includes(name),
  ])

/** A number as Elysia leaves it, or inside the union that it makes of one. */
const numberOf = (schema: TSchema): TSchema =>
  (schema['anyOf'] as TSchema[] | undefined)?.find(({ type }) => type === 'number') ?? schema

/** Texts that the schema of a query or path parameter must refuse. */
function spoiltTexts(schema: TSchema): { why: string; value: string | undefined }[] {
  const always = [
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
  return [...always, ...wrong.map((value) => ({ why: `"${value}"`, value }))]
}

interface SpoiltBody {
  why: string
  field: string
  body: Record<string, unknown>
}

function spoiltBodies(schema: TSchema, good: Record<string, unknown>, path: string): SpoiltBody[] {
  const unknown = { why: `${path}: unknown field`, field: `${path}.surprise`, body: { ...good, surprise: 1 } }
  const each = properties(schema).flatMap(([name, property, required]): SpoiltBody[] => {
    const field = `${path}.${name}`
    const wrong = [null, 5.5, true, [], ...spoiltStrings(property)].filter((value) => !reads(property, value))
    const { [name]: _, ...without } = good
    const inside =
      property.type === 'object'
        ? spoiltBodies(property, (good[name] ?? {}) as Record<string, unknown>, field).map((it) => ({
            ...it,
            body: { ...good, [name]: it.body },
          }))
        : []
    return [
      ...(required ? [{ why: `${field}: missing`, field, body: without }] : []),
      ...wrong.map((value) => ({
        why: `${field}: ${JSON.stringify(value)?.slice(0, 40)}`,
        field,
        body: { ...good, [name]: value },
      })),
      ...inside,
    ]
  })
  return [unknown, ...each]
}

const spoiltStrings = (schema: TSchema): unknown[] => {
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

/** Whether a value is fine by the schema after all: a text field takes most texts, and some fields take null. */
const reads = (schema: TSchema, value: unknown): boolean =>
  Value.Check(schema, value) && !(typeof value === 'string' && (value.includes('\0') || !value.isWellFormed()))
