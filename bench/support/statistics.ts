// What a few noisy rounds say: the middle, how far they scatter, and whether a change is more than that.

/** The middle value, or the mean of the two in the middle; NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[sorted.length >> 1] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[(sorted.length >> 1) - 1] ?? Number.NaN) + upper) / 2
}

/** The value below which this share of the sorted values lies (nearest rank); NaN of nothing. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

export interface Estimate {
  median: number
  /** The median distance of a round from the median of all (MAD), as a share of the median. */
  spread: number
  rounds: number
}

/** The median of some rounds with its spread. */
export function estimate(values: readonly number[]): Estimate {
  const middle = median(values)
  const distance = median(values.map((value) => Math.abs(value - middle)))
  return { median: middle, spread: middle === 0 ? 0 : distance / Math.abs(middle), rounds: values.length }
}

/**
 * How far an estimate may be from the truth, as a share of it: the standard error of a median of normally distributed
 * rounds, 1.4826 · MAD · √(π/2) / √n.
 */
export function uncertainty({ spread, rounds }: Pick<Estimate, 'spread' | 'rounds'>): number {
  return rounds === 0 ? 0 : (1.4826 * Math.sqrt(Math.PI / 2) * spread) / Math.sqrt(rounds)
}

/** A smaller change is never called one, however quiet the rounds were. */
const LEAST_CHANGE = 0.1
/** Standard errors of the difference beyond which a change is no accident. */
const CERTAIN = 3

export type Verdict = 'same' | 'better' | 'worse'

/** Whether an estimate, of which more is better unless `lessIsBetter`, differs from an earlier one beyond noise. */
export function compare(now: Estimate, before: Estimate, lessIsBetter = false): Verdict {
  // On a scale of factors: what can rise by more than all of it can only fall by less.
  const change = Math.log(now.median / before.median)
  if (Math.abs(change) <= allowance(now, before)) return 'same'
  return change > 0 === lessIsBetter ? 'worse' : 'better'
}

/** The share by which two estimates of the same thing may differ. */
export function allowance(now: Estimate, before: Estimate): number {
  return Math.max(LEAST_CHANGE, CERTAIN * Math.hypot(uncertainty(now), uncertainty(before)))
}
