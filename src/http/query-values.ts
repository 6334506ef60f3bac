// Query strings are text; the schemas say numbers and booleans. This reads the one as the other.
import type { TSchema } from '@sinclair/typebox'

import { oncePerDeps } from '../deps.ts'

interface Route {
  method: string
  path: string
  hooks: { query?: TSchema; body?: TSchema }
}

type Query = Record<string, unknown>

/** What the text of a parameter reads as: itself where it does not read as what the schema wants. */
type Read = (text: string) => unknown

/**
 * Knows the query schema of every route, and which take no body. Text that does not read as what the schema wants stays text, so that validation
 * refuses it by name; JSON-like leniency (`1e3`, ` 5`, an empty value as 0) has no place in an address.
 */
export class QueryValues {
  /** By method and path, of parameters that are no text. */
  readonly #readers = new Map<string, Map<string, [name: string, read: Read][]>>()
  readonly #bodiless = new Set<string>()

  learn(routes: readonly Route[]): void {
    for (const { method, path, hooks } of routes) {
      if (hooks.query) {
        const ofMethod = this.#readers.get(method) ?? new Map<string, [string, Read][]>()
        this.#readers.set(method, ofMethod.set(path, readersOf(hooks.query['properties'])))
      }
      if (!hooks.body) this.#bodiless.add(`${method} ${path}`)
    }
  }

  /** Whether a body means something to the route; where it does not, what comes is not read. */
  takesBody(method: string, path: string): boolean {
    return !this.#bodiless.has(`${method} ${path}`)
  }

  /** Replaces the values in place. */
  read(method: string, path: string, query: Query): void {
    const readers = this.#readers.get(method)?.get(path)
    if (!readers) return
    for (const [name, read] of readers) {
      const text = query[name]
      if (typeof text === 'string') query[name] = read(text)
    }
  }
}

export const queryValuesOf = oncePerDeps(() => new QueryValues())

const READS: Record<string, Read> = {
  integer: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text),
  number: (text) => (/^-?\d{1,15}(\.\d{1,20})?$/.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
}

const readersOf = (schemas: Record<string, TSchema>): [string, Read][] =>
  Object.entries(schemas).flatMap(([name, { type }]) => {
    const read = READS[String(type)]
    return read ? [[name, read] satisfies [string, Read]] : []
  })
