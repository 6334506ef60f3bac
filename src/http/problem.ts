// Errors as RFC 9457 problem documents. Whatever is thrown becomes one; no internals leave.
import { trace } from '@opentelemetry/api'
import { Elysia, NotFoundError, ParseError, ValidationError } from 'elysia'

import type { Deps } from '../deps.ts'
import { AppError, ERRORS, type ErrorCode, invalidFields } from '../errors/app-error.ts'
import { StoreUnavailable } from '../platform/postgres/store-error.ts'
import { isBrowser, prefersJson } from './accept.ts'
import { fieldErrors } from './field-errors.ts'
import { requestContextOf } from '../auth/request-context.ts'
import { pathOf } from './route-table.ts'

export const PROBLEM_TYPE = 'application/problem+json'

/** Any thrown value as the error a caller may see. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof ValidationError) return invalidFields(fieldErrors(error))
  if (error instanceof StoreUnavailable)
    return new AppError(
      'unavailable',
      'A store does not answer. Try again, with the same Idempotency-Key where you sent one: nothing is done twice.',
      {
        retryAfterSeconds: 2,
        cause: error,
      },
    )
  if (error instanceof ParseError) return new AppError('malformed_body', 'The body could not be read as JSON.')
  if (error instanceof NotFoundError) return new AppError('not_found', 'There is nothing at this path.')
  return new AppError('internal', 'The error was recorded under this request id.', { cause: error })
}

/** The response for an error, as JSON-RPC's where the route speaks that; unexpected ones are logged with their cause. */
export function problemResponse(
  deps: Pick<Deps, 'config' | 'log'>,
  thrown: unknown,
  { isRpc = false }: { isRpc?: boolean } = {},
): Response {
  const error = toAppError(thrown)
  logFault(deps, error)
  const body = isRpc ? { jsonrpc: '2.0', id: null, error: rpcError(deps, error) } : problemOf(deps, error)
  const headers = problemHeaders(error, isRpc ? 'application/json' : PROBLEM_TYPE)
  return new Response(JSON.stringify(body), { status: error.status, headers })
}

/** Logs a fault of ours, with what caused it. */
export function logFault({ log }: Pick<Deps, 'log'>, error: AppError): void {
  if (error.status >= 500) log.error({ err: error.cause ?? error, code: error.code }, 'request failed')
}

/** The problem document of an error that happened in the active span. */
export const problemOf = ({ config }: Pick<Deps, 'config'>, error: AppError) =>
  problemBody(config.baseUrl, error.code, {
    detail: error.detail,
    requestId: requestIdNow(),
    members: { ...(error.errors ? { errors: error.errors } : {}), ...error.extensions },
  })

/** The same as the error of a JSON-RPC response (JSON-RPC 2.0 §5.1): its code by the one table, the problem as its data. */
export const rpcError = (deps: Pick<Deps, 'config'>, error: AppError) => ({
  code: ERRORS[error.code].rpc,
  message: error.detail,
  data: { ...problemOf(deps, error), remedy: ERRORS[error.code].remedy },
})

/** What an error says in headers: how to be let in, when to come back, what is taken. */
export function problemHeaders(error: AppError, type: string): Headers {
  const headers = new Headers({ 'content-type': type, 'cache-control': 'no-store' })
  // A page may read why it was refused: there is nothing of anyone's in it.
  headers.set('access-control-allow-origin', '*')
  if (error.status === 401) headers.set('www-authenticate', 'Bearer realm="hearth"')
  if (error.retryAfterSeconds !== undefined) headers.set('retry-after', String(error.retryAfterSeconds))
  // RFC 9110 §15.5.9: what is left of the body would be taken for the next request.
  if (error.status === 408) headers.set('connection', 'close')
  if (error.replayed) headers.set('idempotent-replayed', 'true')
  if (error.allow) headers.set('allow', error.allow.join(', '))
  return headers
}

/** The trace of the request that is being answered. */
const requestIdNow = (): string | null => trace.getActiveSpan()?.spanContext().traceId ?? null

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

/** Where programs look. Anywhere else people may. */
const PROGRAMS = /^\/(api|openapi\.json|\.well-known)(\/|$)/

/** On a page, and for who followed a link that leads nowhere where people look. */
const isForPeople = (request: Request, thrown: unknown): boolean =>
  requestContextOf(request).isPage
    ? !prefersJson(request)
    : thrown instanceof NotFoundError && isBrowser(request) && !PROGRAMS.test(pathOf(request.url))

/** An error in a form that people read. */
export type ProblemPage = (
  error: AppError,
  facts: { request: Request; requestId: string | null },
) => Response | Promise<Response>

/**
 * The plugin that answers every error with a problem document, or to people with a page that says the same. First in the
 * app, so that it holds for all of it.
 */
export const problems = (deps: Pick<Deps, 'config' | 'log'>, asPage: ProblemPage) =>
  new Elysia({ name: 'problems' }).onError({ as: 'global' }, ({ error: thrown, request }) => {
    if (!isForPeople(request, thrown)) return problemResponse(deps, thrown, requestContextOf(request))
    const error = toAppError(thrown)
    logFault(deps, error)
    return asPage(error, { request, requestId: requestIdNow() })
  })
