// Which traces are kept, and what a span says about an error.
import { describe, expect, test } from 'bun:test'
import { ROOT_CONTEXT, type Span as ApiSpan, SpanStatusCode, TraceFlags, type Tracer, trace } from '@opentelemetry/api'
import type { ReadableSpan, Span, SpanProcessor } from '@opentelemetry/sdk-trace'

import { TailSampler } from '../../../src/platform/telemetry/tail-sampler.ts'
import { inSpan } from '../../../src/platform/telemetry/trace-context.ts'

/** As much of a span as the sampler reads. */
const spanOf = (isSampled: boolean, hasFailed = false, status = 200) =>
  ({
    status: { code: hasFailed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes: { 'http.response.status_code': status },
    spanContext: () => ({ traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE }),
  }) as unknown as ReadableSpan & Span & ApiSpan

/** The number of exported spans and the reasons for keeping a trace of a root with one child. */
function keep({
  isSampled,
  childFails = false,
  status,
}: {
  isSampled: boolean
  childFails?: boolean
  status?: number
}) {
  let exported = 0
  const sampler = new TailSampler({ onEnd: () => exported++ } as unknown as SpanProcessor)
  const reasons: string[] = []
  sampler.onKept((_, reason) => void reasons.push(reason))
  const [root, child] = [spanOf(isSampled, false, status), spanOf(isSampled, childFails)]
  sampler.onStart(root, ROOT_CONTEXT)
  sampler.onStart(child, trace.setSpan(ROOT_CONTEXT, root))
  sampler.onEnd(child)
  sampler.onEnd(root)
  return { exported, reasons }
}

describe('a trace', () => {
  test('is exported whole if it is sampled or any of its spans failed, and otherwise not', () => {
    expect(keep({ isSampled: true })).toEqual({ exported: 2, reasons: ['sampled'] })
    expect(keep({ isSampled: false, childFails: true })).toEqual({ exported: 2, reasons: ['failed'] })
    expect(keep({ isSampled: false })).toEqual({ exported: 0, reasons: [] })
  })

  test('that was refused is shown to operators and not exported', () => {
    expect(keep({ isSampled: false, status: 404 })).toEqual({ exported: 0, reasons: ['refused'] })
  })
})

test('a span names the code or the class of an error, never its message', async () => {
  const attributes: Record<string, unknown> = {}
  const span = {
    setAttribute: (name: string, value: unknown) => void (attributes[name] = value),
    setStatus: () => undefined,
    end: () => undefined,
  }
  const tracer = {
    startActiveSpan: (_: string, __: object, work: (active: unknown) => unknown) => work(span),
  } as unknown as Tracer
  for (const [error, type] of [
    [new TypeError('for home@mail.test.example'), 'TypeError'],
    [Object.assign(new Error('for Jane'), { code: '23505' }), '23505'],
  ] as const) {
    expect(await inSpan(tracer, 'x', {}, () => Promise.reject(error)).catch((thrown: unknown) => thrown)).toBe(error)
    expect(attributes['error.type']).toBe(type)
  }
})
