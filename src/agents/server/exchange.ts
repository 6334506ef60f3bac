// One request through the official SDK, in the protocol era it was made in.
import {
  type JSONRPCMessage,
  type McpRequestContext,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
  classifyInboundRequest,
  createMcpHandler,
} from '@modelcontextprotocol/server'

import { type Deps, oncePerDeps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { toAppError } from '../../http/problem.ts'
import { serverFor } from './handlers.ts'
import type { RpcRequest, RpcResponse } from './messages.ts'
import type { Session } from './session.ts'

/** Whether the message is of the protocol's stateless era (2026-07-28 on), or claims to be. */
export function isStateless({ method, headers }: Request, request: RpcRequest): boolean {
  const { kind } = classifyInboundRequest({
    httpMethod: method,
    // The era does not hang on the id, and JSON-RPC allows more ids than the SDK.
    body: { ...request, id: 0 },
    ...headerOf(headers, 'protocolVersionHeader', 'mcp-protocol-version'),
    ...headerOf(headers, 'mcpMethodHeader', 'mcp-method'),
    ...headerOf(headers, 'mcpNameHeader', 'mcp-name'),
  })
  return kind !== 'legacy'
}

function headerOf<K extends string>(headers: Headers, key: K, name: string): Partial<Record<K, string>> {
  const value = headers.get(name)
  return value === null ? {} : ({ [key]: value } as Partial<Record<K, string>>)
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

/** A request of the era of `initialize`, or of a client that knows no era: answered with one JSON message. */
export async function exchange(session: Session, request: RpcRequest): Promise<RpcResponse> {
  const answer = Promise.withResolvers<RpcResponse>()
  const transport: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(transport.onclose?.()),
    // What is not the answer (a notification on the way) has nobody to go to.
    send: (message: JSONRPCMessage) => {
      if ('id' in message) answer.resolve(message as RpcResponse)
      return Promise.resolve()
    },
  }
  const server = serverFor(session)
  await server.connect(transport)
  // An id of ours: the caller's may be any that JSON-RPC allows, the SDK takes fewer.
  transport.onmessage?.({ ...request, id: 0 })
  const response = await answer.promise
  await server.close()
  return { ...response, id: request.id }
}

/** The SDK's own handler of the stateless era, which checks its headers and envelope; one for all sessions. */
const statelessOf = oncePerDeps((deps: Deps) => {
  const sessions = new WeakMap<Request, Session>()
  const handler = createMcpHandler(
    ({ requestInfo }: McpRequestContext) => {
      const session = requestInfo && sessions.get(requestInfo)
      if (!session) throw new Error('A request without a session.')
      return serverFor(session)
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
