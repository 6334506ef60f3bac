// The definition of an agent server, and which of its tools a caller may see and call.
import { Type } from '@sinclair/typebox'

import type { Feature } from '../../config.ts'
import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import type { AppError, ErrorCode } from '../../errors/app-error.ts'
import type { Scope } from '../../auth/scopes.ts'
import type { Caller, Viewer } from '../../auth/caller.ts'
import { grantableOf } from '../../auth/oauth/challenge.ts'
import type { FieldCondition, Tool } from './tool.ts'

/** Who calls an agent server: undefined on the public one, where keys are ignored. */
export type AnyCaller = Caller | undefined

export interface McpServerDefinition<C extends AnyCaller = Caller> {
  readonly name: 'customer' | 'pro' | 'public'
  /** Whom it is for, as its title says; null for everyone. */
  readonly audience: string | null
  readonly path: string
  /** For a model: the purpose of the server, and how its tools follow one another. */
  readonly instructions: string
  /** Instead of `instructions` where agents take no payments. */
  readonly freeInstructions?: string
  /** In the order of tools/list. */
  readonly tools: readonly Tool<C>[]
  /** The server that has these tools and those for which a person signs in. */
  readonly whole?: McpServerDefinition
  readonly prompts: readonly Prompt[]
  readonly resources: readonly Resource[]
  /** Any of these allows a call of a tool without scopes of its own. Rate limits count a call by the first that the key has. */
  readonly scopes: Record<Tool['access'], readonly Scope[]>
  /** What to do about an error, in the names of these tools, where the API's remedy names paths. */
  readonly remedies: Readonly<Partial<Record<ErrorCode, string>>>
  /** Returns the error with what helps to correct the call, such as the nearest right id. */
  explain(ctx: Ctx<Viewer>, error: AppError, args: Record<string, unknown>): Promise<AppError> | AppError
  /** Returns the caller as the tools need it. Throws when the server is not available to this caller. */
  authorize(deps: Deps, caller: AnyCaller): Promise<C> | C
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
    context: { readonly deps: Deps; readonly caller: AnyCaller },
    id: string,
  ) => Promise<string>
}

/** Any of these scopes allows a call of the tool. */
export const scopesOf = <C extends AnyCaller>(server: McpServerDefinition<C>, tool: Tool<C>): readonly Scope[] =>
  tool.scopes ?? server.scopes[tool.access]

/** Returns whether the feature flags of a tool or a field are on. */
export function isOn(
  { flags = [], anyFlag, noFlag = [] }: FieldCondition,
  { config }: { readonly config: Pick<Deps['config'], 'features'> },
): boolean {
  const has = (flag: Feature) => config.features.has(flag)
  return flags.every(has) && (!anyFlag || anyFlag.some(has)) && !noFlag.some(has)
}

/** Returns whether the caller has one of the scopes. Without a caller, the server asks for none. */
export const hasOneOf = (caller: AnyCaller, scopes: readonly Scope[]): boolean =>
  !caller || scopes.some((scope) => caller.scopes.has(scope))

/**
 * Returns whether the caller has one of the scopes, or is an app whose person can grant one: the app sees what it could do, and
 * asks for the scope when it calls. The list of a key is what the key may call, because a key cannot be widened.
 */
const couldHaveOneOf = (deps: Deps, caller: AnyCaller, scopes: readonly Scope[]): boolean =>
  hasOneOf(caller, scopes) || (caller !== undefined && grantableOf(deps.config, caller, scopes).length > 0)

const isShown = <C extends AnyCaller>(
  deps: Deps,
  server: McpServerDefinition<C>,
  tool: Tool<C>,
  caller: AnyCaller,
): boolean =>
  isOn(tool, deps) &&
  couldHaveOneOf(deps, caller, scopesOf(server, tool)) &&
  (!tool.owner || tool.owner === caller?.ownerKind)

/** The tools that are on and that the caller may see, in the order of tools/list, with the fields that the caller may see. */
export const toolsFor = <C extends AnyCaller>(
  deps: Deps,
  server: McpServerDefinition<C>,
  caller: AnyCaller,
): Tool<C>[] =>
  server.tools.filter((tool) => isShown(deps, server, tool, caller)).map((tool) => variantOf(deps, caller, tool))

/** One tool of {@link toolsFor} by its name. The caller's scopes are checked before. */
export function findTool<C extends AnyCaller>(
  deps: Deps,
  server: McpServerDefinition<C>,
  caller: AnyCaller,
  name: string,
): Tool<C> | undefined {
  const tool = server.tools.find((tool) => tool.name === name && isShown(deps, server, tool, caller))
  return tool && variantOf(deps, caller, tool)
}

const hiddenFields = (deps: Deps, caller: AnyCaller, { fields = {} }: Pick<Tool, 'fields'>): string[] =>
  Object.entries(fields)
    .filter(([, field]) => !isOn(field, deps) || (field.scopes && !couldHaveOneOf(deps, caller, field.scopes)))
    .map(([name]) => name)

/** Kept for each variant, because the list entry and the compiled checks are cached by the tool object. */
const variants = new WeakMap<object, Map<string, unknown>>()

/** The tool with the fields that the caller may see, and its words where agents take no payments. */
function variantOf<C>(deps: Deps, caller: AnyCaller, tool: Tool<C>): Tool<C> {
  const hidden = hiddenFields(deps, caller, tool)
  const isFree = !deps.config.agentPayments && tool.freeDescription !== undefined
  if (hidden.length === 0 && !isFree) return tool
  const cache = (variants.get(tool) ?? new Map<string, unknown>()) as Map<string, Tool<C>>
  variants.set(tool, cache)
  const name = `${isFree} ${hidden.join()}`
  const cached = cache.get(name)
  if (cached) return cached
  const properties = Object.fromEntries(
    Object.entries(tool.input.properties).filter(([name]) => !hidden.includes(name)),
  )
  const variant = {
    ...tool,
    description: (isFree && tool.freeDescription) || tool.description,
    input: Type.Object(properties, { additionalProperties: false }),
  }
  cache.set(name, variant)
  return variant
}
