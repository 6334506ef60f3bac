// Fields of requests that only a server with a feature takes: the document leaves them out elsewhere.
import type { TSchema } from '@sinclair/typebox'

import type { Feature } from '../config.ts'

/** The feature that each of these parameters or fields needs. */
export type FlaggedFields = Readonly<Record<string, Feature>>

export const FLAGGED_FIELDS_KEY = 'x-flagged-fields'
/** In the detail of a route. The verb refuses the fields where the feature is off. */
export const flaggedFields = (fields: FlaggedFields) => ({ [FLAGGED_FIELDS_KEY]: fields })

interface FlaggedRoute {
  readonly hooks: {
    query?: TSchema
    body?: TSchema
    detail?: { [FLAGGED_FIELDS_KEY]?: FlaggedFields }
  }
}

/** The route with the schemas of a server with only these features. */
export function withoutFlaggedFields<Route extends FlaggedRoute>(route: Route, features: ReadonlySet<Feature>): Route {
  const flagged = Object.entries(route.hooks.detail?.[FLAGGED_FIELDS_KEY] ?? {})
  const off = new Set(flagged.flatMap(([name, feature]) => (features.has(feature) ? [] : [name])))
  if (off.size === 0) return route
  const { query, body } = route.hooks
  const hooks = {
    ...route.hooks,
    ...(query && { query: without(query, off) }),
    ...(body && { body: without(body, off) }),
  }
  return { ...route, hooks }
}

function without(schema: TSchema, names: ReadonlySet<string>): TSchema {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, TSchema>)
  return { ...schema, properties: Object.fromEntries(properties.filter(([name]) => !names.has(name))) }
}
