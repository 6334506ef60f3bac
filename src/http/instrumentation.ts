// The outermost layer: every request has a span, a request id, safe headers and a measured answer, whatever happens inside.
import { SpanKind, SpanStatusCode, type Span, context, isValidTraceId, trace } from '@opentelemetry/api'

import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors/app-error.ts'
import type { KeyUsage } from '../auth/keys/verbs/usage.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import { contextOf } from '../platform/telemetry/trace-context.ts'
import type { Access } from '../auth/access.ts'
import { corsHeaders } from './cors.ts'
import { type CacheableRoute, type HeaderList, cachingOf, safeHeaders, setSafeHeaders } from './headers.ts'
import { checkHost } from './host.ts'
import type { RateLimits } from '../rate-limit/rate-limits.ts'
import { refuseHugeAddress } from './oversize.ts'
import { problemResponse } from './problem.ts'
import { type RequestContext, requestContextOf, setContextHeaders } from '../auth/request-context.ts'
import { methodLabel, routeTable } from './route-table.ts'

/** What the edge needs of the application. */
export interface Application {
  readonly routes: readonly ({ method: string; path: string } & CacheableRoute)[]
  fetch(request: Request): Response | Promise<Response>
}

/**
 * `open`: all is served. `leaving`: served still, but each connection is closed after its answer, so that clients go
 * elsewhere without losing a request. `closed`: what still comes is answered 503.
 */
export type EdgePhase = 'open' | 'leaving' | 'closed'

export interface Edge {
  phase: EdgePhase
  /** Bun.serve's `fetch`; `server` knows the client's address. */
  readonly fetch: (request: Request, server?: AddressBook) => Promise<Response>
}

/** As much of Bun's server as knows who is at the other end. */
interface AddressBook {
  requestIP(request: Request): { address: string } | null
}

const tracer = trace.getTracer('hearth.http')

/** Metrics' label for paths without a route. */
const UNMATCHED = 'unmatched'

/** The edge around `app`, to be Bun.serve's `fetch`. */
export function edge(
  app: Application,
  deps: Pick<Deps, 'config' | 'log'> & { metrics: Metrics; limits: RateLimits; usage?: Pick<KeyUsage, 'record'> },
): Edge {
  const { metrics, limits, usage } = deps
  const { environment, maxInFlight } = deps.config
  // Errors, and whatever has no route, are kept by nobody.
  const safeError = safeHeaders('personal', environment)
  const routeOf = routeTable(app.routes.map((route) => knownRoute(route, environment)))
  let inFlight = 0
  metrics.gauge('http_server_active_requests', 'Requests being answered', () => inFlight)

  const respond = async (request: Request, access: Access | undefined): Promise<Response> => {
    try {
      if (self.phase === 'closed') throw shuttingDown()
      if (inFlight > maxInFlight && access?.limit !== 'none') throw overloaded()
      refuseHugeAddress(request.url)
      checkHost(request, deps.config.baseUrl)
      // Routes with a gate count there, where the key is known: this is for documents, wrong methods and wrong paths.
      if (!access && request.method !== 'OPTIONS') await limits.admitAddress(request)
      if (request.method === 'HEAD') answerAsGet(request)
      return await app.fetch(request)
    } catch (error) {
      return problemResponse(deps, error, { isRpc: access?.rpc ?? false })
    }
  }

  const self: Edge = {
    phase: 'open',
    fetch: async (request, server) => {
      const startedMs = performance.now()
      const method = methodLabel(request.method)
      const route = routeOf(method, request.url)
      const parent = contextOf(request.headers.get('traceparent'))
      const span = startSpan(method, route?.path, parent)
      const facts = requestContextOf(request)
      facts.startedMs = startedMs
      facts.safe = route?.safe
      // Without tracing (OTEL_SDK_DISABLED) a request has no id.
      const { traceId } = span.spanContext()
      facts.requestId = isValidTraceId(traceId) ? traceId : undefined
      if (server) facts.peer = () => server.requestIP(request)?.address
      inFlight++
      try {
        const response = await context.with(trace.setSpan(parent, span), respond, undefined, request, route?.access)
        finishSpan(span, response.status, facts)
        if (facts.complete !== response)
          completeHeaders(response, facts, response.status < 400 && route ? route.safe : safeError)
        if (self.phase !== 'open') response.headers.set('connection', 'close')
        if (facts.keyId !== undefined) usage?.record(facts.keyId, response.status)
        metrics.requestDuration.record((performance.now() - startedMs) / 1000, {
          http_request_method: method,
          http_route: route?.path ?? UNMATCHED,
          http_response_status_code: response.status,
        })
        return response
      } finally {
        inFlight--
        span.end()
      }
    },
  }
  return self
}

/** What the edge needs of a route, looked up once. */
function knownRoute(route: Application['routes'][number], environment: Config['environment']) {
  const { method, path, hooks } = route
  const { 'x-access': access } = hooks.detail ?? {}
  return {
    method,
    path,
    access,
    safe: safeHeaders(cachingOf(route) ?? 'personal', environment),
  }
}

/** Names and attributes of OpenTelemetry's HTTP conventions; no path, query or address, which may be personal. */
function startSpan(method: string, route: string | undefined, parent: ReturnType<typeof contextOf>): Span {
  return tracer.startSpan(
    route ? `${method} ${route}` : method,
    {
      kind: SpanKind.SERVER,
      attributes: route ? { 'http.request.method': method, 'http.route': route } : { 'http.request.method': method },
    },
    parent,
  )
}

function finishSpan(span: Span, status: number, { keyId }: RequestContext): void {
  span.setAttribute('http.response.status_code', status)
  if (keyId !== undefined) span.setAttribute('hearth.key_id', keyId)
  if (status < 500) return
  span.setAttribute('error.type', String(status))
  span.setStatus({ code: SpanStatusCode.ERROR })
}

function completeHeaders(response: Response, facts: RequestContext, safe: HeaderList): void {
  const { allowOrigin, rateLimit, isReplayed } = facts
  setSafeHeaders(response, safe)
  if (rateLimit) response.headers.set('ratelimit-policy', rateLimit.policy)
  if (allowOrigin) for (const [name, value] of corsHeaders(allowOrigin)) response.headers.set(name, value)
  if (allowOrigin && allowOrigin !== '*') response.headers.append('vary', 'Origin')
  if (isReplayed) response.headers.set('idempotent-replayed', 'true')
  setContextHeaders(response.headers, facts)
}

/**
 * HEAD is answered as GET would be; Bun leaves the body out and keeps its length (RFC 9110 §9.3.2). On the same object,
 * because the client's address can be asked only for the request that Bun handed out.
 */
function answerAsGet(request: Request): void {
  requestContextOf(request).isHead = true
  Object.defineProperty(request, 'method', { value: 'GET' })
}

/** At once, rather than after everyone else: a queue that grows answers nobody in time. */
const overloaded = () =>
  new AppError('overloaded', 'Too many requests are being answered right now. Try again in a second.', {
    retryAfterSeconds: 1,
  })

const shuttingDown = () =>
  new AppError('unavailable', 'This server is shutting down. Try again; another one will answer.', {
    retryAfterSeconds: 1,
  })
