// One of the two agent servers: whose tools, for whom, under which conditions.
import type { Feature } from '../config.ts'
import type { Deps } from '../deps.ts'
import type { Scope } from '../features/keys/scopes.ts'
import type { Caller } from '../http/identity.ts'
import type { Tool } from './tool.ts'

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
  /** Whether tools can be called just now. Throws what stands in the way. */
  beforeCall?(deps: Deps, caller: C): Promise<void>
}

/** Any of these scopes lets the tool be called. */
export const scopesOf = <C extends Caller>(side: Side<C>, tool: Tool<C>): readonly Scope[] =>
  tool.scopes ?? side.scopes[tool.does]

/** Whether the tool exists here: the flags it is behind are on. */
export function isOn<C extends Caller>(tool: Tool<C>, { config }: Pick<Deps, 'config'>): boolean {
  const { flags = [], anyFlag, noFlag = [] } = tool
  const has = (flag: Feature) => config.features.has(flag)
  return flags.every(has) && (!anyFlag || anyFlag.some(has)) && !noFlag.some(has)
}

/** Whether the key may call the tool. */
export const mayCall = <C extends Caller>(side: Side<C>, tool: Tool<C>, caller: Caller): boolean =>
  scopesOf(side, tool).some((scope) => caller.scopes.has(scope)) && (!tool.owner || tool.owner === caller.ownerKind)

/** The tools that exist here and that the caller may call, in the order of the list. */
export const toolsFor = <C extends Caller>(side: Side<C>, deps: Pick<Deps, 'config'>, caller: Caller): Tool<C>[] =>
  side.tools.filter((tool) => isOn(tool, deps) && mayCall(side, tool, caller))
