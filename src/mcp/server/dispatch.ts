// Passes one JSON-RPC message through the official SDK, which answers by the protocol version of the message: with
// `initialize`, or stateless.
import { ctxOf } from '../../ctx.ts'
import { getMarketplace } from '../../features/upkeep/marketplace/verbs.ts'
import {
  type McpServer,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  isJSONRPCRequest,
} from '@modelcontextprotocol/server'

import { AppError, invalidFields } from '../../errors/app-error.ts'
import type { MessageId } from '../../platform/net/message-id.ts'
import { isStateless } from '../../platform/net/protocol-era.ts'
import type { McpContext } from './context.ts'
import type { RpcRequest } from './messages.ts'
import { type CallReport, createSdkServer } from './sdk-server.ts'

export interface DispatchResult extends CallReport {
  readonly status: number
  /** The JSON-RPC response as JSON text. */
  readonly body: string
}

/**
 * Answers a request of either era, or of a client that follows none: always with one JSON message. Every request gets an
 * SDK server of its own. Throws validation_failed for an unknown protocol version and invalid_message for a malformed
 * `_meta`.
 */
export async function dispatch(context: McpContext, message: RpcRequest): Promise<DispatchResult> {
  const { deps, request } = context
  // The SDK refuses these too, but with fewer details.
  if (!isJSONRPCRequest({ ...message, id: 0 }))
    throw new AppError('invalid_message', '`params._meta` does not follow the protocol.')
  if (!isStateless(request, message)) checkVersion(request, message)
  let report: CallReport = {}
  const site = await getMarketplace(ctxOf(deps))
  const createServer = () => createSdkServer({ ...context, site }, (call) => (report = { ...report, ...call }))
  const { id } = message
  const hasSdkId = typeof id === 'string' || Number.isSafeInteger(id)
  const parsedBody = hasSdkId ? message : { ...message, id: 'another kind of id' }
  const onerror = (error: Error) => deps.log.debug({ err: error }, 'the SDK refused an agent request')
  const response = isPlain(request, message)
    ? await answerPlain(createServer(), acceptingAll(request), parsedBody)
    : await createMcpHandler(createServer, { keepAliveMs: 0, onerror }).fetch(acceptingAll(request), { parsedBody })
  const body = await bodyOf(response)
  // Results may be long, and are not parsed.
  if (!body.includes('"result":')) refuseInvalid((JSON.parse(body) as { error: SdkError }).error)
  return { ...report, status: report.failure?.status ?? response.status, body: hasSdkId ? body : withId(body, id) }
}

/** Returns whether the message belongs to the era of `initialize` without a doubt: nothing in it claims a version. */
const isPlain = (request: Request, message: RpcRequest): boolean =>
  message.params?.['_meta'] === undefined && !isStateless(request, message)

/** Answers a plain message with JSON. The SDK's handler writes it to an event stream, whose making and reading costs more. */
async function answerPlain(server: McpServer, request: Request, parsedBody: RpcRequest): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody })
  } finally {
    await server.close()
  }
}

interface SdkError {
  readonly message: string
  readonly data?: { readonly envelope?: { readonly key?: string; readonly problem?: string } }
}

/** One fault that zod found, as the SDK puts it into its message. */
interface Issue {
  readonly code: string
  readonly expected?: string
  readonly message: string
  readonly path: readonly (string | number)[]
}

/** The issues in a message of the SDK, as JSON. */
const REPORT = /^(?:Invalid \S+ request: )?(\[[^]*\])$/

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text',
  object: 'an object',
  record: 'an object',
  array: 'a list',
}

/** Throws validation_failed where the SDK answers with its validator's report, which is no sentence for callers. */
function refuseInvalid({ message, data }: SdkError): void {
  const { key, problem } = data?.envelope ?? {}
  if (key !== undefined) {
    const rule = problem === 'missing' ? 'is required' : 'does not follow the protocol'
    throw invalidFields([{ path: `params._meta.${key}`, message: rule }])
  }
  const report = REPORT.exec(message)?.[1]
  if (report === undefined) return
  const issues = JSON.parse(report) as Issue[]
  const texts = new Map(issues.map((issue) => [issue.path.join('.'), textOf(issue)]))
  throw invalidFields(Array.from(texts, ([path, message]) => ({ path, message })))
}

function textOf({ code, expected = '', message }: Issue): string {
  if (code !== 'invalid_type') return 'does not follow the protocol'
  return message.endsWith('received undefined') ? 'is required' : `must be ${EXPECTED[expected] ?? `a ${expected}`}`
}

/** JSON-RPC allows any number as an id, the SDK only integers. */
const withId = (body: string, id: MessageId): string => JSON.stringify({ ...(JSON.parse(body) as object), id })

/** `initialize` negotiates its version. */
function checkVersion({ headers }: Request, message: RpcRequest): void {
  const version = headers.get('mcp-protocol-version')
  if (version === null || message.method === 'initialize' || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return
  throw new AppError(
    'validation_failed',
    `This server does not support the protocol version ${version.slice(0, 40)}. Use one of the listed versions.`,
    {
      errors: [
        { path: 'header.MCP-Protocol-Version', message: `must be one of ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}` },
      ],
    },
  )
}

/**
 * The SDK insists on a client that accepts JSON and event streams; plain clients send no Accept header. Without the request's
 * signal: see `signalOf` in sdk-server.ts.
 */
function acceptingAll({ url, headers }: Request): Request {
  const forwarded = new Headers(headers)
  forwarded.set('accept', 'application/json, text/event-stream')
  return new Request(url, { method: 'POST', headers: forwarded })
}

/** The SDK answers requests of the `initialize` era with one server-sent event, whose data is the JSON. */
async function bodyOf(response: Response): Promise<string> {
  const text = await response.text()
  const isStream = response.headers.get('content-type') === 'text/event-stream'
  return isStream ? text.slice(text.indexOf('data: ') + 'data: '.length).trimEnd() : text
}
