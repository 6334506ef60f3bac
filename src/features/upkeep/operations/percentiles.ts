// Percentiles of durations, as Prometheus computes them from histograms.

export interface Histogram {
  readonly count: number
  readonly sum: number
  /** The number of values up to each bound, and above the last. */
  readonly counts: readonly number[]
  readonly bounds: readonly number[]
}

/** Adds two histograms. If their bounds differ (processes of two versions), returns the one with more values. */
export function mergeHistograms(a: Histogram | undefined, b: Histogram): Histogram {
  if (!a) return b
  if (a.bounds.length !== b.bounds.length || a.bounds.some((bound, index) => bound !== b.bounds[index]))
    return a.count >= b.count ? a : b
  const counts = a.counts.map((value, index) => value + (b.counts[index] ?? 0))
  return { count: a.count + b.count, sum: a.sum + b.sum, counts, bounds: a.bounds }
}

/**
 * The value below which the share `rank` of all values lies (0.99 for p99), interpolated within its bucket; the last bound
 * for values above it. Undefined without values. Source: Prometheus' histogram_quantile.
 */
export function quantile(rank: number, histogram: Histogram | undefined): number | undefined {
  if (!histogram || histogram.count === 0) return undefined
  const { counts, bounds, count } = histogram
  const wanted = rank * count
  let below = 0
  for (const [index, inBucket] of counts.entries()) {
    const upper = bounds[index]
    if (upper === undefined) break
    if (below + inBucket >= wanted) {
      const lower = bounds[index - 1] ?? 0
      return inBucket === 0 ? upper : lower + (upper - lower) * ((wanted - below) / inBucket)
    }
    below += inBucket
  }
  return bounds.at(-1)
}
