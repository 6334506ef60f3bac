// Spans and traceparents, through OpenTelemetry's API. The SDK behind it is started by sdk.ts, which takes 100 ms of CPU time
// and 35 MB to load: commands and tests do without it.
import {
  type Context,
  type Link,
  ROOT_CONTEXT,
  SpanStatusCode,
  type SpanOptions,
  type Tracer,
  isSpanContextValid,
  trace,
} from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'

/** Runs `work` in an active span. The span always ends, and records the error if `work` throws. */
export function inSpan<T>(tracer: Tracer, name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  return tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await work()
    } catch (error) {
      span.setAttribute('error.type', errorType(error))
      if (!isRefusal(error)) span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}

/** The code of an error, or its class. Never its message, which may contain data of a caller. */
const errorType = (error: unknown): string => {
  if (!(error instanceof Error)) return typeof error
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** A refusal such as 404 or 409 is thrown as an error, but is no failure. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && typeof error.status === 'number' && error.status < 500

/** The context of a `traceparent` (W3C Trace Context). Empty if it is missing or malformed. */
export function contextOf(traceparent: string | null | undefined): Context {
  const parent = traceparent ? parseTraceParent(traceparent) : null
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT
}

/** Where a span starts, and the spans of other traces that it refers to. */
export interface SpanOrigin {
  readonly parent: Context
  readonly links: Link[]
}

/**
 * The origin of a span for a caller that sent a `traceparent`. The span continues the trace of a trusted caller. For others
 * it stays in `own` and links to the caller's span, whose `sampled` flag then decides nothing here.
 */
export function originOf(
  traceparent: string | null | undefined,
  isTrusted: () => boolean,
  own = ROOT_CONTEXT,
): SpanOrigin {
  const remote = contextOf(traceparent)
  if (remote === ROOT_CONTEXT) return { parent: own, links: [] }
  return isTrusted() ? { parent: remote, links: linksTo(own) } : { parent: own, links: linksTo(remote) }
}

function linksTo(other: Context): Link[] {
  const context = trace.getSpanContext(other)
  return context ? [{ context }] : []
}

/** The active span as a `traceparent`, for work that outlives the request: outbox rows, jobs, deliveries. */
export function currentTraceparent(): string | undefined {
  const active = trace.getActiveSpan()?.spanContext()
  if (!active || !isSpanContextValid(active)) return undefined
  return `00-${active.traceId}-${active.spanId}-${active.traceFlags.toString(16).padStart(2, '0')}`
}
