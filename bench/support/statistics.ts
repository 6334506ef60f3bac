// Statistics of a few noisy rounds: median, spread, and whether a change is significant.

/** The median; NaN of no values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[sorted.length >> 1] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[(sorted.length >> 1) - 1] ?? Number.NaN) + upper) / 2
}

/** Values that must lie beyond a percentile: with fewer, one outlier more or less moves it. */
const MIN_BEYOND = 10

/** The number of values that a percentile needs: 20 for p50, 1,000 for p99. */
export const neededSamples = (share: number): number => Math.ceil(Number((MIN_BEYOND / (1 - share)).toPrecision(12)))

/** The percentile for `share` of sorted values, by nearest rank; NaN of fewer values than {@link neededSamples}. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length < neededSamples(share)) return Number.NaN
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/** p50 and p99, each only of enough samples. */
export function percentiles(sorted: ArrayLike<number>): Percentiles {
  const [p50, p99] = [percentile(sorted, 0.5), percentile(sorted, 0.99)]
  return { ...(Number.isNaN(p50) ? {} : { p50 }), ...(Number.isNaN(p99) ? {} : { p99 }) }
}

/** Those that there are enough values for. */
export interface Percentiles {
  p50?: number
  p99?: number
}

export interface Estimate {
  median: number
  /** The median absolute deviation (MAD), as a share of the median. */
  spread: number
  rounds: number
}

/** The median of rounds with its spread. */
export function estimate(values: readonly number[]): Estimate {
  const middle = median(values)
  const distance = median(values.map((value) => Math.abs(value - middle)))
  return { median: middle, spread: middle === 0 ? 0 : distance / Math.abs(middle), rounds: values.length }
}

/**
 * The relative standard error of a median of normally distributed rounds: 1.4826 · MAD · √(π/2) / √n, as a share of the
 * median.
 */
export function uncertainty({ spread, rounds }: Pick<Estimate, 'spread' | 'rounds'>): number {
  return rounds === 0 ? 0 : (1.4826 * Math.sqrt(Math.PI / 2) * spread) / Math.sqrt(rounds)
}

/** The smallest relative change that counts, however little the rounds scatter. */
const MIN_CHANGE = 0.1
/** Standard errors of the difference beyond which a change is significant. */
const SIGNIFICANT_ERRORS = 3

export type Verdict = 'same' | 'better' | 'worse'

/** Compares an estimate with an earlier one. More is better unless `lessIsBetter`. */
export function compare(now: Estimate, before: Estimate, lessIsBetter = false): Verdict {
  // Logarithmic, so that halving and doubling count alike.
  const change = Math.log(now.median / before.median)
  if (Math.abs(change) <= allowance(now, before)) return 'same'
  return change > 0 === lessIsBetter ? 'worse' : 'better'
}

/** The largest relative difference between two estimates that counts as noise. */
export function allowance(now: Estimate, before: Estimate): number {
  return Math.max(MIN_CHANGE, SIGNIFICANT_ERRORS * Math.hypot(uncertainty(now), uncertainty(before)))
}
