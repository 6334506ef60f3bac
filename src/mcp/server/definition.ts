// One of the two agent servers: whose tools, for whom, under which conditions.
import { Type } from '@sinclair/typebox'

import type { Feature } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import type { Scope } from '../../auth/scopes.ts'
import type { Caller } from '../../auth/caller.ts'
import type { FieldCondition, Tool } from './tool.ts'

export interface Side<C extends Caller = Caller> {
  readonly name: 'customer' | 'pro'
  readonly title: string
  readonly path: string
  /** For a model: what the server is for, and how its tools follow one another. */
  readonly instructions: string
  /** In the order in which they are listed. */
  readonly tools: readonly Tool<C>[]
  /** Any of these lets a tool be called that names none itself. The first that a key has is the one it is counted by. */
  readonly scopes: Record<Tool['does'], readonly Scope[]>
  /** Whether the server is usable for this caller at all. Throws what stands in the way. */
  enter(deps: Deps, caller: Caller): Promise<C> | C
  /** Whether tools can be called just now; not asked of what was done before under the same key. Throws what stands in the way. */
  beforeCall?(deps: Deps, caller: C): Promise<void>
}

/** Any of these scopes lets the tool be called. */
export const scopesOf = <C extends Caller>(side: Side<C>, tool: Tool<C>): readonly Scope[] =>
  tool.scopes ?? side.scopes[tool.does]

/** Whether the tool (or a field) exists here: the flags it is behind are on. */
export function isOn({ flags = [], anyFlag, noFlag = [] }: FieldCondition, { config }: Pick<Deps, 'config'>): boolean {
  const has = (flag: Feature) => config.features.has(flag)
  return flags.every(has) && (!anyFlag || anyFlag.some(has)) && !noFlag.some(has)
}

/** Whether the key may call the tool. */
export const mayCall = <C extends Caller>(side: Side<C>, tool: Tool<C>, caller: Caller): boolean =>
  scopesOf(side, tool).some((scope) => caller.scopes.has(scope)) && (!tool.owner || tool.owner === caller.ownerKind)

/** The tools that exist here and that the caller may call, in the order of the list, with the fields they may give. */
export const toolsFor = <C extends Caller>(side: Side<C>, deps: Pick<Deps, 'config'>, caller: Caller): Tool<C>[] =>
  side.tools
    .filter((tool) => isOn(tool, deps) && mayCall(side, tool, caller))
    .map((tool) => withoutFields(tool, hiddenFields(tool, deps, caller)))

/** The tool of this name as {@link toolsFor} has it. */
export function toolFor<C extends Caller>(
  side: Side<C>,
  deps: Pick<Deps, 'config'>,
  caller: Caller,
  name: string,
): Tool<C> | undefined {
  const tool = side.tools.find((tool) => tool.name === name && isOn(tool, deps))
  return tool && mayCall(side, tool, caller) ? withoutFields(tool, hiddenFields(tool, deps, caller)) : undefined
}

const hiddenFields = ({ fields = {} }: Pick<Tool, 'fields'>, deps: Pick<Deps, 'config'>, caller: Caller): string[] =>
  Object.entries(fields)
    .filter(([, it]) => !isOn(it, deps) || (it.scopes && !it.scopes.some((scope) => caller.scopes.has(scope))))
    .map(([name]) => name)

/** Made once for each set of fields: what is known of a tool (its list entry, its checks) is kept by the object. */
const variants = new WeakMap<object, Map<string, unknown>>()

function withoutFields<C>(tool: Tool<C>, hidden: readonly string[]): Tool<C> {
  if (hidden.length === 0) return tool
  const known = (variants.get(tool) ?? new Map<string, unknown>()) as Map<string, Tool<C>>
  variants.set(tool, known)
  const found = known.get(hidden.join())
  if (found) return found
  const properties = Object.fromEntries(
    Object.entries(tool.input.properties).filter(([name]) => !hidden.includes(name)),
  )
  const variant = { ...tool, input: Type.Object(properties, { additionalProperties: false }) }
  known.set(hidden.join(), variant)
  return variant
}
