// One span, as cheap as it can be: nearly all are forgotten when their trace ends, so what only a reader wants is made for them.
import {
  type Attributes,
  type Exception,
  type HrTime,
  type Link,
  type Span,
  type SpanContext,
  type SpanKind,
  type SpanStatus,
  SpanStatusCode,
  type TimeInput,
} from '@opentelemetry/api'
import {
  type InstrumentationScope,
  hrTimeDuration,
  hrTimeToMilliseconds,
  isTimeInput,
  millisToHrTime,
  timeInputToHrTime,
} from '@opentelemetry/core'
import type { Resource } from '@opentelemetry/resources'
import type { ReadableSpan, TimedEvent } from '@opentelemetry/sdk-trace'

import type { LocalTrace, TraceKeeper } from './trace-keeper.ts'

/** What all spans of a process share. */
export interface Recording {
  readonly keeper: TraceKeeper
  readonly resource: Resource
}

export interface SpanStart {
  name: string
  kind: SpanKind
  scope: InstrumentationScope
  context: SpanContext
  /** Of the trace that its parent is in, when that is in this process. */
  local: LocalTrace | undefined
  parentContext: SpanContext | undefined
  attributes: Attributes
  links: Link[]
  startTime: TimeInput | undefined
}

const UNSET: SpanStatus = { code: SpanStatusCode.UNSET }

/** A span of OpenTelemetry's API, and what its exporters read. What it is given is its own from then on. */
export class RecordedSpan implements Span, ReadableSpan {
  name: string
  readonly kind: SpanKind
  readonly attributes: Attributes
  readonly links: Link[]
  readonly parentSpanContext?: SpanContext
  readonly instrumentationScope: InstrumentationScope
  readonly events: TimedEvent[] = []
  readonly droppedAttributesCount = 0
  readonly droppedEventsCount = 0
  readonly droppedLinksCount = 0
  readonly local: LocalTrace
  status = UNSET
  ended = false
  readonly #recording: Recording
  readonly #context: SpanContext
  readonly #givenStart: TimeInput | undefined
  #givenEnd: TimeInput | undefined
  /** By `performance.now()`. */
  readonly #startMs = performance.now()
  #endMs = 0

  constructor(recording: Recording, start: SpanStart) {
    this.name = start.name
    this.kind = start.kind
    this.attributes = start.attributes
    this.links = start.links
    this.instrumentationScope = start.scope
    if (start.parentContext) this.parentSpanContext = start.parentContext
    this.#recording = recording
    this.#context = start.context
    this.#givenStart = start.startTime
    this.local = start.local ?? { root: this, spans: [], failed: false, kept: undefined }
  }

  get resource(): Resource {
    return this.#recording.resource
  }

  get startTime(): HrTime {
    return this.#givenStart === undefined
      ? millisToHrTime(sinceEpoch(this.#startMs))
      : timeInputToHrTime(this.#givenStart)
  }

  get endTime(): HrTime {
    if (this.#givenEnd !== undefined) return timeInputToHrTime(this.#givenEnd)
    return millisToHrTime(Math.max(sinceEpoch(this.#endMs), hrTimeToMilliseconds(this.startTime)))
  }

  get duration(): HrTime {
    return this.ended ? hrTimeDuration(this.startTime, this.endTime) : [-1, -1]
  }

  spanContext(): SpanContext {
    return this.#context
  }

  setAttribute(name: string, value: Attributes[string]): this {
    if (!this.ended) this.attributes[name] = value
    return this
  }

  setAttributes(attributes: Attributes): this {
    if (!this.ended) Object.assign(this.attributes, attributes)
    return this
  }

  addEvent(name: string, attributesOrTime?: Attributes | TimeInput, time?: TimeInput): this {
    const [attributes, at] = isTimeInput(attributesOrTime) ? [{}, attributesOrTime] : [attributesOrTime ?? {}, time]
    const happened = at === undefined ? millisToHrTime(sinceEpoch(performance.now())) : timeInputToHrTime(at)
    this.events.push({ name, attributes, time: happened })
    return this
  }

  /** Its class alone: a message may quote what a caller sent. */
  recordException(exception: Exception, time?: TimeInput): void {
    const type = typeof exception === 'string' ? exception : (exception.name ?? String(exception.code))
    this.addEvent('exception', { 'exception.type': type }, time)
  }

  addLink(link: Link): this {
    this.links.push(link)
    return this
  }

  addLinks(links: Link[]): this {
    this.links.push(...links)
    return this
  }

  updateName(name: string): this {
    this.name = name
    return this
  }

  setStatus(status: SpanStatus): this {
    if (!this.ended) this.status = status
    return this
  }

  isRecording(): boolean {
    return !this.ended
  }

  end(endTime?: TimeInput): void {
    if (this.ended) return
    this.#endMs = performance.now()
    this.#givenEnd = endTime
    this.ended = true
    this.#recording.keeper.onEnd(this, this.local)
  }
}

/** How far the wall clock may run from ours before it is looked at again. */
const CHECK_EVERY_MS = 10_000
const MAX_DRIFT_MS = 2
let startedAtMs = performance.timeOrigin
let checkedAtMs = performance.now()

/** What `performance.now()` said, as milliseconds since 1970: finer than the wall clock, and corrected when that was. */
function sinceEpoch(monotonicMs: number): number {
  const nowMs = performance.now()
  if (nowMs - checkedAtMs > CHECK_EVERY_MS) {
    checkedAtMs = nowMs
    const drift = Date.now() - (startedAtMs + nowMs)
    if (Math.abs(drift) > MAX_DRIFT_MS) startedAtMs += drift
  }
  return startedAtMs + monotonicMs
}
