// Decides which traces are kept when a trace's part in this process has ended, so that failed ones are always among them.
import { type Context, type Span as ApiSpan, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import type { ReadableSpan, Span, SpanProcessor } from '@opentelemetry/sdk-trace'

/** The spans of one kept trace in this process, in the order in which they ended: the last is the local root. */
export type KeptTrace = readonly ReadableSpan[]

/**
 * Why a trace is kept: it is in the sample, one of its spans failed, or the request was refused (4xx). Refused traces are
 * shown to operators, because callers ask about them by their id, but not exported.
 */
export type KeepReason = 'sampled' | 'failed' | 'refused'

type Listener = (trace: KeptTrace, reason: KeepReason) => void

/** Later spans of a longer trace are dropped (never its root), so that memory per request stays bounded. */
const MAX_SPANS = 512

/** A trace's part in this process. Only its spans refer to it: it is garbage-collected with them. */
interface LocalTrace {
  readonly root: ApiSpan
  readonly spans: ReadableSpan[]
  hasFailed: boolean
  /** Undefined while the root runs. */
  isKept: boolean | undefined
}

/**
 * Buffers the spans of each trace until its local root ends, then passes them to `exporter` if the trace is sampled or one
 * of its spans failed. Needs a sampler that records every span.
 */
export class TailSampler implements SpanProcessor {
  /** Spans beyond {@link MAX_SPANS} of a trace. */
  droppedSpans = 0
  readonly #exporter: SpanProcessor | undefined
  readonly #listeners = new Set<Listener>()
  readonly #traces = new WeakMap<object, LocalTrace>()

  constructor(exporter?: SpanProcessor) {
    this.#exporter = exporter
  }

  /** Calls `listener` with every kept trace and the reason. Returns a function that removes the listener. */
  onKept(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  onStart(span: Span, parentContext: Context): void {
    const parent = trace.getSpan(parentContext)
    const local = parent && this.#traces.get(parent)
    this.#traces.set(span, local ?? { root: span, spans: [], hasFailed: false, isKept: undefined })
  }

  onEnd(span: ReadableSpan): void {
    const local = this.#traces.get(span)
    if (!local) return
    const hasFailed = span.status.code === SpanStatusCode.ERROR
    if (local.isKept !== undefined) {
      // A span may end after its root: background work outlives its request.
      if (local.isKept || hasFailed) this.#export([span])
      return
    }
    local.hasFailed ||= hasFailed
    const isRoot = Object.is(local.root, span)
    if (isRoot || local.spans.length < MAX_SPANS) local.spans.push(span)
    else this.droppedSpans++
    if (isRoot) this.#decide(local, span)
  }

  forceFlush(): Promise<void> {
    return this.#exporter?.forceFlush() ?? Promise.resolve()
  }

  shutdown(): Promise<void> {
    return this.#exporter?.shutdown() ?? Promise.resolve()
  }

  #decide(local: LocalTrace, root: ReadableSpan): void {
    const isSampled = (root.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0
    local.isKept = isSampled || local.hasFailed
    if (local.isKept) this.#export(local.spans)
    const reason = local.hasFailed ? 'failed' : isSampled ? 'sampled' : wasRefused(root) ? 'refused' : undefined
    if (reason) for (const listener of this.#listeners) listener(local.spans, reason)
  }

  #export(spans: readonly ReadableSpan[]): void {
    for (const span of spans) {
      // BatchSpanProcessor takes sampled spans only.
      span.spanContext().traceFlags |= TraceFlags.SAMPLED
      this.#exporter?.onEnd(span)
    }
  }
}

const wasRefused = (root: ReadableSpan): boolean => Number(root.attributes['http.response.status_code']) >= 400
