// /openapi.json: OpenAPI 3.1.0 made from the routes themselves, so that what validates is what is documented.
import { Elysia } from 'elysia'

import { INFO, TAGS } from './about.ts'
import { sharedHeaders, sharedParameters, sharedResponses } from './answers.ts'
import { type DescribedRoute, type Operation, operationOf, templateOf } from './operation.ts'
import { SchemaCollector } from './schemas.ts'
import type { Feature } from '../../config.ts'
import { derivedDocument } from '../cached-document.ts'

export interface OpenApiDocument {
  openapi: '3.1.0'
  info: typeof INFO & { title: string; termsOfService: string; contact: { name: string; url: string; email?: string } }
  servers: { url: string; description: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, object>
  components: Record<string, Record<string, object>>
}

interface DocumentOptions {
  baseUrl: string
  /** Those that are on. Fields of the others are left out. */
  features: ReadonlySet<Feature>
  /** The webhooks that the server sends: a path item per event, with schemas that may carry `$id`. */
  webhooks?: (schemas: SchemaCollector) => Record<string, object>
}

/** Methods that are operations; ALL and WS routes are none, and HEAD and OPTIONS follow from the others. */
const METHODS = new Set(['GET', 'PUT', 'POST', 'DELETE', 'PATCH'])

/** Whether a route is part of the API; pages, assets and catch-alls set `detail.hide`. */
export const isOperation = ({ method, hooks }: DescribedRoute): boolean =>
  METHODS.has(method) && hooks.detail?.hide !== true

/** Serves the document that `documentOf` returns. */
export const openapi = (documentOf: () => Promise<OpenApiDocument>) => {
  const answer = derivedDocument('application/json', documentOf, (document) => JSON.stringify(document), {
    'access-control-allow-origin': '*',
  })
  return new Elysia({ name: 'openapi' }).get('/openapi.json', ({ request }) => answer(request))
}

/** The whole document, without the name of who publishes it. Throws when a route does not declare enough, or an operationId or schema name is used twice. */
export function buildDocument(
  routes: readonly DescribedRoute[],
  { baseUrl, features, webhooks }: DocumentOptions,
): OpenApiDocument {
  const schemas = new SchemaCollector()
  const paths: OpenApiDocument['paths'] = {}
  const ids = new Set<string>()
  for (const route of routes.filter(isOperation)) {
    const operation = operationOf(route, { schemas, features })
    if (ids.has(operation.operationId)) throw new Error(`Two handlers are named "${operation.operationId}".`)
    ids.add(operation.operationId)
    ;(paths[templateOf(route.path)] ??= {})[route.method.toLowerCase()] = operation
  }
  const sent = webhooks?.(schemas)
  return {
    openapi: '3.1.0',
    info: {
      title: '',
      ...INFO,
      termsOfService: `${baseUrl}/terms`,
      contact: { name: '', url: `${baseUrl}/about` },
    },
    servers: [{ url: baseUrl, description: 'This server' }],
    tags: usedTags(paths),
    paths,
    ...(sent ? { webhooks: sent } : {}),
    components: components(schemas, paths),
  }
}

function usedTags(paths: OpenApiDocument['paths']) {
  const used = new Set(
    Object.values(paths).flatMap((item) => Object.values(item).flatMap((operation) => operation.tags)),
  )
  for (const name of used) if (!(name in TAGS)) throw new Error(`The tag "${name}" is not described in about.ts.`)
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }))
}

/**
 * Only the components that are used, because linters report unused ones. Responses refer to headers and schemas, so they are
 * collected first.
 */
function components(schemas: SchemaCollector, paths: OpenApiDocument['paths']): OpenApiDocument['components'] {
  const responses = onlyUsed('responses', sharedResponses(schemas), paths)
  return {
    schemas: schemas.components,
    responses,
    parameters: onlyUsed('parameters', sharedParameters, paths),
    headers: onlyUsed('headers', sharedHeaders, { paths, responses }),
    securitySchemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description:
          'An API key: `hearth_live_…`, or `hearth_test_…`, which works with the test pros of its account instead of real ones. Or the access token of an app that a person has connected (OAuth 2.1, see /.well-known/oauth-protected-resource/api/v1)',
      },
    },
  }
}

function onlyUsed(kind: string, all: Record<string, object>, users: object): Record<string, object> {
  const text = JSON.stringify(users)
  return Object.fromEntries(Object.entries(all).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)))
}
