// The contract check reports every difference between a response and the document. Needs no PostgreSQL or Redis.
import { expect, test } from 'bun:test'

import { openContract } from '../support/contract.ts'

const PET = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, born: { type: 'string', format: 'date' } },
}

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1.0.0' },
  paths: {
    '/pets/{id}': {
      get: {
        operationId: 'getPet',
        responses: {
          200: {
            description: 'A pet',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
          },
          304: { description: 'Unchanged' },
          429: { $ref: '#/components/responses/TooMany' },
        },
      },
    },
    '/pets/best': { get: { operationId: 'getBest', responses: { 204: { description: 'No pet' } } } },
    '/pets': {
      post: {
        operationId: 'postPet',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
        },
        responses: { 201: { description: 'Created', content: { 'text/plain': {} } } },
      },
    },
  },
  components: {
    schemas: { Pet: PET, Problem: { type: 'object', required: ['code'], properties: { code: { type: 'string' } } } },
    responses: {
      TooMany: {
        description: 'Too many',
        headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
    headers: { 'Retry-After': { required: true, schema: { type: 'integer' } } },
  },
}

/** The client's verdict on an application that serves DOCUMENT and sends `response` to every other request. */
async function verdict(response: Response, path = '/pets/1', init?: RequestInit): Promise<string> {
  const client = await openContract((request) =>
    Promise.resolve(request.url.endsWith('/openapi.json') ? Response.json(DOCUMENT) : response),
  )
  return await client.fetch(path, init).then(
    ({ status }) => `passed ${status}`,
    (error: Error) => error.message,
  )
}

const problem = (status: number, body: object, headers = {}) =>
  Response.json(body, { status, headers: { 'content-type': 'application/problem+json', ...headers } })

test('a documented response passes, and its body can still be read', async () => {
  const client = await openContract((request) =>
    Promise.resolve(
      Response.json(request.url.endsWith('/openapi.json') ? DOCUMENT : { name: 'Rex', born: '2020-02-29' }),
    ),
  )
  expect(await (await client.fetch('/pets/1')).json()).toEqual({ name: 'Rex', born: '2020-02-29' })
  expect([...client.seen]).toEqual(['GET /pets/{id} 200'])
  expect(await verdict(new Response(null, { status: 304 }))).toBe('passed 304')
  expect(await verdict(problem(429, { code: 'slow_down' }, { 'retry-after': '1' }))).toBe('passed 429')
})

test('a body that violates its schema is reported with operation, status and path', async () => {
  const message = await verdict(Response.json({ name: 5, born: '2021-02-29' }))
  expect(message).toContain('GET /pets/{id} 200')
  expect(message).toContain('at /name: must be string')
  expect(message).toContain('at /born: must match format "date"')
})

test('an undocumented member of a body is reported', async () => {
  expect(await verdict(Response.json({ name: 'Rex', secret: 1 }))).toContain('"additionalProperty":"secret"')
})

test('an undocumented status or content type, malformed JSON and a missing header are reported', async () => {
  expect(await verdict(new Response('', { status: 500 }))).toContain('status 500 is not documented')
  expect(await verdict(new Response('<p>Rex</p>', { headers: { 'content-type': 'text/html' } }))).toContain(
    '"text/html"',
  )
  expect(await verdict(new Response('{', { headers: { 'content-type': 'application/json' } }))).toContain('not JSON')
  expect(await verdict(problem(429, { code: 'slow_down' }))).toContain('Retry-After is missing')
})

test('a path without parameters takes precedence over one with parameters', async () => {
  expect(await verdict(new Response(null, { status: 204 }), '/pets/best')).toBe('passed 204')
  expect(await verdict(Response.json({ name: 'Rex' }), '/pets/best')).toContain('status 200 is not documented')
})

test('the URL in the type of a problem must exist', async () => {
  const type = 'http://localhost/problems/slow_down'
  const response = problem(429, { code: 'slow_down', type }, { 'retry-after': '1' })
  expect(await verdict(response)).toContain(`${type} answers 429`)
})

test('an undocumented path must be a 404, and an undocumented method a 405 with Allow', async () => {
  expect(await verdict(Response.json({}), '/toys')).toContain('404 expected')
  expect(await verdict(problem(404, { code: 'not_found' }), '/toys')).toBe('passed 404')
  const allow = { allow: 'GET' }
  expect(await verdict(problem(405, { code: 'method' }, allow), '/pets/1', { method: 'PUT' })).toBe('passed 405')
  expect(await verdict(problem(405, { code: 'method' }), '/pets/1', { method: 'PUT' })).toContain('Allow is missing')
  expect(await verdict(problem(404, {}), '/toys')).toContain("must have required property 'code'")
})

test('a request body that the server accepts must match the document', async () => {
  const created = () => new Response('created', { status: 201, headers: { 'content-type': 'text/plain' } })
  const post = (body: object) => ({ method: 'POST', body: JSON.stringify(body) })
  expect(await verdict(created(), '/pets', post({ name: 'Rex' }))).toBe('passed 201')
  expect(await verdict(created(), '/pets', post({ nom: 'Rex' }))).toContain('accepted a body that is not as documented')
})
