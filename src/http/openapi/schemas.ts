// TypeBox schemas as the JSON Schema of the document: named ones once under components, unions of constants as enums.
import type { TSchema } from '@sinclair/typebox'

/** A JSON Schema 2020-12, which is what OpenAPI 3.1 speaks. */
export type JsonSchema = { [keyword: string]: unknown }

const SCHEMAS = '#/components/schemas/'
const ONE_SCHEMA = new Set(['not', 'items', 'additionalProperties', 'contains', 'propertyNames', 'if', 'then', 'else'])
const SCHEMA_LISTS = new Set(['anyOf', 'allOf', 'oneOf', 'prefixItems'])
const SCHEMA_MAPS = new Set(['properties', 'patternProperties', '$defs'])
const SCALARS = new Set(['string', 'number', 'integer', 'boolean'])
// Elysia's `t` describes a query's number as "text that reads as one, or a number": the text form is no news to a client.
const TEXT_FORMS = new Set(['numeric', 'integer', 'boolean', 'ObjectString', 'ArrayString'])

/** Collects the named schemas (`$id`) of everything it is shown. */
export class SchemaCollector {
  readonly #named = new Map<string, JsonSchema>()

  /** The schema for the document: a `$ref` when it has an `$id`. Throws when two different schemas share one `$id`. */
  add(schema: TSchema | JsonSchema): JsonSchema {
    const { $id, ...rest } = schema as JsonSchema
    const converted = this.#convert(rest)
    if (typeof $id !== 'string') return converted
    const known = this.#named.get($id)
    if (known && !Bun.deepEquals(known, converted)) throw new Error(`Two different schemas are named "${$id}".`)
    this.#named.set($id, converted)
    return { $ref: SCHEMAS + $id }
  }

  /** Everything named so far, by name. */
  get components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#named].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }

  // Object.entries skips TypeBox's symbols, which carry its types and mean nothing in a document.
  #convert(schema: JsonSchema): JsonSchema {
    const result: JsonSchema = {}
    for (const [keyword, value] of Object.entries(schema)) {
      if (value === undefined) continue
      if (ONE_SCHEMA.has(keyword)) result[keyword] = isSchema(value) ? this.add(value) : value
      else if (SCHEMA_LISTS.has(keyword)) result[keyword] = (value as JsonSchema[]).map((item) => this.add(item))
      else if (keyword === 'properties') result[keyword] = this.#convertMap(withoutDefaults(schema))
      else if (SCHEMA_MAPS.has(keyword)) result[keyword] = this.#convertMap(value as Record<string, JsonSchema>)
      else if (keyword === '$ref') result[keyword] = referenceTo(value as string)
      else result[keyword] = value
    }
    return simplifyUnion(result)
  }

  #convertMap(map: Record<string, JsonSchema>): Record<string, JsonSchema> {
    return Object.fromEntries(Object.entries(map).map(([name, schema]) => [name, this.add(schema)]))
  }
}

/**
 * The properties of an object, with the defaults of optional ones in words: generators of clients take a property with a default for
 * one that is always there, so that each request had to name it.
 */
function withoutDefaults({ properties, required = [] }: JsonSchema): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(properties as Record<string, JsonSchema>).map(([name, property]) => {
      const { default: value, description, ...rest } = property
      if (value === undefined || (required as string[]).includes(name)) return [name, property]
      const said = `Default: \`${JSON.stringify(value)}\`.`
      return [
        name,
        { examples: [value], ...rest, description: typeof description === 'string' ? `${description}. ${said}` : said },
      ]
    }),
  )
}

/** TypeBox refers by `$id`, the document by place. */
const referenceTo = (name: string) => (name.startsWith('#') ? name : SCHEMAS + name)

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `anyOf` of constants of one type becomes `enum`; a scalar or null becomes one schema with both types. */
function simplifyUnion(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf)) return schema
  const options = (anyOf as JsonSchema[]).filter((option) => !TEXT_FORMS.has(String(option['format'])))
  const [first, second] = options
  if (!first) return schema
  // The union's own description and default are more specific than those of its members.
  if (!second) return { ...first, ...rest }
  if (options.every((option) => 'const' in option && option['type'] === first['type']))
    return { type: first['type'], enum: options.map((option) => option['const']), ...rest }
  if (options.length === 2 && second['type'] === 'null' && SCALARS.has(String(first['type'])))
    return { ...first, ...rest, ...orNull(first) }
  return { anyOf: options, ...rest }
}

const orNull = ({ type, enum: values }: JsonSchema) => ({
  type: [type, 'null'],
  ...(Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {}),
})
