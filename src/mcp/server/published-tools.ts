// Tools as tools/list shows them. Models pay for every word, so the schemas are as short as possible.
import type { TSchema } from '@sinclair/typebox'
import type { Tool as ListedTool } from '@modelcontextprotocol/server'

import { IdempotencyKey, type Tool } from './tool.ts'

type JsonSchema = Record<string, unknown>

/** The default depth of a listed output schema; deeper levels appear in results only. */
const OUTLINE_DEPTH = 2

const published = new WeakMap<object, ListedTool>()

/** The list entry of a tool, cached. */
export function toListedTool<C>(tool: Tool<C>): ListedTool {
  const cached = published.get(tool)
  if (cached) return cached
  const listed = {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: shortened(tool.input) as ListedTool['inputSchema'],
    outputSchema: outline(tool.output, tool.outlineDepth ?? OUTLINE_DEPTH) as NonNullable<ListedTool['outputSchema']>,
    annotations: annotations(tool),
  }
  published.set(tool, listed)
  return listed
}

/** Leaves out the protocol's defaults: destructive, open world, not idempotent. */
function annotations({ access, hints = {} }: Tool<never>): ListedTool['annotations'] {
  if (access === 'read') return { readOnlyHint: true, openWorldHint: false }
  const { destructive = false, idempotent = false, openWorld = false } = hints
  return {
    ...(destructive ? {} : { destructiveHint: false }),
    ...(idempotent ? { idempotentHint: true } : {}),
    ...(openWorld ? {} : { openWorldHint: false }),
  }
}

/**
 * The same schema in fewer words: `enum` for a union of constants, `null` as one of the types of a nullable value, no
 * `$id` (clients report two equal ones as a conflict).
 */
function shortened(schema: TSchema | JsonSchema): unknown {
  const { $id: _, anyOf, ...rest } = schema as JsonSchema & { anyOf?: JsonSchema[] }
  const [one, other, ...more] = anyOf ?? []
  if (one && other?.['type'] === 'null' && more.length === 0)
    return orNull({ ...(shortened(one) as JsonSchema), ...rest })
  const choices = anyOf?.map(({ const: value }) => value)
  if (choices?.every((value) => typeof value === 'string')) return { type: 'string', enum: choices, ...described(rest) }
  const short = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, name === 'properties' ? eachOf(value) : within(value)]),
  )
  return anyOf ? { anyOf: anyOf.map(shortened), ...short } : short
}

/** Null conflicts with `type` and `enum` only. */
const orNull = ({ type, enum: choices, ...rest }: JsonSchema): JsonSchema => ({
  type: [type, 'null'],
  ...(Array.isArray(choices) ? { enum: [...(choices as unknown[]), null] } : {}),
  ...rest,
})

const eachOf = (properties: unknown) =>
  Object.fromEntries(
    Object.entries(properties as JsonSchema).map(([name, schema]) => [
      name,
      name === 'idempotencyKey' ? BRIEF_KEY : within(schema),
    ]),
  )

/** Every write has this field; the pattern of keys appears in the error for an invalid one. */
const BRIEF_KEY = { type: 'string', description: IdempotencyKey.description }

const within = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? shortened(value as JsonSchema) : value

const described = ({ description, default: fallback }: JsonSchema) => ({
  ...(description === undefined ? {} : { description }),
  ...(fallback === undefined ? {} : { default: fallback }),
})

/** Names and types down to a depth: every result that matches the schema matches its outline. */
function outline(schema: TSchema | JsonSchema, depth: number): JsonSchema {
  const { type, properties, items, anyOf, required } = schema as JsonSchema & { anyOf?: JsonSchema[] }
  if (anyOf) return outlineOfAny(anyOf, depth)
  if (type === 'object' && properties && depth > 0)
    return {
      type,
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [name, outline(member as JsonSchema, depth - 1)]),
      ),
      ...(required ? { required } : {}),
    }
  if (type === 'array' && items && depth > 0) return { type, items: outline(items as JsonSchema, depth - 1) }
  return type === undefined ? {} : { type }
}

function outlineOfAny(options: JsonSchema[], depth: number): JsonSchema {
  const [one, other, ...more] = options.map((option) => outline(option, depth))
  if (!one || !other) return one ?? {}
  const types = [...new Set([one, other, ...more].map(({ type }) => type))]
  if (types.includes(undefined)) return {}
  if (types.length === 1) return { type: types[0] }
  const { type, ...rest } = [one, other].find(({ type }) => type !== 'null') ?? one
  return types.length === 2 && types.includes('null') ? { type: [type, 'null'], ...rest } : { type: types }
}
