// Where the spans of a trace stand: in a tree, and on a line of time on which long waits are cut short.
import type { PartSpan, TracePart } from '../../platform/telemetry/trace-part.ts'

/** A span in the order in which it is shown. */
export interface Row {
  readonly span: PartSpan
  readonly service: string
  /** How deep in the tree, from 0. */
  readonly depth: number
  /** Where its bar begins and how wide it is, in thousandths of the line. */
  readonly x: number
  readonly width: number
}

/** A stretch of the line: something went on, or nothing did for long, and the line is cut short. */
export interface Stretch {
  readonly kind: 'busy' | 'wait'
  readonly startUs: number
  readonly endUs: number
  readonly x: number
  readonly width: number
}

export interface Waterfall {
  readonly rows: readonly Row[]
  readonly stretches: readonly Stretch[]
  readonly startUs: number
  readonly endUs: number
}

const LINE = 1000
/** How wide a wait is drawn that was cut short, and how short a stretch may become. */
const WAIT_WIDTH = 70
const LEAST_WIDTH = 60
/** What is shorter than this part of all that went on is drawn as it is. */
const LONG_WAIT = 0.5
/** So that the shortest span is still seen. */
const LEAST_BAR = 3

/** Spans under what called them, those of one level by when they began. */
export function waterfallOf(parts: readonly TracePart[]): Waterfall {
  const spans = parts.flatMap(({ service, spans: of }) => of.map((span) => ({ span, service })))
  const stretches = stretchesOf(spans.map(({ span }) => span))
  const at = scaleOf(stretches)
  const rows = inTree(spans).map(({ span, service, depth }): Row => {
    const x = at(span.startUs)
    const width = Math.max(LEAST_BAR, at(span.startUs + span.durationUs) - x)
    return { span, service, depth, x: Math.min(x, LINE - width), width }
  })
  return { rows, stretches, startUs: stretches[0]?.startUs ?? 0, endUs: stretches.at(-1)?.endUs ?? 0 }
}

/** A round time after the start, and its place on the line. */
export interface Tick {
  readonly us: number
  readonly x: number
}

/** How many ticks there are at least, and how near the end none is, where the whole time stands. */
const LEAST_TICKS = 4
const END_ROOM = 60

/** Ticks at 1, 2 or 5 times a power of ten. Where a wait is cut short, the line has no one scale: its start alone. */
export function ticksOf({ stretches, startUs, endUs }: Waterfall): Tick[] {
  const total = endUs - startUs
  if (stretches.length !== 1 || total <= LEAST_TICKS) return [{ us: 0, x: 0 }]
  const power = 10 ** Math.floor(Math.log10(total / LEAST_TICKS))
  const step = power * (([5, 2, 1] as const).find((times) => times * power <= total / LEAST_TICKS) ?? 1)
  const ticks: Tick[] = []
  for (let us = 0; (us / total) * LINE <= LINE - END_ROOM; us += step) ticks.push({ us, x: (us / total) * LINE })
  return ticks
}

interface Placed {
  span: PartSpan
  service: string
}

/** Of a span whose caller is not among them (a client's own, or one that was not kept) it is not known who called it. */
function inTree(spans: readonly Placed[]): (Placed & { depth: number })[] {
  const known = new Set(spans.map(({ span }) => span.id))
  const children = Map.groupBy(spans, ({ span: { parent } }) => (parent !== null && known.has(parent) ? parent : ''))
  const rows: (Placed & { depth: number })[] = []
  const seen = new Set<string>()
  const visit = (parent: string, depth: number) => {
    const of = children.get(parent) ?? []
    for (const placed of of.toSorted((a, b) => a.span.startUs - b.span.startUs)) {
      // Nothing we write goes round in a circle; what others send as a caller's id may.
      if (seen.has(placed.span.id)) continue
      seen.add(placed.span.id)
      rows.push({ ...placed, depth })
      visit(placed.span.id, depth + 1)
    }
  }
  visit('', 0)
  return rows
}

/** What went on, in stretches, with the waits between them. */
function stretchesOf(spans: readonly PartSpan[]): Stretch[] {
  const busy = busyTimes(spans)
  const total = busy.reduce((sum, { startUs, endUs }) => sum + endUs - startUs, 0)
  const pieces: Omit<Stretch, 'x' | 'width'>[] = []
  for (const time of busy) {
    const last = pieces.at(-1)
    if (last && time.startUs - last.endUs > total * LONG_WAIT) {
      pieces.push({ kind: 'wait', startUs: last.endUs, endUs: time.startUs }, { kind: 'busy', ...time })
    } else if (last) pieces[pieces.length - 1] = { ...last, endUs: time.endUs }
    else pieces.push({ kind: 'busy', ...time })
  }
  return laidOut(pieces)
}

/** The times in which any span ran. */
function busyTimes(spans: readonly PartSpan[]): { startUs: number; endUs: number }[] {
  const times: { startUs: number; endUs: number }[] = []
  for (const { startUs, durationUs } of spans.toSorted((a, b) => a.startUs - b.startUs)) {
    const [last, endUs] = [times.at(-1), startUs + Math.max(1, durationUs)]
    if (last && startUs <= last.endUs) last.endUs = Math.max(last.endUs, endUs)
    else times.push({ startUs, endUs })
  }
  return times
}

/** Waits are of one width; what is left of the line goes to the rest by how long it took. */
function laidOut(pieces: readonly Omit<Stretch, 'x' | 'width'>[]): Stretch[] {
  const lengths = pieces.map(({ kind, startUs, endUs }) => (kind === 'busy' ? endUs - startUs : 0))
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const fixed = pieces.map(({ kind }) => (kind === 'busy' ? LEAST_WIDTH : WAIT_WIDTH))
  const sum = fixed.reduce((all, width) => all + width, 0)
  const shrink = Math.min(1, LINE / sum)
  const free = Math.max(0, LINE - sum)
  let x = 0
  return pieces.map((piece, index) => {
    const width = (fixed[index] ?? 0) * shrink + free * ((lengths[index] ?? 0) / Math.max(1, total))
    const stretch = { ...piece, x, width }
    x += width
    return stretch
  })
}

/** From a moment to its place on the line. */
function scaleOf(stretches: readonly Stretch[]): (us: number) => number {
  return (us) => {
    const stretch = stretches.find(({ endUs }) => us <= endUs) ?? stretches.at(-1)
    if (!stretch) return 0
    const part = (us - stretch.startUs) / Math.max(1, stretch.endUs - stretch.startUs)
    return stretch.x + stretch.width * Math.min(1, Math.max(0, part))
  }
}
