// The SDK's server for one message: tools/list and tools/call of an agent server.
import {
  type CacheScope,
  type CallToolResult,
  type InputRequiredResult,
  McpServer,
  ProtocolError,
  type ServerContext,
  TRACEPARENT_META_KEY,
} from '@modelcontextprotocol/server'
import { SpanKind, context as telemetry, trace } from '@opentelemetry/api'

import type { Marketplace } from '../../features/upkeep/marketplace/schemas.ts'
import { AppError } from '../../errors/app-error.ts'
import { ctxOf } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { logFault, rpcError, toAppError } from '../../http/problem.ts'
import { requestContextOf } from '../../auth/request-context.ts'
import { newPaymentProvider } from '../../payments/open-provider.ts'
import { isInRanges } from '../../platform/net/client-address.ts'
import { inSpan, originOf } from '../../platform/telemetry/trace-context.ts'
import { type PaymentNotice, openPaymentSession } from '../payment/payment-session.ts'
import { callTool, isReplayed, refusalOf } from './call-tool.ts'
import { VERSION, appearanceOf, serverName, titleOf } from './cards.ts'
import { localized, localizedValue, regionOf } from '../../platform/text/region.ts'
import type { McpContext } from './context.ts'
import { type AnyCaller, findTool, isOn, toolsFor } from './definition.ts'
import { askAfter, askBefore } from './elicitation.ts'
import { withNeeds } from './published-tools.ts'
import { servePromptsAndResources } from './prompts-and-resources.ts'
import type { Tool } from './tool.ts'
import { toolMetricsOf } from './tool-metrics.ts'

/** The parts of a call that HTTP has to know. */
export interface CallReport {
  /** The server's own failure, whose HTTP status the response gets. */
  readonly failure?: AppError
  readonly payment?: PaymentNotice
}

type Report = (call: CallReport) => void

const tracer = trace.getTracer('hearth.agents')

/**
 * An SDK server for one request. It sets the two handlers itself: registering every tool with each server would cost more
 * than most calls.
 */
export function createSdkServer(context: McpContext & { site: Marketplace }, report: Report): McpServer {
  const { deps, server, caller, site } = context
  const region = regionOf(site)
  const mcp = new McpServer(
    {
      name: serverName(deps.config, server),
      title: titleOf(site, server),
      version: VERSION,
      ...appearanceOf(deps.config, site),
    },
    {
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { listChanged: false },
      },
      instructions: localized(region, (!deps.config.agentPayments && server.freeInstructions) || server.instructions),
      cacheHints: caller ? OF_A_KEY : OF_EVERYBODY,
    },
  )
  mcp.server.setRequestHandler('tools/list', () => ({
    tools: localizedValue(
      region,
      toolsFor(deps, server, caller).map((tool) => withNeeds(context, tool)),
    ),
  }))
  mcp.server.setRequestHandler('tools/call', ({ params }, client) => handleCall(context, params, client, report))
  servePromptsAndResources(mcp, context)
  return mcp
}

/**
 * How long clients of the stateless era keep the lists (2026-07-28, SEP-2549). A release changes them, and so do the scopes of a
 * token and the flags of the host. Resources are read anew each time.
 */
const LISTS_TTL_MS = 300_000
const LISTS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'server/discover'] as const
const hintsOf = (cacheScope: CacheScope) =>
  Object.fromEntries(LISTS.map((list) => [list, { ttlMs: LISTS_TTL_MS, cacheScope }]))
const OF_A_KEY = hintsOf('private')
const OF_EVERYBODY = hintsOf('public')

interface CallParams {
  readonly name: string
  readonly arguments?: Record<string, unknown> | undefined
  readonly _meta?: Readonly<Record<string, unknown>> | undefined
}

async function handleCall(
  context: McpContext,
  { name, arguments: args = {}, _meta: meta = {} }: CallParams,
  client: ServerContext,
  report: Report,
): Promise<CallToolResult | InputRequiredResult> {
  const { deps, server, caller, request } = context
  const startedMs = performance.now()
  let label = '_OTHER'
  let outcome = 'ok'
  try {
    const tool = findTool(deps, server, caller, name)
    if (!tool) throw unknownTool(context, name)
    label = tool.name
    if (context.refusedBy) {
      outcome = context.refusedBy.code
      return refusalOf(deps, context.refusedBy)
    }
    const asked = await askBefore(context, tool, args, client)
    if (asked) return asked
    const payment = takesWallets(deps, caller)
      ? openPaymentSession(ctxOf(deps), request, meta, (payment) => report({ payment }))
      : undefined
    const result = await inToolSpan(context, tool, meta[TRACEPARENT_META_KEY], () =>
      callTool({ ...context, signal: signalOf(request) }, tool, args, payment),
    )
    if (isReplayed(result)) requestContextOf(request).isReplayed = true
    if (result.isError) outcome = 'refused'
    return askAfter(tool, args, result, client)
  } catch (thrown) {
    outcome = 'protocol_error'
    if (ProtocolError.isInstance(thrown)) throw thrown
    const error = toAppError(thrown)
    outcome = error.code
    if (error.status >= 500) report({ failure: error })
    logFault(deps, error)
    const { code, message, data } = rpcError(deps, error, requestContextOf(request))
    throw new ProtocolError(code, message, data)
  } finally {
    toolMetricsOf(deps).record(server.name, label, outcome, (performance.now() - startedMs) / 1000)
  }
}

/** A tool of the whole server exists there, and the caller learns where. */
function unknownTool({ deps, server: { whole } }: McpContext, name: string): AppError {
  const isThere = whole?.tools.some((tool) => tool.name === name && isOn(tool, deps))
  const detail = isThere
    ? `${name} needs a person who signs in: connect to ${deps.config.baseUrl}${whole?.path}, which has it.`
    : `There is no tool ${JSON.stringify(name.slice(0, 60))}. See tools/list.`
  return new AppError('unknown_tool', detail)
}

/**
 * Closing the connection cancels a call of the stateless era only (2026-07-28, Streamable HTTP): before, a client could come back
 * for the result. The SDK is not given the signal, because it would answer while the call goes on.
 */
const signalOf = (request: Request): AbortSignal | undefined =>
  requestContextOf(request).isStateless ? request.signal : undefined

/** Wallets pay in the sandbox only: in production and with a real payment provider, in test mode. */
const takesWallets = ({ config }: Deps, caller: AnyCaller): boolean =>
  config.machinePayments && (newPaymentProvider(config) === 'sandbox' || caller?.mode === 'test')

/** Runs a call in a span named after its tool: in the trace that a trusted message names, else in the request's. */
function inToolSpan<C extends AnyCaller>(
  { deps, server, request }: McpContext<C>,
  tool: Tool<C>,
  traceparent: unknown,
  work: () => Promise<CallToolResult>,
): Promise<CallToolResult> {
  const { parent, links } = originOf(
    typeof traceparent === 'string' ? traceparent : undefined,
    () => isInRanges(requestContextOf(request).peer?.(), deps.config.trustedTraceSources),
    telemetry.active(),
  )
  const attributes = { 'hearth.agent_server': server.name, 'hearth.tool': tool.name }
  return telemetry.with(parent, () =>
    inSpan(tracer, `tool ${tool.name}`, { kind: SpanKind.INTERNAL, attributes, links }, work),
  )
}
