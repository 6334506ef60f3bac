// The context of one HTTP request to an agent server.
import { type Deps, rootOf } from '../../deps.ts'
import type { AppError } from '../../errors/app-error.ts'
import type { ToolCaller } from './call-tool.ts'
import type { AnyCaller, McpServerDefinition } from './definition.ts'

export interface McpContext<C extends AnyCaller = AnyCaller> extends ToolCaller<C> {
  readonly request: Request
  readonly caller: AnyCaller
  /** The limit that refuses this call: its result says so, because clients hide other responses from their models. */
  readonly refusedBy?: AppError
}

/**
 * The dependencies of tools. Without `agentPayments` no fee is taken, and what takes a deposit cannot be booked, as on a host
 * without a payment provider.
 */
function depsOfTools(deps: Deps): Deps & { readonly deps?: Deps } {
  if (deps.config.agentPayments) return deps
  const config = { ...deps.config, instantBookingFeeCents: 0, machinePayments: false, sellsNothing: true as const }
  return { ...deps, config, deps: rootOf(deps) }
}

/** The context of a request that the guard has let in. The server authorizes the caller once, for all messages of a batch. */
export function openContext<C extends AnyCaller>(
  deps: Deps,
  server: McpServerDefinition<C>,
  { request, caller }: { request: Request; caller: AnyCaller },
): McpContext<C> {
  let authorized: Promise<C> | undefined
  return {
    deps: depsOfTools(deps),
    server,
    request,
    caller,
    authorize: () => (authorized ??= Promise.resolve(server.authorize(deps, caller))),
  }
}
