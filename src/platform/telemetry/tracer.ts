// OpenTelemetry's tracing API for this process: every span is recorded, and the keeper decides whose trace is kept. The SDK's
// own tracer costs twice as much per span (bench/NOTES.md); ids, sampling and export are the SDK's.
import {
  type Context,
  INVALID_SPAN_CONTEXT,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  TraceFlags,
  type Tracer,
  type TracerProvider,
  context,
  isSpanContextValid,
  trace,
} from '@opentelemetry/api'
import { type InstrumentationScope, isTracingSuppressed } from '@opentelemetry/core'
import { RandomIdGenerator, type Sampler, SamplingDecision } from '@opentelemetry/sdk-trace'

import { RecordedSpan, type Recording } from './recorded-span.ts'
import { withSpan } from './span-context.ts'

/** Gives tracers whose spans `recording` takes. `byTraceId` says which traces are sampled that nobody sampled before. */
export const tracerProvider = (recording: Recording, byTraceId: Sampler): TracerProvider => ({
  getTracer: (name, version) =>
    new RecordingTracer(recording, byTraceId, version === undefined ? { name } : { name, version }),
})

const IDS = new RandomIdGenerator()

class RecordingTracer implements Tracer {
  readonly #recording: Recording
  readonly #byTraceId: Sampler
  readonly #scope: InstrumentationScope

  constructor(recording: Recording, byTraceId: Sampler, scope: InstrumentationScope) {
    this.#recording = recording
    this.#byTraceId = byTraceId
    this.#scope = scope
  }

  startSpan(name: string, options: SpanOptions = {}, within: Context = context.active()): Span {
    if (isTracingSuppressed(within)) return trace.wrapSpanContext(INVALID_SPAN_CONTEXT)
    const parent = options.root ? undefined : trace.getSpan(within)
    const parentContext = validContextOf(parent)
    const traceId = parentContext?.traceId ?? IDS.generateTraceId()
    return new RecordedSpan(this.#recording, {
      name,
      kind: options.kind ?? SpanKind.INTERNAL,
      scope: this.#scope,
      context: { traceId, spanId: IDS.generateSpanId(), traceFlags: this.#flagsFor(traceId, parentContext) },
      local: parent instanceof RecordedSpan ? parent.local : undefined,
      parentContext,
      attributes: { ...options.attributes },
      links: options.links ?? [],
      startTime: options.startTime,
    })
  }

  startActiveSpan<Work extends (span: Span) => ReturnType<Work>>(name: string, work: Work): ReturnType<Work>
  startActiveSpan<Work extends (span: Span) => ReturnType<Work>>(
    name: string,
    options: SpanOptions,
    work: Work,
  ): ReturnType<Work>
  startActiveSpan<Work extends (span: Span) => ReturnType<Work>>(
    name: string,
    options: SpanOptions,
    within: Context,
    work: Work,
  ): ReturnType<Work>
  startActiveSpan<Result>(name: string, ...rest: unknown[]): Result {
    const work = rest.at(-1) as (span: Span) => Result
    const [options, within = context.active()] = rest.slice(0, -1) as [SpanOptions?, Context?]
    const span = this.startSpan(name, options, within)
    return context.with(withSpan(within, span), work, undefined, span)
  }

  /** A sampled caller's trace is sampled here too; what a process decided holds for all its spans. */
  #flagsFor(traceId: string, parent: SpanContext | undefined): number {
    if (parent && (!parent.isRemote || parent.traceFlags & TraceFlags.SAMPLED)) return parent.traceFlags
    const { decision } = this.#byTraceId.shouldSample(ROOT_CONTEXT, traceId, '', SpanKind.INTERNAL, {}, [])
    return decision === SamplingDecision.RECORD_AND_SAMPLED ? TraceFlags.SAMPLED : TraceFlags.NONE
  }
}

function validContextOf(span: Span | undefined): SpanContext | undefined {
  const found = span?.spanContext()
  // Ours are.
  return found && (span instanceof RecordedSpan || isSpanContextValid(found)) ? found : undefined
}
