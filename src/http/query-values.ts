// Query strings are text; the schemas say numbers and booleans. This reads the one as the other.
import type { TSchema } from '@sinclair/typebox'

import { oncePerDeps } from '../deps.ts'

interface Route {
  method: string
  path: string
  hooks: { query?: TSchema; body?: TSchema }
}

type Query = Record<string, unknown>

/**
 * Knows the query schema of every route, and which take no body. Text that does not read as what the schema wants stays text, so that validation
 * refuses it by name; JSON-like leniency (`1e3`, ` 5`, an empty value as 0) has no place in an address.
 */
export class QueryValues {
  readonly #schemas = new Map<string, Record<string, TSchema>>()
  readonly #bodiless = new Set<string>()

  learn(routes: readonly Route[]): void {
    for (const { method, path, hooks } of routes) {
      if (hooks.query) this.#schemas.set(`${method} ${path}`, hooks.query['properties'])
      if (!hooks.body) this.#bodiless.add(`${method} ${path}`)
    }
  }

  /** Whether a body means something to the route; where it does not, what comes is not read. */
  takesBody(method: string, path: string): boolean {
    return !this.#bodiless.has(`${method} ${path}`)
  }

  /** Replaces the values in place. */
  read(method: string, path: string, query: Query): void {
    const schemas = this.#schemas.get(`${method} ${path}`)
    if (!schemas) return
    for (const [name, schema] of Object.entries(schemas)) {
      const text = query[name]
      if (typeof text === 'string') query[name] = valueOf(text, schema.type)
    }
  }
}

export const queryValuesOf = oncePerDeps(() => new QueryValues())

function valueOf(text: string, type: unknown): unknown {
  if (type === 'integer') return /^-?\d{1,15}$/.test(text) ? Number(text) : text
  if (type === 'number') return /^-?\d{1,15}(\.\d{1,20})?$/.test(text) ? Number(text) : text
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}
