// What changed in a process's metrics since the last look: small enough to be written down every few seconds.
import type { Attributes } from '@opentelemetry/api'

import type { Reading } from './metrics.ts'

/** A gauge as it stands, what a counter grew by, or what a histogram took in. */
export type Figure =
  | [name: string, labels: Attributes, value: number]
  | [name: string, labels: Attributes, count: number, sum: number, counts: number[]]

export interface Figures {
  readonly values: Figure[]
  /** The bounds of the histograms among them. */
  readonly bounds: Record<string, readonly number[]>
}

/** Compares each reading of a process with the one before. */
export class Changes {
  #last: Map<string, Reading> | undefined

  /** What is to be written down: gauges that are known, and whatever grew since the last look. */
  since(readings: readonly Reading[]): Figures {
    const [last, now] = [this.#last, new Map<string, Reading>()]
    this.#last = now
    const figures: Figures = { values: [], bounds: {} }
    for (const reading of readings) {
      const key = `${reading.name} ${JSON.stringify(reading.labels)}`
      now.set(key, reading)
      // Some sums began long before this process: at the first look nobody knows what grew.
      const figure = reading.kind === 'gauge' || last ? changeOf(reading, last?.get(key)) : undefined
      if (!figure) continue
      figures.values.push(figure)
      if (reading.kind === 'histogram') figures.bounds[reading.name] = reading.bounds
    }
    return figures
  }
}

function changeOf(now: Reading, before: Reading | undefined): Figure | undefined {
  const { name, labels } = now
  if (now.kind === 'gauge') return Number.isFinite(now.value) ? [name, labels, now.value] : undefined
  if (now.kind === 'counter') {
    // NaN while it was not known; then nothing is known to have grown.
    const grown = now.value - (before?.kind === 'counter' ? before.value : 0)
    return Number.isFinite(grown) && grown > 0 ? [name, labels, grown] : undefined
  }
  const then = before?.kind === 'histogram' ? before : undefined
  const count = now.count - (then?.count ?? 0)
  if (count <= 0) return undefined
  const counts = now.counts.map((value, index) => value - (then?.counts[index] ?? 0))
  return [name, labels, count, now.sum - (then?.sum ?? 0), counts]
}
