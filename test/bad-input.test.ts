// Every parameter of every route, spoilt in every way its schema knows: always 400, always naming the field.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

import { PRESETS } from '../src/features/keys/scopes.ts'
import { type BookableSlot, type TestApp, findBookableSlot, openTestApp } from './support/app.ts'
import { findPros } from './support/reviews.ts'

let app: TestApp
let key: string
/** Filled in before the tests; the names of routes are read before that. */
let slot: BookableSlot = { professionalId: '', slug: '', serviceId: '', date: '', time: '' }
/** Of a client account, for its own routes. */
let clientsKey: string

beforeAll(async () => {
  app = await openTestApp()
  slot = await findBookableSlot(app)
  const [pro] = await findPros(app, 1)
  key = await app.key([...PRESETS['full-server'], ...PRESETS['pro-dashboard']], pro?.email)
  clientsKey = await app.key(PRESETS['agent-tools'], await app.client())
})
afterAll(() => app.close())

interface Good {
  path?: Record<string, string>
  query?: Record<string, string>
  body?: Record<string, unknown>
}

const property = {
  name: 'Unit 4B',
  address: { street: '1 Main Street', city: 'Austin', state: 'TX', zipCode: '78701' },
  bedrooms: 2,
  bathrooms: 1.5,
  areaSquareFeet: 900,
  accessNotes: 'Ring twice.',
}

/** A good request for every route that takes anything. A route without one fails the test. */
const goodRequests = (): Record<string, Good> => ({
  'GET /api/v1/services': { query: { categoryId: 'plumbing', city: 'Austin', state: 'TX' } },
  'GET /api/v1/cities': { query: { state: 'TX', limit: '10' } },
  'GET /api/v1/pros': {
    query: {
      service: 'plumber',
      category: 'plumbing',
      city: 'Austin',
      state: 'TX',
      lat: '30.27',
      lng: '-97.74',
      radius: '25',
      verified: 'true',
      instantBook: 'true',
      limit: '5',
      offset: '0',
    },
  },
  'GET /api/v1/pros/:id': { path: { id: slot.slug } },
  'GET /api/v1/profile/public/:profileId': { path: { profileId: slot.slug } },
  'GET /api/v1/pricing': { query: { service: 'plumber', city: 'Austin', state: 'TX' } },
  'GET /api/v1/pros/:id/availability': { path: { id: slot.slug }, query: { date: slot.date, days: '3' } },
  'GET /api/v1/availability/query': {
    query: { professionalId: slot.professionalId, serviceId: slot.serviceId, date: slot.date },
  },
  'POST /api/v1/bookings': {
    body: {
      professionalId: slot.professionalId,
      serviceId: slot.serviceId,
      date: slot.date,
      time: slot.time,
      duration: 60,
      customer: { name: 'Customer', email: 'customer@test.example', phone: '555-0100' },
      address: { street: '1 Main Street', city: 'Austin', state: 'TX', zipCode: '78701' },
      description: 'The tap drips.',
      source: 'api',
      sourceAgentId: 'agent-1',
    },
  },
  'GET /api/v1/bookings': { query: { code: 'HTH-0123456789AB' } },
  'GET /api/v1/bookings/:id': { path: { id: slot.professionalId } },
  'POST /api/v1/rfqs': {
    body: {
      professionalId: slot.professionalId,
      serviceId: slot.serviceId,
      customer: { name: 'Customer', email: 'customer@test.example', phone: '555-0100' },
      description: 'The tap drips.',
      photos: ['https://photos.test.example/tap.jpg'],
      budget: '$100 to $200',
      timeline: 'This week',
      preferredDate: '2026-06-10',
      address: { street: '1 Main Street', city: 'Austin', state: 'TX', zipCode: '78701' },
      source: 'api',
      sourceAgentId: 'agent-1',
    },
  },
  'GET /api/v1/rfqs': { query: { email: 'customer@test.example', limit: '5', offset: '0' } },
  'GET /api/v1/pro/leads': { query: { status: 'new', limit: '5', offset: '0' } },
  'GET /api/v1/pro/leads/:id': { path: { id: slot.professionalId } },
  'POST /api/v1/pro/leads/:id/archive': { path: { id: slot.professionalId } },
  'POST /api/v1/pro/quotes': {
    body: {
      rfqId: slot.professionalId,
      amount: 480.5,
      lineItems: [{ description: 'Labor', quantity: 2, unitPrice: 240.25, amount: 480.5 }],
      estimatedDays: 2,
      depositRequired: true,
      depositPercentage: 25,
      paymentTerms: 'Half before, half after.',
      validForDays: 14,
    },
  },
  'GET /api/v1/pro/quotes': { query: { status: 'sent', rfqId: slot.professionalId, limit: '5', offset: '0' } },
  'GET /api/v1/pro/quotes/:id': { path: { id: slot.professionalId } },
  'GET /api/v1/quotes/:token': { path: { token: 'no-such-token' } },
  'POST /api/v1/quotes/:token/accept': { path: { token: 'no-such-token' } },
  'POST /api/v1/quotes/:token/decline': { path: { token: 'no-such-token' }, body: { reason: 'Too late.' } },
  'GET /api/v1/pro/jobs': { query: { status: 'scheduled', limit: '5', offset: '0' } },
  'GET /api/v1/pro/jobs/:id': { path: { id: slot.professionalId } },
  'POST /api/v1/pro/jobs/:id': {
    path: { id: slot.professionalId },
    body: { action: 'complete', finalAmount: 480.5 },
  },
  'POST /api/v1/bookings/create': {
    body: {
      professionalId: slot.serviceId,
      serviceId: slot.serviceId,
      startDateTime: '2026-06-10T15:00:00Z',
      durationMinutes: 60,
      guestName: 'Customer',
      guestEmail: 'customer@test.example',
      description: 'The tap drips.',
      zipCode: '78701',
    },
  },
  'POST /api/v1/bookings/:id/cancel': {
    path: { id: slot.professionalId },
    body: { confirmationCode: 'HTH-0123456789AB', reason: 'Found a better date.' },
  },
  'POST /api/v1/bookings/:id/reschedule': {
    path: { id: slot.professionalId },
    body: { confirmationCode: 'HTH-0123456789AB', startDateTime: '2026-06-10T15:00:00Z' },
  },
  'GET /api/v1/pro/bookings': { query: { status: 'pending', limit: '5', offset: '0' } },
  'GET /api/v1/pro/bookings/:id': { path: { id: slot.professionalId } },
  'POST /api/v1/pro/bookings/:id': {
    path: { id: slot.professionalId },
    body: { action: 'assign', reason: 'Nearest.', assignToMemberId: slot.professionalId },
  },
  'GET /api/v1/pro/team': { query: { limit: '5', offset: '0' } },
  'POST /api/v1/pro/team': { body: { name: 'Crew 1', email: 'crew.1@test.example', role: 'crew' } },
  'DELETE /api/v1/pro/team/:id': { path: { id: slot.professionalId } },
  'POST /sandbox/payments/:clientSecret': { path: { clientSecret: 'unknown' }, body: { outcome: 'succeeds' } },
  'GET /api/v1/packages': {
    query: { kind: 'standard', location: 'Austin, TX', bedrooms: '2', maxPrice: '99.5', limit: '5', offset: '0' },
  },
  'GET /api/v1/packages/compare': { query: { ids: 'ONE,TWO' } },
  'GET /api/v1/packages/:id': { path: { id: 'ONE' } },
  'GET /api/v1/properties': { query: { limit: '5', offset: '0' } },
  'POST /api/v1/properties': { body: property },
  'GET /api/v1/properties/:id': { path: { id: slot.professionalId } },
  'PUT /api/v1/properties/:id': { path: { id: slot.professionalId }, body: property },
  'DELETE /api/v1/properties/:id': { path: { id: slot.professionalId } },
  'PATCH /api/v1/pro/availability': {
    body: {
      instantBookingEnabled: true,
      requiresApproval: false,
      bookingLeadTimeHours: 2,
      bookingBufferMinutes: 15,
      defaultSlotMinutes: 60,
      businessHours: { monday: [{ start: '09:00', end: '17:00' }] },
    },
  },
  'POST /api/v1/pro/availability': {
    body: { startDateTime: '2026-06-10T09:00:00Z', endDateTime: '2026-06-10T12:00:00Z', reason: 'Away' },
  },
  'DELETE /api/v1/pro/availability/:id': { path: { id: slot.professionalId } },
  'PATCH /api/v1/pro/profile': {
    body: { businessName: 'Name', description: null, serviceRadiusMiles: 20, acceptsEmergency: true },
  },
  'PATCH /api/pro/services': {
    body: {
      serviceId: slot.serviceId,
      description: 'Ours',
      basePrice: 100,
      minPrice: 80,
      maxPrice: 120.5,
      durationMinutes: 60,
      instantBookEnabled: true,
      packageKind: 'standard',
      packageName: 'Standard',
      packagePrice: 99.99,
      includes: ['One'],
      cadence: 'monthly',
      bedrooms: 2,
      bathrooms: 1.5,
    },
  },
  'POST /api/v1/reviews': {
    body: {
      professionalId: slot.professionalId,
      projectId: null,
      bookingId: null,
      rating: 5,
      title: 'Fine work',
      content: 'On time.',
      customer: { name: 'Customer', email: 'customer@test.example' },
      scores: { punctuality: 5, quality: 5, communication: 4, value: 4 },
      photos: ['https://photos.test.example/1.jpg'],
      source: 'api',
    },
  },
  'GET /api/v1/reviews': {
    query: { professionalId: slot.professionalId, limit: '5', offset: '0', sort: 'recent' },
  },
  'POST /api/v1/reviews/:id/helpful': { path: { id: slot.professionalId }, body: { helpful: true } },
  'GET /api/v1/pro/reviews': { query: { status: 'pending', limit: '5', offset: '0' } },
  'GET /api/v1/pro/analytics': { query: { period: '7d' } },
  'POST /api/v1/pro/reviews/:id/response': { path: { id: slot.professionalId }, body: { content: 'Thank you.' } },
})

interface Spoilt {
  /** What was done, and the field the answer must name. */
  why: string
  field: string
  request: Good
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
    .filter(({ hooks }) => hooks.query || hooks.params || hooks.body)
    .map(({ method, path }) => `${method} ${path}`)
  expect(Object.keys(goodRequests()).sort()).toEqual(taking.sort())
})

const ROUTES = Object.keys(goodRequests())

describe.each(ROUTES)('%s', (name) => {
  test('its good request is not refused as invalid', async () => {
    const answer = await sendGood(name, goodRequests()[name] ?? {})
    expect([200, 201, 204, 404]).toContain(answer.status)
  })

  test('every spoilt parameter is a 400 that names it', async () => {
    const cases = spoil(name, goodRequests()[name] ?? {})
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
    const body = JSON.stringify(goodRequests()['POST /api/v1/bookings']?.body)
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

test('lat and lng go together, and a date must be bookable', async () => {
  for (const path of [
    '/api/v1/pros?lat=30',
    '/api/v1/pros?lng=-97',
    `/api/v1/pros/${slot.slug}/availability?date=2026-05-01`,
  ])
    expect([path, (await app.send(path)).status]).toEqual([path, 400])
  const good = goodRequests()['POST /api/v1/bookings']?.body
  for (const date of ['2026-05-01', '2027-12-01'])
    expect((await app.send('/api/v1/bookings', { json: { ...good, date }, key })).status).toBe(400)
})

function sendGood(name: string, { path, query, body }: Good): Promise<Response> {
  const [method = '', template = ''] = name.split(' ')
  const filled = template.replace(/:(\w+)/g, (_, param: string) => encodeURIComponent(path?.[param] ?? ''))
  const search = query ? `?${new URLSearchParams(query).toString()}` : ''
  const who = template.startsWith('/api/v1/properties') ? clientsKey : key
  return app.send(`${filled}${search}`, { method, key: who, ...(body ? { json: body } : {}) })
}

function spoil(name: string, good: Good): Spoilt[] {
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
