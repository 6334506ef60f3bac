// The responses of all operations: errors of the guard, their schema, and headers that several share.
import type { TSchema } from '@sinclair/typebox'

import { ERRORS } from '../../errors/app-error.ts'
import type { Access } from '../../auth/access.ts'
import { type DocumentedResponse, documentedResponse } from '../responses.ts'
import { Problem } from '../problem-schema.ts'
import { PROBLEM_TYPE } from '../problem.ts'
import type { JsonSchema, SchemaCollector } from './schemas.ts'

const RETRY_AFTER = { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }

export const sharedParameters = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The same for every attempt at one operation, a UUID at best: what was done once is not done again',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
}

const REPLAYED = { 'Idempotent-Replayed': { $ref: '#/components/headers/Idempotent-Replayed' } }

/** On every response that is rate limited. */
const RATE_LIMIT = {
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimit-Policy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
}

export const sharedHeaders = {
  'RateLimit-Policy': {
    description:
      'Each limit that this request counts against: its name, its quota `q`, its window `w` in seconds (draft-ietf-httpapi-ratelimit-headers-10)',
    schema: { type: 'string', examples: ['"public";q=100;w=60'] },
  },
  RateLimit: {
    description: 'Of each limit: the requests that remain `r`, and after how many seconds more do `t`',
    schema: { type: 'string', examples: ['"public";r=99;t=61'] },
  },
  'Idempotent-Replayed': {
    description: 'This is the answer of an earlier request with the same `Idempotency-Key`',
    schema: { const: 'true' },
  },
  'Retry-After': {
    description: 'Seconds after which trying again makes sense',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'WWW-Authenticate': { description: 'RFC 6750: `Bearer`', required: true, schema: { type: 'string' } },
}

interface SharedAnswer {
  name: string
  description: string
  headers?: object
  /** Sent before the request is counted, so it has no rate-limit headers. */
  isUncounted?: boolean
}

/** Responses that operations share, by status. */
const SHARED: Record<number, SharedAnswer> = {
  400: { name: 'BadRequest', description: 'The request is not valid; `errors` says what, field by field' },
  401: {
    name: 'Unauthorized',
    description: 'A key is needed and missing, or the key sent is malformed, unknown, revoked or expired',
    headers: { 'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' } },
  },
  403: {
    name: 'Forbidden',
    description: 'The key has none of the scopes that this operation needs, or may not be used from this page',
  },
  408: { name: 'RequestTimeout', description: 'The body arrived too slowly; the connection is closed' },
  413: { name: 'ContentTooLarge', description: 'The body is larger than 256 KiB' },
  414: { name: 'UriTooLong', description: 'Path and query are longer than 8,192 characters', isUncounted: true },
  415: { name: 'UnsupportedMediaType', description: 'The body is not JSON' },
  422: { name: 'IdempotencyMismatch', description: 'The `Idempotency-Key` was used before with another body' },
  429: { name: 'TooManyRequests', description: 'A rate limit was exceeded', headers: RETRY_AFTER },
  503: {
    name: 'Unavailable',
    description: 'A store does not answer, or the server is overloaded',
    headers: RETRY_AFTER,
    isUncounted: true,
  },
}

/** `components.responses`. */
export const sharedResponses = (schemas: SchemaCollector) =>
  Object.fromEntries(
    Object.values(SHARED).map(({ name, description, headers, isUncounted }) => [
      name,
      { description, headers: { ...headers, ...(isUncounted ? {} : RATE_LIMIT) }, content: problemContent(schemas) },
    ]),
  )

/** The responses of a route: its own, and those of the guard. */
export function responsesOf(
  route: RouteTraits,
  declared: Record<string, TSchema>,
  schemas: SchemaCollector,
): Record<string, JsonSchema> {
  const responses: Record<string, JsonSchema> = {}
  for (const status of guardStatuses(route))
    responses[status] = { $ref: `#/components/responses/${SHARED[status]?.name}` }
  for (const [status, schema] of Object.entries(declared))
    responses[status] = described(Number(status), documentedResponse(schema), route, schemas)
  return responses
}

export interface RouteTraits {
  access: Access
  hasBody: boolean
  isIdempotent: boolean
}

function guardStatuses({ access, hasBody, isIdempotent }: RouteTraits): number[] {
  // Any request may have an invalid Host, too many query parameters, or an address that is too long.
  const statuses = [400, 414]
  if (access.key !== 'none') statuses.push(401, 403)
  if (hasBody) statuses.push(408, 413, 415)
  if (isIdempotent) statuses.push(422)
  if (access.limit !== 'none') statuses.push(429, 503)
  return statuses.filter((status) => POSSIBLE.has(status))
}

/** Only statuses of error codes are documented, because the server sends no others. */
const POSSIBLE = new Set<number>(Object.values(ERRORS).map(({ status }) => status))

function described(
  status: number,
  answer: DocumentedResponse,
  { access, isIdempotent }: RouteTraits,
  schemas: SchemaCollector,
): JsonSchema {
  const headers = {
    ...(SHARED[status]?.headers ?? (isIdempotent ? REPLAYED : {})),
    ...(access.limit === 'none' ? {} : RATE_LIMIT),
  }
  return {
    description: answer.description,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...content(status, answer, schemas),
  }
}

function content(status: number, { schema, type }: DocumentedResponse, schemas: SchemaCollector) {
  if (status >= 400 && !type) return { content: problemContent(schemas, schema) }
  if (!schema && !type) return {}
  return { content: { [type ?? 'application/json']: schema ? { schema: schemas.add(schema) } : {} } }
}

const problemContent = (schemas: SchemaCollector, schema: TSchema = Problem) => ({
  [PROBLEM_TYPE]: { schema: schemas.add(schema) },
})
