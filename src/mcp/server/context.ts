// The context of one HTTP request to an agent server.
import type { Deps } from '../../deps.ts'
import type { Caller } from '../../auth/caller.ts'
import type { AppError } from '../../errors/app-error.ts'
import type { ToolCaller } from './call-tool.ts'
import type { McpServerDefinition } from './definition.ts'

export interface McpContext<C extends Caller = Caller> extends ToolCaller<C> {
  readonly request: Request
  readonly caller: Caller
  /** The limit that refuses this call: its result says so, because clients hide other responses from their models. */
  readonly refusedBy?: AppError
}

/** The context of a request whose key was accepted. The server authorizes the caller once, for all messages of a batch. */
export function openContext<C extends Caller>(
  deps: Deps,
  server: McpServerDefinition<C>,
  { request, caller }: { request: Request; caller: Caller },
): McpContext<C> {
  let authorized: Promise<C> | undefined
  return {
    deps,
    server,
    request,
    caller,
    authorize: () => (authorized ??= Promise.resolve(server.authorize(deps, caller))),
  }
}
