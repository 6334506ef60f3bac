// Traces: a few spans written by hand, because patching modules does not work on Bun and costs eight times as much.
// Turning tracing on is telemetry/open.ts: its exporter takes 45 ms and 21 MB to load, which commands and tests need not pay.
import {
  type Context,
  ROOT_CONTEXT,
  SpanStatusCode,
  type SpanOptions,
  type Tracer,
  isSpanContextValid,
  trace,
} from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'

/** Runs `work` inside a span: it is the active one meanwhile, carries the error if `work` throws, and always ends. */
export function inSpan<T>(tracer: Tracer, name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  return tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await work()
    } catch (error) {
      span.setAttribute('error.type', errorType(error))
      if (!isAnswer(error)) span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}

/** The code of an error, or its class. Never its message, which may quote what a caller sent. */
const errorType = (error: unknown): string => {
  if (!(error instanceof Error)) return typeof error
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** A refusal such as 404 or 409 travels as an error, but nothing went wrong. */
const isAnswer = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && typeof error.status === 'number' && error.status < 500

/** The context of a caller's `traceparent` (W3C Trace Context), or an empty one when there is none or it is malformed. */
export function contextOf(traceparent: string | null | undefined): Context {
  const parent = traceparent ? parseTraceParent(traceparent) : null
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT
}

/** The active span as a `traceparent`, to travel with what outlives the request: outbox rows, jobs, deliveries. */
export function currentTraceparent(): string | undefined {
  const active = trace.getActiveSpan()?.spanContext()
  if (!active || !isSpanContextValid(active)) return undefined
  return `00-${active.traceId}-${active.spanId}-${active.traceFlags.toString(16).padStart(2, '0')}`
}
