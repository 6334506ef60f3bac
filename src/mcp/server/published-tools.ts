// Tools as tools/list shows them. Models pay for every word, so the schemas are as short as possible.
import type { TObject, TSchema } from '@sinclair/typebox'
import type { Tool as ListedTool } from '@modelcontextprotocol/server'

import { grantableOf } from '../../auth/oauth/challenge.ts'
import type { McpContext } from './context.ts'
import { type AnyCaller, scopesOf } from './definition.ts'
import { IdempotencyKey, type Tool, type WriteHints } from './tool.ts'

type JsonSchema = Record<string, unknown>

const published = new WeakMap<object, ListedTool>()

/** The list entry of a tool, cached. */
export function toListedTool<C>(tool: Tool<C>): ListedTool {
  const cached = published.get(tool)
  if (cached) return cached
  const listed = {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: { ...shortened(tool.input), type: 'object' as const, additionalProperties: false },
    outputSchema: outline(tool.output) as NonNullable<ListedTool['outputSchema']>,
    annotations: annotations(tool),
  }
  published.set(tool, listed)
  return listed
}

/**
 * The list entry with the scopes that the call needs, for apps, which ask a person for a scope that they lack. The member is that
 * of OpenAI's apps; the protocol has none.
 */
export function withNeeds({ deps, server, caller }: McpContext, tool: Tool<AnyCaller>): ListedTool {
  const listed = toListedTool(tool)
  if (!caller?.audience) return listed
  const scopes = grantableOf(deps.config, caller, scopesOf(server, tool))
  return { ...listed, _meta: { securitySchemes: [{ type: 'oauth2', scopes }] } }
}

const READ: WriteHints = { destructive: false, idempotent: true, openWorld: false }

/** All four, although the protocol has defaults: directories of agent tools want each one said. */
function annotations({ access, hints = READ }: Tool<never>): ListedTool['annotations'] {
  const { destructive, idempotent, openWorld } = hints
  return {
    readOnlyHint: access === 'read',
    destructiveHint: destructive,
    idempotentHint: idempotent,
    openWorldHint: openWorld,
  }
}

/**
 * What a model needs of an input schema, in fewer words; the error for a wrong argument says the rest. `enum` for a union of
 * constants; a nullable field as one that may be left out, which means the same; no `$id` (clients report two equal ones as a
 * conflict).
 */
function shortened(schema: TSchema | JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema as JsonSchema & { anyOf?: JsonSchema[] }
  const short = Object.fromEntries(
    Object.entries(rest)
      .filter(([name, value]) => !LEFT_OUT.has(name) && !saysLittle(name, value))
      .map(([name, value]) => [name, name === 'properties' ? eachOf(value) : within(value)]),
  )
  const options = anyOf?.filter(({ type }) => type !== 'null') ?? []
  const choices = options.map(({ const: value }) => value)
  if (options.length > 1 && choices.every((value) => typeof value === 'string'))
    return { type: 'string', enum: choices, ...short }
  if (options.length > 1) return { anyOf: options.map(shortened), ...short }
  return options[0] ? { ...shortened(options[0]), ...short } : short
}

const LEFT_OUT = new Set(
  '$id pattern minLength maxLength minItems maxItems examples multipleOf uniqueItems additionalProperties'.split(' '),
)

/** Bounds that no sensible value exceeds, and the form of ids, which come from other tools. */
const saysLittle = (name: string, value: unknown): boolean =>
  typeof value === 'number'
    ? (name === 'minimum' && Math.abs(value) <= 1) ||
      (name === 'maximum' && value >= 100_000) ||
      (name === 'default' && value === 0)
    : name === 'format' && value === 'uuid'

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

/** The names of the result's members: their types cost a third of the list and tell a model nothing that results do not. */
const outline = ({ properties }: TObject): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(Object.keys(properties).map((name) => [name, {}])),
})
