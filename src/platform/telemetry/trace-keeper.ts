// Which traces are kept: decided when a trace's own part in this process has ended, so that errors are always among them.
import { SpanStatusCode, TraceFlags } from '@opentelemetry/api'
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace'

/** The spans of one kept trace in this process, in the order in which they ended: the last is the local root. */
export type KeptTrace = readonly ReadableSpan[]

/**
 * Why a trace is kept: it is in the sample, a span of it failed, or a caller was refused (4xx). Traces of refusals are
 * shown to operators, because callers ask about them by their id, and not exported.
 */
export type KeptBecause = 'sampled' | 'failed' | 'refused'

type Listener = (trace: KeptTrace, because: KeptBecause) => void

/** A trace with more spans than this loses the later ones (never its root): memory per request stays bounded. */
const MAX_SPANS = 512

/** A trace's part in this process. It hangs on its spans alone: one that never ends is simply collected. */
export interface LocalTrace {
  readonly root: ReadableSpan
  readonly spans: ReadableSpan[]
  failed: boolean
  /** Undefined while the root runs. */
  kept: boolean | undefined
}

/**
 * Buffers the spans of each trace until its local root ends, then passes them to `next` if the trace is sampled or any
 * of its spans failed. Every span is recorded; the sampled flag says which traces are kept anyway.
 */
export class TraceKeeper {
  /** Spans beyond what one trace may hold. */
  droppedSpans = 0
  readonly #next: SpanProcessor | undefined
  readonly #listeners = new Set<Listener>()

  constructor(next?: SpanProcessor) {
    this.#next = next
  }

  /** Calls `listener` with every trace that is kept, and why; answers a function that ends this. */
  onKept(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** A span of `local` has ended. */
  onEnd(span: ReadableSpan, local: LocalTrace): void {
    const failed = span.status.code === SpanStatusCode.ERROR
    if (local.kept !== undefined) {
      // Work that outlives its request, such as a refresh in the background.
      if (local.kept || failed) this.#pass([span])
      return
    }
    local.failed ||= failed
    const isRoot = local.root === span
    if (isRoot || local.spans.length < MAX_SPANS) local.spans.push(span)
    else this.droppedSpans++
    if (isRoot) this.#decide(local)
  }

  forceFlush(): Promise<void> {
    return this.#next?.forceFlush() ?? Promise.resolve()
  }

  shutdown(): Promise<void> {
    return this.#next?.shutdown() ?? Promise.resolve()
  }

  #decide(local: LocalTrace): void {
    const sampled = (local.root.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0
    local.kept = sampled || local.failed
    if (local.kept) this.#pass(local.spans)
    const because = local.failed ? 'failed' : sampled ? 'sampled' : wasRefused(local.spans) ? 'refused' : undefined
    if (because) for (const listener of this.#listeners) listener(local.spans, because)
  }

  #pass(spans: readonly ReadableSpan[]): void {
    for (const span of spans) {
      // The batch processor takes sampled spans only; being exported is what the flag means.
      span.spanContext().traceFlags |= TraceFlags.SAMPLED
      this.#next?.onEnd(span)
    }
  }
}

const wasRefused = (spans: KeptTrace): boolean => Number(spans.at(-1)?.attributes['http.response.status_code']) >= 400
