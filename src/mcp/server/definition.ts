// The definition of an agent server, and which of its tools a caller may see and call.
import { Type } from '@sinclair/typebox'

import type { Feature } from '../../config.ts'
import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import type { AppError, ErrorCode } from '../../errors/app-error.ts'
import type { Scope } from '../../auth/scopes.ts'
import type { Caller, Viewer } from '../../auth/caller.ts'
import type { FieldCondition, Tool } from './tool.ts'

export interface McpServerDefinition<C extends Caller = Caller> {
  readonly name: 'customer' | 'pro'
  readonly title: string
  readonly path: string
  /** For a model: the purpose of the server, and how its tools follow one another. */
  readonly instructions: string
  /** In the order of tools/list. */
  readonly tools: readonly Tool<C>[]
  readonly prompts: readonly Prompt[]
  readonly resources: readonly Resource[]
  /** Any of these allows a call of a tool without scopes of its own. Rate limits count a call by the first that the key has. */
  readonly scopes: Record<Tool['access'], readonly Scope[]>
  /** What to do about an error, in the names of these tools, where the API's remedy names paths. */
  readonly remedies: Readonly<Partial<Record<ErrorCode, string>>>
  /** Returns the error with what helps to correct the call, such as the nearest right id. */
  explain(ctx: Ctx<Viewer>, error: AppError, args: Record<string, unknown>): Promise<AppError> | AppError
  /** Returns the caller as the tools need it. Throws when the server is not available to this caller. */
  authorize(deps: Deps, caller: Caller): Promise<C> | C
  /** Checks that tools may be called now; a replay under an idempotency key skips it. Throws when they may not. */
  beforeCall?(ctx: Ctx<C>): Promise<void>
}

/** A request that a person can start with, in the words of the tools. */
export interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[]
  readonly text: (args: Readonly<Record<string, string>>) => string
}

/** Calls a tool of the server for a resource; returns its result as JSON text. */
type CallForResource = (tool: string, args: Record<string, unknown>) => Promise<string>

export interface Resource {
  /** An address, or a template with one `{id}` at its end. */
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly read: (
    call: CallForResource,
    context: { readonly deps: Deps; readonly caller: Caller },
    id: string,
  ) => Promise<string>
}

/** Any of these scopes allows a call of the tool. */
export const scopesOf = <C extends Caller>(server: McpServerDefinition<C>, tool: Tool<C>): readonly Scope[] =>
  tool.scopes ?? server.scopes[tool.access]

/** Returns whether the feature flags of a tool or a field are on. */
export function isOn({ flags = [], anyFlag, noFlag = [] }: FieldCondition, { config }: Deps): boolean {
  const has = (flag: Feature) => config.features.has(flag)
  return flags.every(has) && (!anyFlag || anyFlag.some(has)) && !noFlag.some(has)
}

/** Returns whether the key may call the tool. */
export const mayCall = <C extends Caller>(server: McpServerDefinition<C>, tool: Tool<C>, caller: Caller): boolean =>
  scopesOf(server, tool).some((scope) => caller.scopes.has(scope)) && (!tool.owner || tool.owner === caller.ownerKind)

/** The tools that are on and that the caller may call, in the order of tools/list, with the fields that the caller may use. */
export const toolsFor = <C extends Caller>(deps: Deps, server: McpServerDefinition<C>, caller: Caller): Tool<C>[] =>
  server.tools
    .filter((tool) => isOn(tool, deps) && mayCall(server, tool, caller))
    .map((tool) => withoutFields(tool, hiddenFields(deps, caller, tool)))

/** One tool of {@link toolsFor} by its name. */
export function findTool<C extends Caller>(
  deps: Deps,
  server: McpServerDefinition<C>,
  caller: Caller,
  name: string,
): Tool<C> | undefined {
  const tool = server.tools.find((tool) => tool.name === name && isOn(tool, deps))
  return tool && mayCall(server, tool, caller) ? withoutFields(tool, hiddenFields(deps, caller, tool)) : undefined
}

const hiddenFields = (deps: Deps, caller: Caller, { fields = {} }: Pick<Tool, 'fields'>): string[] =>
  Object.entries(fields)
    .filter(([, field]) => !isOn(field, deps) || (field.scopes && !field.scopes.some((it) => caller.scopes.has(it))))
    .map(([name]) => name)

/** Kept for each set of fields, because the list entry and the compiled checks are cached by the tool object. */
const variants = new WeakMap<object, Map<string, unknown>>()

function withoutFields<C>(tool: Tool<C>, hidden: readonly string[]): Tool<C> {
  if (hidden.length === 0) return tool
  const cache = (variants.get(tool) ?? new Map<string, unknown>()) as Map<string, Tool<C>>
  variants.set(tool, cache)
  const cached = cache.get(hidden.join())
  if (cached) return cached
  const properties = Object.fromEntries(
    Object.entries(tool.input.properties).filter(([name]) => !hidden.includes(name)),
  )
  const variant = { ...tool, input: Type.Object(properties, { additionalProperties: false }) }
  cache.set(hidden.join(), variant)
  return variant
}
