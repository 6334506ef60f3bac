// Durations from histograms, as Prometheus computes them.

/** How many values lay up to each bound, and beyond the last. */
export interface Histogram {
  readonly count: number
  readonly sum: number
  readonly counts: readonly number[]
  readonly bounds: readonly number[]
}

/** Both together. Of two with other bounds (processes of two versions) the one with more in it stands for both. */
export function merged(a: Histogram | undefined, b: Histogram): Histogram {
  if (!a) return b
  if (a.bounds.length !== b.bounds.length || a.bounds.some((bound, index) => bound !== b.bounds[index]))
    return a.count >= b.count ? a : b
  const counts = a.counts.map((value, index) => value + (b.counts[index] ?? 0))
  return { count: a.count + b.count, sum: a.sum + b.sum, counts, bounds: a.bounds }
}

/**
 * The value below which `share` of all lie, between its bounds by proportion; the last bound for what lies beyond it.
 * Undefined when there are none. (Prometheus' histogram_quantile.)
 */
export function quantile(histogram: Histogram | undefined, share: number): number | undefined {
  if (!histogram || histogram.count === 0) return undefined
  const { counts, bounds, count } = histogram
  const rank = share * count
  let below = 0
  for (const [index, inBucket] of counts.entries()) {
    const upper = bounds[index]
    if (upper === undefined) break
    if (below + inBucket >= rank) {
      const lower = index === 0 ? 0 : (bounds[index - 1] ?? 0)
      return inBucket === 0 ? upper : lower + (upper - lower) * ((rank - below) / inBucket)
    }
    below += inBucket
  }
  return bounds.at(-1)
}
