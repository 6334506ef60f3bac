// One request through the official SDK, in the protocol era it was made in.
import {
  type JSONRPCMessage,
  LATEST_PROTOCOL_VERSION,
  type McpRequestContext,
  type MessageClassification,
  PROTOCOL_VERSION_META_KEY,
  PerRequestHTTPServerTransport,
  ProtocolErrorCode,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
  classifyInboundRequest,
  createMcpHandler,
} from '@modelcontextprotocol/server'

import { type Deps, oncePerDeps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { toAppError } from '../../http/problem.ts'
import { serverFor } from './handlers.ts'
import { type RpcRequest, type RpcResponse, isObject } from './messages.ts'
import type { Session } from './session.ts'

/**
 * Whether the message is of the protocol's stateless era (2026-07-28 on), or claims to be: by its envelope, or by a header
 * that names a version after the last one with `initialize`. Versions are dates.
 */
export function isStateless({ headers }: Request, { params }: RpcRequest): boolean {
  const meta = params?.['_meta']
  const version = headers.get('mcp-protocol-version')
  return (
    (isObject(meta) && PROTOCOL_VERSION_META_KEY in meta) || (version !== null && version > LATEST_PROTOCOL_VERSION)
  )
}

/** Throws validation_failed for a protocol version that nobody speaks (of requests after `initialize`, which negotiates). */
export function checkVersion({ headers }: Request, { method }: RpcRequest): void {
  const version = headers.get('mcp-protocol-version')
  if (version === null || method === 'initialize' || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return
  throw new AppError('validation_failed', `This server does not speak the protocol version ${version.slice(0, 40)}.`, {
    errors: [
      { path: 'header.MCP-Protocol-Version', message: `must be one of ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}` },
    ],
  })
}

/** Asks a server that stays open; the answer has the id of the request. Throws invalid_message for what the SDK takes for none. */
type Line = (session: Session, request: RpcRequest) => Promise<RpcResponse>

type Send = (message: JSONRPCMessage) => Promise<void>

/** By being of this class, a transport tells its server that it is in the stateless era. This one stays open. */
class StatelessTransport extends PerRequestHTTPServerTransport {
  constructor(
    classification: MessageClassification,
    override readonly send: Send,
  ) {
    super({ classification })
  }
}

/**
 * A server on a transport that keeps the requests of all callers apart by ids of its own. With `classification`, one of the
 * stateless era.
 */
async function openLine(about: Pick<Session, 'side' | 'deps'>, classification?: MessageClassification): Promise<Line> {
  const asked = new Map<string | number, { session: Session; resolve: (response: RpcResponse) => void }>()
  let [lastId, isRefused] = [0, false]
  // What is not the answer (a notification on the way) has nobody to go to.
  const send: Send = (message) => {
    if ('id' in message && message.id !== undefined) asked.get(message.id)?.resolve(message as RpcResponse)
    return Promise.resolve()
  }
  const transport: Transport = classification
    ? new StatelessTransport(classification, send)
    : { start: () => Promise.resolve(), close: () => Promise.resolve(), send }
  const extra = classification && { classification }
  const sessionOf = (id: string | number) => {
    const found = asked.get(id)
    if (!found) throw new Error('An answer to nobody.')
    return found.session
  }
  const mcp = serverFor(about, sessionOf, classification ? { supportedProtocolVersions: [STATELESS_VERSION] } : {})
  Object.assign(mcp.server, { onerror: () => (isRefused = true) })
  await mcp.connect(transport)
  return async (session, request) => {
    const { promise, resolve } = Promise.withResolvers<RpcResponse>()
    const id = ++lastId
    asked.set(id, { session, resolve })
    try {
      // What is no message to the SDK is reported in this very turn, and never answered.
      isRefused = false
      transport.onmessage?.({ ...request, id }, extra)
      if (isRefused) throw new AppError('invalid_message', '`params._meta` is not as the protocol has it.')
      return { ...(await promise), id: request.id }
    } finally {
      asked.delete(id)
    }
  }
}

const linesOf = oncePerDeps(() => ({
  stateful: new WeakMap<Session['side'], Promise<Line>>(),
  stateless: new WeakMap<Session['side'], Promise<Line>>(),
}))

/** The line of the session's side that all requests of an era share. */
function sharedLine(session: Session, classification?: MessageClassification): Promise<Line> {
  const lines = linesOf(session.deps)[classification ? 'stateless' : 'stateful']
  const line = lines.get(session.side) ?? openLine(session, classification)
  lines.set(session.side, line)
  return line
}

/**
 * A request of the era of `initialize`, or of a client that knows no era: answered with one JSON message. All share one
 * server, which knows nothing of them between two requests, but for those that negotiate.
 */
export async function exchange(session: Session, request: RpcRequest): Promise<RpcResponse> {
  const line = await (request.method === 'initialize' ? openLine(session) : sharedLine(session))
  return await line(session, request)
}

/**
 * The same for a call of the stateless era, where it is one as most are; undefined where it is for the SDK's own handler,
 * which checks everything and makes a server for each request: 70 µs a call, where this takes 37.
 */
export async function exchangeCall(session: Session, request: RpcRequest): Promise<RpcResponse | undefined> {
  const classification = ordinaryCall(session.request, request)
  if (!classification) return undefined
  const line = await sharedLine(session, classification)
  return await line(session, request)
}

/** The HTTP status of what {@link exchangeCall} answers: of its errors, the protocol gives one a status of its own. */
export const statusOf = ({ error }: RpcResponse): number =>
  error?.code === ProtocolErrorCode.MissingRequiredClientCapability ? 400 : 200

/** The one version of the era that calls are known in here; others are the SDK's handler's to judge. */
const STATELESS_VERSION = '2026-07-28'

/** What the SDK takes a call for whose headers say, letter by letter, what its body says. */
function ordinaryCall({ headers }: Request, body: RpcRequest): MessageClassification | undefined {
  const { method, params } = body
  const [version, mcpMethod, mcpName] = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].map((name) =>
    headers.get(name),
  )
  if (version !== STATELESS_VERSION || method !== 'tools/call' || mcpMethod !== method) return undefined
  if (mcpName !== params?.['name'] || !/^[a-z_]+$/.test(mcpName ?? '')) return undefined
  const outcome = classifyInboundRequest({
    httpMethod: 'POST',
    protocolVersionHeader: version,
    mcpMethodHeader: mcpMethod,
    mcpNameHeader: mcpName ?? undefined,
    body,
  })
  return outcome.kind === 'modern' && outcome.classification.revision === version ? outcome.classification : undefined
}

/** The SDK's own handler of the stateless era, which checks its headers and envelope; one for all sessions. */
const statelessOf = oncePerDeps((deps: Deps) => {
  const sessions = new WeakMap<Request, Session>()
  const handler = createMcpHandler(
    ({ requestInfo }: McpRequestContext) => {
      const session = requestInfo && sessions.get(requestInfo)
      if (!session) throw new Error('A request without a session.')
      return serverFor(session, () => session)
    },
    { legacy: 'reject', onerror: (error) => deps.log.debug({ err: error }, 'agent request refused') },
  )
  return { sessions, handler }
})

/** A request of the stateless era. */
export async function exchangeStateless(session: Session, message: unknown): Promise<Response> {
  const { sessions, handler } = statelessOf(session.deps)
  sessions.set(session.request, session)
  const response = await handler.fetch(session.request, { parsedBody: message })
  const { failure } = session
  if (!failure) return response
  const { status } = toAppError(failure)
  return new Response(response.body, { status, headers: response.headers })
}
