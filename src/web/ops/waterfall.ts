// The layout of a trace: its spans as a tree, and as bars on a timeline on which long waits are drawn shortened.
import type { PartSpan, TracePart } from '../../platform/telemetry/trace-part.ts'

/** One line of the waterfall. */
export interface Row {
  readonly span: PartSpan
  readonly service: string
  /** The depth in the tree, from 0. */
  readonly depth: number
  /** The start and width of the bar, in thousandths of the timeline. */
  readonly x: number
  readonly width: number
}

/** A section of the timeline: with spans, or a long wait that is drawn shortened. */
export interface Section {
  readonly kind: 'busy' | 'wait'
  readonly startUs: number
  readonly endUs: number
  readonly x: number
  readonly width: number
}

export interface Waterfall {
  readonly rows: readonly Row[]
  readonly sections: readonly Section[]
  readonly startUs: number
  readonly endUs: number
}

const WIDTH = 1000
/** The width of a shortened wait, and the minimum width of a busy section. */
const WAIT_WIDTH = 70
const MIN_BUSY_WIDTH = 60
/** A wait longer than this share of the busy time is drawn shortened. */
const LONG_WAIT = 0.5
/** Keeps the shortest span visible. */
const MIN_BAR = 3

/** Spans are below their callers, siblings in order of their start. */
export function waterfallOf(parts: readonly TracePart[]): Waterfall {
  const spans = parts.flatMap(({ service, spans: of }) => of.map((span) => ({ span, service })))
  const sections = sectionsOf(spans.map(({ span }) => span))
  const xOf = scaleOf(sections)
  const rows = inTree(spans).map(({ span, service, depth }): Row => {
    const x = xOf(span.startUs)
    const width = Math.max(MIN_BAR, xOf(span.startUs + span.durationUs) - x)
    return { span, service, depth, x: Math.min(x, WIDTH - width), width }
  })
  return { rows, sections, startUs: sections[0]?.startUs ?? 0, endUs: sections.at(-1)?.endUs ?? 0 }
}

/** A round time after the start, and its position. */
export interface Tick {
  readonly us: number
  readonly x: number
}

/** The minimum number of ticks, and the room without ticks at the end, where the total duration is written. */
const MIN_TICKS = 4
const END_ROOM = 60

/** Ticks at 1, 2 or 5 times a power of ten. With a shortened wait there is no common scale: only the start has a tick. */
export function ticksOf({ sections, startUs, endUs }: Waterfall): Tick[] {
  const total = endUs - startUs
  if (sections.length !== 1 || total <= MIN_TICKS) return [{ us: 0, x: 0 }]
  const power = 10 ** Math.floor(Math.log10(total / MIN_TICKS))
  const step = power * (([5, 2, 1] as const).find((times) => times * power <= total / MIN_TICKS) ?? 1)
  const ticks: Tick[] = []
  for (let us = 0; (us / total) * WIDTH <= WIDTH - END_ROOM; us += step) ticks.push({ us, x: (us / total) * WIDTH })
  return ticks
}

interface ServiceSpan {
  span: PartSpan
  service: string
}

/** A span whose caller is not among them (a client's span, or one that was not kept) is at the top. */
function inTree(spans: readonly ServiceSpan[]): (ServiceSpan & { depth: number })[] {
  const known = new Set(spans.map(({ span }) => span.id))
  const children = Map.groupBy(spans, ({ span: { parent } }) => (parent !== null && known.has(parent) ? parent : ''))
  const rows: (ServiceSpan & { depth: number })[] = []
  const seen = new Set<string>()
  const visit = (parent: string, depth: number) => {
    const siblings = children.get(parent) ?? []
    for (const child of siblings.toSorted((a, b) => a.span.startUs - b.span.startUs)) {
      // Ids sent by clients may form a cycle.
      if (seen.has(child.span.id)) continue
      seen.add(child.span.id)
      rows.push({ ...child, depth })
      visit(child.span.id, depth + 1)
    }
  }
  visit('', 0)
  return rows
}

/** Busy sections, and the long waits between them. */
function sectionsOf(spans: readonly PartSpan[]): Section[] {
  const busy = busyTimes(spans)
  const total = busy.reduce((sum, { startUs, endUs }) => sum + endUs - startUs, 0)
  const pieces: Omit<Section, 'x' | 'width'>[] = []
  for (const time of busy) {
    const last = pieces.at(-1)
    if (last && time.startUs - last.endUs > total * LONG_WAIT) {
      pieces.push({ kind: 'wait', startUs: last.endUs, endUs: time.startUs }, { kind: 'busy', ...time })
    } else if (last) pieces[pieces.length - 1] = { ...last, endUs: time.endUs }
    else pieces.push({ kind: 'busy', ...time })
  }
  return layOut(pieces)
}

/** The times in which a span ran, merged. */
function busyTimes(spans: readonly PartSpan[]): { startUs: number; endUs: number }[] {
  const times: { startUs: number; endUs: number }[] = []
  for (const { startUs, durationUs } of spans.toSorted((a, b) => a.startUs - b.startUs)) {
    const [last, endUs] = [times.at(-1), startUs + Math.max(1, durationUs)]
    if (last && startUs <= last.endUs) last.endUs = Math.max(last.endUs, endUs)
    else times.push({ startUs, endUs })
  }
  return times
}

/** Waits have a fixed width; busy sections share the rest in proportion to their duration. */
function layOut(pieces: readonly Omit<Section, 'x' | 'width'>[]): Section[] {
  const lengths = pieces.map(({ kind, startUs, endUs }) => (kind === 'busy' ? endUs - startUs : 0))
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const fixed = pieces.map(({ kind }) => (kind === 'busy' ? MIN_BUSY_WIDTH : WAIT_WIDTH))
  const sum = fixed.reduce((all, width) => all + width, 0)
  const shrink = Math.min(1, WIDTH / sum)
  const free = Math.max(0, WIDTH - sum)
  let x = 0
  return pieces.map((piece, index) => {
    const width = (fixed[index] ?? 0) * shrink + free * ((lengths[index] ?? 0) / Math.max(1, total))
    const section = { ...piece, x, width }
    x += width
    return section
  })
}

/** Maps a time to its position. */
function scaleOf(sections: readonly Section[]): (us: number) => number {
  return (us) => {
    const section = sections.find(({ endUs }) => us <= endUs) ?? sections.at(-1)
    if (!section) return 0
    const part = (us - section.startUs) / Math.max(1, section.endUs - section.startUs)
    return section.x + section.width * Math.min(1, Math.max(0, part))
  }
}
