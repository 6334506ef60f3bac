// The OpenAPI document as the reference reads it, and example values of its schemas.
import type { OpenApiDocument } from '../../../http/openapi/openapi.ts'

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}

export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

export interface Content {
  readonly description?: string
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>
}

export interface Described {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly security?: readonly object[]
  readonly parameters?: readonly (Parameter | { $ref: string })[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, (Content & { readonly description: string }) | { $ref: string }>>
}

/** An operation with its place in the document. `isSent`: a webhook, which Hearth sends. */
export interface Entry {
  readonly method: string
  readonly path: string
  readonly isSent: boolean
  readonly operation: Described
}

export type ReadDocument = OpenApiDocument

export function entriesOf({ paths, webhooks = {} }: ReadDocument): Entry[] {
  const entries = (items: object, isSent: boolean) =>
    Object.entries(items as Record<string, Record<string, Described>>).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, isSent, operation })),
    )
  return [...entries(paths, false), ...entries(webhooks, true)]
}

/** What a reference such as `#/components/schemas/Pro` names; other values are returned as they are. */
export function resolve<T extends object>(document: ReadDocument, value: T | { $ref: string }): T {
  const ref = '$ref' in value ? value.$ref : undefined
  if (ref === undefined) return value as T
  const [, , kind = '', name = ''] = ref.split('/')
  const found = document.components[kind]?.[decodeURIComponent(name)]
  if (!found) throw new Error(`The document has no ${ref}.`)
  return found as T
}

/** The JSON schema of a body or response. */
export const schemaOf = ({ content }: Content): Schema | undefined => Object.values(content ?? {})[0]?.schema

const FORMATS: Record<string, unknown> = {
  uuid: '01965030-f3dc-7a49-bf66-ab2dd4bb1f9f',
  email: 'maria@example.com',
  date: '2026-06-02',
  'date-time': '2026-06-02T19:15:00Z',
  uri: 'https://shop.example/hooks',
}
const TYPES: Record<string, unknown> = { string: 'text', integer: 1, number: 1, boolean: true, null: null }
const MAX_DEPTH = 4

/** An example value. Of an object, all required members; with `isComplete` also the others. */
export function exampleOf(document: ReadDocument, given: Schema, isComplete = false, depth = 0): unknown {
  const schema = resolve<Schema>(document, given)
  const [example = schema.const ?? schema.default ?? schema.enum?.[0]] = schema.examples ?? []
  if (example !== undefined) return example
  const [first] = schema.anyOf ?? []
  if (first) return exampleOf(document, first, isComplete, depth)
  if (depth > MAX_DEPTH) return {}
  if (schema.items) return [exampleOf(document, schema.items, isComplete, depth + 1)]
  if (schema.properties) {
    const { required = [] } = schema
    return Object.fromEntries(
      Object.entries(schema.properties)
        .filter(([name]) => isComplete || required.includes(name))
        .map(([name, member]) => [name, exampleOf(document, member, isComplete, depth + 1)]),
    )
  }
  const type = typeof schema.type === 'string' ? schema.type : (schema.type?.[0] ?? 'object')
  const value = FORMATS[schema.format ?? ''] ?? TYPES[type] ?? {}
  return typeof value === 'number' ? Math.max(value, schema.minimum ?? value) : value
}
