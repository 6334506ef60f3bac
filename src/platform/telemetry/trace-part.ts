// The part of one process in a trace, as it is stored for operators.
import { SpanKind, SpanStatusCode, isValidSpanId } from '@opentelemetry/api'
import { hrTimeToMicroseconds } from '@opentelemetry/core'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'

import type { KeepReason, KeptTrace } from './tail-sampler.ts'

export interface PartSpan {
  readonly id: string
  /** The id of the calling span. Null for the first span of a trace. */
  readonly parent: string | null
  readonly name: string
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  /** Microseconds since 1970. */
  readonly startUs: number
  readonly durationUs: number
  readonly failed: boolean
  readonly attributes: Readonly<Record<string, string | number | boolean>>
}

/** Name, method, route and status are those of the part's root span. */
export interface TracePart {
  readonly traceId: string
  readonly reason: KeepReason
  readonly service: string
  readonly name: string
  readonly method: string | null
  readonly route: string | null
  readonly status: number | null
  readonly startedAt: string
  readonly durationUs: number
  /** In order of their start. */
  readonly spans: readonly PartSpan[]
  /** The number of spans beyond {@link MAX_SPANS}. */
  readonly omittedSpans: number
}

/** Spans stored of one part. */
const MAX_SPANS = 100
const KINDS = ['internal', 'server', 'client', 'producer', 'consumer'] as const

/** Requested all the time by load balancers, browsers and the operations page. */
const ROUTINE = /^\/(healthz|readyz|assets\/.*|ops\/now)$/

/** Whether operators look for such a trace. They do not for periodic work and health checks that succeeded. */
export function isInteresting(trace: KeptTrace, reason: KeepReason): boolean {
  const root = trace.at(-1)
  if (root?.kind === SpanKind.SERVER) return !ROUTINE.test(String(root.attributes['http.route']))
  return reason === 'failed' || root?.parentSpanContext !== undefined
}

/** The part of the process `service` in a trace. */
export function tracePartOf(trace: KeptTrace, reason: KeepReason, service: string): TracePart {
  const root = trace.at(-1)
  if (!root) throw new Error('A kept trace has no spans.')
  const { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status } = root.attributes
  const spans = [root, ...trace.slice(0, -1).slice(0, MAX_SPANS - 1)]
  return {
    traceId: root.spanContext().traceId,
    reason,
    service,
    name: root.name,
    method: typeof method === 'string' ? method : null,
    route: typeof route === 'string' ? route : null,
    status: typeof status === 'number' ? status : null,
    startedAt: new Date(hrTimeToMicroseconds(root.startTime) / 1000).toISOString(),
    durationUs: Math.round(hrTimeToMicroseconds(root.duration)),
    spans: spans.map(spanOf).sort((a, b) => a.startUs - b.startUs),
    omittedSpans: trace.length - spans.length,
  }
}

function spanOf(span: ReadableSpan): PartSpan {
  const parent = span.parentSpanContext?.spanId
  return {
    id: span.spanContext().spanId,
    parent: parent !== undefined && isValidSpanId(parent) ? parent : null,
    name: span.name,
    kind: KINDS[span.kind] ?? 'internal',
    startUs: Math.round(hrTimeToMicroseconds(span.startTime)),
    durationUs: Math.round(hrTimeToMicroseconds(span.duration)),
    failed: span.status.code === SpanStatusCode.ERROR,
    attributes: Object.fromEntries(Object.entries(span.attributes).filter(isPlain)),
  }
}

const isPlain = (entry: [string, unknown]): entry is [string, string | number | boolean] =>
  ['string', 'number', 'boolean'].includes(typeof entry[1])
