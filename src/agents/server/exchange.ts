// One request through the official SDK, in the protocol era it was made in.
import {
  type JSONRPCMessage,
  LATEST_PROTOCOL_VERSION,
  type McpRequestContext,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
  createMcpHandler,
} from '@modelcontextprotocol/server'

import { type Deps, oncePerDeps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
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

/** A server on a transport that keeps the requests of all callers apart by ids of its own. */
async function openLine(about: Pick<Session, 'side' | 'deps'>): Promise<Line> {
  const asked = new Map<string | number, { session: Session; resolve: (response: RpcResponse) => void }>()
  let [lastId, isRefused] = [0, false]
  const transport: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    // What is not the answer (a notification on the way) has nobody to go to.
    send: (message: JSONRPCMessage) => {
      if ('id' in message && message.id !== undefined) asked.get(message.id)?.resolve(message as RpcResponse)
      return Promise.resolve()
    },
  }
  const mcp = serverFor(about, (id) => {
    const found = asked.get(id)
    if (!found) throw new Error('An answer to nobody.')
    return found.session
  })
  Object.assign(mcp.server, { onerror: () => (isRefused = true) })
  await mcp.connect(transport)
  return async (session, request) => {
    const { promise, resolve } = Promise.withResolvers<RpcResponse>()
    const id = ++lastId
    asked.set(id, { session, resolve })
    try {
      // What is no message to the SDK is reported in this very turn, and never answered.
      isRefused = false
      transport.onmessage?.({ ...request, id })
      if (isRefused) throw new AppError('invalid_message', '`params._meta` is not as the protocol has it.')
      return { ...(await promise), id: request.id }
    } finally {
      asked.delete(id)
    }
  }
}

const linesOf = oncePerDeps(() => new WeakMap<Session['side'], Promise<Line>>())

/**
 * A request of the era of `initialize`, or of a client that knows no era: answered with one JSON message. All share one
 * server, which knows nothing of them between two requests, but for those that negotiate.
 */
export async function exchange(session: Session, request: RpcRequest): Promise<RpcResponse> {
  if (request.method === 'initialize') return await (await openLine(session))(session, request)
  const lines = linesOf(session.deps)
  const line = lines.get(session.side) ?? openLine(session)
  lines.set(session.side, line)
  return await (
    await line
  )(session, request)
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
