// Every schema of what a caller sends, found: parameters and bodies of the API, forms of the pages, inputs of the tools, and the
// changes that a pro's agent proposes.
import type { TSchema } from '@sinclair/typebox'

import { EDITORS } from '../../src/features/agents/proposals/verbs/editors.ts'
import { FORM_KEY } from '../../src/http/guard.ts'
import { customerTools } from '../../src/mcp/customer/tools.ts'
import { proTools } from '../../src/mcp/pro/tools.ts'
import { nameOf, routes } from './app-routes.ts'

/** A schema, or a part of one, and where it stands: `POST /bookings body.guestName`. */
export interface RequestSchema {
  readonly name: string
  readonly schema: TSchema
}

const ofRoutes: RequestSchema[] = routes.flatMap((route) => {
  const { params, query, body, detail } = route.hooks
  return Object.entries({ params, query, body, form: detail?.[FORM_KEY] }).flatMap(([place, schema]) =>
    schema ? [{ name: `${nameOf(route)} ${place}`, schema }] : [],
  )
})

export const requestSchemas: readonly RequestSchema[] = [
  ...ofRoutes,
  ...[...customerTools, ...proTools].map(({ name, input }) => ({ name: `tool ${name}`, schema: input as TSchema })),
  ...Object.entries(EDITORS).map(([kind, { change }]) => ({ name: `change of ${kind}`, schema: change as TSchema })),
]

/** The schema and all that it consists of. */
export function partsOf({ name, schema }: RequestSchema): RequestSchema[] {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, TSchema>)
  const patterns = Object.entries((schema['patternProperties'] ?? {}) as Record<string, TSchema>)
  const branches = [schema['anyOf'], schema['allOf'], schema['oneOf']].flatMap((list) => (list as TSchema[]) ?? [])
  return [
    { name, schema },
    ...[...properties, ...patterns].flatMap(([key, part]) => partsOf({ name: `${name}.${key}`, schema: part })),
    ...(schema['items'] ? partsOf({ name: `${name}[]`, schema: schema['items'] as TSchema }) : []),
    ...branches.flatMap((part) => partsOf({ name, schema: part })),
  ]
}

/** All schemas of requests with their parts. */
export const requestParts: readonly RequestSchema[] = requestSchemas.flatMap(partsOf)
