// The plugin that gives every request a span, a request id and metrics, and every fault a response.
import { SpanKind, SpanStatusCode, type Span, context, isValidTraceId, trace } from '@opentelemetry/api'
import { Elysia } from 'elysia'

import type { KeyUsage } from '../auth/keys/verbs/usage.ts'
import { type RequestContext, requestContextOf } from '../auth/request-context.ts'
import type { Deps } from '../deps.ts'
import { isInRanges } from '../platform/net/client-address.ts'
import { isStateless } from '../platform/net/protocol-era.ts'
import { runAsWaiter } from '../platform/net/outside.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import { type SpanOrigin, originOf } from '../platform/telemetry/trace-context.ts'
import { headerCompleter } from './headers.ts'
import { problemResponse, speaksRpc } from './problem.ts'
import { requestLimitsOf } from '../rate-limit/request-limits.ts'
import { pathShapes } from './path-shape.ts'
import { checkTarget, pathOf } from './request-target.ts'
import { trafficOf } from './traffic.ts'

export interface Instruments {
  readonly metrics: Metrics
  readonly usage: Pick<KeyUsage, 'record' | 'recordFailure'>
}

/** All routes, once the application is complete. */
type KnownRoutes = () => readonly { readonly path: string }[]

const tracer = trace.getTracer('hearth.http')

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** The metrics' label for requests without a route. */
const UNMATCHED = 'unmatched'

type Handle = (request: Request) => Response | Promise<Response>

/**
 * Elysia's `wrap` is what its own OpenTelemetry plugin uses: only a function around the whole life cycle keeps the span
 * active in it, and also sees the requests that are refused before a route is found.
 */
export function instrumentation(deps: Deps, { metrics, usage }: Instruments, routes: KnownRoutes) {
  const traffic = trafficOf(deps)
  const shapeOf = pathShapes(routes)
  const limits = requestLimitsOf(deps)
  const completeHeaders = headerCompleter(deps.config)
  metrics.gauge('http_server_active_requests', 'Requests being answered', () => traffic.inFlight)
  metrics.gauge('hearth_http_bodies_in_progress', 'Requests whose body is arriving', () => traffic.receiving)

  const respond = async (request: Request, handle: Handle): Promise<Response> => {
    try {
      checkTarget(request, deps.config.baseUrl)
      return await handle(request)
    } catch (error) {
      const { messageId } = requestContextOf(request)
      return problemResponse(deps, error, { isRpc: speaksRpc(request), messageId, isStateless: isStateless(request) })
    }
  }

  const instrumented = async (request: Request, handle: Handle): Promise<Response> => {
    const method = methodLabel(request.method)
    const requestContext = requestContextOf(request)
    const origin = originOf(request.headers.get('traceparent'), () =>
      isInRanges(requestContext.peer?.(), deps.config.trustedTraceSources),
    )
    const span = startSpan(method, origin)
    requestContext.startedMs = performance.now()
    // Without tracing (OTEL_SDK_DISABLED) a request has no id.
    const { traceId } = span.spanContext()
    requestContext.requestId = isValidTraceId(traceId) ? traceId : undefined
    traffic.begin()
    try {
      const waiter = {
        client: () => limits.addressOf(request),
        pause: () => traffic.pause(requestContext),
      }
      const spanContext = trace.setSpan(origin.parent, span)
      const response = await runAsWaiter(waiter, () => context.with(spanContext, respond, undefined, request, handle))
      if (requestContext.route === undefined) span.updateName(`${method} ${shapeOf(pathOf(request.url))} (no route)`)
      finishSpan(span, method, response.status, requestContext)
      completeHeaders(response, requestContext)
      if (traffic.isLeaving) response.headers.set('connection', 'close')
      const { route = UNMATCHED, startedMs, keyId, error } = requestContext
      if (keyId !== undefined) usage.record(keyId, response.status)
      if (keyId !== undefined && error !== undefined)
        usage.recordFailure({ keyId, method, path: route, requestId: requestContext.requestId, error })
      metrics.requestDuration.record((performance.now() - startedMs) / 1000, {
        http_request_method: method,
        http_route: route,
        http_response_status_code: response.status,
      })
      return response
    } finally {
      traffic.end(requestContext)
      span.end()
    }
  }

  return new Elysia({ name: 'instrumentation' }).wrap(
    (handle) => (request: Request) => instrumented(request, handle as unknown as Handle),
  )
}

/** The method for span names and labels: a known one, or `_OTHER` (OpenTelemetry's HTTP conventions). */
const methodLabel = (method: string): string => (METHODS.has(method) ? method : '_OTHER')

/** Attributes of OpenTelemetry's HTTP conventions; no path, query or address, which may be personal. */
const startSpan = (method: string, { parent, links }: SpanOrigin): Span =>
  tracer.startSpan(method, { kind: SpanKind.SERVER, attributes: { 'http.request.method': method }, links }, parent)

function finishSpan(span: Span, method: string, status: number, { route, keyId }: RequestContext): void {
  if (route !== undefined) {
    span.updateName(`${method} ${route}`)
    span.setAttribute('http.route', route)
  }
  span.setAttribute('http.response.status_code', status)
  if (keyId !== undefined) span.setAttribute('hearth.key_id', keyId)
  if (status < 500) return
  span.setAttribute('error.type', String(status))
  span.setStatus({ code: SpanStatusCode.ERROR })
}
