// tools/list and tools/call, for one session: what the SDK's server is given to answer with.
import {
  type CallToolResult,
  McpServer,
  ProtocolError,
  type ServerOptions,
  TRACEPARENT_META_KEY,
} from '@modelcontextprotocol/server'
import { SpanKind, context, trace } from '@opentelemetry/api'

import { requestContextOf } from '../../auth/request-context.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Caller } from '../../auth/caller.ts'
import { logFault, rpcError, toAppError } from '../../http/problem.ts'
import { contextOf, inSpan } from '../../platform/telemetry/trace-context.ts'
import { VERSION, serverName } from './cards.ts'
import { openTill } from '../payment/payment-session.ts'
import { publish } from './published-tools.ts'
import { toolFor, toolsFor } from './definition.ts'
import type { Tool } from './tool.ts'
import { callTool, isReplayed } from './calls.ts'
import type { Session } from './session.ts'
import { toolMetricsOf } from './tool-metrics.ts'

/** Whose request it is. */
type SessionOf = (id: string | number) => Session

const tracer = trace.getTracer('hearth.agents')

/**
 * A server that answers for the sessions that `sessionOf` finds by the id of a request. Its handlers are ours: registering
 * every tool with each server would cost more than most calls.
 */
export function serverFor(
  { side, deps }: Pick<Session, 'side' | 'deps'>,
  sessionOf: SessionOf,
  options: Pick<ServerOptions, 'supportedProtocolVersions'> = {},
): McpServer {
  const mcp = new McpServer(
    { name: serverName(deps.config, side), title: side.title, version: VERSION },
    { capabilities: { tools: { listChanged: false } }, instructions: side.instructions, ...options },
  )
  mcp.server.setRequestHandler('tools/list', (_, { mcpReq }) => ({
    tools: toolsFor(side, deps, sessionOf(mcpReq.id).caller).map(publish),
  }))
  mcp.server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    answerCall(sessionOf(mcpReq.id), params.name, params.arguments ?? {}, params['_meta'] ?? {}),
  )
  return mcp
}

/** The tool of this name that the caller may call. Throws unknown_tool. */
export function findTool<C extends Caller>({ side, deps, caller }: Session<C>, name: string): Tool<C> {
  const tool = toolFor(side, deps, caller, name)
  if (!tool)
    throw new AppError('unknown_tool', `There is no tool ${JSON.stringify(name.slice(0, 60))}. See tools/list.`)
  return tool
}

async function answerCall<C extends Caller>(
  session: Session<C>,
  name: string,
  args: Record<string, unknown>,
  meta: Readonly<Record<string, unknown>>,
): Promise<CallToolResult> {
  const { deps, request, payment } = session
  const startedMs = performance.now()
  let label = '_OTHER'
  let outcome = 'ok'
  try {
    const tool = findTool(session, name)
    label = tool.name
    const till = deps.config.machinePayments ? openTill(deps, request, meta, payment) : undefined
    const result = await traced(session, tool, meta[TRACEPARENT_META_KEY], () => callTool(session, tool, args, till))
    if (isReplayed(result)) requestContextOf(request).isReplayed = true
    if (result.isError) outcome = 'refused'
    return result
  } catch (thrown) {
    outcome = 'protocol_error'
    if (ProtocolError.isInstance(thrown)) throw thrown
    const error = toAppError(thrown)
    outcome = error.code
    throw protocolError(session, error)
  } finally {
    toolMetricsOf(deps).record(session.side.name, label, outcome, (performance.now() - startedMs) / 1000)
  }
}

/** A span named after the tool. The caller's own trace, where they name one, goes on here; else the request's does. */
function traced<C extends Caller>(
  { side }: Session<C>,
  tool: Tool<C>,
  traceparent: unknown,
  work: () => Promise<CallToolResult>,
): Promise<CallToolResult> {
  const request = trace.getActiveSpan()?.spanContext()
  const remote = contextOf(typeof traceparent === 'string' ? traceparent : undefined)
  const isNamed = trace.getSpanContext(remote) !== undefined
  return context.with(isNamed ? remote : context.active(), () =>
    inSpan(
      tracer,
      `tool ${tool.name}`,
      {
        kind: SpanKind.INTERNAL,
        attributes: { 'hearth.agent_server': side.name, 'hearth.tool': tool.name },
        ...(isNamed && request ? { links: [{ context: request }] } : {}),
      },
      work,
    ),
  )
}

/** For the SDK, which makes the response: code and data by the one table. */
function protocolError<C extends Caller>(session: Session<C>, error: AppError): ProtocolError {
  if (error.status >= 500) session.failure = error
  logFault(session.deps, error)
  const { code, message, data } = rpcError(session.deps, error)
  return new ProtocolError(code, message, data)
}
