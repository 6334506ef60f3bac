// One POST to an agent server: a message or a batch. Each message is counted, authorized and answered by itself.
import type { Caller } from '../../auth/caller.ts'
import { AppError } from '../../errors/app-error.ts'
import { checkScopes } from '../../http/permissions.ts'
import { jsonText } from '../../http/json.ts'
import { logFault, problemHeaders, rpcFailure, toAppError } from '../../http/problem.ts'
import { messageIdOf } from '../../platform/net/message-id.ts'
import { isStateless } from '../../platform/net/protocol-era.ts'
import { requestLimitsOf } from '../../rate-limit/request-limits.ts'
import { paymentGatewayOf } from '../payment/payment-gateway.ts'
import { usesPaymentHeaders } from '../payment/payment-session.ts'
import type { McpContext } from './context.ts'
import { isOn, scopesOf } from './definition.ts'
import { type DispatchResult, dispatch } from './dispatch.ts'
import { type RpcRequest, checkBatch, isObject, readMessage } from './messages.ts'
import type { Tool } from './tool.ts'

const JSON_TYPE = 'application/json'

/** The response to a parsed JSON body. Errors of the caller become JSON-RPC errors; the function does not throw them. */
export async function handlePost(context: McpContext, body: unknown): Promise<Response> {
  if (Array.isArray(body)) return await handleBatch(context, body)
  const result = await answer(context, body)
  return result ? await withPaymentHeaders(context, result) : new Response(null, { status: 202 })
}

/** JSON-RPC 2.0 §6: a response for each request, none for notifications; 202 when no response is left. */
async function handleBatch(context: McpContext, batch: readonly unknown[]): Promise<Response> {
  try {
    checkBatch(batch)
  } catch (thrown) {
    await countMessage(context, undefined)
    return toResponse(context, failed(context, undefined, thrown))
  }
  const bodies: string[] = []
  for (const message of batch) {
    const result = await answer(context, message, { isInBatch: true })
    if (result) bodies.push(result.body)
  }
  return bodies.length > 0 ? jsonText(`[${bodies.join(',')}]`) : new Response(null, { status: 202 })
}

/** Answers one message; undefined for a notification or a response. */
async function answer(
  context: McpContext,
  message: unknown,
  { isInBatch = false }: { isInBatch?: boolean } = {},
): Promise<DispatchResult | undefined> {
  try {
    const { request, refusedBy } = await admit(context, message)
    if (!request) return undefined
    if (isStateless(context.request, request)) checkStateless(request, isInBatch)
    return await dispatch(refusedBy ? { ...context, refusedBy } : context, request)
  } catch (thrown) {
    return failed(context, message, thrown)
  }
}

interface Admitted {
  /** Undefined for a message that gets no response. */
  readonly request?: RpcRequest
  readonly refusedBy?: AppError
}

/** Reads, counts and authorizes a message. */
async function admit(context: McpContext, message: unknown): Promise<Admitted> {
  let request: RpcRequest | undefined
  let refusedBy: AppError | undefined
  try {
    request = readMessage(message)
  } finally {
    // A malformed message counts like any other.
    refusedBy = await countMessage(context, request)
  }
  if (!request) return {}
  checkPermission(context, request)
  if (refusedBy) return { request, refusedBy }
  if (calledTool(context, request)?.access === 'write') await context.deps.restoredCopy.refuseChanges()
  await context.authorize()
  return { request }
}

/** Counts one message by the scope that allows it. Returns the limit that a call exceeds; throws it for other messages. */
async function countMessage(context: McpContext, message: RpcRequest | undefined): Promise<AppError | undefined> {
  const { deps, server, request, caller } = context
  const tool = message && calledTool(context, message)
  const scopes = tool ? scopesOf(server, tool) : [...server.scopes.read, ...server.scopes.write]
  const access = { key: caller ? 'required' : 'none', scopes } as const
  try {
    await requestLimitsOf(deps).admit(
      request,
      isGuess(tool, message) ? { ...access, limit: 'codeLookups' } : access,
      caller,
    )
    return undefined
  } catch (error) {
    if (tool && error instanceof AppError && error.code === 'rate_limited') return error
    throw error
  }
}

/** Returns whether the call has the field of its tool that could be guessed. */
function isGuess(tool: Pick<Tool, 'guessable'> | undefined, message: RpcRequest | undefined): boolean {
  const args = message?.params?.['arguments']
  return tool?.guessable !== undefined && isObject(args) && args[tool.guessable] !== undefined
}

/** The SDK would open a stream for a subscription; these servers send no notifications. */
function checkStateless({ method }: RpcRequest, isInBatch: boolean): void {
  if (isInBatch)
    throw new AppError(
      'invalid_message',
      'Protocol version 2026-07-28 and later has no batches. Send one request at a time.',
    )
  if (method === 'subscriptions/listen')
    throw new AppError(
      'unknown_method',
      'This server has no subscriptions: the tools of a key change only with the key.',
    )
}

/** Distinguishes a tool that this key may not call from a tool that does not exist. Resources are for keys that read. */
function checkPermission(context: McpContext, message: RpcRequest): void {
  const { deps, server, caller } = context
  if (!caller) return
  if (message.method === 'resources/read') checkScopes(deps, caller, { scopes: server.scopes.read })
  const tool = calledTool(context, message)
  if (!tool) return
  checkScopes(deps, caller, { scopes: scopesOf(server, tool) })
  if (caller.audience) checkFields(context, caller, { tool, args: message.params?.['arguments'] })
  if (tool.owner && tool.owner !== caller.ownerKind)
    throw new AppError('invalid_key', `This tool needs a key that was issued to a ${tool.owner} account.`)
}

/** An app sees the fields for which its person can grant a scope: a call with one asks for that scope. */
function checkFields({ deps }: McpContext, caller: Caller, { tool, args }: { tool: Tool; args: unknown }): void {
  if (!isObject(args)) return
  for (const [name, field] of Object.entries(tool.fields ?? {}))
    if (args[name] !== undefined && field.scopes && isOn(field, deps))
      checkScopes(deps, caller, { scopes: field.scopes })
}

const calledTool = ({ server, deps }: McpContext, { method, params }: RpcRequest) =>
  method === 'tools/call' ? server.tools.find((tool) => tool.name === params?.['name'] && isOn(tool, deps)) : undefined

function failed({ deps, request }: McpContext, message: unknown, thrown: unknown): DispatchResult {
  const failure = toAppError(thrown)
  logFault(deps, failure)
  const body = JSON.stringify(
    rpcFailure(deps, failure, { messageId: messageIdOf(message), isStateless: isStateless(request, message) }),
  )
  return { status: failure.status, body, failure }
}

function toResponse({ deps, server }: McpContext, { status, body, failure }: DispatchResult): Response {
  if (!failure) return jsonText(body, { status })
  return new Response(body, { status, headers: problemHeaders(deps, failure, { type: JSON_TYPE, route: server.path }) })
}

/** For clients that pay over HTTP: 402 with the challenge of an unpaid amount, or the receipt of a payment. */
async function withPaymentHeaders(context: McpContext, result: DispatchResult): Promise<Response> {
  const { deps, request } = context
  const response = toResponse(context, result)
  const { payment } = result
  if (!payment || !usesPaymentHeaders(request)) return response
  const paymentHeaders = await (await paymentGatewayOf(deps)).headersFor(request, payment)
  const headers = new Headers(response.headers)
  for (const name of ['www-authenticate', 'payment-receipt', 'cache-control']) {
    const value = paymentHeaders.get(name)
    if (value) headers.set(name, value)
  }
  const status = payment.receipt || response.status >= 400 ? response.status : 402
  return new Response(response.body, { status, headers })
}
