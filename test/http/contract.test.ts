// The contract check notices every way in which an answer can differ from the document. Needs no store.
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
    '/pets/best': { get: { operationId: 'getBest', responses: { 204: { description: 'There is none' } } } },
    '/pets': {
      post: {
        operationId: 'postPet',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
        },
        responses: { 201: { description: 'Made', content: { 'text/plain': {} } } },
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

/** What the client says of an application that documents DOCUMENT and gives `answer` to everything else. */
async function verdict(answer: Response, path = '/pets/1', init?: RequestInit): Promise<string> {
  const client = await openContract((request) =>
    Promise.resolve(request.url.endsWith('/openapi.json') ? Response.json(DOCUMENT) : answer),
  )
  return await client.fetch(path, init).then(
    (response) => `passed ${response.status}`,
    (error: Error) => error.message,
  )
}

const problem = (status: number, body: object, headers = {}) =>
  Response.json(body, { status, headers: { 'content-type': 'application/problem+json', ...headers } })

test('an answer as documented passes, and can still be read', async () => {
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

test('a body that breaks its schema is named with operation, status and place', async () => {
  const said = await verdict(Response.json({ name: 5, born: '2021-02-29' }))
  expect(said).toContain('GET /pets/{id} 200')
  expect(said).toContain('at /name: must be string')
  expect(said).toContain('at /born: must match format "date"')
})

test('a member that is not documented is a fault', async () => {
  expect(await verdict(Response.json({ name: 'Rex', secret: 1 }))).toContain('"additionalProperty":"secret"')
})

test('so is a status, a content type, a body where none is due, a missing header', async () => {
  expect(await verdict(new Response('', { status: 500 }))).toContain('status 500 is not documented')
  expect(await verdict(new Response('<p>Rex</p>', { headers: { 'content-type': 'text/html' } }))).toContain(
    '"text/html"',
  )
  expect(await verdict(new Response('{', { headers: { 'content-type': 'application/json' } }))).toContain('not JSON')
  expect(await verdict(problem(429, { code: 'slow_down' }))).toContain('Retry-After is missing')
})

test('a path without parameters wins over one with', async () => {
  expect(await verdict(new Response(null, { status: 204 }), '/pets/best')).toBe('passed 204')
  expect(await verdict(Response.json({ name: 'Rex' }), '/pets/best')).toContain('status 200 is not documented')
})

test('the address in the type of a problem must lead somewhere', async () => {
  const type = 'http://localhost/problems/slow_down'
  const answer = problem(429, { code: 'slow_down', type }, { 'retry-after': '1' })
  expect(await verdict(answer)).toContain(`${type} answers 429`)
})

test('what is not documented must answer 404, or 405 with Allow', async () => {
  expect(await verdict(Response.json({}), '/toys')).toContain('should answer 404')
  expect(await verdict(problem(404, { code: 'not_found' }), '/toys')).toBe('passed 404')
  const allow = { allow: 'GET' }
  expect(await verdict(problem(405, { code: 'method' }, allow), '/pets/1', { method: 'PUT' })).toBe('passed 405')
  expect(await verdict(problem(405, { code: 'method' }), '/pets/1', { method: 'PUT' })).toContain('Allow is missing')
  expect(await verdict(problem(404, {}), '/toys')).toContain("must have required property 'code'")
})

test('a request body that the server accepts must be one that the document allows', async () => {
  const made = () => new Response('made', { status: 201, headers: { 'content-type': 'text/plain' } })
  const post = (body: object) => ({ method: 'POST', body: JSON.stringify(body) })
  expect(await verdict(made(), '/pets', post({ name: 'Rex' }))).toBe('passed 201')
  expect(await verdict(made(), '/pets', post({ nom: 'Rex' }))).toContain('accepted a body that is not as documented')
})
