// What one process did of a trace, in the form in which it is kept for operators to look at.
import { SpanKind, SpanStatusCode, isValidSpanId } from '@opentelemetry/api'
import { hrTimeToMicroseconds } from '@opentelemetry/core'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'

import type { KeepReason, KeptTrace } from './tail-sampler.ts'

export interface PartSpan {
  readonly id: string
  /** Null for the first span of a trace. */
  readonly parent: string | null
  readonly name: string
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  /** Microseconds since 1970. */
  readonly startUs: number
  readonly durationUs: number
  readonly failed: boolean
  readonly attributes: Readonly<Record<string, string | number | boolean>>
}

/** A part's first span says what the part is; of a request it has the route and the status. */
export interface TracePart {
  readonly traceId: string
  readonly because: KeepReason
  readonly service: string
  readonly name: string
  readonly method: string | null
  readonly route: string | null
  readonly status: number | null
  readonly startedAt: string
  readonly durationUs: number
  /** From the first to begin on. */
  readonly spans: readonly PartSpan[]
  /** How many spans there were beyond those kept. */
  readonly left: number
}

/** A part of more spans is kept up to here. */
const MAX_SPANS = 100
const KINDS = ['internal', 'server', 'client', 'producer', 'consumer'] as const

/** Asked all day long by load balancers, browsers and the pages of operators: nobody looks for how that went. */
const EVERYDAY = /^\/(healthz|readyz|assets\/.*|ops\/now)$/

/** Whether anyone would look for it. Nobody does for a round of periodic work or a look at a store that went well, either. */
export function isOfInterest(trace: KeptTrace, because: KeepReason): boolean {
  const root = trace.at(-1)
  if (root?.kind === SpanKind.SERVER) return !EVERYDAY.test(String(root.attributes['http.route']))
  return because === 'failed' || root?.parentSpanContext !== undefined
}

/** A trace is never empty. */
export function partOf(trace: KeptTrace, because: KeepReason, service: string): TracePart {
  const root = trace.at(-1)
  if (!root) throw new Error('A trace without spans was kept.')
  const { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status } = root.attributes
  // The root has ended last.
  const spans = [root, ...trace.slice(0, -1).slice(0, MAX_SPANS - 1)]
  return {
    traceId: root.spanContext().traceId,
    because,
    service,
    name: root.name,
    method: typeof method === 'string' ? method : null,
    route: typeof route === 'string' ? route : null,
    status: typeof status === 'number' ? status : null,
    startedAt: new Date(hrTimeToMicroseconds(root.startTime) / 1000).toISOString(),
    durationUs: Math.round(hrTimeToMicroseconds(root.duration)),
    spans: spans.map(spanOf).sort((a, b) => a.startUs - b.startUs),
    left: trace.length - spans.length,
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
