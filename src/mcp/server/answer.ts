// An HTTP request to an agent server: one message or a batch, each admitted and answered by itself.
import { AppError } from '../../errors/app-error.ts'
import { checkScopes } from '../../http/guard.ts'
import { json } from '../../http/json.ts'
import { limitsOf } from '../../rate-limit/rate-limits.ts'
import { logFault, problemHeaders, rpcError, toAppError } from '../../http/problem.ts'
import { cashierOf } from '../payment/payment-gateway.ts'
import { paysByHttp } from '../payment/payment-session.ts'
import { scopesOf, isOn } from './definition.ts'
import { checkVersion, exchange, exchangeCall, exchangeStateless, isStateless, statusOf } from './dispatch.ts'
import { type RpcRequest, type RpcResponse, checkBatch, idOf, readMessage } from './messages.ts'
import type { Session } from './session.ts'

const JSON_TYPE = 'application/json'

/** The response to a body that is JSON. Never throws what a caller did: that is JSON-RPC's errors. */
export async function answer(session: Session, body: unknown): Promise<Response> {
  if (Array.isArray(body)) return await answerBatch(session, body)
  try {
    const request = await admitted(session, body)
    if (!request) return new Response(null, { status: 202 })
    if (isStateless(session.request, request)) {
      checkMethod(request)
      const called = await exchangeCall(session, request)
      const response = called
        ? respond(called, session.failure, statusOf(called))
        : await exchangeStateless(session, body)
      return await inHttp(session, response)
    }
    checkVersion(session.request, request)
    const response = await exchange(session, request)
    return await inHttp(session, respond(response, session.failure))
  } catch (thrown) {
    const error = toAppError(thrown)
    return respond(failed(session, body, error), error)
  }
}

/** JSON-RPC 2.0 §6: an answer for each request, none for notifications; 202 when there is nothing to say. */
async function answerBatch(session: Session, batch: readonly unknown[]): Promise<Response> {
  try {
    checkBatch(batch)
  } catch (thrown) {
    const error = toAppError(thrown)
    await count(session, undefined)
    return respond(failed(session, undefined, error), error)
  }
  const responses: RpcResponse[] = []
  for (const message of batch) {
    const response = await answerOneOf(session, message)
    if (response) responses.push(response)
  }
  return responses.length > 0 ? respond(responses) : new Response(null, { status: 202 })
}

async function answerOneOf(session: Session, message: unknown): Promise<RpcResponse | undefined> {
  try {
    const request = await admitted(session, message)
    if (!request) return undefined
    if (isStateless(session.request, request))
      throw new AppError('invalid_message', 'Requests of protocol version 2026-07-28 and later come one by one.')
    return await exchange(session, request)
  } catch (thrown) {
    return failed(session, message, toAppError(thrown))
  }
}

/** The message as a request, counted and allowed; undefined when it wants no answer. */
async function admitted(session: Session, message: unknown): Promise<RpcRequest | undefined> {
  let request: RpcRequest | undefined
  try {
    request = readMessage(message)
  } finally {
    // What is no request costs as much as one that reads.
    await count(session, request)
  }
  if (!request) return undefined
  checkTool(session, request)
  await session.entered()
  return request
}

/** Counts one message by the scope it is allowed by. Throws rate_limited. */
async function count(session: Session, message: RpcRequest | undefined): Promise<void> {
  const { deps, side, request, caller } = session
  const tool = message && calledTool(session, message)
  const scopes = tool ? scopesOf(side, tool) : [...side.scopes.read, ...side.scopes.write]
  await limitsOf(deps).admit(request, { key: 'required', scopes }, caller)
}

/** The SDK would keep a stream open for a subscription; here nothing is sent that was not asked for. */
function checkMethod({ method }: RpcRequest): void {
  if (method === 'subscriptions/listen')
    throw new AppError(
      'unknown_method',
      'There is nothing to subscribe to: the tools of a key change with the key alone.',
    )
}

/** A tool that exists, but not for this key: told apart from one that does not exist. */
function checkTool(session: Session, message: RpcRequest): void {
  const { side, caller } = session
  const tool = calledTool(session, message)
  if (!tool) return
  checkScopes(caller, { scopes: scopesOf(side, tool) })
  if (tool.owner && tool.owner !== caller.ownerKind)
    throw new AppError('invalid_key', `This tool needs a key that was issued to a ${tool.owner} account.`)
}

const calledTool = ({ side, deps }: Session, { method, params }: RpcRequest) =>
  method === 'tools/call' ? side.tools.find((tool) => tool.name === params?.['name'] && isOn(tool, deps)) : undefined

/** For clients that pay by HTTP: what is due as 402 with its challenge, what was paid as a receipt. */
async function inHttp({ deps, request, payment }: Session, response: Response): Promise<Response> {
  const { challenge, receipt } = payment
  if (!challenge || !paysByHttp(request)) return response
  const said = await (await cashierOf(deps)).headersOf(request, { challenge, ...(receipt ? { receipt } : {}) })
  const headers = new Headers(response.headers)
  for (const name of ['www-authenticate', 'payment-receipt', 'cache-control']) {
    const value = said.get(name)
    if (value) headers.set(name, value)
  }
  return new Response(response.body, { status: receipt || response.status >= 400 ? response.status : 402, headers })
}

function failed({ deps }: Session, message: unknown, error: AppError): RpcResponse {
  logFault(deps, error)
  return { jsonrpc: '2.0', id: idOf(message), error: rpcError(deps, error) }
}

const respond = (body: RpcResponse | RpcResponse[], failure?: AppError, status = 200): Response =>
  failure
    ? new Response(JSON.stringify(body), { status: failure.status, headers: problemHeaders(failure, JSON_TYPE) })
    : json(body, { status })
