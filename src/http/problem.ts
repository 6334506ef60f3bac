// Errors as RFC 9457 problem documents, without anything internal.
import { trace } from '@opentelemetry/api'
import { Elysia, NotFoundError, ParseError, ValidationError } from 'elysia'

import type { Deps } from '../deps.ts'
import { AppError, ERRORS, type ErrorCode, invalidFields } from '../errors/app-error.ts'
import { hasCommitted, rememberCommits } from '../platform/postgres/effects.ts'
import { RESTORED_COPY, StoreUnavailable } from '../platform/store-error.ts'
import { isBrowser, prefersJson } from './accept.ts'
import { fieldErrors } from './field-errors.ts'
import { challengeOf, resourceOfRoute } from '../auth/oauth/challenge.ts'
import { type RequestContext, requestContextOf } from '../auth/request-context.ts'
import { requestLimitsOf } from '../rate-limit/request-limits.ts'
import { pathOf } from './request-target.ts'

export const PROBLEM_TYPE = 'application/problem+json'

const DETAIL = 'A database is unavailable. Try again; with the same Idempotency-Key nothing is done twice.'
const UNKNOWN_DETAIL =
  'A database did not confirm the change, so it may or may not have been made. Send the same request with the same Idempotency-Key to find out, or read the resource.'
const COPY_DETAIL =
  'The database is a restored copy of another one. It serves reads and refuses changes until an operator declares it the original.'

/** The error that a caller sees for a thrown value. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof ValidationError) return invalidFields(fieldErrors(error))
  if (error instanceof StoreUnavailable) return unavailable(error)
  if (error instanceof ParseError) return new AppError('malformed_body', 'The body could not be read as JSON.')
  if (error instanceof NotFoundError) return new AppError('not_found', 'Nothing exists at this path.')
  return new AppError('internal', 'The request failed. The error was logged with this request id.', { cause: error })
}

/** Says that nothing was changed only if that is certain; otherwise the outcome is unknown. */
function unavailable(cause: StoreUnavailable): AppError {
  if (cause.isOutcomeUnknown || hasCommitted())
    return new AppError('outcome_unknown', UNKNOWN_DETAIL, { retryAfterSeconds: 2, cause })
  if (cause.code === RESTORED_COPY) return new AppError('unavailable', COPY_DETAIL, { retryAfterSeconds: 60, cause })
  return new AppError('unavailable', DETAIL, { retryAfterSeconds: 2, cause })
}

/** What of a request the response to its error depends on, and where the error is noted. */
type AnsweredContext = Partial<Pick<RequestContext, 'isRpc' | 'messageId' | 'isStateless' | 'route' | 'error'>>

/** The response to an error: a problem document, or a JSON-RPC error. Notes the error in the context, and logs faults of ours. */
export function problemResponse(deps: Deps, thrown: unknown, requestContext: AnsweredContext = {}): Response {
  const { isRpc = false, route, ...message } = requestContext
  const error = toAppError(thrown)
  requestContext.error = error
  logFault(deps, error)
  const body = isRpc ? rpcFailure(deps, error, message) : problemOf(deps, error)
  const headers = problemHeaders(deps, error, { type: isRpc ? 'application/json' : PROBLEM_TYPE, route })
  return new Response(JSON.stringify(body), { status: error.status, headers })
}

/** Logs an error of status 5xx, with its cause. */
export function logFault({ log }: Deps, error: AppError): void {
  // A restored copy refuses every change. The process logged that once, when it started.
  if (error.cause instanceof StoreUnavailable && error.cause.code === RESTORED_COPY) return
  if (error.status >= 500) log.error({ err: error.cause ?? error, code: error.code }, 'request failed')
}

/** The problem document of an error; its request id is the active trace. */
export const problemOf = ({ config }: Deps, error: AppError) =>
  problemBody(config.baseUrl, error.code, {
    detail: error.detail,
    requestId: activeTraceId(),
    members: { ...(error.errors ? { errors: error.errors } : {}), ...error.extensions },
  })

/**
 * The code of an error in JSON-RPC: that of the table. The stateless era reserves -32020 to -32099 for the protocol and wants no
 * use of -32000 to -32019, so there our own codes are the HTTP status.
 */
function rpcCode({ code, status }: AppError, isStateless: boolean): number {
  const { rpc } = ERRORS[code]
  return isStateless && rpc <= -32_000 && rpc >= -32_099 ? status : rpc
}

/** The error of a JSON-RPC response (JSON-RPC 2.0 §5.1), with the problem document as its data. */
export const rpcError = (deps: Deps, error: AppError, { isStateless = false }: { isStateless?: boolean }) => ({
  code: rpcCode(error, isStateless),
  message: error.detail,
  data: { ...problemOf(deps, error), remedy: ERRORS[error.code].remedy },
})

/**
 * A JSON-RPC response with an error. Its id is null when the body has none (JSON-RPC 2.0 §5), and absent when the request was
 * refused before its body was read (MCP, Streamable HTTP): null would be wrong for a message that has one.
 */
export function rpcFailure(
  deps: Deps,
  error: AppError,
  { messageId, isStateless }: Partial<Pick<RequestContext, 'messageId' | 'isStateless'>>,
) {
  const known = error.code === 'malformed_body' ? null : messageId
  return {
    jsonrpc: '2.0',
    ...(known === undefined ? {} : { id: known }),
    error: rpcError(deps, error, { isStateless }),
  }
}

/** The headers of an error: how to authenticate, when to retry, which methods are allowed. */
export function problemHeaders(
  { config }: Deps,
  error: AppError,
  { type, route }: { type: string; route: string | undefined },
): Headers {
  const headers = new Headers({ 'content-type': type, 'cache-control': 'no-store' })
  // Pages of any origin may read why they were refused: the response holds no personal data.
  headers.set('access-control-allow-origin', '*')
  const challenge = challengeOf(config, error, resourceOfRoute(route))
  if (challenge !== undefined) headers.set('www-authenticate', challenge)
  if (error.retryAfterSeconds !== undefined) headers.set('retry-after', String(error.retryAfterSeconds))
  // RFC 9110 §15.5.9. The rest of the body would be read as the next request.
  if (error.status === 408) headers.set('connection', 'close')
  if (error.replayed) headers.set('idempotent-replayed', 'true')
  if (error.allow) headers.set('allow', error.allow.join(', '))
  return headers
}

/** The id of the request's trace. */
const activeTraceId = (): string | null => trace.getActiveSpan()?.spanContext().traceId ?? null

/** The members of a problem document (RFC 9457 §3.1), ours after the standard's. */
export const problemBody = (
  baseUrl: string,
  code: ErrorCode,
  { detail, requestId, members }: { detail: string; requestId: string | null; members: Record<string, unknown> },
) => ({
  type: `${baseUrl}/problems/${code}`,
  title: ERRORS[code].title,
  status: ERRORS[code].status,
  detail,
  code,
  requestId,
  ...members,
})

/** The paths of programs. Browsers may open all other paths. */
const PROGRAMS = /^\/(api|openapi\.json|\.well-known)(\/|$)/
const AGENT_SERVERS = /^\/api\/mcp(\/(customer|public))?\/?$/

/** Whether a request that was refused before its route ran goes to a route that speaks JSON-RPC. */
export const speaksRpc = (request: Request): boolean =>
  request.method === 'POST' && AGENT_SERVERS.test(pathOf(request.url))

/**
 * Whether the error is shown as a page: on routes of pages, and in browsers also for unknown paths and for paths that only
 * take forms.
 */
const isForPeople = (request: Request, thrown: unknown): boolean =>
  !PROGRAMS.test(pathOf(request.url)) &&
  (requestContextOf(request).isPage ? !prefersJson(request) : hasNoRoute(thrown) && isBrowser(request))

const hasNoRoute = (thrown: unknown): boolean =>
  thrown instanceof NotFoundError || (thrown instanceof AppError && thrown.code === 'method_not_allowed')

/** The 404 of a catch-all route. It is the same as if the route did not exist. */
export function unknownPath(request: Request): AppError {
  requestContextOf(request).isPage = isBrowser(request)
  return toAppError(new NotFoundError())
}

/** Makes the page of an error. */
export type ProblemPage = (
  error: AppError,
  context: { request: Request; requestId: string | null },
) => Response | Promise<Response>

/**
 * The plugin that turns every error into a problem document, or into a page that says the same. It comes first in the
 * application, so that its `onError` holds for all routes.
 */
export const errorResponses = (deps: Deps, asPage: ProblemPage) =>
  new Elysia({ name: 'error-responses' })
    .wrap((handle) => (request: Request) => rememberCommits(() => handle(request)))
    .onError({ as: 'global' }, async ({ error, request }) => {
      const thrown = error instanceof NotFoundError ? await countUnknownPath(deps, request, error) : error
      if (!isForPeople(request, thrown)) return problemResponse(deps, thrown, requestContextOf(request))
      const appError = toAppError(thrown)
      logFault(deps, appError)
      return asPage(appError, { request, requestId: activeTraceId() })
    })

/** Requests to unknown paths have no guard, so they are counted here. Returns rate_limited instead of the error at the limit. */
async function countUnknownPath(deps: Deps, request: Request, error: unknown): Promise<unknown> {
  try {
    await requestLimitsOf(deps).admitAddress(request)
    return error
  } catch (refusal) {
    return refusal
  }
}
