// The layout of a trace: spans below their callers, bars on a timeline, long waits drawn shortened.
import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { ticksOf, waterfallOf } from '../../../src/web/ops/waterfall.ts'
import type { PartSpan, TracePart } from '../../../src/platform/telemetry/trace-part.ts'

const span = (id: string, parent: string | null, startUs: number, durationUs: number): PartSpan => ({
  id,
  parent,
  name: id,
  kind: 'internal',
  startUs,
  durationUs,
  failed: false,
  attributes: {},
})
const part = (...spans: PartSpan[]): TracePart => ({
  traceId: '',
  reason: 'sampled',
  service: 'test',
  name: '',
  method: null,
  route: null,
  status: null,
  startedAt: '',
  durationUs: 0,
  spans,
  omittedSpans: 0,
})

test('spans are below their callers, in order of their start', () => {
  const { rows } = waterfallOf([
    part(span('request', 'of the client', 0, 100), span('second', 'request', 50, 10), span('first', 'request', 10, 20)),
    part(span('inner', 'first', 12, 5), span('delivery', 'request', 120, 30)),
  ])
  expect(rows.map(({ span: { name }, depth }) => `${depth} ${name}`)).toEqual([
    '0 request',
    '1 first',
    '2 inner',
    '1 second',
    '1 delivery',
  ])
})

test('a wait that is long compared with the busy time is drawn shortened, and a short one is not', () => {
  const { sections } = waterfallOf([
    part(span('a', null, 0, 1000), span('b', 'a', 1200, 1000), span('c', 'a', 60_000_000, 2000)),
  ])
  expect(sections.map(({ kind, startUs, endUs }) => [kind, startUs, endUs])).toEqual([
    ['busy', 0, 2200],
    ['wait', 2200, 60_000_000],
    ['busy', 60_000_000, 60_002_000],
  ])
})

const spans = fc
  .array(fc.record({ startUs: fc.nat(10_000_000), durationUs: fc.nat(2_000_000), parent: fc.nat(20) }), {
    minLength: 1,
    maxLength: 20,
  })
  .map((trace) => trace.map(({ startUs, durationUs, parent }, n) => span(`s${n}`, `s${parent}`, startUs, durationUs)))

test('every bar is on the timeline, in order of time, and wide enough to see', () => {
  fc.assert(
    fc.property(spans, (spans) => {
      const { rows, sections } = waterfallOf([part(...spans)])
      for (const { x, width } of rows) {
        expect(x).toBeGreaterThanOrEqual(0)
        expect(width).toBeGreaterThanOrEqual(3)
        expect(x + width).toBeLessThanOrEqual(1000.001)
      }
      const byStart = rows.toSorted((a, b) => a.span.startUs - b.span.startUs)
      for (const [index, { x, span: of }] of byStart.entries()) {
        const next = byStart[index + 1]
        if (next && next.span.startUs > of.startUs && next.x < 990) expect(next.x).toBeGreaterThanOrEqual(x - 0.001)
      }
      expect(sections.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(1000)
    }),
  )
})

test('spans whose callers form a cycle are left out, and the layout ends', () => {
  const { rows } = waterfallOf([part(span('a', 'b', 0, 1), span('b', 'a', 0, 1), span('c', null, 0, 1))])
  expect(rows.map(({ span: { name } }) => name)).toEqual(['c'])
})

test('ticks are round times in order, on the scale of the bars, with room for the total at the end', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000_000 }), (total) => {
      const ticks = ticksOf(waterfallOf([part(span('a', null, 0, total))]))
      expect(ticks[0]).toEqual({ us: 0, x: 0 })
      expect(ticks.length).toBeLessThanOrEqual(10)
      if (total > 4) expect(ticks.length).toBeGreaterThanOrEqual(4)
      for (const [index, { us, x }] of ticks.entries()) {
        expect(String(us)).toMatch(/^([1-9]\d?)?0*$/)
        expect(x).toBeCloseTo((us / total) * 1000)
        expect(x).toBeLessThanOrEqual(940)
        if (index > 0) expect(us).toBe(index * (ticks[1]?.us ?? 0))
      }
    }),
  )
  // With a shortened wait there is no common scale.
  const waited = waterfallOf([part(span('a', null, 0, 10), span('b', null, 1000, 10))])
  expect(ticksOf(waited)).toEqual([{ us: 0, x: 0 }])
})
