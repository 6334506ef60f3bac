// A tool as tools/list shows it. Models pay for every word of it, so schemas are published as short as they can be said.
import type { TSchema } from '@sinclair/typebox'
import type { Tool as ListedTool } from '@modelcontextprotocol/server'

import { IdempotencyKey, type Tool } from './tool.ts'

type JsonSchema = Record<string, unknown>

/** How deep an output schema is shown where the tool does not say; what lies deeper shows itself in the result. */
const OUTLINE_DEPTH = 2

const published = new WeakMap<object, ListedTool>()

/** The tool as it is listed: made once. */
export function publish<C>(tool: Tool<C>): ListedTool {
  const known = published.get(tool)
  if (known) return known
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

/** What is not said is taken for its default: a write that may destroy, in an open world, and not idempotent. */
function annotations({ does, hints = {} }: Tool<never>): ListedTool['annotations'] {
  if (does === 'read') return { readOnlyHint: true, openWorldHint: false }
  const { destructive = false, idempotent = false, openWorld = false } = hints
  return {
    ...(destructive ? {} : { destructiveHint: false }),
    ...(idempotent ? { idempotentHint: true } : {}),
    ...(openWorld ? {} : { openWorldHint: false }),
  }
}

/**
 * The same schema in fewer words: `enum` for a union of constants, `null` among the types of what may be null, no `$id`
 * (clients take two of a kind for a clash).
 */
function shortened(schema: TSchema | JsonSchema): unknown {
  const { $id: _, anyOf, ...rest } = schema as JsonSchema & { anyOf?: JsonSchema[] }
  const [one, none, ...more] = anyOf ?? []
  if (one && none?.['type'] === 'null' && more.length === 0)
    return orNull({ ...(shortened(one) as JsonSchema), ...rest })
  const choices = anyOf?.map(({ const: value }) => value)
  if (choices?.every((value) => typeof value === 'string')) return { type: 'string', enum: choices, ...described(rest) }
  const short = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, name === 'properties' ? eachOf(value) : within(value)]),
  )
  return anyOf ? { anyOf: anyOf.map(shortened), ...short } : short
}

/** `type` and `enum` are all that null could break of a schema. */
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

/** Every tool that writes has it: what keys may consist of shows itself to whoever sends no UUID. */
const BRIEF_KEY = { type: 'string', description: IdempotencyKey.description }

const within = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? shortened(value as JsonSchema) : value

const described = ({ description, default: fallback }: JsonSchema) => ({
  ...(description === undefined ? {} : { description }),
  ...(fallback === undefined ? {} : { default: fallback }),
})

/** Names and types down to a depth: every answer that fits the schema fits its outline. */
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
