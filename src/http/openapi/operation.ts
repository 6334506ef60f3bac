// One route as one operation of the document.
import type { TSchema } from '@sinclair/typebox'

import type { Access } from '../../auth/access.ts'
import type { Feature } from '../../config.ts'
import { JSON_KEY } from '../body.ts'
import { FLAGGED_FIELDS_KEY, type FlaggedFields, withoutFlaggedFields } from '../flagged-fields.ts'
import { ACCESS_KEY, IDEMPOTENT_KEY, UPLOAD_KEY } from '../guard.ts'
import { PARAMETERS, RESOURCES } from './about.ts'
import { CACHING_KEY } from '../headers.ts'
import { responsesOf } from './answers.ts'
import type { JsonSchema, SchemaCollector } from './schemas.ts'

/** What `app.routes` says of a route, as far as the document needs it. */
export interface DescribedRoute {
  readonly method: string
  readonly path: string
  readonly handler: unknown
  readonly hooks: RouteHooks
}

export interface RouteHooks {
  query?: TSchema
  params?: TSchema
  headers?: TSchema
  body?: TSchema
  response?: Record<string, TSchema>
  detail?: Detail
}

interface Detail {
  /** Pages and assets are no part of the API. */
  hide?: boolean
  summary?: string
  description?: string
  tags?: string[]
  [ACCESS_KEY]?: Access
  [IDEMPOTENT_KEY]?: boolean
  [UPLOAD_KEY]?: TSchema
  [JSON_KEY]?: TSchema
  [FLAGGED_FIELDS_KEY]?: FlaggedFields
  /** Anything else OpenAPI lets an operation say, such as `deprecated`. */
  [member: string]: unknown
}

export interface Operation {
  operationId: string
  tags: string[]
  responses: Record<string, JsonSchema>
  requestBody?: RequestBody
  [member: string]: unknown
}

interface RequestBody {
  required: true
  description?: string
  content: Record<string, { schema: JsonSchema; example?: unknown }>
}

/** What the operations of a document share. */
interface Surroundings {
  readonly schemas: SchemaCollector
  readonly features: ReadonlySet<Feature>
}

/** `/pros/:id/` as OpenAPI writes it: `/pros/{id}`. */
export const templateOf = (path: string): string => path.replace(/:([A-Za-z_]\w*)\??/g, '{$1}').replace(/(?<=.)\/$/, '')

/** Throws when the route does not declare what the document has to say of it. */
export function operationOf(described: DescribedRoute, { schemas, features }: Surroundings): Operation {
  const route = withoutFlaggedFields(described, features)
  const {
    [ACCESS_KEY]: access,
    [IDEMPOTENT_KEY]: isIdempotent = false,
    [UPLOAD_KEY]: upload,
    [JSON_KEY]: json,
    [CACHING_KEY]: _caching,
    [FLAGGED_FIELDS_KEY]: _flagged,
    tags,
    summary,
    description,
    ...further
  } = route.hooks.detail ?? {}
  const { body, response } = route.hooks
  const operationId = handlerName(route.handler)
  if (!access || !response || !tags?.length || !summary || !operationId)
    throw new Error(
      `${route.method} ${route.path} must declare access, response, tags and a summary and have a named handler, or hide.`,
    )
  // A POST without a body's schema is read too, to refuse fields.
  const hasBody = body !== undefined || (route.method === 'POST' && route.path.startsWith('/api/'))
  const parameters = [...parametersOf(route, schemas), ...(isIdempotent ? [IDEMPOTENCY_KEY] : [])]
  const traits = { access, hasBody, isIdempotent }
  return {
    operationId,
    tags,
    summary,
    ...describe(description, access),
    ...securityOf(access),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBody({ 'multipart/form-data': upload, 'application/json': body ?? json }, schemas),
    responses: responsesOf(traits, response, schemas),
    ...further,
  }
}

const handlerName = (handler: unknown) => (typeof handler === 'function' ? handler.name : '')

const IDEMPOTENCY_KEY = { $ref: '#/components/parameters/Idempotency-Key' }

function describe(description: string | undefined, { key, scopes, all, owner }: Access) {
  const anyOf = scopes.map((scope) => `\`${scope}\``).join(all ? ' and ' : ' or ')
  const whose = owner === 'pro' ? 'a pro’s own key' : owner === 'operator' ? 'an operator’s own key' : 'a key'
  const needs = key === 'required' ? `Needs ${whose}` : 'Needs no key'
  const counts = key === 'optional' && anyOf ? `; ${whose} with ${anyOf} has its own limits` : ''
  const access = key === 'required' && anyOf ? `${needs} with ${anyOf}.` : `${needs}${counts}.`
  return { description: [description, access].filter(Boolean).join('\n\n') }
}

function securityOf({ key, scopes }: Access) {
  if (key === 'none') return { security: [] }
  if (key === 'optional') return { security: [{}, { bearer: [] }] }
  return { security: [{ bearer: [] }], 'x-required-scopes': scopes }
}

function requestBody(
  bodies: Record<string, TSchema | undefined>,
  schemas: SchemaCollector,
): { requestBody?: RequestBody } {
  const content = Object.entries(bodies).flatMap(([type, body]) =>
    body ? [[type, { schema: schemas.add(body) }] as const] : [],
  )
  return content.length === 0 ? {} : { requestBody: { required: true, content: Object.fromEntries(content) } }
}

function parametersOf({ path, hooks }: DescribedRoute, schemas: SchemaCollector): JsonSchema[] {
  const inPath = [...templateOf(path).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const undeclared = inPath.filter((name) => hooks.params?.['properties']?.[name] === undefined)
  return [
    ...undeclared.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...membersOf('path', hooks.params, schemas),
    ...membersOf('query', hooks.query, schemas),
    ...membersOf('header', hooks.headers, schemas),
  ].map((parameter) => ({ ...usualDescription(path, parameter), ...parameter }))
}

function usualDescription(path: string, { name, in: place }: JsonSchema): { description?: string } {
  const before = templateOf(path).split('/{id}')[0]?.split('/').at(-1) ?? ''
  const resource = place === 'path' && name === 'id' ? RESOURCES[before] : undefined
  const description = resource ? `The id of the ${resource}` : PARAMETERS[String(name)]
  return description ? { description } : {}
}

function membersOf(
  place: 'path' | 'query' | 'header',
  object: TSchema | undefined,
  schemas: SchemaCollector,
): JsonSchema[] {
  const properties = Object.entries((object?.['properties'] ?? {}) as Record<string, TSchema>)
  const required: string[] = object?.['required'] ?? []
  return properties.map(([name, property]) => {
    const { description, ...schema } = schemas.add(property)
    return {
      name: place === 'header' ? canonicalHeader(name) : name,
      in: place,
      ...(description ? { description } : {}),
      ...(place === 'path' || required.includes(name) ? { required: true } : {}),
      schema,
    }
  })
}

/** Elysia knows headers in lower case; people read `Idempotency-Key`. */
const canonicalHeader = (name: string) => name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())
